// Whether the plan fits the battery: when a trigger fires and when the battery is empty, at the current rate. Pure. For display
// only: the daemon uses none of it. Its error is on the early side, but for the readings that confirm a trigger.
import type { TriggerExplanation } from '../../shared/domain/status/status-model.js';
import type { TriggerName } from '../../shared/domain/status/states.js';
import { batteryTriggers } from '../../shared/domain/triggers/table.js';
import type { Course as Ahead } from '../../shared/domain/triggers/trigger.js';

export interface ForecastInputs {
  /** The last readings, in percent and seconds; null is unknown. */
  readonly charge: number | null;
  readonly runtime: number | null;
  /** Percent a minute, as measured by the daemon; 0 or null before. */
  readonly depletionRate: number | null;
  /** Seconds of runtime lost per second in the last minute; null when not on battery. */
  readonly runtimePace: number | null;
  /** Seconds on battery; 0 on line power. */
  readonly onBatterySeconds: number;
  readonly triggers: readonly TriggerExplanation[];
}

export interface Coming {
  readonly trigger: TriggerName;
  /** Seconds from now. */
  readonly inSeconds: number;
}

export interface PlanForecast {
  /** The trigger that fires first, or null. */
  readonly first: Coming | null;
  /** Seconds until the battery is empty; null when unknown. */
  readonly emptyInSeconds: number | null;
}

/** The UPS's estimate should fall by a second a second; a faster fall shortens the forecast. */
export function forecastOf(course: ForecastInputs): PlanForecast {
  const pace = Math.max(1, course.runtimePace ?? 1);
  const byRuntime = course.runtime === null ? null : course.runtime / pace;
  const byCharge =
    course.charge === null || (course.depletionRate ?? 0) <= 0
      ? null
      : (course.charge / (course.depletionRate ?? 1)) * 60;
  const emptyInSeconds = least(byRuntime, byCharge);
  const timeOnBattery = course.triggers.find(({ name }) => name === 'EXTENDED_TIME');
  const ahead: Ahead = {
    untilCharge: (percent) => {
      if (course.charge === null || emptyInSeconds === null) return null;
      if (course.charge < percent) return 0;
      return emptyInSeconds * 1000 * (1 - percent / Math.max(course.charge, 1));
    },
    untilRuntime: (seconds) => (course.runtime === null ? null : ((course.runtime - seconds) / pace) * 1000),
    // The page knows no grace period of a fast drain.
    depletionRate: null,
    onBatteryMs: course.onBatterySeconds * 1000,
    batteryTimeMs: (timeOnBattery?.reading ?? course.onBatterySeconds) * 1000,
  };
  const coming = course.triggers.flatMap((trigger): Coming[] => {
    const inMs = trigger.armed || trigger.active ? untilMet(trigger, ahead) : null;
    if (inMs === null) return [];
    const delay = trigger.active ? 0 : trigger.delay - course.onBatterySeconds;
    return [{ trigger: trigger.name, inSeconds: Math.max(0, inMs / 1000, delay) }];
  });
  coming.sort((a, b) => a.inSeconds - b.inSeconds);
  return { first: coming[0] ?? null, emptyInSeconds };
}

function untilMet({ name, active, threshold }: TriggerExplanation, ahead: Ahead): number | null {
  if (active) return 0;
  const definition = batteryTriggers.find((rule) => rule.name === name);
  return definition === undefined || threshold === null ? null : definition.untilMet(ahead, threshold, null);
}

function least(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b);
}

/** The time the plan needs, compared with the time the battery has left when it begins. */
export type Fit =
  | { readonly kind: 'fits' | 'tight' | 'short'; readonly needSeconds: number; readonly leftSeconds: number }
  /** Nothing shuts down, or the battery time is unknown. */
  | { readonly kind: 'nothing' | 'unknown' };

/** `fits`: also when every step takes its full budget. `tight`: only when nothing hangs. */
export function fitOf(
  { first, emptyInSeconds }: PlanForecast,
  plan: { readonly boundSeconds: number; readonly estimateSeconds: number },
): Fit {
  if (plan.boundSeconds === 0) return { kind: 'nothing' };
  if (emptyInSeconds === null || first === null) return { kind: 'unknown' };
  const leftSeconds = Math.max(0, emptyInSeconds - first.inSeconds);
  const needSeconds = plan.boundSeconds;
  if (leftSeconds >= needSeconds) return { kind: 'fits', needSeconds, leftSeconds };
  return { kind: leftSeconds >= plan.estimateSeconds ? 'tight' : 'short', needSeconds, leftSeconds };
}

/** Seconds of runtime lost per second over the newest `windowSeconds`; null with too few samples. */
export function paceOf(
  points: readonly { readonly ts: number; readonly value: number }[],
  windowSeconds = 60,
): number | null {
  const last = points.at(-1);
  if (last === undefined) return null;
  const first = points.find(({ ts }) => ts >= last.ts - windowSeconds);
  if (first === undefined || last.ts - first.ts < 8) return null;
  const pace = (first.value - last.value) / (last.ts - first.ts);
  return pace > 0 ? pace : null;
}
