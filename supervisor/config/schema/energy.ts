// [energy] and [reports]: the cost of the load, and the schedule of reports.
import * as t from 'io-ts';
import { numberFrom, oneOf } from '../../../shared/domain/base/units.js';
import { optional } from './key.js';
import { clockTime, count, textThat } from './values.js';

/** The rating of a UPS; 0: unknown. */
export const nominalPower = numberFrom(0, 10_000_000, 'watts');

export const energyKeys = {
  enabled: optional(t.boolean, true),
  cost_per_kwh: optional(numberFrom(0, 1_000_000), 0),
  currency: optional(
    textThat('a currency code such as "EUR"', (text) => /^[A-Z]{3}$/.test(text)),
    'EUR',
  ),
  nominal_power: optional(nominalPower, 0),
};

export const reportKeys = {
  enabled: optional(t.boolean, false),
  daily: optional(t.boolean, false),
  weekly: optional(t.boolean, true),
  monthly: optional(t.boolean, false),
  time: optional(clockTime, '08:00'),
  weekly_day: optional(
    oneOf('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'),
    'monday',
  ),
  monthly_day: optional(count(1, 31), 1),
};
