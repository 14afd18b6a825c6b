// What each UPS has told the daemon, in order: its last answers, and an outage of which all is clear.
import type { Reading, Variables } from '../../../shared/domain/ups/reading.js';
import type { UpsPolled } from '../../../shared/protocol/poller.js';
import type { WorldEvent } from '../scenario.js';
import type { Truth } from '../truth.js';
import type { Moment } from './moment.js';

/** A good reading, when the daemon handled it and when its poll began: monotonic ms of the boot. */
export interface Answer {
  readonly atMs: number;
  readonly askedMs: number;
  readonly reading: Reading;
  readonly variables: Variables;
  readonly truth: Truth | undefined;
  /** All time from the request of a reading without line power to that of the next: the most that the battery gave. */
  readonly givenMs: number;
}

/** OB after 60 s of line power is another outage (specification/policy.md#outage). */
const resumedMs = 61_000;
/** The snapshot has what a decision depends on within a second; the next tick writes it. */
const keptWithinMs = 1_500;

/** Confirmations, and as many readings without a value. */
const longestRow = 500;

/** Some drivers always show OFF with OL. */
const inLine = new Set(['OL', 'OFF', 'TRIM', 'BOOST', 'CHRG', 'RB', 'ALARM', 'OVER', 'LB', 'ECO', 'HB']);
const spoils = ['OL', 'TRIM', 'BOOST', 'BYPASS', 'TEST', 'CAL', 'FSD'];

export const hasPlainLine = ({ status }: Reading): boolean =>
  status.some((word) => word === 'OL' || word === 'TRIM' || word === 'BOOST') &&
  status.every((word) => inLine.has(word));

const isWaiting = ({ status }: Reading): boolean => status.length === 0 || status.includes('WAIT');

/** Line power and bypass end an outage: neither is OB nor a word that counts as it. */
export const isFed = ({ status }: Reading): boolean =>
  !status.includes('OB') && ['OL', 'TRIM', 'BOOST', 'BYPASS'].some((word) => status.includes(word));

const ofSource = new Set(['OB', 'OL', 'TRIM', 'BOOST', 'BYPASS', 'OFF']);
export const namesSource = ({ status }: Reading): boolean => status.some((word) => ofSource.has(word));

export class Course {
  last: Answer | null = null;
  /** Plain readings of line power in a row that this daemon got, and since when. */
  lineReadings = 0;
  lineSinceMs = Infinity;
  /** Readings in a row without OB, which may have ended an outage. */
  fedReadings = 0;
  /** The first reading of what may be one outage, by the longest count; null: none. */
  mayBeOutSinceMs: number | null = null;
  /** In what may be an outage: words that name no source count as OB (specification/policy.md#outage). */
  isObConfirmed = false;
  /** In a row; null before the first since line power. */
  #obReadings: number | null = null;
  /** Of the present outage, from the first reading with OB. */
  answers: Answer[] = [];
  /** It follows on line power that ended every earlier outage, and no word or setting leaves its rules open. */
  isClear = false;
  /** The last readings, of whatever outage and daemon, the newest last. */
  recent: Answer[] = [];
  /** Since the last answer that was not silence for the failsafe, of this daemon. */
  failures: string[] = [];
  /** The number of them, of whichever daemon: the snapshot keeps it (specification/policy.md#restart-in-an-outage). */
  failedPolls = 0;
  /** It has said WAIT, or nothing, since the last good reading. */
  isWaiting = false;
  reportedMs = -Infinity;
  readonly jumpedMs = { charge: -Infinity, runtime: -Infinity };
  readonly #values = { charge: null as number | null, runtime: null as number | null };
  #hasBeenOut = false;
  /** The end of the last outage; Infinity: it may go on. */
  #endedMs = Infinity;
  /** Answers of which each may be the last that this daemon knows from one that died. */
  #mayBeKnown: readonly Answer[] = [];

  /** It has shown OB since line power ended the last outage. */
  get hasShownOb(): boolean {
    return this.#obReadings !== null;
  }

