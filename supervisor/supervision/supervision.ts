// Keeps all workers alive: starts them, checks them at every tick, stops them in order. It gives up on no worker and
// does not end when one does.
import type { Contract } from '../../shared/protocol/contract.js';
import type { Clock } from '../../shared/runtime/clock.js';
import { letLargeHeapGrow } from '../../shared/runtime/heap-growth.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { ProcessFacts } from '../host/process-facts.js';
import { WorkerHost } from './worker-host.js';
import type { WorkerInstance, LaunchProcess } from './worker-instance.js';
import type { Strikes } from './supervised-worker.js';
import { SupervisedWorker } from './supervised-worker.js';
import { AwakeClock } from './awake-clock.js';
import type { SupervisionObserver, WorkerHandle, WorkerSpec } from './worker-spec.js';

/** The share of a process's memory limit that its old space may use; the rest is code, stacks and buffers. */
const heapShare = 0.6;

/** A leak that fills the machine's memory sooner is stopped by the limit of V8's heap, or by the kernel. */
const memoryWatchMs = 10_000;

export interface SupervisionDependencies {
  readonly clock: Clock;
  readonly observer: SupervisionObserver;
  /** The supervisor's own log: losses, restarts, last standard error. */
  readonly log: Logger;
  /** `processLauncher` of spawn.ts, or a simulated one. */
  readonly launch: LaunchProcess;
  /** As in host/process-facts.ts, or simulated ones. */
  readonly processes: ProcessFacts;
}

/** What supervision needs of a worker of any contract. */
type AnyWorker = Pick<
  SupervisedWorker<Contract>,
  'name' | 'state' | 'restarts' | 'pid' | 'stop' | 'kill' | 'tick' | 'outgrown' | 'isQuiet'
> & { readonly spec: Pick<WorkerSpec<Contract>, 'hosting' | 'memoryLimitMb'> };

export type WorkerView = Pick<AnyWorker, 'name' | 'state' | 'restarts'>;

/** Workers that are stopped together, and the monotonic ms at which the remaining ones are killed. */
interface Killing {
  readonly atMs: number;
  readonly workers: readonly AnyWorker[];
}

export class Supervision {
  readonly #deps: SupervisionDependencies;
  readonly #time: AwakeClock;
  readonly #workers = new Map<string, AnyWorker>();
  readonly #hosts = new Map<string, WorkerHost>();
  #members = 0;
  #memoryWatchedAtMs = -Infinity;
  readonly #killings = new Set<Killing>();

  constructor(deps: SupervisionDependencies) {
    this.#deps = deps;
    this.#time = new AwakeClock(deps.clock);
  }

  /** Starts a worker and keeps it alive until it is stopped. Its name is free again after that. */
  start<C extends Contract>(spec: WorkerSpec<C>): WorkerHandle<C> {
    const former = this.#workers.get(spec.name);
    if (former !== undefined && former.state !== 'stopped')
      throw new Error(`the worker ${spec.name} already exists`);
    const worker = new SupervisedWorker(spec, {
      clock: this.#deps.clock,
      awakeClock: this.#time,
      processes: this.#deps.processes,
      observer: this.#deps.observer,
      log: this.#deps.log,
      launch: (strikes) => this.#launch(spec, strikes),
    });
    this.#workers.set(spec.name, worker);
    return worker;
  }

