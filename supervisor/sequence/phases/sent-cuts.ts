// Which outputs a plan has had cut, or may have: the UPS acts minutes later, whatever this host does by then.
import { kindOf } from '../../../shared/domain/actions/table.js';
import type { Clock } from '../../../shared/runtime/clock.js';
import { stepsOf } from '../journal/fold.js';
import type { SequenceRecord } from '../journal/record.js';
import type { StepOutcome } from '../outcome.js';
import { feedsOfHost } from './restart-facts.js';

/** `ups.delay.shutdown` of a UPS may be fixed above `off_delay`: for so long it may still act. */
const longestDelayMs = 3_600_000;

/** Each UPS that feeds this host has accepted the cut of its output, which comes on mains too. */
export function hasCutHost(journal: Pick<SequenceRecord, 'groups' | 'powerOff'>, nowMs: number): boolean {
  const feeds = [...feedsOfHost(journal)];
  const accepted = (ups: string) =>
    journal.groups.some(
      ({ plan, steps }) =>
        !plan.dryRun &&
        stepsOf(plan).some(({ id, action }) => {
          const ended = steps.get(id)?.ended ?? null;
          const isAccepted = kindOf(action).outputOf(action) === ups && ended?.outcome.kind === 'done';
          return isAccepted && nowMs - ended.atMs < longestDelayMs;
        }),
    );
  return feeds.length > 0 && feeds.every(accepted);
}

export class SentCuts {
  readonly #journal: SequenceRecord;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** By groupId: when the request was sent; of a previous daemon, when it ended or may have been sent last. */
  readonly #sentMs = new Map<string, number>();

  constructor({
    journal,
    clock,
  }: {
    readonly journal: SequenceRecord;
    readonly clock: Pick<Clock, 'monotonicMs'>;
  }) {
    this.#journal = journal;
    this.#clock = clock;
    for (const { plan, steps } of journal.groups)
      for (const { id, action } of stepsOf(plan)) {
        const ups = kindOf(action).outputOf(action);
        const step = steps.get(id);
        if (ups === null || plan.dryRun || step === undefined || step.ended?.outcome.kind === 'skipped')
          continue;
        // Kept here too: with another outage the journal begins again, and the UPS may not have acted yet.
        this.#sentMs.set(ups, step.ended?.atMs ?? clock.monotonicMs());
      }
  }

  /** The request for the output of `ups` is sent. */
  async watch(ups: string, perform: () => Promise<StepOutcome>): Promise<StepOutcome> {
    const before = this.#sentMs.get(ups);
    this.#sentMs.set(ups, this.#clock.monotonicMs());
    const outcome = await perform();
    // It still feeds something, and nothing was sent.
    if (outcome.kind === 'skipped' && before === undefined) this.#sentMs.delete(ups);
    return outcome;
  }

  /** One without an answer, or that failed, may have reached the UPS. */
  mayBe(ups: string): boolean {
    const sentMs = this.#sentMs.get(ups);
    if (sentMs !== undefined && this.#clock.monotonicMs() - sentMs < longestDelayMs) return true;
    return this.#journal.groups.some(
      ({ plan, steps }) =>
        !plan.dryRun &&
        stepsOf(plan).some(({ id, action }) => {
          const ended = steps.get(id)?.ended ?? null;
          return (
            kindOf(action).outputOf(action) === ups && ended !== null && ended.outcome.kind !== 'skipped'
          );
        }),
    );
  }
}
