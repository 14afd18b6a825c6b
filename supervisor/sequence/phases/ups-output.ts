// Requests from the poller that the UPS cuts its output some time after this host has halted. The poller's configuration
// holds the command: no text from here reaches the UPS.
import type { Outcome } from '../../../shared/protocol/contract.js';
import { formatSeconds } from '../../../shared/domain/duration.js';
import type { Performer } from '../actuator.js';
import { failed } from '../outcome.js';

/**
 * `output.off` of the poller of the UPS with this groupId, within `deadlineMs`: after `delaySeconds`, or after the longest delay of
 * the UPS that is no shorter than its `off_delay`.
 */
export type CutOutput = (
  ups: string,
  delaySeconds: number,
  deadlineMs: number,
) => Promise<Outcome<{ readonly output: string; readonly delaySeconds: number }>>;

/** The poller replies before the end of the step's budget, so that the step reports its reason. */
const replyMarginMs = 500;
/** Of any setting of `halt_timeout` and `off_delay`. */
const maxDelaySeconds = 86_400;

export interface UpsOutputs {
  readonly cut: CutOutput;
  /** The reason why the output must stay on for another load; null when it may be cut. */
  readonly staysOn: (ups: string) => string | null;
  /** Seconds for which loads may still shut down that nothing has waited for. */
  readonly neededSeconds: (ups: string) => number;
}

export function upsOutputPerformer({ cut, staysOn, neededSeconds }: UpsOutputs): Performer<'upsOutputOff'> {
  return async ({ ups, offDelaySeconds }, { budgetSeconds }) => {
    const reason = staysOn(ups);
    if (reason !== null) return { kind: 'skipped', reason };
    const wanted = Math.min(maxDelaySeconds, Math.max(offDelaySeconds, Math.ceil(neededSeconds(ups))));
    const outcome = await cut(ups, wanted, Math.max(1, budgetSeconds * 1000 - replyMarginMs));
    if (!outcome.ok) return failed(outcome.error.message);
    if (wanted === offDelaySeconds) return { kind: 'done' };
    const { delaySeconds } = outcome.value;
    const isLongEnough = delaySeconds >= wanted;
    const why = isLongEnough
      ? 'a server may still shut down'
      : `the longest this UPS allows: a server may shut down for ${formatSeconds(wanted)}`;
    return {
      kind: 'done',
      detail: `off in ${formatSeconds(delaySeconds)}${isLongEnough ? ':' : ','} ${why}`,
    };
  };
}
