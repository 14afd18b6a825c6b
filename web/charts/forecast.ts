// Whether the plan fits the battery: when a trigger fires and when the battery is empty, on the present course. Pure.
// The daemon decides by none of this; it is the picture beside its own words, and it rather warns too early.
import type { TriggerExplanation } from '../../shared/domain/status-model.js';
import type { TriggerName } from '../../shared/domain/states.js';

export interface Course {
  /** Percent and seconds as last read; null is unknown. */
  readonly charge: number | null;
  readonly runtime: number | null;
  /** Percent a minute, as the daemon measured it; 0 or null while it has not. */
  readonly depletionRate: number | null;
  /** Seconds of runtime lost per second, as seen in the last minute; null when not on battery. */
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

export interface Forecast {
  /** The trigger that comes first, or null when none is in sight. */
  readonly first: Coming | null;
  /** Seconds until nothing is left; null when nobody knows. */
  readonly emptyInSeconds: number | null;
}

/** The UPS's own estimate falls by a second a second; a battery that does worse than it says is believed less. */
export function forecastOf(course: Course): Forecast {
  const pace = Math.max(1, course.runtimePace ?? 1);
  const byRuntime = course.runtime === null ? null : course.runtime / pace;
  const byCharge =
    course.charge === null || (course.depletionRate ?? 0) <= 0
      ? null
      : (course.charge / (course.depletionRate ?? 1)) * 60;
  const emptyInSeconds = least(byRuntime, byCharge);
  const coming = course.triggers.flatMap((trigger): Coming[] => {
    const inSeconds =
      trigger.armed || trigger.active ? untilMet(trigger, course, pace, emptyInSeconds) : null;
    return inSeconds === null ? [] : [{ trigger: trigger.name, inSeconds: Math.max(0, inSeconds) }];
  });
  coming.sort((a, b) => a.inSeconds - b.inSeconds);
  return { first: coming[0] ?? null, emptyInSeconds };
}

function untilMet(
  { name, active, threshold }: TriggerExplanation,
  { charge, runtime, onBatterySeconds }: Course,
  pace: number,
  emptyInSeconds: number | null,
): number | null {
  if (active) return 0;
  if (threshold === null) return null;
  switch (name) {
    case 'LOW_BATTERY':
      if (charge === null || emptyInSeconds === null) return null;
      return charge < threshold ? 0 : emptyInSeconds * (1 - threshold / Math.max(charge, 1));
    case 'CRITICAL_RUNTIME':
      return runtime === null ? null : (runtime - threshold) / pace;
    case 'EXTENDED_TIME':
      return threshold - onBatterySeconds;
    case 'FSD':
    case 'DEPLETION':
    case 'LOW_BATTERY_FLAG':
    case 'FAILSAFE':
      return null;
    default:
      return name satisfies never;
  }
}

function least(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b);
}

/** How the time the plan needs compares with the time the battery has left when it begins. */
export type Fit =
  | { readonly kind: 'fits' | 'tight' | 'short'; readonly needSeconds: number; readonly leftSeconds: number }
  /** Nothing is shut down, or nobody knows how long the battery lasts. */
  | { readonly kind: 'nothing' | 'unknown' };

/** `fits`: also when every step takes all its time. `tight`: only when nothing hangs. */
export function fitOf(
  { first, emptyInSeconds }: Forecast,
  plan: { readonly boundSeconds: number; readonly estimateSeconds: number },
): Fit {
  if (plan.boundSeconds === 0) return { kind: 'nothing' };
  if (emptyInSeconds === null || first === null) return { kind: 'unknown' };
  const leftSeconds = Math.max(0, emptyInSeconds - first.inSeconds);
  const needSeconds = plan.boundSeconds;
  if (leftSeconds >= needSeconds) return { kind: 'fits', needSeconds, leftSeconds };
  return { kind: leftSeconds >= plan.estimateSeconds ? 'tight' : 'short', needSeconds, leftSeconds };
}

/** Seconds of runtime lost per second over the newest `windowSeconds`; null when too little was seen to say. */
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
