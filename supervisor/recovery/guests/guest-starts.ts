// Starts on a machine what a shutdown has stopped on it, or reports that it stays off (specification/recovery.md#guests-of-this-host,
// #guests-of-a-server):
//
//   held ──the power is back──> looks, every `retryMs` ──nothing else is waited for──> starts ──> runs, or is reported once
//     ^──────────────────── an outage: what is under way is abandoned ────────────────────────────┘
//
// Nothing waits for it: it is neither part of a sequence nor of policy, and an engine that hangs delays its own guests alone.
import { countText } from '../../../shared/domain/base/format.js';
import { singleLine } from '../../../shared/domain/base/single-line.js';
import type { RecordedGuest } from '../../../shared/domain/recovery/guest.js';
import { guestKey } from '../../../shared/domain/recovery/guest.js';
import type { Clock } from '../../../shared/runtime/clock.js';
import type { Logger } from '../../../shared/runtime/log.js';
import type { Guard } from '../../guard/guard.js';
import type { GuestEnd } from '../recorded-guests.js';
import { Attempts } from './attempts.js';
import type { StartingEngine } from './engines.js';
import { byEngine } from './engines.js';
import type { Hold } from './power-hold.js';
import type { Ordered } from './slots.js';
import { Slots } from './slots.js';
import type { Verdict } from './verdict.js';
import type { Notice } from './words.js';
import { nameOf, wordsOf } from './words.js';

export interface StartSettings {
  /** Null: they are started; else why they stay off. */
  readonly left: string | null;
  readonly atOnce: number;
}

export interface GuestStartsDependencies {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly log: Pick<Logger, 'info'>;
  readonly guard: Pick<Guard, 'logBug'>;
  /** `this host`, `the server nas`. */
  readonly place: string;
  /** Of the machine, by the record: those that are stopped. */
  readonly guests: () => readonly RecordedGuest[];
  /** Why nothing may be started now; null: nothing speaks against it. */
  readonly heldBy: () => Hold | null;
  readonly settings: () => StartSettings;
  /** What guests wait for before a start, while the engines are looked at; empty: nothing. */
  readonly waitsFor: (signal: AbortSignal) => Promise<string>;
  /** Null: the machine has none for it. */
  readonly engineOf: (guest: RecordedGuest) => StartingEngine | null;
  /** Between two looks: an engine that starts with its machine, a volume that comes later. */
  readonly retryMs: number;
  /** Once all is reported, only to see what a person starts. */
  readonly restMs: number;
  /** GUESTS_STAY_OFF. */
  readonly staysOff: (detail: string) => void;
  /** An end is known that the record does not have. */
  readonly changed: () => void;
}

const maxTries = 3;
/** Engines start late where a unit waits for storage. */
const engineMs = 600_000;
/** What it lies on may be mounted by hand. Then it was removed. Also for a person to read it, of one that cannot be looked at. */
const goneMs = 86_400_000;

interface Known {
  readonly end: NonNullable<GuestEnd>;
  readonly atMs: number;
}

export class GuestStarts {
  readonly #deps: GuestStartsDependencies;
  readonly #ends = new Map<string, Known>();
  /** By guest and kind of verdict, and by engine that does not answer. */
  readonly #attempts = new Attempts();
  #round: Round | null = null;
  /** By a UPS that is not read, monotonic ms. */
  #heldSinceMs: number | null = null;
  #dueMs = -Infinity;
  #waitsFor = '';

  constructor(deps: GuestStartsDependencies) {
    this.#deps = deps;
  }

  /** What became of the guest; null: nothing that the record does not know. */
  endOf(guest: RecordedGuest): GuestEnd {
    const known = this.#ends.get(guestKey(guest));
    // A stop after that end is another one.
    return known === undefined || (guest.foundMs ?? -Infinity) > known.atMs ? null : known.end;
  }

  /** What keeps guests waiting; empty: none waits. */
  get waitsFor(): string {
    return this.#waitsFor;
  }

