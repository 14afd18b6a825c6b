// A worker host: a named process that runs several workers. It exists only while it has any.
import { WorkerHostInstance } from './worker-host-instance.js';
import type { WorkerHostDependencies, MemberOrder } from './worker-host-instance.js';
import type { WorkerInstance } from './worker-instance.js';

export class WorkerHost {
  readonly #name: string;
  readonly #deps: WorkerHostDependencies;
  #current: WorkerHostInstance | null = null;
  /** The current instance, and earlier ones that are not reaped yet. */
  readonly #instances = new Set<WorkerHostInstance>();
  readonly #waiting: (() => void)[] = [];

  constructor(name: string, deps: WorkerHostDependencies) {
    this.#name = name;
    this.#deps = deps;
  }

  /** Starts a member, and the process if there is none. */
  launch(name: string, order: MemberOrder): WorkerInstance {
    if (this.#current === null || this.#current.over) {
      const instance: WorkerHostInstance = new WorkerHostInstance(this.#name, order, this.#deps, () => {
        this.#instances.delete(instance);
        if (this.#instances.size === 0) for (const settle of this.#waiting.splice(0)) settle();
      });
      this.#current = instance;
      this.#instances.add(instance);
    }
    return this.#current.launch(name);
  }

  /** True when no instance of it is left. */
  get gone(): boolean {
    return this.#instances.size === 0;
  }

  get isQuiet(): boolean {
    return [...this.#instances].every(({ isQuiet }) => isQuiet);
  }

  tick(stalledMs: number): void {
    for (const instance of this.#instances) instance.tick(stalledMs);
  }

  /** For the memory watch; null while there is no process. */
  get footprint(): { readonly pid: number; readonly memoryLimitMb: number } | null {
    return this.#current?.footprint ?? null;
  }

  /** Ends the process if it has no member. Settles when all its instances are gone. */
  async endIfEmpty(): Promise<void> {
    for (const instance of this.#instances) if (instance.empty) instance.end();
    if (this.#instances.size === 0 || [...this.#instances].some((instance) => !instance.over)) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  outgrown(message: string): void {
    this.#current?.outgrown(message);
  }
}
