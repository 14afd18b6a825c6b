// Sends each shutdown to storage as far as its journal tells, for the outage it belongs to: the plan with its bounds beside
// what each step took. The newest state wins; nothing waits for it.
import type { ShutdownRecord, ShutdownStepRecord } from '../../shared/domain/outage.js';
import { maxShutdownSteps } from '../../shared/domain/outage.js';
import type { PlanStep } from '../../shared/domain/plan.js';
import type { storageContract } from '../../shared/protocol/storage.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { JournalCache } from '../sequence/journal/cache.js';
import type { SequenceHistory, StepHistory } from '../sequence/journal/history.js';
import type { StepOutcome } from '../sequence/outcome.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';

/** A plan of a thousand servers is some milliseconds of work, which must not compete with its commands. */
const intervalMs = 2_000;
const deadlineMs = 5_000;
/** More than run at the same time. */
const maxWaiting = 64;
const maxText = 300;

export interface ShutdownRecordsDependencies {
  readonly storage: Pick<WorkerHandle<typeof storageContract>, 'request'>;
  readonly clock: Clock;
  readonly journals: Pick<JournalCache, 'sequences'>;
}

export class ShutdownRecords {
  readonly #tools: ShutdownRecordsDependencies;
  /** The state that was taken last, by the name of the journal: it is another object after every record. */
  #taken = new Map<string, SequenceHistory>();
  readonly #waiting = new Map<string, ShutdownRecord>();
  #inFlight = false;
  #dueMs = 0;

  constructor(tools: ShutdownRecordsDependencies) {
    this.#tools = tools;
  }

  tick(): void {
    const { clock, journals } = this.#tools;
    // The journal of a shutdown that is over may be evicted next.
    const isDue =
      clock.monotonicMs() >= this.#dueMs || journals.sequences.some((one) => this.#isNewlyOver(one));
    if (isDue) this.take();
    this.#send();
  }

  /** Takes the state of every shutdown now. */
  take(): void {
    const { clock, journals } = this.#tools;
    const { sequences } = journals;
    for (const sequence of sequences) {
      if (this.#taken.get(sequence.found.name) === sequence) continue;
      const { group, startedUnixSeconds } = sequence.header;
      this.#waiting.set(`${group} ${String(startedUnixSeconds)}`, shutdownRecord(sequence));
      this.#dueMs = clock.monotonicMs() + intervalMs;
    }
    this.#taken = new Map(sequences.map((sequence) => [sequence.found.name, sequence]));
    for (const key of [...this.#waiting.keys()].slice(0, -maxWaiting)) this.#waiting.delete(key);
  }

  #isNewlyOver(sequence: SequenceHistory): boolean {
    return sequence.over !== null && this.#taken.get(sequence.found.name) !== sequence;
  }

  #send(): void {
    const [next] = this.#waiting;
    if (this.#inFlight || next === undefined) return;
    const [key, shutdown] = next;
    this.#inFlight = true;
    void this.#tools.storage.request('shutdown.keep', { shutdown }, deadlineMs).then(({ ok }) => {
      this.#inFlight = false;
      if (ok && this.#waiting.get(key) === shutdown) this.#waiting.delete(key);
    });
  }
}

function shutdownRecord({ header, steps, over }: SequenceHistory): ShutdownRecord {
  const { group, cause, plan, startedUnixSeconds } = header;
  return {
    group,
    label: plan.label.slice(0, maxText),
    startedAt: startedUnixSeconds,
    trigger: cause.trigger,
    why: cause.why.slice(0, maxText),
    dryRun: plan.dryRun,
    fedBy: plan.fedBy,
    boundSeconds: plan.boundSeconds,
    estimateSeconds: plan.estimateSeconds,
    over: over !== null,
    cancelled: over?.cancelled?.slice(0, maxText) ?? '',
    steps: plan.phases
      .flatMap((phase) => phase.steps)
      .slice(0, maxShutdownSteps)
      .map((step) => stepRecord(step, steps.get(step.id), over !== null)),
  };
}

function stepRecord(step: PlanStep, history: StepHistory | undefined, isOver: boolean): ShutdownStepRecord {
  const { id, phase, target, budgetSeconds, estimateSeconds } = step;
  const ended = history?.ended ?? null;
  const running = isOver ? 'skipped' : 'running';
  const state = history === undefined ? 'pending' : (ended?.outcome.kind ?? running);
  return {
    id: id.slice(0, maxText),
    phase,
    target: target.slice(0, maxText),
    budgetSeconds,
    estimateSeconds,
    startedAt: history?.beganUnixSeconds ?? null,
    endedAt: ended?.unixSeconds ?? null,
    state,
    reason: ended === null ? '' : textOf(ended.outcome).slice(0, maxText),
  };
}

const textOf = (outcome: StepOutcome): string =>
  outcome.kind === 'done' ? (outcome.detail ?? '') : outcome.reason;
