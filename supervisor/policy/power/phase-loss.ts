// A phase of the mains that has no voltage while another one has: a blown fuse or a broken line that the UPS may carry from its other
// phases, without a status word. It is reported, and is never a trigger.
import type { MainsVoltage } from '../../../shared/domain/ups/mains-voltage.js';

/** A fuse that is changed, and one bad sample, are shorter. */
const lostAfterMs = 10_000;
/** Below this share of the highest phase it carries nothing; what motors feed back is more. */
const lostShare = 0.1;
/** From this share on it is back. */
const backShare = 0.5;
/** A highest phase with less is an outage of all. */
const presentVolts = 50;

export interface PhaseLoss {
  /** Phases that have had a voltage: one that never had is not connected, unless the UPS counts it in input.phases. */
  readonly seen: readonly string[];
  readonly missing: readonly MissingPhase[];
}

export interface MissingPhase {
  readonly phase: string;
  readonly sinceMs: number;
  readonly reported: boolean;
}

export const noPhaseLoss: PhaseLoss = { seen: [], missing: [] };

/** Phases that are lost or back with this reading: one at least. */
export interface PhaseChanges {
  readonly lost: readonly string[];
  readonly back: readonly string[];
}

/** After a reading that was asked for at `askedMs`. `declared`: input.phases. */
export function phaseLossAfter(
  before: PhaseLoss,
  { phases, highestVolts }: MainsVoltage,
  declared: number,
  nowMs: number,
  askedMs: number,
): { readonly phaseLoss: PhaseLoss; readonly changes: PhaseChanges | null } {
  const unchanged = { phaseLoss: before, changes: null };
  if (phases.length < 2 || highestVolts === null) return unchanged;
  if (highestVolts < presentVolts) {
    const missing = before.missing.filter(({ reported }) => reported);
    return missing.length === before.missing.length
      ? unchanged
      : { ...unchanged, phaseLoss: { ...before, missing } };
  }
  const [missing, lost, back]: [MissingPhase[], string[], string[]] = [[], [], []];
  let { seen } = before;
  for (const { phase, volts } of phases) {
    const known = before.missing.find((lost) => lost.phase === phase);
    const isLow = volts < highestVolts * (known?.reported === true ? backShare : lostShare);
    if (!isLow && !seen.includes(phase)) seen = [...seen, phase];
    // L2, L2-N and L2-L3 are all of the second.
    const isConnected = seen.includes(phase) || Number(phase[1]) <= declared;
    if (isLow && isConnected) {
      const sinceMs = known?.sinceMs ?? nowMs;
      const reported = askedMs - sinceMs >= lostAfterMs;
      if (reported && known?.reported !== true) lost.push(phase);
      missing.push(known?.reported === reported ? known : { phase, sinceMs, reported });
    } else if (known?.reported === true) back.push(phase);
  }
  // One that is not shown in this reading is not back.
  const unseen = before.missing.filter(
    ({ phase, reported }) => reported && phases.every((measured) => measured.phase !== phase),
  );
  const after = [...missing, ...unseen];
  const isSame =
    seen === before.seen &&
    after.length === before.missing.length &&
    after.every((lost, index) => lost === before.missing[index]);
  return {
    phaseLoss: isSame ? before : { seen, missing: after },
    changes: lost.length + back.length === 0 ? null : { lost, back },
  };
}

/** The phases that were reported as lost. */
export function lostPhases({ missing }: PhaseLoss): readonly string[] {
  return missing.filter(({ reported }) => reported).map(({ phase }) => phase);
}