  /** Every worker that is not stopped, in the order of their first start, for /ready and the metrics. */
  get workers(): readonly WorkerView[] {
    return [...this.#workers.values()]
      .filter(({ state }) => state !== 'stopped')
      .map(({ name, state, restarts }) => ({ name, state, restarts }));
  }

  /** The names of the workers that `work` starts. */
  startedBy(work: () => void): readonly string[] {
    const before = new Set(this.workers.map(({ name }) => name));
    work();
    return this.workers.map(({ name }) => name).filter((name) => !before.has(name));
  }

  /** All workers run, none is late, and nobody waits for an answer of one. */
  get isQuiet(): boolean {
    return (
      this.#killings.size === 0 &&
      [...this.#workers.values(), ...this.#hosts.values()].every(({ isQuiet }) => isQuiet)
    );
  }

  /** Called at every tick; checks all limits, backoffs and deadlines of requests. */
  tick(): void {
    const stalledMs = this.#time.tick();
    letLargeHeapGrow();
    this.#watchMemory();
    for (const [name, host] of this.#hosts) {
      host.tick(stalledMs);
      if (host.gone) this.#hosts.delete(name);
    }
    for (const worker of this.#workers.values()) {
      worker.tick(stalledMs);
      if (worker.state === 'stopped') this.#workers.delete(worker.name);
    }
    for (const { atMs, workers } of this.#killings)
      if (this.#deps.clock.monotonicMs() >= atMs) for (const worker of workers) worker.kill();
  }

  /**
   * Stops the named workers one after the other in the given order (the reverse of their start) and kills the remaining
   * ones at the deadline. Settles when all are gone, and the processes without members too. `tick` must be called
   * meanwhile.
   */
  async stopAll(order: readonly string[], deadlineMs: number): Promise<void> {
    const workers = order.flatMap((name) => this.#workers.get(name) ?? []);
    const killing: Killing = { atMs: this.#deps.clock.monotonicMs() + deadlineMs, workers };
    this.#killings.add(killing);
    for (const worker of workers) await worker.stop();
    await Promise.all([...this.#hosts.values()].map((host) => host.endIfEmpty()));
    this.#killings.delete(killing);
  }

  #launch<C extends Contract>(
    { name, entry, hosting, memoryLimitMb }: WorkerSpec<C>,
    strikes: Strikes,
  ): WorkerInstance {
    const { user } = hosting;
    if (hosting.kind === 'member')
      return this.#host(processOf(hosting.process, name, strikes)).launch(name, {
        entry,
        user,
        memoryLimitMb,
      });
    return this.#deps.launch({
      name,
      entry,
      user,
      heapLimitMb: Math.round(memoryLimitMb * heapShare),
      inheritStderr: hosting.stderr === 'inherit',
      writesAsRoot: hosting.writesAsRoot === true,
    });
  }

  #host(name: string): WorkerHost {
    const present = this.#hosts.get(name);
    if (present !== undefined) return present;
    const { observer, ...deps } = this.#deps;
    const host = new WorkerHost(name, {
      ...deps,
      observer,
      awakeClock: this.#time,
      nextMember: () => (this.#members += 1),
    });
    this.#hosts.set(name, host);
    return host;
  }

  #watchMemory(): void {
    const now = this.#deps.clock.monotonicMs();
    if (now - this.#memoryWatchedAtMs < memoryWatchMs) return;
    this.#memoryWatchedAtMs = now;
    const watch = (pid: number, limitMb: number, outgrown: (message: string) => void): void => {
      const mb = this.#deps.processes.residentMb(pid);
      if (mb !== null && mb > limitMb)
        outgrown(`its process holds ${mb.toFixed(0)} MB, its limit is ${String(limitMb)} MB`);
    };
    for (const host of this.#hosts.values()) {
      const { footprint } = host;
      if (footprint !== null)
        watch(footprint.pid, footprint.memoryLimitMb, (message) => host.outgrown(message));
    }
    for (const worker of this.#workers.values()) {
      const { pid, spec } = worker;
      if (spec.hosting.kind === 'process' && pid !== null)
        watch(pid, spec.memoryLimitMb, (message) => worker.outgrown(message));
    }
  }
}

/**
 * The process of a member. The second loss that a member caused moves it to a process of its own. At the second loss
 * without a known cause, and at each further one, the members are split in halves, until the cause is alone.
 */
function processOf(process: string, name: string, { own, possible }: Strikes): string {
  if (own > 1) return `${process}:${name}`;
  const halvings = possible - 1;
  return halvings < 1 ? process : `${process}/${hash(name).slice(-halvings)}`;
}

/** FNV-1a of the name, as 32 binary digits. */
function hash(name: string): string {
  let value = 0x811c9dc5;
  for (let i = 0; i < name.length; i += 1) value = Math.imul(value ^ name.charCodeAt(i), 0x01000193) >>> 0;
  return value.toString(2).padStart(32, '0');
}
