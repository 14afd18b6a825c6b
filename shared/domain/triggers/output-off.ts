// OUTPUT_OFF: OFF without OB in an outage. The output is off, or the driver has lost the UPS and says OFF for it.
import { formatSeconds } from '../base/duration.js';
import { formatMs } from '../base/format.js';
import { holdsOf } from './hold.js';
import { duration } from '../base/keys.js';
import { batteryTrigger } from './trigger.js';

export const outputOff = batteryTrigger({
  name: 'OUTPUT_OFF',
  words: 'output off',
  // upsmon OFFDURATION. A UPS shows OFF for seconds when it restarts or begins a calibration.
  keys: { output_off_delay: duration(0, 3600, 30) },
  settings: (keys) => ({ outputOffMs: keys.outputOffDelayMs }),
  isOn: (settings) => settings.outputOffMs > 0,
  isMet: ({ offMs }, { outputOffMs }) => outputOffMs > 0 && offMs !== null && offMs >= outputOffMs,
  // Its own delay is of readings in a row.
  confirmations: () => 1,
  delayMs: () => 0,
  doubtKey: 'status_hold',
  // No threshold of the runtime shortens it: nothing is lost by waiting.
  doubtMs: (_, { offMs, variables, holdSettings }) => {
    const { statusMs } = holdsOf(variables, holdSettings, 0);
    return statusMs === 0 || offMs === null || offMs > statusMs ? 0 : statusMs - offMs + 1;
  },
  reason: ({ offMs }, { outputOffMs }) =>
    `OFF in every reading for ${formatMs(offMs ?? 0)}, output_off_delay ${formatMs(outputOffMs)}`,
  limit: ({ outputOffMs }) => `OFF for ${formatMs(outputOffMs)}`,
  measure: ({ offMs }, { outputOffMs }) => {
    const [threshold, reading] = [outputOffMs / 1000, Math.floor((offMs ?? 0) / 1000)];
    const shown = offMs === null ? 'no OFF' : `OFF for ${formatSeconds(reading)}`;
    const words = `${shown}, it fires after ${formatSeconds(threshold)}`;
    return { what: 'OFF', threshold, reading, margin: threshold - reading, words };
  },
  outlook: ({ outputOffMs }, { duration }) => [
    'output off',
    outputOffMs > 0
      ? `OFF without OB for ${duration(outputOffMs / 1000)} (output_off_delay), without the waits above; a test or calibration inhibits it`
      : 'ignored',
  ],
});
