// [battery_health] and [self_test], also under [[ups]]: the condition of a battery and the schedule of its tests.
import { count, duration, key, number, onOff, seconds, table } from '../../../shared/domain/base/keys.js';
import { calendarDate, clockTime, textThat } from './values.js';

export const batteryHealthKeys = {
  enabled: onOff(true),
  update_interval: seconds(1, 7 * 86_400, 3600),
  nominal_runtime_seconds: seconds(0, 30 * 86_400, 0),
  battery_install_date: key(calendarDate, ''),
  expected_life_years: number(0.5, 50, 'years', 5),
  warn_score: number(0, 100, 'points', 30),
  critical_score: number(0, 100, 'points', 15),
  replacement: table({
    threshold_score: number(0, 100, 'points', 50),
    horizon_days: count(1, 3650, 90, 'days'),
    min_history_days: count(1, 3650, 14, 'days'),
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
  enabled: onOff(false),
  command: key(testCommand, 'test.battery.start.quick'),
  schedule: key(schedule, 'monthly'),
  time: key(clockTime, '03:00'),
  result_poll_after: duration(1, 86_400, 60),
};
