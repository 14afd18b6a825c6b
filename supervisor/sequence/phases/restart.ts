// A restart of this host in place of the cut and its power-off (../restart-rule.ts), once for all groups:
//
//   looked at ---rule says so, count on the disk---> chosen (journal) ---command---> given ---120 s---> still up: told
//       |                                              |                  |
//       +--- any doubt: power-off                      |                  +--- refused: stays up, or power-off where power is out
//                                                      +--- killed: the next daemon goes on from the choice
//   chosen, given   no output of this host is cut: it may be booting when the UPS acts. Where power is out by then it powers off at once.
// After an exception the answer is the power-off.
import { restartCountSeconds } from '../../../shared/domain/actions/restart-words.js';
import type { Plan, PlanStep } from '../../../shared/domain/outage/plan.js';
import type { Clock } from '../../../shared/runtime/clock.js';
import type { Logger } from '../../../shared/runtime/log.js';
import type { Guard } from '../../guard/guard.js';
import type { SetTimer } from '../../host/timer.js';
import { untilAbandoned } from '../budget.js';
import type { RestartEntry } from '../journal/entries.js';
import type { RestartRecord } from '../journal/power-off-record.js';
import { stepsOf } from '../journal/fold.js';
import type { SequenceRecord } from '../journal/record.js';
import type { StepOutcome } from '../outcome.js';
import { failureOf } from '../outcome.js';
import type { HostRestarts, RestartCourse } from '../restart-rule.js';
import { maxRestarts, powerIsOut, restartCourse } from '../restart-rule.js';
import { maxPowerCheckMs, powerCheckMs, verifyMs } from './power-off.js';
import { mayHaveBeenGiven, ofSecondRequest, refusal, staysOn, withRestart } from './restart-command.js';
import { askingGroups, feedsHost, feedsOfHost, restartFacts } from './restart-facts.js';
import { SentCuts } from './sent-cuts.js';

const syncMs = restartCountSeconds * 1000;

export interface RestartDependencies {
  readonly guard: Guard;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly setTimer: SetTimer;
  readonly log: Logger;
  readonly journal: SequenceRecord;
  readonly restarts: HostRestarts;
  /** By a reading of this daemon. */
  readonly powerIsBack: (group: string) => boolean;
  /** There is a reading of the UPS since the start of this daemon. */
  readonly isSeen: (ups: string) => boolean;
  readonly isSeenOnBattery: (group: string) => boolean;
  /** One attempt at a step whose command is the restart. */
  readonly attempt: (step: PlanStep, signal: AbortSignal) => Promise<StepOutcome>;
  readonly write: (entry: RestartEntry) => void;
  /** Nothing is powered off: this host stays up. */
  readonly giveUp: (reason: string, outcome: StepOutcome) => void;
  /** The restart did not come, and power is out. */
  readonly powerOff: (reason: string) => void;
}

export type LastStep =
  | { readonly kind: 'over'; readonly outcome: StepOutcome }
  /** `cutsFirst`: outputs that the first look left on are cut now. */
  | { readonly kind: 'powerOff'; readonly cutsFirst: boolean };

export class Restart {
  readonly #deps: RestartDependencies;
  /** Of the first group at its last step; those that come meanwhile share it. */
  #running: Promise<LastStep> | undefined;
  readonly cuts: SentCuts;
  #cancelTimer: (() => void) | undefined;
  /** A previous daemon has chosen, or let this host stay up: it waits for a reading of its own. */
  #isOfPrevious: boolean;
  /** The last reason in the log. */
  #said = '';

  constructor(deps: RestartDependencies) {
    this.#deps = deps;
    this.cuts = new SentCuts(deps);
    const { restart, powerOff } = deps.journal;
    this.#isOfPrevious = powerOff.givenUp || restart?.isPast === false;
  }

  /** A restart of this boot was chosen, and may come still. */
  get isUnderWay(): boolean {
    const { journal, clock } = this.#deps;
    if (journal.restart === null) return false;
    const { atMs, outcome, isPast } = journal.restart;
    const isRecent = clock.monotonicMs() - atMs < verifyMs;
    return outcome === null ? isRecent || !isPast : isRecent && mayHaveBeenGiven(outcome);
  }

  /** A previous daemon has given it, and did not see whether it came. One that was chosen goes on with the step of its sequence. */
  resume(): void {
    const { restart, powerOff } = this.#deps.journal;
    const isOver = restart === null || restart.isPast || powerOff.givenUp || powerOff.attempts > 0;
    if (this.isUnderWay || !isOver) this.#verifyLater();
  }

  stop(): void {
    this.#cancelTimer?.();
  }

