// What the journal says of the power-off of this host, and of a restart in its place. Pure.
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import { unreachable } from '../../../shared/domain/base/unreachable.js';
import type { StepOutcome } from '../outcome.js';
import type { PowerOffEntry, RestartEntry } from './entries.js';

/** The power-off of this host, which sequences share. */
export interface PowerOffRecord {
  readonly askedBy: ReadonlySet<string>;
  /** From the plan of the first group that asked; null: none has. */
  readonly step: PlanStep | null;
  readonly attempts: number;
  /** The end of the last attempt; null: the journal has none. */
  readonly last: StepOutcome | null;
  readonly givenUp: boolean;
}

/** The last restart of this host in place of its power-off that was chosen on this boot. */
export interface RestartRecord {
  readonly number: number;
  /** Of the choice. */
  readonly atMs: number;
  /** Null: the journal has no end of the command. */
  readonly outcome: StepOutcome | null;
  /** Another outage has been decided since, with a power-off of its own. */
  readonly isPast: boolean;
}

export const noPowerOff: PowerOffRecord = {
  askedBy: new Set(),
  step: null,
  attempts: 0,
  last: null,
  givenUp: false,
};

export function powerOffAfter(before: PowerOffRecord, entry: PowerOffEntry): PowerOffRecord {
  switch (entry.kind) {
    case 'powerOffAsked': {
      const { askedBy, step, givenUp } = before;
      const asked = new Set([...askedBy, entry.group]);
      // Attempts that were given up begin again for another group.
      const isGivenUp = givenUp && askedBy.has(entry.group);
      return { ...before, askedBy: asked, step: step ?? entry.step, givenUp: isGivenUp };
    }
    case 'tryBegan':
      // Where a daemon gave it up without an attempt, the next one may find power out.
      return { ...before, attempts: entry.number, last: null, givenUp: false };
    case 'tryEnded':
      return { ...before, attempts: entry.number, last: entry.outcome };
    case 'givenUp':
      return { ...before, givenUp: true };
    default:
      return unreachable(entry);
  }
}

/** An end without a choice says nothing. */
export function restartAfter(before: RestartRecord | null, entry: RestartEntry): RestartRecord | null {
  if (entry.kind === 'restartEnded') return before === null ? null : { ...before, outcome: entry.outcome };
  const { number, atMs } = entry;
  return { number, atMs, outcome: null, isPast: false };
}
