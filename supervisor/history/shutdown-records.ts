// Sends each shutdown to storage as far as its journal records it, for the outage it belongs to: the plan with its bounds beside
// what each step took. The newest state wins; nothing waits for it.
import type { ShutdownRecord, ShutdownStepRecord } from '../../shared/domain/outage/outage.js';
import { maxShutdownSteps } from '../../shared/domain/outage/outage.js';
import type { PlanStep } from '../../shared/domain/outage/plan.js';
import type { storageContract } from '../../shared/protocol/storage.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { GroupRecord, StepRecord } from '../sequence/journal/fold.js';
import { endDateOf } from '../sequence/journal/fold.js';
import type { SequenceRecord } from '../sequence/journal/record.js';
import type { StepOutcome } from '../sequence/outcome.js';
import { AppendQueue } from '../queues/append-queue.js';
import { deadlineMs, Turns } from '../queues/turns.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';

/** A plan of a thousand servers is some milliseconds of work, which must not compete with its commands. */
const intervalMs = 2_000;
/** More than run at the same time. */
const maxWaiting = 64;
const maxText = 300;

export interface ShutdownRecordsDependencies {
  readonly storage: Pick<WorkerHandle<typeof storageContract>, 'request'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warning'>;
  readonly journal: () => Pick<SequenceRecord, 'groups'>;
}

export class ShutdownRecords {
  readonly #deps: ShutdownRecordsDependencies;
  /** How many entries of each decision were taken. */
  #taken = new Map<string, number>();
  readonly #waiting: AppendQueue<ShutdownRecord>;
  readonly #turns: Turns;
  #dueMs = 0;

  constructor(deps: ShutdownRecordsDependencies) {
    this.#deps = deps;
    const { storage, clock, log } = deps;
    this.#waiting = new AppendQueue<ShutdownRecord>({
      perRequest: 1,
      max: maxWaiting,
      dropped: ({ group }, why) => {
        if (why !== null)
          log.warning(`the report of a shutdown of ${group} cannot be stored: ${why.message}`);
      },
      send: ([shutdown]) =>
        shutdown === undefined
          ? Promise.resolve({ ok: true, value: null })
          : storage.request('shutdown.keep', { shutdown }, deadlineMs),
    });
    this.#turns = new Turns(clock, () => this.#waiting.next());
  }

  tick(): void {
    const { clock, journal } = this.#deps;
    const isDue =
      clock.monotonicMs() >= this.#dueMs ||
      journal().groups.some((record) => record.over !== null && this.#isChanged(record));
    if (isDue) this.take();
    this.#turns.tick();
  }

  /** Storage is ready, or the daemon ends: what waits is sent now. */
  ready(): void {
    this.#turns.ready();
  }

  /** Takes the state of every shutdown now. */
  take(): void {
    const { clock, journal } = this.#deps;
    const { groups } = journal();
    for (const record of groups.filter((group) => this.#isChanged(group))) {
      this.#waiting.push(shutdownRecord(record), keyOf(record));
      this.#dueMs = clock.monotonicMs() + intervalMs;
    }
    this.#taken = new Map(groups.map((record) => [keyOf(record), record.entries]));
  }

  #isChanged(record: GroupRecord): boolean {
    return this.#taken.get(keyOf(record)) !== record.entries;
  }
}

const keyOf = ({ group, startedUnixSeconds }: GroupRecord): string =>
  `${group} ${String(startedUnixSeconds)}`;

function shutdownRecord({
  group,
  cause,
  plan,
  startedUnixSeconds,
  steps,
  over,
}: GroupRecord): ShutdownRecord {
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

function stepRecord(step: PlanStep, history: StepRecord | undefined, isOver: boolean): ShutdownStepRecord {
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
    endedAt: history === undefined ? null : endDateOf(history),
    state,
    reason: ended === null ? '' : textOf(ended.outcome).slice(0, maxText),
  };
}

const textOf = (outcome: StepOutcome): string =>
  outcome.kind === 'done' ? (outcome.detail ?? '') : outcome.reason;
