// The time that the battery gave, by specification/policy.md#extended-time.

/** What the specification says of a reading. */
interface Charged {
  readonly atMs: number;
  readonly chargePercent: number | null;
}

export interface Given {
  /** At `fromMs`; from there it changes by `pace` ms each ms: 1, -0.1 or 0. */
  readonly sumMs: number;
  readonly fromMs: number;
  readonly pace: number;
  /** The charge before it. */
  readonly before: number | null;
  readonly wasBelow: boolean;
  /** It has not been below it although the sum was above 90 s. */
  readonly isStuck: boolean;
  /** The first of the readings in a row that show the charge from before. */
  readonly backMs: number | null;
}

export const nothingGiven: Given = {
  sumMs: 0,
  fromMs: 0,
  pace: 0,
  before: null,
  wasBelow: false,
  isStuck: false,
  backMs: null,
};

export function givenMs({ sumMs, fromMs, pace }: Given, atMs: number): number {
  // A tenth by division, as a clock would show it.
  const change = pace < 0 ? -((atMs - fromMs) / 10) : (atMs - fromMs) * pace;
  return Math.max(0, sumMs + change);
}

/** With what it gave before a reading showed it, or without what it has not given. */
export function givenBefore(given: Given, atMs: number, ms: number): Given {
  return ms === 0 ? given : { ...given, sumMs: Math.max(0, givenMs(given, atMs) + ms), fromMs: atMs };
}

export function givenAfter(
  given: Given,
  { atMs, chargePercent }: Charged,
  pace: number,
  holdMs: number,
): Given {
  const sumMs = givenMs(given, atMs);
  const going = pace === given.pace ? given : { ...given, sumMs, fromMs: atMs, pace };
  if (pace <= 0 && sumMs === 0) {
    const before = chargePercent !== null && chargePercent > 0 ? chargePercent : given.before;
    return { ...nothingGiven, fromMs: going.fromMs, pace, before };
  }
  const charged = chargePercent === null ? going : withCharge(going, chargePercent, atMs);
  const { backMs } = charged;
  const isBack = backMs !== null && atMs - backMs > holdMs && !charged.isStuck;
  if (pace >= 0 || !isBack) return charged;
  const onLineMs = atMs - charged.fromMs;
  if (onLineMs > holdMs) return { ...charged, sumMs: 0 };
  return sumMs > holdMs ? { ...charged, sumMs: holdMs + onLineMs / 10 } : charged;
}

function withCharge(given: Given, percent: number, atMs: number): Given {
  const before = given.before ?? percent;
  const isBack = percent > 0 && percent >= before;
  const wasBelow = given.wasBelow || !isBack;
  return {
    ...given,
    before,
    wasBelow,
    isStuck: !wasBelow && (given.isStuck || (given.pace > 0 && givenMs(given, atMs) > 90_000)),
    backMs: isBack ? (given.backMs ?? atMs) : null,
  };
}
