// Judges what follows a trigger: one sequence per outage, its end, its cancellation, its resumption after a restart.
import type { Checker } from './court.js';

/** A resumed sequence waits at most 15 s for a reading, plus a tick (specification/sequence.md#restart-during-a-sequence). */
const longestLookMs = 15_500;

export class SequenceJudge {
  readonly #court: Checker;
  /** Groups whose sequence was open when the daemon started, with the watched time since then. */
  #open = new Set<string>();
  #startedMs = 0;

  constructor(court: Checker) {
    this.#court = court;
  }

  daemonStarted(): void {
    const { memory } = this.#court;
    this.#open = new Set(
      [...memory.fired].flatMap(([group, { sequenceOver }]) => (sequenceOver ? [] : [group])),
    );
    this.#startedMs = memory.watchedMs;
  }

  /** After every input, and after what promises have settled. */
  judge(): void {
    const court = this.#court;
    for (const { source, type } of court.events) {
      const fired = court.memory.fired.get(source);
      if (type === 'SHUTDOWN_RESUMED') this.#resumed(source);
      else if (type === 'SHUTDOWN_SEQUENCE_COMPLETE' || type === 'SHUTDOWN_CANCELLED') {
        this.#open.delete(source);
        if (fired === undefined || fired.sequenceOver) {
          court.violated('only a sequence that runs can end', `${type} of ${source}`);
        } else court.sequenceOver(source);
      }
    }
    if (court.memory.watchedMs - this.#startedMs > longestLookMs && this.#open.size > 0) {
      court.violated(
        'a decision stands until a fresh reading speaks against it',
        `${[...this.#open].join(', ')} was neither resumed nor dropped after the restart`,
      );
    }
  }

  #resumed(group: string): void {
    if (!this.#open.delete(group)) this.#court.violated('a sequence that has ended is not resumed', group);
  }
}
