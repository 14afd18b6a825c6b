// Looks whether the targets are up, so that the record knows who was up before an outage. One round at a time; a worker that is
// lost or does not answer is a round without answers. Nothing waits for it, and it never throws.
import type { Outcome } from '../../shared/protocol/contract.js';
import type { LookRound } from '../../shared/protocol/remote.js';
import { maxLooks } from '../../shared/protocol/remote.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Guard } from '../guard/guard.js';
import type { Answer, Round, TargetLooks } from './before.js';
import { beginOutage, endOutage, isInOutage, judgeRound, notLookedAt } from './before.js';

/** Several looks in the default boot_timeout of a server. */
const restMs = 60_000;
/** `ufw limit` refuses the sixth connection to the port of SSH in 30 s: looks leave room for the login of the sequence. */
const outageMs = 10_000;
/** After a round that failed, such as at the start, before the worker is ready. No server was asked. */
const retryMs = 5_000;
/** Ends before the next round is due; the worker asks 48 silent servers a second. */
const restWithinMs = 30_000;
const outageWithinMs = 9_000;

export interface LookedTarget {
  readonly server: string;
  /** Another host is another machine. */
  readonly host: string;
  readonly group: string;
  readonly bootTimeoutMs: number;
}

export interface LooksDependencies {
  readonly clock: Clock;
  readonly guard: Pick<Guard, 'run'>;
  /** `looks` of the remote worker. Settles, at the latest soon after `withinMs`. */
  readonly request: (servers: readonly string[], withinMs: number) => Promise<Outcome<LookRound>>;
  readonly isInOutage: (group: string) => boolean;
  /** The sequence of the group is open, also as a dry run: its targets are not looked at until it is over. */
  readonly isOpen: (group: string) => boolean;
  /** Of a target that is still to be brought back, by the record: what it was before; else null. */
  readonly recordedAnswer: (server: string, group: string) => Answer | null;
  /** What is known of a target has changed, except the time of the last look. */
  readonly changed: () => void;
}

export class Looks {
  readonly #deps: LooksDependencies;
  #targets: readonly LookedTarget[] = [];
  #states: ReadonlyMap<string, TargetLooks> = new Map();
  /** Of the last round, monotonic ms; null: the next one is due now. */
  #beganMs: number | null = null;
  #isRunning = false;
  #hasFailed = false;

  constructor(deps: LooksDependencies) {
    this.#deps = deps;
  }

  /** Of every configured target, by server. */
  get states(): ReadonlyMap<string, TargetLooks> {
    return this.#states;
  }

  /** A target that stays keeps its state; a new one is looked at with the next tick. */
  configure(targets: readonly LookedTarget[]): void {
    const before = new Map(this.#targets.map((target) => [target.server, target]));
    const kept = targets.filter((target) => isSame(before.get(target.server), target));
    const states = this.#states;
    this.#targets = targets;
    this.#states = new Map(targets.map(({ server }) => [server, notLookedAt]));
    this.#keep(kept.map(({ server }) => [server, states.get(server) ?? notLookedAt]));
    if (kept.length < targets.length) this.#beganMs = null;
  }

  tick(): void {
    this.#deps.guard.run('the looks', () => {
      this.#followOutages();
      if (!this.#isRunning && this.#isDue()) this.#begin();
    });
  }

  #followOutages(): void {
    const { isInOutage: inOutage, recordedAnswer } = this.#deps;
    const changed = this.#targets.flatMap(({ server, group }): readonly [string, TargetLooks][] => {
      const state = this.#states.get(server) ?? notLookedAt;
      const isIn = inOutage(group);
      if (isIn === isInOutage(state)) return [];
      return [[server, isIn ? beginOutage(state, recordedAnswer(server, group)) : endOutage(state)]];
    });
    if (changed.length === 0) return;
    this.#keep(changed);
    if (changed.some(([, state]) => isInOutage(state))) this.#beganMs = null;
    this.#deps.changed();
  }

  #isDue(): boolean {
    if (this.#beganMs === null) return true;
    const everyMs = this.#hasFailed ? retryMs : this.#isAnyInOutage() ? outageMs : restMs;
    return this.#deps.clock.monotonicMs() - this.#beganMs >= everyMs;
  }

  /** In one that has not come to its sequence yet. The targets of the other groups are asked as often: their answers are witnesses. */
  #isAnyInOutage(): boolean {
    const { isInOutage: inOutage, isOpen } = this.#deps;
    return this.#targets.some(({ group }) => inOutage(group) && !isOpen(group));
  }

  #begin(): void {
    const { clock, guard, request, isOpen } = this.#deps;
    const asked = this.#targets.filter(({ group }) => !isOpen(group)).slice(0, maxLooks);
    if (asked.length === 0) return;
    const began = { monotonicMs: clock.monotonicMs(), unixSeconds: clock.wallSeconds() };
    const withinMs = this.#isAnyInOutage() ? outageWithinMs : restWithinMs;
    this.#beganMs = began.monotonicMs;
    this.#isRunning = true;
    const take = (found: LookRound | null): void => {
      this.#isRunning = false;
      this.#hasFailed = found === null;
      guard.run('a round of looks', () =>
        this.#take(asked, { ...(found ?? nothingFound), began, endedMs: clock.monotonicMs() }),
      );
    };
    const isSent = guard.run('the request of a round of looks', () => {
      const answered = request(
        asked.map(({ server }) => server),
        withinMs,
      );
      void answered.then(
        (outcome) => take(outcome.ok ? outcome.value : null),
        () => take(null),
      );
    });
    if (!isSent) take(null);
  }

  #take(asked: readonly LookedTarget[], round: Round): void {
    const configured = new Map(this.#targets.map((target) => [target.server, target]));
    const targets = asked.flatMap((target) => {
      const state = this.#states.get(target.server);
      return state !== undefined && isSame(configured.get(target.server), target)
        ? [{ ...target, state }]
        : [];
    });
    const states = judgeRound(round, targets);
    const judged = targets.flatMap(({ server, group, state }, index): readonly [string, TargetLooks][] => {
      const after = states[index] ?? state;
      // Its sequence has begun in the meantime: only an answer says what it was before.
      return this.#deps.isOpen(group) && after.answer.before !== 'up' ? [] : [[server, after]];
    });
    const isChanged = judged.some(([server, state]) => textOf(this.#states.get(server)) !== textOf(state));
    this.#keep(judged);
    if (isChanged) this.#deps.changed();
  }

  #keep(states: readonly (readonly [string, TargetLooks])[]): void {
    this.#states = new Map([...this.#states, ...states]);
  }
}

const nothingFound: LookRound = { looks: [], gateways: [] };

const isSame = (one: LookedTarget | undefined, other: LookedTarget): boolean =>
  one?.host === other.host && one.group === other.group;

/** What of a state is a change. */
function textOf({ answer, outage }: TargetLooks = notLookedAt): string {
  const { stage, answer: frozen, wentOffAt } = outage ?? { stage: null, answer: null, wentOffAt: null };
  return [answer.before, stage, frozen?.before, wentOffAt !== null].join(' ');
}
