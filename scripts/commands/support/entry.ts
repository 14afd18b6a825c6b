// The catalogue entry of `ridethrough support`.
import type { CommandEntry } from '../usage.js';
import { exitCodes, runtimeConfig, socket } from '../usage.js';

export const supportEntry: CommandEntry = {
  name: 'support',
  summary: 'write an archive for a bug report, without secrets',
  text: [
    `Writes versions, the configuration without secrets, the state of every UPS and worker, plans without commands, the last
events and the last lines of the log into one tar.gz of at most 20 MB, and prints its name. It needs the running daemon.
It names hosts, users and serial numbers: read it before you send it to anybody.
Needs root or membership in the group ridethrough-admin.`,
    [
      [
        '--output FILE',
        'default ridethrough-support-TIME.tar.gz here; - is standard output. No file is overwritten',
      ],
      runtimeConfig,
      socket,
    ],
  ],
  exitCodes: exitCodes('written', 'not written'),
  load: async () => (await import('./support.js')).support,
};