  /** The first look, before the output of `ups` is cut: why it stays on; null: it is cut. */
  keepsOutput(plan: Plan, ups: string): string | null {
    let why: string | null = null;
    this.#deps.guard.run('the look before the cut of an output', () => {
      if (this.isUnderWay) why = feedsHost(this.#deps, ups) ? staysOn.mayRestart : null;
      else if (stepsOf(plan).some((step) => withRestart(step) !== null)) {
        const course = this.#courseOf(plan);
        this.#sayPowerOff(course);
        why = course.kind === 'powerOff' ? null : staysOn.powerIsBack;
      }
    });
    return why;
  }

  /** The second look, at the last step; null: the power-off, at once. */
  perform(plan: Plan, step: PlanStep, signal: AbortSignal): Promise<LastStep> | null {
    const restart = withRestart(step);
    if (restart === null) return null;
    if (this.#running !== undefined) return this.#running;
    let act: (() => Promise<LastStep>) | null | undefined;
    this.#deps.guard.run('the look before the power-off', () => (act = this.#actOf(plan, restart, signal)));
    return act === null || act === undefined ? null : this.#share(act);
  }

  #actOf(plan: Plan, step: PlanStep, signal: AbortSignal): (() => Promise<LastStep>) | null {
    const isAnswered = (this.#deps.journal.restart?.outcome ?? null) !== null;
    if (isAnswered && this.isUnderWay) return () => this.#afterGiven();
    if (this.#isOfPrevious) return () => this.#goOn(step, signal);
    const course = this.#courseOf(plan);
    return course.kind === 'powerOff' ? this.#sayPowerOff(course) : () => this.#follow(course, step, signal);
  }

  async #follow(course: RestartCourse, step: PlanStep, signal: AbortSignal): Promise<LastStep> {
    if (course.kind === 'stayUp') return this.#stayUp(course.why);
    if (course.kind === 'restart') return this.#choose(step, signal, course.number);
    this.#sayPowerOff(course);
    return { kind: 'powerOff', cutsFirst: true };
  }

  #share(act: () => Promise<LastStep>): Promise<LastStep> {
    const running = act().catch((error: unknown): LastStep => {
      this.#deps.guard.logBug('the restart of this host', error);
      return { kind: 'powerOff', cutsFirst: !this.isUnderWay };
    });
    this.#running = running;
    void running.then(() => (this.#running = undefined));
    return running;
  }

  async #choose(step: PlanStep, signal: AbortSignal, number: number): Promise<LastStep> {
    const { restarts, log } = this.#deps;
    const groups = this.#groups();
    const isKept = await this.#isKept(groups, number);
    // The disk may have taken 2 s.
    const course = this.#course(number - 1);
    if (!isKept || course.kind !== 'restart') {
      void restarts.keep(groups, number - 1).catch(() => undefined);
      if (course.kind === 'powerOff') this.#sayPowerOff(course);
      else
        log.warning(
          `${backButOff}: its count of restarts is not on the disk within ${String(restartCountSeconds)} s`,
          about,
        );
      return { kind: 'powerOff', cutsFirst: true };
    }
    return this.#run(number, step, signal);
  }

  /** It may come still; where power is out by then, a host that runs on is worse than both commands. */
  async #afterGiven(): Promise<LastStep> {
    if (this.#isOfPrevious) await this.#freshReading(maxPowerCheckMs);
    this.#isOfPrevious = false;
    if (this.#isPowerBack()) return { kind: 'over', outcome: ordered };
    this.#deps.log.warning('power is out again after the restart was ordered: this host powers off', about);
    return { kind: 'powerOff', cutsFirst: false };
  }

  /** Killed after the choice: the command may have run, or not. */
  async #goOn(step: PlanStep, signal: AbortSignal): Promise<LastStep> {
    this.stop();
    await this.#freshReading(maxPowerCheckMs);
    this.#isOfPrevious = false;
    const [{ restart }, { clock }] = [this.#deps.journal, this.#deps];
    if (restart === null || restart.isPast || restart.outcome !== null)
      return this.#follow(this.#course(), step, signal);
    const course = this.#course(restart.number - 1);
    const isAgain = clock.monotonicMs() - restart.atMs < verifyMs;
    if (course.kind === 'restart') return this.#run(restart.number, step, signal, isAgain);
    this.#sayPowerOff(course);
    return { kind: 'powerOff', cutsFirst: false };
  }

  async #run(number: number, step: PlanStep, signal: AbortSignal, isAgain = false): Promise<LastStep> {
    const { clock, log, write } = this.#deps;
    const which = `${String(number)} of at most ${String(maxRestarts)}`;
    log.warning(`power is back: this host restarts in place of its power-off (${which})`, about);
    write({ kind: 'restartChosen', number, atMs: clock.monotonicMs() });
    const answer = await this.#attempt(step, signal);
    const outcome = isAgain ? ofSecondRequest(answer) : answer;
    write({ kind: 'restartEnded', outcome });
    if (mayHaveBeenGiven(outcome)) {
      this.#verifyLater();
      return { kind: 'over', outcome: outcome.kind === 'done' ? ordered : outcome };
    }
    const reason = refusal(outcome);
    if (this.#isPowerBack()) return this.#stayUp(reason, outcome);
    log.warning(`${reason}; power is not back: this host powers off`, about);
    return { kind: 'powerOff', cutsFirst: true };
  }

  #stayUp(why: string, outcome: StepOutcome = { kind: 'skipped', reason: why }): LastStep {
    this.#deps.giveUp(`${why}; ${staysUp}`, outcome);
    return { kind: 'over', outcome };
  }

  async #attempt(step: PlanStep, signal: AbortSignal): Promise<StepOutcome> {
    try {
      return await Promise.race([this.#deps.attempt(step, signal), untilAbandoned(step, signal)]);
    } catch (error) {
      return failureOf(`internal error: ${String(error)}`);
    }
  }

  /** False: it is not on the disk in time, and without the count there could be a loop. */
  #isKept(groups: readonly string[], number: number): Promise<boolean> {
    return new Promise((settle) => {
      const cancel = this.#deps.setTimer(syncMs, () => settle(false));
      const end = (isKept: boolean) => {
        cancel();
        settle(isKept);
      };
      this.#deps.restarts.keep(groups, number).then(
        () => end(true),
        () => end(false),
      );
    });
  }

  #freshReading(leftMs: number): Promise<void> {
    const groups = this.#groups();
    const { journal, powerIsBack, isSeen, isSeenOnBattery, setTimer } = this.#deps;
    const isBack = groups.every(powerIsBack) && [...feedsOfHost(journal)].every(isSeen);
    if (leftMs <= 0 || isBack || groups.some(isSeenOnBattery)) return Promise.resolve();
    return new Promise((settle) => {
      setTimer(powerCheckMs, () => void this.#freshReading(leftMs - powerCheckMs).then(settle));
    });
  }

  #verifyLater(): void {
    const { journal, clock, setTimer } = this.#deps;
    const sinceMs = journal.restart?.atMs ?? clock.monotonicMs();
    this.#cancelTimer?.();
    this.#cancelTimer = setTimer(Math.max(0, sinceMs + verifyMs - clock.monotonicMs()), () => {
      void this.#freshReading(maxPowerCheckMs).then(() => this.#verify());
    });
  }

  #verify(): void {
    const { journal, giveUp, powerOff } = this.#deps;
    if (journal.powerOff.attempts > 0) return;
    if (this.#isPowerBack()) giveUp(`${notCome}; ${staysUp}`, { kind: 'skipped', reason: notCome });
    else powerOff(`${notCome}; power is not back: it powers off`);
  }

  #sayPowerOff(course: RestartCourse): null {
    const { log } = this.#deps;
    if (course.kind !== 'powerOff' || course.why === this.#said) return null;
    this.#said = course.why;
    if (course.isPowerBack) log.warning(`${backButOff}: ${course.why}`, about);
    else log.info(`this host powers off: ${course.why}`, about);
    return null;
  }

  #isPowerBack(): boolean {
    return this.#groups().every(this.#deps.powerIsBack);
  }

  /** Where power of its own group is out no more is asked: a thousand groups may be at their last steps in one turn. */
  #courseOf({ group, label }: Plan): RestartCourse {
    return this.#deps.powerIsBack(group) ? this.#course() : powerIsOut([label]);
  }

  /** `restarts`: that many are behind it; the record counts the one that is being chosen. */
  #course(restarts?: number): RestartCourse {
    const { restart } = this.#deps.journal;
    const isSpent = restart !== null && !restart.isPast && !this.isUnderWay;
    const mayBeCut = (ups: string) => this.cuts.mayBe(ups);
    const sources = { ...this.#deps, mayBeCut, notCome: isSpent ? whyNotCome(restart) : null };
    return restartCourse(restartFacts(sources, restarts));
  }

  #groups(): readonly string[] {
    return askingGroups(this.#deps.journal).map(({ group }) => group);
  }
}

const about = { category: 'shutdown' } as const;
const backButOff = 'power is back, and this host powers off all the same';
const staysUp =
  'power is back, and this host stays up; ridethrough recovery status says what is not up again';
const notCome = `this host is still up ${String(verifyMs / 1000)} s after its restart was ordered`;
const ordered: StepOutcome = { kind: 'done', detail: 'power is back: restarted instead' };

/** Why a restart of this outage did not come. */
const whyNotCome = ({ outcome }: RestartRecord): string =>
  outcome === null || mayHaveBeenGiven(outcome) ? notCome : refusal(outcome);
