// Requests from the poller that the UPS cuts its output some time after this host has halted. The poller's configuration
// holds the command: no text from here reaches the UPS.
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { Performer } from '../actuator.js';
import { failureOf } from '../outcome.js';

/** `output.off` of the poller of the UPS with this groupId, within `deadlineMs`. */
export type CutOutput = (ups: string, deadlineMs: number) => Promise<Outcome<{ readonly warning: string }>>;

/** The poller replies before the end of the step's budget, so that the step reports its reason. */
const replyMarginMs = 500;

export interface UpsOutputs {
  readonly cut: CutOutput;
  /** The reason why the output must stay on for another load; null when it may be cut. */
  readonly staysOn: (ups: string) => string | null;
}

export function upsOutputPerformer({ cut, staysOn }: UpsOutputs): Performer<'upsOutputOff'> {
  return async ({ ups }, { budgetSeconds }) => {
    const reason = staysOn(ups);
    if (reason !== null) return { kind: 'skipped', reason };
    const outcome = await cut(ups, Math.max(1, budgetSeconds * 1000 - replyMarginMs));
    if (!outcome.ok) return failureOf(outcome.error.message);
    const { warning } = outcome.value;
    return warning === '' ? { kind: 'done' } : { kind: 'done', detail: warning };
  };
}
