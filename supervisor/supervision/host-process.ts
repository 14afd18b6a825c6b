// The process behind a name of the roster that hosts threads: there is one while it has threads, and only then.
import { HostLife } from './host-life.js';
import type { HostDependencies, ThreadOrder } from './host-life.js';
import type { Incarnation } from './incarnation.js';

export class HostProcess {
  readonly #name: string;
  readonly #deps: HostDependencies;
  #life: HostLife | null = null;
  /** The present life, and earlier ones whose process has not been buried yet. */
  readonly #lives = new Set<HostLife>();
  #ended: () => void = () => undefined;

  constructor(name: string, deps: HostDependencies) {
    this.#name = name;
    this.#deps = deps;
  }

  /** Starts a thread, and the process for it when there is none. */
  launch(order: ThreadOrder): Incarnation {
    if (this.#life === null || this.#life.over) {
      const life: HostLife = new HostLife(this.#name, order.user, this.#deps, () => {
        this.#lives.delete(life);
        if (this.#lives.size === 0) this.#ended();
      });
      this.#life = life;
      this.#lives.add(life);
    }
    return this.#life.launch(order);
  }

  tick(stalledMs: number): void {
    for (const life of this.#lives) life.tick(stalledMs);
  }

  /** For the watch over its memory; null when there is no process. */
  get footprint(): { readonly pid: number; readonly memoryLimitMb: number } | null {
    return this.#life?.footprint ?? null;
  }

  /** Ends what is left of it, threads and all; settles when it is gone. */
  async end(): Promise<void> {
    if (this.#lives.size === 0) return;
    const gone = new Promise<void>((resolve) => {
      this.#ended = resolve;
    });
    for (const life of this.#lives) life.end();
    await gone;
  }

  outgrown(message: string): void {
    this.#life?.outgrown(message);
  }
}
