// The process behind a name of the roster that hosts threads: there is one while it has threads, and only then.
import { HostInstance } from './host-instance.js';
import type { HostDependencies, ThreadOrder } from './host-instance.js';
import type { WorkerInstance } from './worker-instance.js';

export class HostProcess {
  readonly #name: string;
  readonly #deps: HostDependencies;
  #life: HostInstance | null = null;
  /** The present life, and earlier ones whose process has not been buried yet. */
  readonly #lives = new Set<HostInstance>();
  readonly #waiting: (() => void)[] = [];

  constructor(name: string, deps: HostDependencies) {
    this.#name = name;
    this.#deps = deps;
  }

  /** Starts a thread, and the process for it when there is none. */
  launch(order: ThreadOrder): WorkerInstance {
    if (this.#life === null || this.#life.over) {
      const life: HostInstance = new HostInstance(this.#name, order.user, this.#deps, () => {
        this.#lives.delete(life);
        if (this.#lives.size === 0) for (const settle of this.#waiting.splice(0)) settle();
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

  /** Ends it unless it has a thread; settles when nothing is left of it or of its earlier lives. */
  async endIfEmpty(): Promise<void> {
    for (const life of this.#lives) if (life.empty) life.end();
    if (this.#lives.size === 0 || [...this.#lives].some((life) => !life.over)) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  outgrown(message: string): void {
    this.#life?.outgrown(message);
  }
}