  /** A new outage ends a round at once: a client that is killed starts nothing more. */
  tick(): void {
    const nowMs = this.#deps.clock.monotonicMs();
    const guests = this.#deps.guests();
    if (guests.length === 0 && this.#round === null) {
      this.#dueMs = nowMs;
      return;
    }
    const heldBy = this.#deps.heldBy();
    if (heldBy !== null) {
      this.#round?.end.abort();
      this.#waitsFor = heldBy.why;
      this.#reportHold(guests, heldBy, nowMs);
      this.#attempts.hold(heldBy.kind, nowMs);
      this.#dueMs = nowMs;
      return;
    }
    this.#heldSinceMs = null;
    this.#attempts.resume(nowMs);
    const settings = this.#deps.settings();
    // A reload: they are to stay off, or none of them is this daemon's any more.
    if (this.#round !== null && (guests.length === 0 || this.#round.left !== settings.left))
      this.#round.end.abort();
    if (this.#round !== null || nowMs < this.#dueMs) return;
    const end = new AbortController();
    this.#round = { end, left: settings.left };
    void this.#run(guests, settings, end.signal)
      .catch((error: unknown) => this.#deps.guard.logBug('the start of guests', error))
      .finally(() => {
        this.#round = null;
        const { clock, restMs, retryMs } = this.#deps;
        this.#dueMs = clock.monotonicMs() + (this.#areAllReported() ? restMs : retryMs);
      });
  }

  /** What reads the UPS may be among them. */
  #reportHold(guests: readonly RecordedGuest[], { why, kind }: Hold, nowMs: number): void {
    const isReported = kind === 'unknown' || kind === 'lasting';
    this.#heldSinceMs = isReported ? (this.#heldSinceMs ?? nowMs) : null;
    const forMs = nowMs - (this.#heldSinceMs ?? nowMs);
    if (forMs < engineMs) return;
    this.#report(this.#keepOff(guests, why));
    if (kind === 'lasting' && forMs >= goneMs) for (const guest of guests) this.#settle(guest);
  }

  #areAllReported(): boolean {
    return this.#deps.guests().every((guest) => this.#reasonOf(guest) !== '');
  }

  #reasonOf(guest: RecordedGuest): string {
    return this.endOf(guest)?.reason ?? guest.reason;
  }

  async #run(
    guests: readonly RecordedGuest[],
    { left, atOnce }: StartSettings,
    signal: AbortSignal,
  ): Promise<void> {
    this.#waitsFor = await this.#deps.waitsFor(signal);
    const notices = await Promise.all(
      [...byEngine(guests)].map(([, own]) => this.#ofEngine(own, left, new Slots(atOnce), signal)),
    );
    this.#report(notices.flat());
  }

  /** Returns those that stay off, and that were not reported yet. */
  async #ofEngine(
    guests: readonly [RecordedGuest, ...RecordedGuest[]],
    left: string | null,
    slots: Slots,
    signal: AbortSignal,
  ): Promise<readonly Notice[]> {
    const engine = this.#deps.engineOf(guests[0]);
    if (engine === null) return this.#keepOff(guests, `its engine or user is none of ${this.#deps.place}`);
    const looked = await engine.look(guests, signal);
    if (signal.aborted) return [];
    if (!looked.ok) return this.#countSilence(engine, guests, looked.fault);
    this.#attempts.end(engine.label);
    const pending = new Map<string, Pending>();
    const notices: Notice[] = [];
    for (const guest of guests) {
      const verdict = looked.verdicts.get(guestKey(guest));
      if (verdict !== undefined) notices.push(...this.#judge(engine, guest, verdict, left, pending));
    }
    await slots.runInOrder(pending, (start) => this.#start(engine, start, signal));
    for (const { guest, fault } of pending.values())
      if (fault !== undefined && !signal.aborted) notices.push(...this.#countFailure(guest, 'start', fault));
    return notices;
  }

  #judge(
    engine: StartingEngine,
    guest: RecordedGuest,
    verdict: Verdict,
    left: string | null,
    pending: Map<string, Pending>,
  ): readonly Notice[] {
    const { log } = this.#deps;
    const name = nameOf(guest, engine.label);
    switch (verdict.kind) {
      case 'runs':
        log.info(`${name}, which the shutdown stopped, runs again`, { category: 'shutdown' });
        return this.#settle(guest);
      case 'over':
        log.info(`${name}, which the shutdown stopped, is not started: ${verdict.why}`, {
          category: 'shutdown',
        });
        return this.#settle(guest);
      case 'gone':
        return this.#countGone(guest, engine);
      case 'stays':
        return this.#countFailure(guest, verdict.kind, verdict.why);
      case 'start':
        if (this.#waitsFor !== '') return [];
        if (left !== null) return this.#keepOff([guest], left);
        if (this.#attempts.countOf(`start ${guestKey(guest)}`) < maxTries)
          pending.set(guestKey(guest), { guest, after: verdict.after, fault: undefined });
        return [];
    }
  }

  async #start(engine: StartingEngine, start: Pending, signal: AbortSignal): Promise<void> {
    if (signal.aborted || !this.#mayStart(start.guest)) return;
    start.fault = await engine.start(start.guest, signal);
    if (start.fault !== undefined || signal.aborted) return;
    const text = `${nameOf(start.guest, engine.label)} is started again: the shutdown stopped it`;
    this.#deps.log.info(text, { category: 'shutdown' });
    this.#settle(start.guest);
  }

  /** Asked again before each: a round of slow starts takes long, and a tick comes only every second. */
  #mayStart(guest: RecordedGuest): boolean {
    const { heldBy, settings, guests } = this.#deps;
    if (heldBy() !== null || settings().left !== null) return false;
    return guests().some((one) => guestKey(one) === guestKey(guest));
  }

  #countSilence(engine: StartingEngine, guests: readonly RecordedGuest[], fault: string): readonly Notice[] {
    const silentMs = this.#attempts.lastedMs(engine.label, this.#deps.clock.monotonicMs());
    return silentMs < engineMs || this.#waitsFor !== ''
      ? []
      : this.#keepOff(guests, `${engine.label} does not answer: ${fault}`);
  }

  /** Reported with the third time: what a boot starts late may be missing before. */
  #countFailure(guest: RecordedGuest, kind: Verdict['kind'], why: string): readonly Notice[] {
    if (this.#waitsFor !== '') return [];
    return this.#attempts.add(`${kind} ${guestKey(guest)}`) < maxTries ? [] : this.#keepOff([guest], why);
  }

  #countGone(guest: RecordedGuest, { label }: StartingEngine): readonly Notice[] {
    const goneForMs = this.#attempts.lastedMs(guestKey(guest), this.#deps.clock.monotonicMs());
    if (goneForMs >= goneMs) return this.#settle(guest);
    return this.#countFailure(guest, 'gone', `${label} does not know it any more`);
  }

  #keepOff(guests: readonly RecordedGuest[], why: string): readonly Notice[] {
    return guests.flatMap((guest) => {
      const reason = singleLine(why).slice(0, 400);
      const isReported = this.#reasonOf(guest) !== '';
      if (this.#reasonOf(guest) !== reason) this.#end(guest, { state: 'stopped', reason });
      return isReported ? [] : [{ guest, why: reason }];
    });
  }

  #settle(guest: RecordedGuest): readonly Notice[] {
    this.#end(guest, { state: 'over', reason: '' });
    return [];
  }

  #end(guest: RecordedGuest, end: NonNullable<GuestEnd>): void {
    this.#ends.set(guestKey(guest), { end, atMs: this.#deps.clock.monotonicMs() });
    this.#deps.changed();
  }

  #report(notices: readonly Notice[]): void {
    if (notices.length === 0) return;
    this.#deps.staysOff(`${countText(notices.length, 'guest')} of ${this.#deps.place}: ${wordsOf(notices)}`);
  }
}

interface Round {
  readonly end: AbortController;
  /** At its begin, of the settings. */
  readonly left: string | null;
}

interface Pending extends Ordered {
  readonly guest: RecordedGuest;
  fault: string | undefined;
}