  answered(told: Omit<Answer, 'givenMs'>, confirmations: number): void {
    const { reading, askedMs } = told;
    const before = this.recent.at(-1);
    this.fedReadings = isFed(reading) ? this.fedReadings + 1 : 0;
    this.#confirmOb(reading, confirmations);
    if (this.fedReadings === 0 && askedMs - this.#endedMs > resumedMs) this.mayBeOutSinceMs = null;
    const earlier = before === undefined ? [] : [before, ...this.#mayBeKnown];
    const given = earlier.map((one) => one.givenMs + (isFed(one.reading) ? 0 : askedMs - one.askedMs));
    const answer = { ...told, givenMs: Math.max(0, ...given) };
    this.#mayBeKnown = [];
    this.#noteJumps(answer);
    if (hasPlainLine(reading)) this.#onLine(answer, confirmations);
    else this.#onBattery(answer, confirmations);
    const isInBypass = reading.status.includes('BYPASS');
    if (this.fedReadings === 0) {
      this.mayBeOutSinceMs ??= askedMs;
      this.#endedMs = Infinity;
    } else if (this.fedReadings >= confirmations && !isInBypass && this.#endedMs === Infinity)
      this.#endedMs = askedMs;
    this.last = answer;
    this.recent.push(answer);
    if (this.recent.length > 2 * longestRow) this.recent = this.recent.slice(-longestRow);
    const hasValue = reading.chargePercent !== null || reading.runtimeSeconds !== null;
    if (hasValue || namesSource(reading)) [this.failures, this.failedPolls] = [[], 0];
    this.isWaiting = false;
  }

  #confirmOb(reading: Reading, confirmations: number): void {
    const { status } = reading;
    if (this.fedReadings >= confirmations) [this.#obReadings, this.isObConfirmed] = [null, false];
    else if (status.includes('OB')) this.#obReadings = (this.#obReadings ?? 0) + 1;
    else if (this.#obReadings !== null) this.#obReadings = 0;
    const isGiving = !namesSource(reading) && (status.includes('DISCHRG') || status.includes('LB'));
    if (this.#obReadings !== null && (isGiving || this.#obReadings >= confirmations))
      this.isObConfirmed = true;
  }

  #onLine({ atMs }: Answer, confirmations: number): void {
    this.lineReadings += 1;
    if (this.lineReadings === 1) this.lineSinceMs = atMs;
    this.isClear = false;
    if (this.lineReadings >= confirmations) this.answers = [];
  }

  #onBattery(answer: Answer, confirmations: number): void {
    const { status } = answer.reading;
    const isOff = status.includes('OFF') && this.answers.length >= confirmations;
    const isPlain = (status.includes('OB') || isOff) && !spoils.some((word) => status.includes(word));
    const endedMs = Math.max(this.#endedMs, this.lineSinceMs);
    const isAfter = !this.#hasBeenOut || answer.atMs - endedMs > resumedMs;
    if (this.answers.length === 0) this.isClear = this.lineReadings >= confirmations && isAfter && isPlain;
    else this.isClear &&= isPlain;
    this.answers.push(answer);
    this.lineReadings = 0;
    this.lineSinceMs = Infinity;
    this.#hasBeenOut = true;
  }

  /** A fall that leaves a value in doubt, or a value without one before it. A 0 may be that of a UPS without a gauge. */
  #noteJumps({ atMs, reading }: Answer): void {
    const read = { charge: reading.chargePercent, runtime: reading.runtimeSeconds };
    for (const name of ['charge', 'runtime'] as const) {
      const [before, now] = [this.#values[name], read[name]];
      if (now === null || now === 0) continue;
      const isFar = before === null || (name === 'charge' ? before - now > 10 : now < (before * 2) / 3);
      if (isFar) this.jumpedMs[name] = atMs;
      this.#values[name] = now;
    }
  }

  spoil(): void {
    this.isClear = false;
  }

  /** The daemon has died: the next one may not know what came since `sureMs`. */
  died(atMs: number, sureMs: number): void {
    const isKept = sureMs >= atMs - keptWithinMs;
    const sure = this.recent.findLastIndex((answer) => answer.atMs < sureMs);
    this.#mayBeKnown = [...this.#mayBeKnown, ...this.recent.slice(Math.max(0, sure))];
    const kept = this.answers.filter((answer) => answer.atMs < atMs - keptWithinMs);
    this.isClear &&= isKept && kept.length > 0;
    this.answers = kept.length > 0 ? kept : this.answers;
    this.last = null;
    this.failures = [];
    this.lineReadings = 0;
    this.lineSinceMs = Infinity;
    this.#values.charge = this.#values.runtime = null;
  }
}

const notFull = { sinceMs: Infinity, untilMs: -Infinity };

export class Courses {
  readonly #moment: Moment;
  readonly #byUps = new Map<string, Course>();
  readonly #truths = new Map<UpsPolled, Truth>();
  /** When the disk last became full, and when it last was. */
  #full = notFull;

  constructor(moment: Moment) {
    this.#moment = moment;
  }

  of(ups: string): Course {
    const course = this.#byUps.get(ups) ?? new Course();
    this.#byUps.set(ups, course);
    return course;
  }

  reported(poll: UpsPolled, truth: Truth): void {
    this.#truths.set(poll, truth);
  }

  polled(ups: string, poll: UpsPolled): void {
    const { outcome, startedAt: askedMs } = poll;
    const course = this.of(ups);
    const truth = this.#truths.get(poll);
    this.#truths.delete(poll);
    const atMs = this.#moment.nowMs;
    if (outcome.kind === 'reading' && isWaiting(outcome.reading)) {
      course.isWaiting = true;
      return;
    }
    course.reportedMs = atMs;
    if (outcome.kind === 'failed') {
      course.failures.push(outcome.detail);
      course.failedPolls += 1;
    } else {
      const { reading, variables } = outcome;
      const confirmations = this.#moment.policy(ups)?.triggers.confirmations ?? 1;
      course.answered({ atMs, askedMs, reading, variables, truth }, confirmations);
    }
  }

  /** Other settings, or something is lost. */
  spoil(): void {
    for (const course of this.#byUps.values()) course.spoil();
  }

  worldChanged(worldEvent: WorldEvent): void {
    if (worldEvent.kind !== 'disk') return;
    const { nowMs } = this.#moment;
    const isFull = this.#full.untilMs === Infinity;
    if (worldEvent.full && !isFull) this.#full = { sinceMs: nowMs, untilMs: Infinity };
    if (!worldEvent.full && isFull) this.#full = { ...this.#full, untilMs: nowMs };
  }

  get writtenMs(): number {
    const { nowMs } = this.#moment;
    const { sinceMs, untilMs } = this.#full;
    return nowMs - untilMs > keptWithinMs ? nowMs : sinceMs;
  }

  daemonDied(): void {
    const sureMs = this.writtenMs - keptWithinMs;
    for (const course of this.#byUps.values()) course.died(this.#moment.nowMs, sureMs);
  }

  lost(): void {
    this.spoil();
  }

  hostDown(): void {
    this.#byUps.clear();
    const isFull = this.#full.untilMs === Infinity;
    this.#full = isFull ? { sinceMs: -Infinity, untilMs: Infinity } : notFull;
  }
}
