// What sequences share that run at the same time: a server is shut down once, an output is cut once, and a step that cuts
// power waits for what still needs that power. All follow from the record.
import { kindOf } from '../../shared/domain/actions/table.js';
import type { Plan, PlanStep } from '../../shared/domain/outage/plan.js';
import { untilAbandoned } from './budget.js';
import type { SequencerDependencies } from './dependencies.js';
import type { GroupRecord, Moment, StepRecord } from './journal/fold.js';
import {
  areServersDone,
  isFinal,
  precedesFinalSync,
  serverKey,
  sharedKeyOf,
  stepsOf,
} from './journal/fold.js';
import type { SequenceRecord } from './journal/record.js';
import type { StepOutcome } from './outcome.js';
import { isUnsent } from './outcome.js';
import { Tries } from './phases/tries.js';

/** A restarted daemon waits for a reading before it resumes a sequence, for half of it at most. */
const resumeMs = 30_000;

export class SharedSteps {
  readonly #record: SequenceRecord;
  readonly #deps: Pick<SequencerDependencies, 'clock' | 'setTimer'>;
  /** The commands of this daemon, by `sharedKeyOf`. */
  readonly #commands = new Map<string, Promise<StepOutcome>>();
  readonly tries = new Tries();

  constructor(record: SequenceRecord, deps: Pick<SequencerDependencies, 'clock' | 'setTimer'>) {
    this.#record = record;
    this.#deps = deps;
  }

  /**
   * The shutdown of groups is decided: what the record does not have any more gets its commands again. Nor does it have an output
   * that a sequence tries again after the request of another failed; that one is waited for.
   */
  decided(): void {
    const kept = new Set(this.#record.open.flatMap(keysUnderWay));
    for (const key of [...this.#commands.keys()])
      if (!this.#record.shared.has(key) && !kept.has(key)) this.#commands.delete(key);
  }

  /** How and when the server got its command, or did not; undefined while there is no answer. */
  endOf(server: string): StepRecord['ended'] | undefined {
    return this.#record.shared.get(serverKey(server))?.ended;
  }

  outcomeOf(server: string): StepOutcome | undefined {
    return this.endOf(server)?.outcome;
  }

  /**
   * Another try gave the server its command. The record gets that as the end of its step, so that a restarted daemon does not
   * command it again.
   */
  commanded(server: string, outcome: StepOutcome, now: Moment): void {
    const key = serverKey(server);
    // A try of an earlier outage says nothing.
    if (!isUnsent(this.outcomeOf(server))) return;
    this.#commands.set(key, Promise.resolve(outcome));
    for (const { group, plan, steps } of this.#record.groups)
      for (const { id: step } of stepsOf(plan).filter((one) => sharedKeyOf(one) === key))
        if (isUnsent(steps.get(step)?.ended?.outcome))
          this.#record.write({ kind: 'stepEnded', group, step, outcome, ...now });
  }

  /**
   * When the target of the step was first commanded, monotonic ms. The budget counts from then. With more time, another
   * sequence that shares a server would use up its own budget and continue while the server still shuts down.
   */
  commandedSinceMs(step: PlanStep): number | undefined {
    const key = sharedKeyOf(step);
    return key === null ? undefined : this.#record.shared.get(key)?.beganMs;
  }

  /** When the target of the step got its command, in whichever sequence. */
  endedMs(step: PlanStep): number | undefined {
    const key = sharedKeyOf(step);
    return key === null ? undefined : this.#record.shared.get(key)?.ended?.atMs;
  }

  /** The first caller commands the target; the others, and those after a restart, get the same outcome. */
  once(step: PlanStep, signal: AbortSignal, command: () => Promise<StepOutcome>): Promise<StepOutcome> {
    const key = sharedKeyOf(step);
    if (key === null) return command();
    const known = this.#commands.get(key);
    if (known !== undefined)
      // An output that was not cut for another is tried for this one.
      return known.then((end) =>
        isFinal(key, end) || signal.aborted ? end : this.once(step, signal, command),
      );
    const ended = this.#record.shared.get(key)?.ended ?? null;
    const outcome =
      ended === null
        ? Promise.race([command(), untilAbandoned(step, signal)])
        : Promise.resolve(ended.outcome);
    this.#commands.set(key, outcome);
    const settled = (isOver: boolean) => {
      if (!isOver && this.#commands.get(key) === outcome) this.#commands.delete(key);
    };
    // The caller reports an exception.
    void outcome.then((end) => settled(isFinal(key, end))).catch(() => settled(true));
    return outcome;
  }

  /**
   * The wait of a step of `group` for the servers of other open sequences; null: it does not wait, as for an output that is
   * cut already. Those of a sequence that a restart has not resumed yet count too. It waits for none longer than its plan takes at
   * most, counted from the last entry of it; one whose resumption throws each time has no end.
   */
  gate(group: string, step: PlanStep): Promise<void> | null {
    const { clock, setTimer } = this.#deps;
    const sinceMs = clock.monotonicMs();
    const leftMs = ({ lastMs, plan }: GroupRecord) =>
      Math.max(lastMs + plan.boundSeconds * 1000, sinceMs + resumeMs) - clock.monotonicMs();
    const isHeldBy = (other: GroupRecord) =>
      other.group !== group && takesPowerFrom(step, other.plan) && !areServersDone(other);
    const holding = () => this.#record.open.filter((record) => isHeldBy(record) && leftMs(record) > 0);
    const waits = () => this.endedMs(step) === undefined && holding().length > 0;
    const free = this.#record.until(() => !waits());
    if (free === null) return null;
    return new Promise((resolve) => {
      let cancel = (): void => undefined;
      const look = (): void => {
        if (!waits()) return resolve();
        cancel = setTimer(Math.max(1, Math.min(resumeMs, ...holding().map(leftMs))), look);
      };
      look();
      void free.then(() => {
        cancel();
        resolve();
      });
    });
  }
}

/** Of the steps that have begun and not ended. */
function keysUnderWay({ plan, steps }: GroupRecord): readonly string[] {
  if (plan.dryRun) return [];
  return stepsOf(plan).flatMap((step) =>
    steps.get(step.id)?.ended === null ? (sharedKeyOf(step) ?? []) : [],
  );
}

/** Whether the step cuts power or control that a plan of another group still needs. */
function takesPowerFrom({ action }: PlanStep, { fedBy, phases }: Plan): boolean {
  const { powersOffHost, outputOf } = kindOf(action);
  const output = outputOf(action);
  const cuts = powersOffHost || (output !== null && fedBy.includes(output));
  return cuts && phases.some(precedesFinalSync);
}
