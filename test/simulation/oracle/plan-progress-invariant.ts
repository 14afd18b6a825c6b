// Checks that a sequence makes progress: due steps start, the sequence ends within its bound, and returned power ends a
// sequence that can still be cancelled.
import type { OracleContext } from './oracle-context.js';
import type { SequenceModel, Running } from './sequence-model.js';
import type { ExpectedStep } from './expected-plan.js';

/** Every due step starts within two ticks. */
const promptMs = 1_000;
/** Tolerance for the timers and ticks of many steps. */
const boundSlackMs = 3_000;

export class PlanProgressInvariant {
  readonly #context: OracleContext;
  readonly #model: SequenceModel;
  /** Since when something is due. */
  readonly #dueMs = new Map<string, number>();
  #checkedMs = 0;

  constructor(context: OracleContext, model: SequenceModel) {
    this.#context = context;
    this.#model = model;
  }

  forget(): void {
    this.#dueMs.clear();
  }

  isDue(running: Running, step: ExpectedStep): boolean {
    return this.#model.before(running, step).length === 0 && this.awaited(running, step).length === 0;
  }

  awaited(running: Running, step: ExpectedStep): readonly string[] {
    return this.#model.awaited(running, step, this.#feeds);
  }

  /** At the reading that started the sequences. */
  checkFirstSteps(fresh: readonly Running[]): void {
    if (this.#context.world.site.dryRun) return;
    const nowMs = this.#context.world.machine.monotonicMs();
    for (const running of fresh) {
      if (!this.#model.sequences.has(running.group)) continue;
      const first = running.plan.filter((step) => this.#model.isFirst(running, step));
      const certain = first.filter(
        (step) =>
          !this.#model.isInDoubt(running, step, this.#feeds, nowMs) &&
          !this.#model.isHeardLater(running, step, this.#feeds),
      );
      const late = certain.filter((step) => this.#isNotBegun(step) && this.isDue(running, step));
      if (late.length === 0) continue;
      const keys = late.map(({ key }) => key).join(', ');
      this.#context.violated('the first steps begin at the trigger', `${running.group}: ${keys}`);
    }
  }

  check(): void {
    const { sequences } = this.#model;
    const nowMs = this.#context.world.machine.monotonicMs();
    const sinceMs = Math.min(promptMs, nowMs - this.#checkedMs);
    this.#checkedMs = nowMs;
    if (sequences.size === 0) {
      this.#dueMs.clear();
      return;
    }
    for (const running of sequences.values()) {
      if (!running.looks) this.#checkOne(running, nowMs, Math.max(0, sinceMs));
    }
  }

  #checkOne(running: Running, nowMs: number, sinceMs: number): void {
    const { group, plan } = running;
    const { site } = this.#context.world;
    if (plan.some((step) => this.#mayWait(running, step, nowMs))) running.endsByMs += sinceMs;
    const limitMs = running.endsByMs + boundSlackMs;
    if (nowMs > limitMs) {
      const lateMs = String(nowMs - limitMs);
      this.#context.violated(
        'a sequence ends within the bound of its plan',
        `${group} is late by ${lateMs} ms`,
      );
    }
    const isBack = !this.#model.isPastPointOfNoReturn(running) && this.#context.isPowerBack(group);
    this.#checkDue(`${group} cancel`, isBack, nowMs, 'power that is back ends what can still be ended');
    if (site.dryRun) return;
    for (const step of plan) {
      const isLate =
        this.#isNotBegun(step) &&
        this.isDue(running, step) &&
        !this.#model.isInDoubt(running, step, this.#feeds, nowMs);
      this.#checkDue(`${group} ${step.key}`, isLate, nowMs, 'what is due begins');
    }
  }

  #checkDue(what: string, isDue: boolean, nowMs: number, rule: string): void {
    if (!isDue) {
      if (this.#dueMs.size > 0) this.#dueMs.delete(what);
      return;
    }
    const sinceMs = this.#dueMs.get(what) ?? nowMs;
    this.#dueMs.set(what, sinceMs);
    if (nowMs - sinceMs > promptMs)
      this.#context.violated(rule, `${what}, for ${String(nowMs - sinceMs)} ms`);
  }

  #isNotBegun({ key }: ExpectedStep): boolean {
    const state = this.#model.steps.get(key);
    return state === undefined || state.kind === 'cut';
  }

  /** For another sequence; whose wait for a shared server still runs is not visible. */
  #mayWait(running: Running, step: ExpectedStep, nowMs: number): boolean {
    return (
      (this.#isNotBegun(step) ||
        this.#isResumedPowerOff(running, step) ||
        this.#model.mayBeTriedAgain(step.key)) &&
      this.#model.before(running, step).length === 0 &&
      (this.awaited(running, step).length > 0 || this.#model.isInDoubt(running, step, this.#feeds, nowMs))
    );
  }

  /** Its end under the daemon before is not known here. */
  #isResumedPowerOff({ crashes }: Running, { key }: ExpectedStep): boolean {
    return key === 'host' && crashes > 0;
  }

  readonly #feeds = (group: string, ups: string): boolean => {
    const { groups } = this.#context.world.policies;
    return (groups.find(({ groupId }) => groupId === group)?.members ?? [group]).includes(ups);
  };
}
