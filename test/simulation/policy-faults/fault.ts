// A bug of policy: from a moment on some of its functions throw, at each call or each n-th one, for one UPS or all.
import type { Random } from '../random.js';

export interface FaultSpec {
  /** Of instrument.ts; null: every function of policy. */
  readonly place: string | null;
  readonly fromMs: number;
  readonly each: number;
  /** Only while an input of this UPS, or one of none, is handled. */
  readonly ups: string | null;
}

/** The fault of the world that plays in this thread. */
let present: { readonly spec: FaultSpec; readonly nowMs: () => number } | null = null;
/** The UPS whose reading is handled. */
let read: string | null = null;
let calls = 0;
let thrown = 0;

declare global {
  /** Called at the begin of every function of policy, with its first argument. */
  var policyCall: (place: string, subject?: unknown) => void;
}

/** Part of the message of every exception. */
export const policyFault = 'injected fault of policy';

globalThis.policyCall = (place, subject) => {
  if (present === null) return;
  const { spec, nowMs } = present;
  if (spec.place !== null && spec.place !== place) return;
  if (nowMs() < spec.fromMs) return;
  if (spec.ups !== null && spec.ups !== (groupOf(subject) ?? read ?? spec.ups)) return;
  calls += 1;
  if (calls % spec.each !== 0) return;
  thrown += 1;
  throw new Error(`${policyFault}: ${place}`);
};

function groupOf(subject: unknown): string | undefined {
  return (subject as { readonly policy?: { readonly groupId?: string } } | null | undefined)?.policy?.groupId;
}

export function install(spec: FaultSpec, nowMs: () => number): void {
  present = { spec, nowMs };
  read = null;
  calls = 0;
  thrown = 0;
}

/** Ends it; the exceptions that it threw. */
export function uninstall(): number {
  present = null;
  return thrown;
}

/** `act` handles a reading of this UPS. */
export function reading(ups: string, act: () => void): void {
  read = ups;
  try {
    act();
  } finally {
    read = null;
  }
}

export function drawFault(
  random: Random,
  places: readonly string[],
  upses: readonly string[],
  untilMs: number,
): FaultSpec {
  const isEvery = random.chance(0.06);
  return {
    place: isEvery ? null : random.pick(places),
    // Some are there from the start of the daemon.
    fromMs: random.chance(0.15) ? 0 : random.integer(0, Math.round(untilMs * 0.6)),
    each: isEvery ? random.pick([1, 50, 1_000, 20_000]) : random.pick([1, 1, 1, 1, 2, 3, 7, 20]),
    ups: upses.length > 1 && random.chance(0.3) ? random.pick(upses) : null,
  };
}
