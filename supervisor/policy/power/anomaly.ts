// A battery whose charge falls on line power: a worn cell, or firmware that has just noticed. Reported, never a trigger.

/** A fall of more points than this ... */
const dropPoints = 20;
/** ... within this time is no self-discharge ... */
const withinMs = 120_000;
/** ... when it stays for this many polls and comes back by no more than this. */
const polls = 3;
const recoveryPoints = 10;

export interface ChargeAt {
  readonly atMs: number;
  readonly percent: number;
}

/** The charges of the last two minutes from which a fall is measured: each higher than all after it. */
export interface Anomaly {
  readonly highs: readonly ChargeAt[];
  readonly suspicion: Suspicion | null;
}

export interface Suspicion {
  readonly fromPercent: number;
  readonly atPercent: number;
  /** Polls that have shown the fall, the first included. */
  readonly polls: number;
}

export const noAnomaly: Anomaly = { highs: [], suspicion: null };

export interface AnomalyStep {
  readonly anomaly: Anomaly;
  /** The fall that is confirmed by this reading. */
  readonly fall: { readonly fromPercent: number; readonly toPercent: number } | null;
}

/** After a reading on line power with a charge. */
export function anomalyAfter(before: Anomaly, { atMs, percent }: ChargeAt): AnomalyStep {
  const { suspicion } = before;
  if (suspicion === null) return watched(before, { atMs, percent });
  if (percent > suspicion.atPercent + recoveryPoints) return { anomaly: since(atMs, percent), fall: null };
  if (suspicion.polls + 1 < polls) {
    return { anomaly: { ...before, suspicion: { ...suspicion, polls: suspicion.polls + 1 } }, fall: null };
  }
  const { fromPercent, atPercent } = suspicion;
  return { anomaly: since(atMs, percent), fall: { fromPercent, toPercent: Math.min(atPercent, percent) } };
}

function watched({ highs }: Anomaly, now: ChargeAt): AnomalyStep {
  const recent = highs.filter(({ atMs }) => now.atMs - atMs <= withinMs);
  const highest = recent[0];
  if (highest !== undefined && highest.percent - now.percent > dropPoints) {
    const suspicion = { fromPercent: highest.percent, atPercent: now.percent, polls: 1 };
    return { anomaly: { highs: recent, suspicion }, fall: null };
  }
  const higher = recent.filter(({ percent }) => percent > now.percent);
  return { anomaly: { highs: [...higher, now], suspicion: null }, fall: null };
}

function since(atMs: number, percent: number): Anomaly {
  return { highs: [{ atMs, percent }], suspicion: null };
}
