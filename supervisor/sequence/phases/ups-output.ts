// Has the UPS cut its output some time after this host has halted, through its poller. What exactly it is told is
// configured with the poller: no text of ours reaches the UPS.
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { Performer } from '../actuator.js';
import { failed } from '../outcome.js';

/** The poller's side of it: `output.off` of the UPS with this groupId, within `deadlineMs`. */
export type CutOutput = (ups: string, deadlineMs: number) => Promise<Outcome<{ readonly output: string }>>;

/** The poller answers before the step's budget ends, so that its reason is told. */
const answerMs = 500;

export interface UpsOutputs {
  readonly cut: CutOutput;
  /** Why the output has to stay on for what else it feeds; null when it may be cut. */
  readonly staysOn: (ups: string) => string | null;
}

export function upsOutputPerformer({ cut, staysOn }: UpsOutputs): Performer<'upsOutputOff'> {
  return async ({ ups }, { budgetSeconds }) => {
    const reason = staysOn(ups);
    if (reason !== null) return { kind: 'skipped', reason };
    const outcome = await cut(ups, Math.max(1, budgetSeconds * 1000 - answerMs));
    return outcome.ok ? { kind: 'done' } : failed(outcome.error.message);
  };
}
