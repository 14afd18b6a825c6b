// [recovery]: the start of machines after an outage.
import { duration, number, onOff } from '../../../shared/domain/base/keys.js';

export const recoveryKeys = {
  enabled: onOff(false),
  min_battery_charge: number(0, 100, 'percent', 50),
  stable_for: duration(0, 86_400, 120),
};
