// "One sequence per outage; a decision holds across a restart; an ended sequence is not resumed."
import type { RecordedEvent } from '../../../supervisor/events/event-recorder.js';
import type { UpsPolled } from '../../../shared/protocol/poller.js';
import { Invariant } from './invariant.js';

/** A resumed sequence waits at most 15 s for a reading, plus a tick (specification/sequence.md#restart-during-a-sequence). */
const longestLookMs = 15_500;

export class OneSequence extends Invariant {
  /** UPSes that have had power since the last sequence of a group that they feed, by group. */
  readonly #fedSince = new Map<string, Set<string>>();
  /** Time in which the present daemon watched, as policy counts it: at most a second an input. */
  #watchedMs = 0;
  #handledMs = 0;

  daemonStarted(): void {
    this.#watchedMs = 0;
    this.#handledMs = this.facts.nowMs;
  }

  /** Before the record has it. */
  recorded({ type, source, detail }: RecordedEvent): void {
    const { sequences, world } = this.facts;
    const last = sequences.last(source);
    if (world.daemon.pendingKillMs !== null) return;
    const isKnown = last !== undefined && !last.isUncertain;
    if (type === 'SHUTDOWN_TRIGGERED') {
      const fed = this.#fedSince.get(source)?.size ?? 0;
      if (isKnown && (last.endedMs === null || fed === 0))
        this.facts.violated('one sequence per outage', `${source} starts again: ${detail}`);
      this.#fedSince.delete(source);
    } else if (type === 'SHUTDOWN_RESUMED') {
      if (isKnown && (last.endedMs !== null || last.underWaySinceMs !== null))
        this.facts.violated('a sequence that has ended is not resumed', source);
    } else if (type === 'SHUTDOWN_SEQUENCE_COMPLETE' || type === 'SHUTDOWN_CANCELLED') {
      if (last === undefined ? !sequences.hasLost : isKnown && last.endedMs !== null)
        this.facts.violated('only a sequence that runs can end', `${type} of ${source}`);
    }
  }

  polled(ups: string, { outcome }: UpsPolled): void {
    if (outcome.kind === 'reading') {
      const { status } = outcome.reading;
      const isFed =
        status.length > 0 && !status.includes('WAIT') && (!status.includes('OB') || status.includes('OL'));
      const { groups } = this.facts.world.policies;
      const fed = [ups, ...groups.flatMap(({ groupId, members }) => (members.includes(ups) ? groupId : []))];
      for (const group of isFed ? fed : [])
        this.#fedSince.set(group, (this.#fedSince.get(group) ?? new Set()).add(ups));
    }
    this.#watch();
  }

  ticked(): void {
    this.#watch();
    if (this.#watchedMs <= longestLookMs) return;
    for (const { group, underWaySinceMs, isUncertain } of this.facts.sequences.running)
      if (underWaySinceMs === null && !isUncertain)
        this.facts.violated('a decision holds across a restart', `${group} was neither resumed nor dropped`);
  }

  hostDown(): void {
    this.#fedSince.clear();
  }

  #watch(): void {
    const { nowMs } = this.facts;
    this.#watchedMs += Math.min(1_000, nowMs - this.#handledMs);
    this.#handledMs = nowMs;
  }
}
