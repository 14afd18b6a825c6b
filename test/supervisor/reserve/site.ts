import type { Reading } from '../../../shared/domain/ups/reading.js';
import { ReserveWatch } from '../../../supervisor/engine/reserve-watch.js';
import type { Input, PolicySettings, PollOutcome } from '../../../supervisor/policy/base/inputs.js';
import { reading } from '../policy/stream.js';

export const failed: PollOutcome = { kind: 'failed', detail: 'SERVER_DOWN', message: 'down' };

/** The reserve of one site, read once a second. */
export class Site {
  readonly watch = new ReserveWatch();
  #nowMs = 1_000_000;

  constructor(settings: PolicySettings) {
    this.watch.configure(settings);
  }

  /** What the rules shut down now. */
  get decided(): readonly string[] {
    const { watch } = this;
    return watch
      .decided([...watch.groups.values()])
      .map((group) => `${group.groupId} ${watch.causeOf(group).trigger}`);
  }

  /** `lateMs`: between the request and the answer. */
  poll(outcome: PollOutcome, ups = 'a', lateMs = 0): this {
    this.watch.see(this.#input({ kind: 'polled', groupId: ups, outcome, askedMs: this.#nowMs - lateMs }));
    return this;
  }

  reads(words: string, values: Partial<Reading> = {}, seconds = 1, ups = 'a'): this {
    for (let second = 0; second < seconds; second += 1) this.wait(1).poll(reading(words, values), ups);
    return this;
  }

  /** The first second at which something is decided; null for none within `seconds`. */
  until(words: string, values: Partial<Reading>, seconds: number): number | null {
    for (let second = 1; second <= seconds; second += 1)
      if (this.reads(words, values).decided.length > 0) return second;
    return null;
  }

  wait(seconds: number): this {
    for (let leftMs = Math.round(seconds * 1000); leftMs > 0; leftMs -= 250) {
      this.#nowMs += Math.min(leftMs, 250);
      this.watch.see(this.#input({ kind: 'ticked' }));
    }
    return this;
  }

  /** A poll that fails, each of these seconds. */
  fails(seconds: number): this {
    for (let second = 0; second < seconds; second += 1) this.wait(1).poll(failed);
    return this;
  }

  /** The daemon does not run. */
  stall(seconds: number): this {
    this.#nowMs += seconds * 1000;
    return this;
  }

  tell(
    input: { kind: 'tested'; running: boolean } | { kind: 'forcedShutdown'; state: 'asked' | 'refused' },
  ): this {
    this.watch.see(this.#input({ ...input, groupId: 'a' }));
    return this;
  }

  #input(input: object): Input {
    return { ...input, at: { monotonicMs: this.#nowMs, unixSeconds: this.#nowMs / 1000 } } as Input;
  }
}
