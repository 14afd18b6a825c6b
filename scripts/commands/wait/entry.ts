// The text of `ridethrough wait`, for the catalogue.
import type { CommandEntry } from '../usage.js';
import { exitCodes, runtimeConfig, socket } from '../usage.js';

export const waitEntry: CommandEntry = {
  name: 'wait',
  summary: 'wait until the battery could carry another outage, for services that must not start before',
  text: [
    `Ends when the UPS has been on line power, without an active trigger and with enough charge, for the whole of --stable, and
no shutdown sequence runs. It ends at the time-out too, with a message: a battery that never charges must not keep a machine down for ever. Without
--ups it waits for the UPS that powers this machine; for as many members as its redundancy group needs; or, where neither is
configured, for every UPS. On a UPS that reports no charge only line power counts. ridethrough-ready.target runs it at boot.`,
    [
      ['--ups NAME', 'for this UPS, as the configuration names it'],
      ['--charge PERCENT', 'least charge, 0 to 100; default 40'],
      ['--stable TIME', 'how long it must last: 90s, 2m, 1h; default 2m, at most 24h'],
      ['--timeout TIME', 'at most this long; default 30m, at most 24h'],
      runtimeConfig,
      socket,
    ],
  ],
  gap: 2,
  exitCodes: exitCodes('the battery is good, or the time is over', 'there is no such UPS'),
  load: async () => (await import('./wait.js')).wait,
};
