// [ups_output], also under [[ups]]: the UPS cuts its output as the last step of a shutdown.
import { converted, key, onOff, seconds } from '../../../shared/domain/base/keys.js';
import { textThat } from './values.js';

/** Commands that wait for the delay. `load.off` and `shutdown.reboot` cut power immediately, while machines still write. */
const delayed = ['shutdown.return', 'shutdown.stayoff', 'shutdown.reboot.graceful', 'load.off.delay'];

const outputCommand = textThat(
  `a NUT command that cuts power after a delay (${delayed.join(', ')})`,
  (text) => delayed.includes(text),
);

export const upsOutputKeys = {
  off_after_shutdown: onOff(false),
  command: key(outputCommand, 'shutdown.return'),
  // Tried: it cuts and restores its output also while mains is there.
  cycles_on_mains: onOff(false),
  // With less than a minute a slow machine would lose power while it still writes.
  off_delay: converted(seconds(60, 3600, 120), Math.ceil),
};
