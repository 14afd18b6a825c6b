// What runs side by side: the sequences that have begun and not ended, and how far each step of them has come. It lasts
// as long as any sequence runs, also while no daemon lives.
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import type { ExpectedStep } from './expected-plan.js';
import { boundOf, isServer } from './expected-plan.js';

/** Monotonic ms of the boot. */
export interface StepState {
  readonly beganMs: number;
  /** When its budget began: that of a step which runs again after a restart goes on. Infinity: no daemon knows it began. */
  readonly firstBeganMs: number;
  /** That it began had no room on the disk. */
  readonly isBeginUnwritten: boolean;
  /** `over`: it has ended, by itself or by its budget; `cut`: its daemon died in it. */
  readonly kind: 'runs' | 'over' | 'cut';
  readonly overMs: number;
  /** Null: left behind, or not yet over. */
  readonly outcome: StepOutcome | null;
  /** Its end may not be on the disk. */
  readonly mayRunAgain: boolean;
  /** What was begun: a sequence that was called off may leave its own behind. Null: nobody saw it. */
  readonly by: object | null;
}

export interface Running {
  readonly group: string;
  readonly sinceMs: number;
  readonly plan: readonly ExpectedStep[];
  /** Restarted daemons look at a reading before they go on with it. */
  looks: boolean;
  resumedMs: number;
  /** Past the point of no return; `onDisk`: a restart knows it as well. */
  committed: 'no' | 'yes' | 'onDisk';
  summaries: number;
  crashes: number;
  /** When it has to be over: by its plan, after a restart by what is left of it on the disk. Waiting for others puts it off. */
  endsByMs: number;
}

/** Contract 4, and the tick that notices its end. */
const wallMs = 5_250;

/** Whether the UPS feeds the group. */
type Feeds = (group: string, ups: string) => boolean;

export class SequenceModel {
  readonly steps = new Map<string, StepState>();
  readonly sequences = new Map<string, Running>();
  /** Servers that have their final command. */
  readonly commanded = new Set<string>();
  /** A sequence has begun after the power-off of the others had had its first outcome. */
  isPowerOffShared = false;

  begin(group: string, plan: readonly ExpectedStep[], atMs: number): Running {
    const running: Running = {
      group,
      sinceMs: atMs,
      plan,
      looks: false,
      resumedMs: atMs,
      committed: 'no',
      summaries: 0,
      crashes: 0,
      endsByMs: atMs + boundOf(plan),
    };
    this.sequences.set(group, running);
    return running;
  }

  /** Another outage, while others of the one before still run: what they share with it stays done, the rest is its own. */
  beginAnew(group: string, plan: readonly ExpectedStep[], atMs: number): Running {
    const others = [...this.sequences.values()].flatMap((other) => other.plan);
    for (const { key } of plan) {
      const known = this.steps.get(key);
      if (!others.some((other) => other.key === key)) this.#forget(key);
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

  /** What it had begun is none of another sequence's: another outage begins it anew. */
  callOff({ group, plan }: Running): void {
    this.end(group);
    const others = [...this.sequences.values()].flatMap((other) => other.plan);
    for (const { key, isDestructive } of plan)
      if (!isDestructive && !others.some((other) => other.key === key)) this.steps.delete(key);
  }

  /** The last one that ends takes everything along. */
  end(group: string): void {
    this.sequences.delete(group);
    if (this.sequences.size === 0) this.clear();
  }

  clear(): void {
    this.steps.clear();
    this.sequences.clear();
    this.commanded.clear();
    this.isPowerOffShared = false;
  }

  isOver(key: string): boolean {
    return this.steps.get(key)?.kind === 'over';
  }

  /** What of the plan is not over. */
  leftOut(running: Running): readonly ExpectedStep[] {
    return running.plan.filter(({ key }) => !this.isOver(key) && !this.#isOthers(running, key));
  }

  /** Each group tells the users for itself: whose `wall` still runs, nobody can see. */
  #isOthers(running: Running, key: string): boolean {
    const others = [...this.sequences.values()].filter((other) => other !== running);
    return key === 'wall' && others.some(({ plan }) => plan.some((step) => step.key === key));
  }

  /** Past its point of no return; a step that another sequence carries out for it counts as its own. */
  hasCommitted({ committed, plan }: Running): boolean {
    return committed !== 'no' || plan.some(({ key, isDestructive }) => isDestructive && this.steps.has(key));
  }

  /** What has to be over before the step may begin, and surely is not. */
  before(running: Running, step: ExpectedStep): readonly ExpectedStep[] {
    return this.leftOut(running).filter((other) => isBefore(other, step));
  }

  /** Whether its turn has come cannot be seen for certain; what takes power away waits for whom a restart left open. */
  isInDoubt(running: Running, step: ExpectedStep, feeds: Feeds, nowMs: number): boolean {
    const others = this.#underneath(running, step, feeds);
    if (others.some((other) => other.looks || tellsUsers(other, nowMs))) return true;
    return running.plan.some((other) => isBefore(other, step) && this.#isOthers(running, other.key));
  }

  /** Whom a restart left open goes on at the reading that started this: that its servers are over is heard a turn later. */
  isHeardLater(running: Running, step: ExpectedStep, feeds: Feeds): boolean {
    return this.#underneath(running, step, feeds).some(
      ({ crashes, resumedMs }) => crashes > 0 && resumedMs === running.sinceMs,
    );
  }

  /** What of the others the step has to wait for: their servers, as far as they had begun when its turn came. */
  awaited(own: Running, step: ExpectedStep, feeds: Feeds): readonly string[] {
    const turnMs = this.#turnMs(own, step);
    return this.#underneath(own, step, feeds)
      .filter(({ sinceMs }) => sinceMs <= turnMs)
      .flatMap(({ plan }) => plan.filter((one) => isServer(one) && !this.isOver(one.key)))
      .map(({ key }) => key);
  }

  /** The others from whose servers the step takes the power. */
  #underneath(own: Running, { key }: ExpectedStep, feeds: Feeds): readonly Running[] {
    const isHost = key === 'host';
    if (!isHost && !key.startsWith('output ')) return [];
    return [...this.sequences.values()]
      .filter((other) => other !== own && other.plan.some(isServer))
      .filter(({ group }) => isHost || feeds(group, key.slice('output '.length)));
  }

  /** Nothing of its plan comes before it. */
  isFirst({ plan }: Running, step: ExpectedStep): boolean {
    return !plan.some((other) => isBefore(other, step));
  }

  #turnMs(own: Running, step: ExpectedStep): number {
    const ends = own.plan
      .filter((other) => isBefore(other, step))
      .map(({ key }) => this.steps.get(key)?.overMs ?? Infinity);
    return Math.max(own.resumedMs, ...ends);
  }
}

/** The phase of its servers may not be over for the sake of its `wall`, which begins with the sequence. */
function tellsUsers({ plan, resumedMs }: Running, nowMs: number): boolean {
  return plan.some(({ key }) => key === 'wall') && nowMs - resumedMs <= wallMs;
}

function isBefore(other: ExpectedStep, step: ExpectedStep): boolean {
  if (other === step) return false;
  if (other.lane === step.lane && other.phase === step.phase) return other.rank < step.rank;
  return !step.isAhead && other.phase < step.phase;
}
