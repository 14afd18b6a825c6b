// [recovery]: the start of machines after an outage.
import * as t from 'io-ts';
import { numberFrom } from '../../../shared/domain/base/units.js';
import { optional } from './key.js';
import { seconds } from './values.js';

export const recoveryKeys = {
  enabled: optional(t.boolean, false),
  min_battery_charge: optional(numberFrom(0, 100, 'percent'), 50),
  stable_for: optional(seconds(0, 86_400), 120),
};
