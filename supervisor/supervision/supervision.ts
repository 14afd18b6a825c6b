// Keeps all workers alive: starts them, checks them at every tick, stops them in order. It gives up on no worker and
// does not end when one does.
import type { Contract } from '../../shared/protocol/contract.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import { HostProcess } from './host-process.js';
import type { WorkerInstance, LaunchProcess } from './worker-instance.js';
import { StartGate } from './start-gate.js';
import { SupervisedWorker } from './supervised-worker.js';
import { AwakeClock } from './awake-clock.js';
import type { SupervisionObserver, WorkerHandle, WorkerSpec } from './worker-spec.js';

/** The share of a process's memory limit that its old space may use; the rest is code, stacks and buffers. */
const heapShare = 0.6;

export interface SupervisionDependencies {
  readonly clock: Clock;
  readonly observer: SupervisionObserver;
  /** The supervisor's own log: losses, restarts, last standard error. */
  readonly log: Logger;
  /** `processLauncher` of spawn.ts, or a simulated one. */
  readonly launch: LaunchProcess;
  /** The compiled module of workers/host/host.ts, absolute path. */
  readonly hostEntry: string;
  /** `residentMb` of resident-memory.ts, or a simulated one: MB of a process, null when it is gone. */
  readonly residentMb: (pid: number) => number | null;
}

/** What supervision needs of a worker of any contract. */
type AnyWorker = Pick<
  SupervisedWorker<Contract>,
  'name' | 'state' | 'restarts' | 'pid' | 'stop' | 'kill' | 'tick' | 'outgrown'
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
  readonly #gate: StartGate;
  readonly #workers = new Map<string, AnyWorker>();
  readonly #hosts = new Map<string, HostProcess>();
  #threads = 0;
  readonly #killings = new Set<Killing>();

  constructor(deps: SupervisionDependencies) {
    this.#deps = deps;
    this.#time = new AwakeClock(deps.clock);
    this.#gate = new StartGate(() => this.#time.nowMs());
  }

  /** Starts a worker and keeps it alive until it is stopped. Its name is free again after that. */
  start<C extends Contract>(spec: WorkerSpec<C>): WorkerHandle<C> {
    const former = this.#workers.get(spec.name);
    if (former !== undefined && former.state !== 'stopped')
      throw new Error(`the worker ${spec.name} already exists`);
    const worker = new SupervisedWorker(spec, {
      clock: this.#deps.clock,
      time: this.#time,
      observer: this.#deps.observer,
      log: this.#deps.log,
      launch: (alone) => this.#launch(spec, alone),
      gate: spec.hosting.kind === 'thread' ? this.#gate : null,
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

  /** Called every 250 ms; checks all limits, backoffs and deadlines of requests. */
  tick(): void {
    const stalledMs = this.#time.tick();
    this.#gate.tick();
    this.#watchMemory();
    for (const host of this.#hosts.values()) host.tick(stalledMs);
    for (const worker of this.#workers.values()) {
      worker.tick(stalledMs);
      if (worker.state === 'stopped') this.#workers.delete(worker.name);
    }
    for (const { atMs, workers } of this.#killings)
      if (this.#deps.clock.monotonicMs() >= atMs) for (const worker of workers) worker.kill();
  }

  /**
   * Stops the named workers one after the other in the given order (the reverse of their start) and kills the remaining
   * ones at the deadline. Settles when all are gone, and the processes without threads too. `tick` must be called
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

  #launch<C extends Contract>(spec: WorkerSpec<C>, alone: boolean): WorkerInstance {
    const { hosting, memoryLimitMb } = spec;
    if (hosting.kind === 'thread') {
      const { process, entry, user, lane } = hosting;
      return this.#host(process).launch({ entry, user, memoryLimitMb, lane: alone ? null : lane });
    }
    return this.#deps.launch({
      name: spec.name,
      entry: spec.entry,
      user: hosting.user,
      heapLimitMb: Math.round(memoryLimitMb * heapShare),
      inheritStderr: hosting.stderr === 'inherit',
    });
  }

  #host(name: string): HostProcess {
    const present = this.#hosts.get(name);
    if (present !== undefined) return present;
    const host = new HostProcess(name, {
      clock: this.#deps.clock,
      time: this.#time,
      observer: this.#deps.observer,
      log: this.#deps.log,
      launch: this.#deps.launch,
      hostEntry: this.#deps.hostEntry,
      nextThread: () => (this.#threads += 1),
    });
    this.#hosts.set(name, host);
    return host;
  }

  #watchMemory(): void {
    const watch = (pid: number, limitMb: number, outgrown: (message: string) => void): void => {
      const mb = this.#deps.residentMb(pid);
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
