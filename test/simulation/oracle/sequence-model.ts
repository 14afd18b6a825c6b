// The running sequences of all groups, and the state of each step. Lasts as long as any sequence runs, also while the
// daemon is down.
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import type { ExpectedStep } from './expected-plan.js';
import { boundOf, isBeforeFinalSync, isOff, isOfEach, isServer, serverKey } from './expected-plan.js';

/** Monotonic ms of the boot. */
export interface StepState {
  readonly beganMs: number;
  /** Start of its budget, which continues when the step runs again after a restart. Infinity: no daemon knows the start. */
  readonly firstBeganMs: number;
  /** The record of its start did not fit on the disk. */
  readonly isBeginUnwritten: boolean;
  /** `over`: it has ended, by itself or by its budget; `cut`: the daemon died during it. */
  readonly kind: 'runs' | 'over' | 'cut';
  readonly overMs: number;
  /** Null: abandoned, or not yet over. */
  readonly outcome: StepOutcome | null;
  /** The record of its end may be missing on the disk. */
  readonly mayRunAgain: boolean;
  /** The sequence that started it. Null: unknown. */
  readonly by: object | null;
}

export interface Running {
  readonly group: string;
  readonly sinceMs: number;
  readonly plan: readonly ExpectedStep[];
  /** A restarted daemon waits for a reading before it continues. */
  looks: boolean;
  resumedMs: number;
  /** Past the point of no return; `onDisk`: a restarted daemon knows it too. */
  pastPointOfNoReturn: 'no' | 'yes' | 'onDisk';
  summaries: number;
  crashes: number;
  /** Latest end: by its plan, or after a restart by what is left of it. Waiting for other sequences postpones it. */
  endsByMs: number;
}

/** Budget of `wall` (specification/sequence.md#phases), plus the tick that notices its end. */
const wallMs = 5_250;

/** Whether the UPS feeds the group. */
type Feeds = (group: string, ups: string) => boolean;

export class SequenceModel {
  readonly steps = new Map<string, StepState>();
  readonly sequences = new Map<string, Running>();
  /** Servers that have received their final command. */
  readonly commanded = new Set<string>();
  /** Outputs that another sequence tries again, after a failure or a skipped step. */
  readonly triedAgain = new Set<string>();
  /** By group: the last plan that ended while other sequences ran. */
  readonly #ended = new Map<string, readonly ExpectedStep[]>();
  /** A sequence has started after the first outcome of the others' power-off. */
  isPowerOffShared = false;

  begin(group: string, plan: readonly ExpectedStep[], atMs: number, sinceMs = atMs): Running {
    const running: Running = {
      group,
      sinceMs,
      plan,
      looks: false,
      resumedMs: atMs,
      pastPointOfNoReturn: 'no',
      summaries: 0,
      crashes: 0,
      endsByMs: atMs + boundOf(plan),
    };
    this.sequences.set(group, running);
    return running;
  }

  /**
   * A group falls. What sequences did that ran side by side with those that run stays done; in a new outage of a group
   * only what it shares with those that run.
   */
  beginAnew(group: string, plan: readonly ExpectedStep[], atMs: number): Running {
    const others = [...this.sequences.values()].flatMap((other) => other.plan);
    const isNewOutage = this.#ended.delete(group);
    for (const { key } of plan) {
      const known = this.steps.get(key);
      if ((isNewOutage || isOfEach(key)) && !others.some((other) => other.key === key)) this.#forget(key);
      // Whether another has come to the power-off before is not for certain from outside.
      else if (key === 'host' && known !== undefined) {
        this.steps.set(key, { ...known, mayRunAgain: true });
        this.isPowerOffShared = known.kind === 'over';
      }
    }
    return this.begin(group, plan, atMs);
  }

