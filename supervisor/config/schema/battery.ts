// [battery_health] and [self_test], also under [[ups]]: the condition of a battery and the schedule of its tests.
import * as t from 'io-ts';
import { numberFrom } from '../../../shared/domain/base/units.js';
import { optional, table } from './key.js';
import { calendarDate, clockTime, count, seconds, textThat } from './values.js';

export const batteryHealthKeys = {
  enabled: optional(t.boolean, true),
  update_interval: optional(seconds(1, 7 * 86_400), 3600),
  nominal_runtime_seconds: optional(seconds(0, 30 * 86_400), 0),
  battery_install_date: optional(calendarDate, ''),
  expected_life_years: optional(numberFrom(0.5, 50, 'years'), 5),
  warn_score: optional(numberFrom(0, 100, 'points'), 30),
  critical_score: optional(numberFrom(0, 100, 'points'), 15),
  replacement: table({
    threshold_score: optional(numberFrom(0, 100, 'points'), 50),
    horizon_days: optional(count(1, 3650, 'days'), 90),
    min_history_days: optional(count(1, 3650, 'days'), 14),
  }),
};

const schedule = textThat('"daily", "weekly", "monthly" or "every Nd" (1 to 3650 days)', (text) => {
  const every = /^every ([1-9]\d{0,3})d$/.exec(text);
  return ['daily', 'weekly', 'monthly'].includes(text) || (every !== null && Number(every[1]) <= 3650);
});

/** Any other command could switch the load off, and a scheduler must not (specification/policy.md#self-tests). */
const testCommand = textThat('a command that begins with "test.battery.start"', (text) =>
  /^test\.battery\.start(?:\.[a-z]+)*$/.test(text),
);

export const selfTestKeys = {
  enabled: optional(t.boolean, false),
  command: optional(testCommand, 'test.battery.start.quick'),
  schedule: optional(schedule, 'monthly'),
  time: optional(clockTime, '03:00'),
  result_poll_after: optional(seconds(1, 86_400), 60),
};
