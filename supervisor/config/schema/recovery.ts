// [recovery]: the start of machines after an outage.
import { count, duration, number, onOff, word } from '../../../shared/domain/base/keys.js';

export const recoveryKeys = {
  enabled: onOff(false),
  /** What a stop step has stopped on a machine that is up again. */
  guests: word(['as_before', 'leave'], 'as_before'),
  /** From a boot of this host until its own autostart has started what it starts. */
  boot_timeout: duration(0, 86_400, 300),
  /** Guests of one engine of a machine, side by side. */
  at_once: count(1, 64, 4),
  min_battery_charge: number(0, 100, 'percent', 50),
  stable_for: duration(0, 86_400, 120),
};
