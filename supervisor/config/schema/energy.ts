// [energy] and [reports]: the cost of the load, and the schedule of reports.
import { count, key, number, onOff, word } from '../../../shared/domain/base/keys.js';
import { clockTime, textThat } from './values.js';

/** The rating of a UPS; 0: unknown. */
export const nominalPower = <D extends number | null>(fallback: D) =>
  number(0, 10_000_000, 'watts', fallback);

export const energyKeys = {
  enabled: onOff(true),
  cost_per_kwh: number(0, 1_000_000, '', 0),
  currency: key(
    textThat('a currency code such as "EUR"', (text) => /^[A-Z]{3}$/.test(text)),
    'EUR',
  ),
  nominal_power: nominalPower(0),
};

export const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export const reportKeys = {
  enabled: onOff(false),
  daily: onOff(false),
  weekly: onOff(true),
  monthly: onOff(false),
  time: key(clockTime, '08:00'),
  weekly_day: word(days, 'monday'),
  monthly_day: count(1, 31, 1),
};
