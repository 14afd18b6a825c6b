// The sequences of a boot as their events tell them.
import type { RecordedEvent } from '../../../supervisor/events/event-recorder.js';
import type { Observer } from '../observer.js';
import type { Moment } from './moment.js';

export interface Sequence {
  readonly group: string;
  readonly detail: string;
  readonly sinceMs: number;
  /** Monotonic ms; null: it runs. */
  endedMs: number | null;
  /** When a daemon last began or resumed it; null: one has started and not yet said so. */
  underWaySinceMs: number | null;
  crashes: number;
  summaries: number;
  /** A kill, a full disk or a loss may have left the next daemon without its begin or its end. */
  isUncertain: boolean;
}

export class SequenceRecord implements Partial<Observer> {
  readonly #moment: Moment;
  /** The last of each group on this boot. */
  readonly #last = new Map<string, Sequence>();
  /** A snapshot or the journals were lost on this boot. */
  hasLost = false;
  /** A snapshot was written in the present input. */
  #isKept = false;

  constructor(moment: Moment) {
    this.#moment = moment;
  }

  last(group: string): Sequence | undefined {
    return this.#last.get(group);
  }

  /** But for those of which the present daemon may know nothing. */
  get running(): readonly Sequence[] {
    const all = [...this.#last.values()];
    return all.filter((one) => one.endedMs === null && (one.underWaySinceMs !== null || !one.isUncertain));
  }

  /** The one that runs alone, and has not crashed. */
  get only(): Sequence | null {
    const [one, other] = this.running;
    return one === undefined || other !== undefined || one.crashes > 0 ? null : one;
  }

  get hasCrashed(): boolean {
    return this.running.some(({ crashes }) => crashes > 0);
  }

  /** One runs of which the present daemon has said nothing, and may know nothing. */
  get hasUnknown(): boolean {
    return [...this.#last.values()].some((one) => one.endedMs === null && !this.running.includes(one));
  }

  /** One has begun and not ended, whether or not the present daemon knows it. */
  get hasOpen(): boolean {
    return [...this.#last.values()].some(({ endedMs }) => endedMs === null);
  }

  /** No sequence of another group has begun since, which would repeat what has ended. */
  isLatest({ sinceMs }: Sequence): boolean {
    return [...this.#last.values()].every((other) => other.sinceMs <= sinceMs);
  }

  /** Nothing of an earlier outage keeps the group from its sequence. */
  isArmed(group: string, outageMs: number): boolean {
    const last = this.#last.get(group);
    if (this.hasLost) return false;
    return last === undefined || (!last.isUncertain && (last.endedMs ?? Infinity) < outageMs);
  }

  snapshotWritten(): void {
    this.#isKept = true;
  }

  polled(): void {
    this.#isKept = false;
  }

  ticked(): void {
    this.#isKept = false;
  }

  handledOther(): void {
    this.#isKept = false;
  }

  recorded({ type, source, detail }: RecordedEvent): void {
    const { nowMs, world } = this.#moment;
    const isInVain = world.daemon.pendingKillMs !== null;
    const last = this.#last.get(source);
    const tellsNothing = type === 'SHUTDOWN_PHASE_STARTED';
    if (isInVain && last !== undefined && !tellsNothing) last.isUncertain = true;
    if (type === 'SHUTDOWN_TRIGGERED') {
      const begun = { group: source, detail, sinceMs: nowMs, underWaySinceMs: nowMs };
      // "A decision is committed before its first step": one that the journal misses is in the snapshot.
      const isUncertain = (isInVain && !this.#isKept) || world.tmpfs.full;
      this.#last.set(source, { ...begun, endedMs: null, crashes: 0, summaries: 0, isUncertain });
    } else if (type === 'SHUTDOWN_RESUMED') this.#resumed(source, detail);
    else if (last === undefined || isInVain) return;
    else if (type === 'SHUTDOWN_CANCELLED' || type === 'SHUTDOWN_SEQUENCE_COMPLETE') last.endedMs = nowMs;
    else if (type === 'REMOTE_SHUTDOWN_SUMMARY') last.summaries += 1;
  }

  #resumed(group: string, detail: string): void {
    const { nowMs } = this.#moment;
    const last = this.#last.get(group);
    const blank = { group, detail, sinceMs: nowMs, crashes: 1, summaries: 0, isUncertain: true };
    // Its end is not on the disk: it died in it, as far as any daemon knows.
    const crashes = (last?.crashes ?? 0) + (typeof last?.endedMs === 'number' ? 1 : 0);
    this.#last.set(group, { ...(last ?? blank), crashes, endedMs: null, underWaySinceMs: nowMs });
  }

  daemonDied(isWithin: boolean): void {
    const { nowMs, world } = this.#moment;
    for (const sequence of this.#last.values()) {
      const isNew = sequence.sinceMs === nowMs && sequence.endedMs === null;
      const isFresh = isWithin && !isNew && (sequence.endedMs ?? nowMs) === nowMs;
      sequence.isUncertain ||= world.tmpfs.full || isFresh;
      if (sequence.endedMs === null) sequence.crashes += 1;
      sequence.underWaySinceMs = null;
    }
    this.#isKept = false;
  }

  lost(): void {
    this.hasLost = true;
    for (const sequence of this.#last.values()) sequence.isUncertain = true;
  }

  hostDown(): void {
    this.#last.clear();
    this.hasLost = false;
  }
}
