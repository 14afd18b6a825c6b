// Ways to break what policy makes of readings and of their absence.
import type { Breakage } from './breakage.js';

export const readingBreakages: readonly Breakage[] = [
  {
    name: 'a charge at the threshold counts as below it',
    file: 'supervisor/policy/triggers.ts',
    find: 'facts.chargePercent < settings.lowBatteryPercent',
    replace: 'facts.chargePercent <= settings.lowBatteryPercent',
  },
  {
    name: 'a runtime at the threshold counts as below it',
    file: 'supervisor/policy/triggers.ts',
    find: 'facts.runtimeSeconds < settings.criticalRuntimeSeconds',
    replace: 'facts.runtimeSeconds <= settings.criticalRuntimeSeconds',
  },
  {
    name: 'the time on battery fires at its threshold, not beyond it',
    file: 'supervisor/policy/triggers.ts',
    find: 'facts.onBatteryMs > settings.extendedTime.thresholdMs',
    replace: 'facts.onBatteryMs >= settings.extendedTime.thresholdMs',
  },
  {
    name: 'a switched-off extended time fires all the same',
    file: 'supervisor/policy/triggers.ts',
    find: 'settings.extendedTime.enabled && facts',
    replace: 'facts',
  },
  {
    name: 'the depletion grace is forgotten',
    file: 'supervisor/policy/triggers.ts',
    find: 'facts.onBatteryMs >= settings.depletion.graceMs',
    replace: 'true',
  },
  {
    name: 'the stabilization delay is forgotten',
    file: 'supervisor/policy/triggers.ts',
    find: 'onBatteryMs >= delayMs(trigger, settings) && !isHeld(trigger)',
    replace: '!isHeld(trigger)',
  },
  {
    name: 'LB waits for the whole stabilization delay',
    file: 'supervisor/policy/triggers.ts',
    find: "if (trigger !== 'LOW_BATTERY_FLAG') return settings.stabilizationMs;",
    replace: 'return settings.stabilizationMs;',
  },
  {
    name: 'a test or calibration holds nothing',
    file: 'supervisor/policy/triggers.ts',
    find: '&& !isHeld(trigger)) return trigger;',
    replace: ') return trigger;',
  },
  {
    name: 'one confirmation too few is enough',
    file: 'supervisor/policy/triggers.ts',
    find: 'counts[trigger] < settings.confirmations',
    replace: 'counts[trigger] + 1 < settings.confirmations',
  },
  {
    name: 'a value that recovers does not reset the confirmations',
    file: 'supervisor/policy/triggers.ts',
    find: 'Math.min(before[trigger] + 1, settings.confirmations) : 0;',
    replace: 'Math.min(before[trigger] + 1, settings.confirmations) : before[trigger];',
  },
  {
    name: 'a reading without the value resets the confirmations',
    file: 'supervisor/policy/triggers.ts',
    find: 'if (met === null) return before[trigger];',
    replace: 'if (met === null) return 0;',
  },
  {
    name: 'the flag of the UPS is obeyed although trigger_on_low_battery_flag is off',
    file: 'supervisor/policy/triggers.ts',
    find: 'settings.lowBatteryFlag && facts.lowBatteryFlag',
    replace: 'facts.lowBatteryFlag',
  },
  {
    name: 'a charge of 0 on line power is believed',
    file: 'supervisor/policy/readings.ts',
    find: 'if (onLine && reading.chargePercent === 0) {',
    replace: 'if (false) {',
  },
  {
    name: 'a runtime of 0 that was 0 on line power too is believed in the outage',
    file: 'supervisor/policy/readings.ts',
    find: 'if (runtime === 0 && runtimeDistrusted) {',
    replace: 'if (runtime === 0 && onLine) {',
  },
  {
    name: 'the oldest charge of the window is forgotten one reading early',
    file: 'supervisor/policy/depletion.ts',
    find: 'atMs >= earliest',
    replace: 'atMs > earliest + 1_000',
  },
  {
    name: 'a rate is told from two readings, however long the window',
    file: 'supervisor/policy/depletion.ts',
    find: 'const enoughReadings = 30;',
    replace: 'const enoughReadings = 2;',
  },
  {
    name: 'the failsafe needs one failed poll less',
    file: 'supervisor/policy/failsafe.ts',
    find: 'failures < policy.maxStaleDataTolerance ||',
    replace: 'failures + 1 < policy.maxStaleDataTolerance ||',
  },
  {
    name: 'the failsafe does not wait for its delay',
    file: 'supervisor/policy/failsafe.ts',
    find: '|| unseenMs < policy.triggers.failsafeMs',
    replace: '',
  },
  {
    name: 'a loss of sight on line power meets the failsafe',
    file: 'supervisor/policy/failsafe.ts',
    find: 'if (!lastOnBattery(ups) || lastGood === null) {',
    replace: 'if (lastGood === null) {',
  },
  {
    name: 'a dead poller is not missed',
    file: 'supervisor/policy/silence.ts',
    find: 'if (now.watchedMs - heard.watchedMs <= checkIntervalMs + pollDeadlineMs) return null;',
    replace: 'return null;',
  },
  {
    name: 'time that nobody watched counts as silence of the UPS',
    file: 'supervisor/policy/clock.ts',
    find: 'Math.min(passedMs, watchedStepMs)',
    replace: 'passedMs',
  },
  {
    name: 'WAIT is taken for a reading',
    file: 'supervisor/policy/ups.ts',
    find: 'tellsNothing(outcome.reading.status)',
    replace: 'false',
  },
];