  #forget(key: string): void {
    this.steps.delete(key);
    if (key.startsWith('server ')) this.commanded.delete(key.slice('server '.length));
  }

  /** Forgets the steps that no other sequence shares: a new outage starts them again. */
  callOff({ group, plan }: Running): void {
    this.end(group);
    const others = [...this.sequences.values()].flatMap((other) => other.plan);
    for (const { key, isDestructive } of plan)
      if (!isDestructive && !others.some((other) => other.key === key)) this.steps.delete(key);
  }

  /** The end of the last sequence clears the model. */
  end(group: string): void {
    this.#ended.set(group, this.sequences.get(group)?.plan ?? []);
    this.lose(group);
  }

  /** As `end`, of a sequence that no daemon knows of: another one of its group is its first. */
  lose(group: string): void {
    this.sequences.delete(group);
    if (this.sequences.size === 0) this.clear();
  }

  forgetSteps(): void {
    this.steps.clear();
    this.commanded.clear();
    for (const running of this.sequences.values()) running.pastPointOfNoReturn = 'no';
  }

  clear(): void {
    this.steps.clear();
    this.sequences.clear();
    this.#ended.clear();
    this.commanded.clear();
    this.triedAgain.clear();
    this.isPowerOffShared = false;
  }

  /** A sequence that powers this host off was past its point of no return at the last input. */
  get isHostGoing(): boolean {
    return [...this.sequences.values()].some(
      (one) => one.plan.some(({ key }) => key === 'host') && this.isPastPointOfNoReturn(one),
    );
  }

  /** A sequence that runs has the server, which one that ran side by side with it has shut down: it is not commanded again. */
  isDoneBeside(server: string): boolean {
    const own = serverKey(server);
    const isPlanned = [...this.sequences.values()].some(({ plan }) => plan.some(({ key }) => key === own));
    return isPlanned && this.isOver(own);
  }

  isOver(key: string): boolean {
    return this.steps.get(key)?.kind === 'over';
  }

  /** Each sequence of a UPS tries to cut its output, until one has. */
  mayBeTriedAgain(key: string): boolean {
    const known = this.steps.get(key);
    return key.startsWith('output ') && known?.kind === 'over' && known.outcome?.kind !== 'done';
  }

  /** Steps of the plan that are not over. */
  leftOut(running: Running): readonly ExpectedStep[] {
    return running.plan.filter((step) => this.#isLeftOut(running, step));
  }

  #isLeftOut(running: Running, { key }: ExpectedStep): boolean {
    return !this.isOver(key) && !this.#isOthers(running, key);
  }

  /** Each group has its own `wall` and waits, and its own try of an output; whose still runs is not visible. */
  #isOthers(running: Running, key: string): boolean {
    return (isOfEach(key) || this.triedAgain.has(key)) && this.#hasOthers(running.group, key);
  }

  /** Whether a plan of another group has the step, among those that run and those that ran beside them. */
  #hasOthers(group: string, key: string): boolean {
    const plans = [
      ...[...this.sequences.values()].map((one) => [one.group, one.plan] as const),
      ...this.#ended,
    ];
    return plans.some(([other, plan]) => other !== group && plan.some((step) => step.key === key));
  }

  /** Of the steps that each group has for itself: one of several groups. */
  isOfSeveral({ group }: Running, key: string): boolean {
    return isOfEach(key) && this.#hasOthers(group, key);
  }

  /** Past its point of no return; a shared step of another sequence counts. */
  isPastPointOfNoReturn({ pastPointOfNoReturn, plan }: Running): boolean {
    return (
      pastPointOfNoReturn !== 'no' ||
      plan.some(({ key, isDestructive }) => isDestructive && this.steps.has(key))
    );
  }

  /** Steps that must be over before this one, and certainly are not. */
  before(running: Running, step: ExpectedStep): readonly ExpectedStep[] {
    return running.plan.filter((other) => isBefore(other, step) && this.#isLeftOut(running, other));
  }

  /** Whether its turn has come is uncertain; steps that remove power wait for sequences that a restart left open. */
  isInDoubt(running: Running, step: ExpectedStep, feeds: Feeds, nowMs: number): boolean {
    const others = this.#underneath(running, step, feeds);
    const turnMs = this.#turnMs(running, step);
    if (others.some((other) => other.looks || tellsUsers(other, nowMs))) return true;
    if (others.some((other) => other.plan.some((one) => isOff(one) && this.#isOthers(other, one.key))))
      return true;
    // Of those that fell later, the ones that it finds at the end of another wait.
    const isLater = ({ sinceMs, plan }: Running) =>
      sinceMs > turnMs && plan.some((one) => losesPower(one, step) && !this.isOver(one.key));
    if (others.some(isLater)) return true;
    return running.plan.some((other) => isBefore(other, step) && this.#isOthers(running, other.key));
  }

  /**
   * Another sequence begins or continues at the same reading, and its servers were shut down before, by a third one or before a
   * restart: it hears of their ends a turn later.
   */
  isHeardLater(running: Running, step: ExpectedStep, feeds: Feeds): boolean {
    return this.#underneath(running, step, feeds).some(({ resumedMs }) => resumedMs === running.sinceMs);
  }

  /**
   * Steps of other sequences that it must wait for: those that certainly had started when its turn came. A wait that others have too
   * may be one of theirs, that goes on after its own has ended.
   */
  awaited(own: Running, step: ExpectedStep, feeds: Feeds): readonly string[] {
    const turnMs = this.#turnMs(own, step, ({ key }) => !this.isOfSeveral(own, key));
    return this.#underneath(own, step, feeds)
      .filter(({ sinceMs }) => sinceMs <= turnMs)
      .flatMap((other) => other.plan.filter((one) => losesPower(one, step) && !this.#isOverIn(other, one)))
      .map(({ key }) => key);
  }

  /** Where several wait for one server, whose wait has ended is not visible. */
  #isOverIn(running: Running, step: ExpectedStep): boolean {
    return this.isOver(step.key) || (isOff(step) && this.#isOthers(running, step.key));
  }

  /** The sequences whose targets lose power by this step. */
  #underneath(own: Running, step: ExpectedStep, feeds: Feeds): readonly Running[] {
    const { key } = step;
    const isHost = key === 'host';
    if (!isHost && !key.startsWith('output ')) return [];
    return [...this.sequences.values()]
      .filter((other) => other !== own && other.plan.some((one) => losesPower(one, step)))
      .filter(({ group }) => isHost || feeds(group, key.slice('output '.length)));
  }

  /** No step of its plan comes before it. */
  isFirst({ plan }: Running, step: ExpectedStep): boolean {
    return !plan.some((other) => isBefore(other, step));
  }

  #turnMs(own: Running, step: ExpectedStep, counts = (_: ExpectedStep): boolean => true): number {
    const ends = own.plan
      .filter((other) => isBefore(other, step) && counts(other))
      .map(({ key }) => this.steps.get(key)?.overMs ?? Infinity);
    return Math.max(own.resumedMs, ...ends);
  }
}

/** Its `wall`, which starts with the sequence, may still run and keep the phase of its servers open. */
function tellsUsers({ plan, resumedMs }: Running, nowMs: number): boolean {
  return plan.some(({ key }) => key === 'wall') && nowMs - resumedMs <= wallMs;
}

/** This host takes only servers with it; an output also what is done on this host. */
function losesPower(other: ExpectedStep, { key }: ExpectedStep): boolean {
  if (key === 'host') return isServer(other) || isOff(other);
  return isBeforeFinalSync(other) && other.key !== 'wall';
}

function isBefore(other: ExpectedStep, step: ExpectedStep): boolean {
  if (other === step) return false;
  if (other.lane === step.lane && other.phase === step.phase) return other.rank < step.rank;
  return !step.isAhead && other.phase < step.phase;
}
