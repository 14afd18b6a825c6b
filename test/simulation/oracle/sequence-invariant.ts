// Checks what follows a trigger: one sequence per outage, its end, its cancellation, its resumption after a restart.
import type { OracleContext } from './oracle-context.js';

/** A resumed sequence waits at most 15 s for a reading, plus a tick (specification/sequence.md#restart-during-a-sequence). */
const longestLookMs = 15_500;

export class SequenceInvariant {
  readonly #context: OracleContext;
  /** Groups with an open sequence at the start of the daemon, with the watched time since then. */
  #open = new Set<string>();
  #startedMs = 0;

  constructor(context: OracleContext) {
    this.#context = context;
  }

  daemonStarted(): void {
    const { memory } = this.#context;
    this.#open = new Set(
      [...memory.fired].flatMap(([group, { sequenceOver }]) => (sequenceOver ? [] : [group])),
    );
    this.#startedMs = memory.watchedMs;
  }

  /** After every input, and after what promises have settled. */
  check(): void {
    const context = this.#context;
    for (const { source, type } of context.events) {
      const fired = context.memory.fired.get(source);
      if (type === 'SHUTDOWN_RESUMED') this.#resumed(source);
      else if (type === 'SHUTDOWN_SEQUENCE_COMPLETE' || type === 'SHUTDOWN_CANCELLED') {
        this.#open.delete(source);
        if (fired === undefined || fired.sequenceOver) {
          context.violated('only a sequence that runs can end', `${type} of ${source}`);
        } else context.sequenceOver(source);
      }
    }
    if (context.memory.watchedMs - this.#startedMs > longestLookMs && this.#open.size > 0) {
      context.violated(
        'a decision stands until a fresh reading speaks against it',
        `${[...this.#open].join(', ')} was neither resumed nor dropped after the restart`,
      );
    }
  }

  #resumed(group: string): void {
    if (!this.#open.delete(group)) this.#context.violated('a sequence that has ended is not resumed', group);
  }
}
