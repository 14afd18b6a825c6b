// Keeps one worker alive: starts it, restarts it after its backoff, stops it for good. It never gives up.
import type {
  Answer,
  Contract,
  Outcome,
  Params,
  RequestName,
  WorkerSettings,
} from '../../shared/protocol/contract.js';
import type { ChildDependencies, ChildWatcher, InstanceLoss } from './child.js';
import { WorkerChild } from './child.js';
import type { Fault, WorkerInstance } from './worker-instance.js';
import { gone } from './requests.js';
import type { Restart } from './restart.js';
import { historyAfter, nextRestart, noHistory, defaultMaxBackoffMs } from './restart.js';
import type { SupervisionObserver, WorkerHandle, WorkerSpec, WorkerState } from './worker-spec.js';
import type { Logger } from '../../shared/runtime/log.js';

export interface SupervisedWorkerDependencies extends ChildDependencies {
  readonly observer: SupervisionObserver;
  readonly log: Logger;
  /** Starts one instance; never throws. */
  readonly launch: (strikes: Strikes) => WorkerInstance;
}

/** Losses of the last hour, which move a worker out of a shared process. */
export interface Strikes {
  /** Caused by it. */
  readonly own: number;
  /** Caused by it or by another worker of its process. */
  readonly possible: number;
}

/** Losses further apart disturb the other workers of a process too little to move one. */
const strikesCountForMs = 3_600_000;

type InstanceState<C extends Contract> =
  | { readonly kind: 'alive'; readonly child: WorkerChild<C> }
  /** Lost and not reaped: the next instance starts when this one is gone. */
  | { readonly kind: 'leaving'; readonly child: WorkerChild<C>; readonly next: Restart }
  | { readonly kind: 'waiting'; readonly dueAtMs: number }
  | { readonly kind: 'stopping'; readonly child: WorkerChild<C>; readonly settled: Promise<void> }
  | { readonly kind: 'stopped' };

export class SupervisedWorker<C extends Contract> implements WorkerHandle<C> {
  readonly name: string;
  readonly spec: WorkerSpec<C>;
  readonly #deps: SupervisedWorkerDependencies;
  #settings: WorkerSettings<C>;
  #starts = 0;
  #history = noHistory;
  #strikes: readonly { readonly atMs: number; readonly fault: Fault }[] = [];
  #state: InstanceState<C>;
  #stopped: () => void = () => undefined;

  constructor(spec: WorkerSpec<C>, deps: SupervisedWorkerDependencies) {
    this.name = spec.name;
    this.spec = spec;
    this.#deps = deps;
    this.#settings = spec.settings;
    this.#state = this.#begin();
  }

  get state(): WorkerState {
    switch (this.#state.kind) {
      case 'alive': {
        const { phase } = this.#state.child;
        return phase === 'ready' ? 'ready' : 'starting';
      }
      case 'leaving':
      case 'waiting':
        return 'waiting';
      case 'stopping':
        return 'draining';
      case 'stopped':
        return 'stopped';
    }
  }

  /** Nothing of it is under way that a tick has to end. */
  get isQuiet(): boolean {
    return this.#state.kind === 'alive' && this.#state.child.isQuiet;
  }

  get restarts(): number {
    return Math.max(0, this.#starts - 1);
  }

  /** The process of the current instance; null for none. */
  get pid(): number | null {
    return 'child' in this.#state ? this.#state.child.pid : null;
  }

  request<N extends RequestName<C>>(
    name: N,
    params: Params<C['requests'], N>,
    deadlineMs: number,
  ): Promise<Outcome<Answer<C['requests'], N>>> {
    if (this.#state.kind !== 'alive') return Promise.resolve(gone(this.name));
    // The result codec of this request has decoded the answer.
    return this.#state.child.request(name, params, deadlineMs);
  }

  reconfigure(settings: WorkerSettings<C>): void {
    this.#settings = settings;
    if (this.#state.kind === 'alive') this.#state.child.reconfigure(settings);
  }

  stop(): Promise<void> {
    switch (this.#state.kind) {
      case 'stopped':
        return Promise.resolve();
      case 'stopping':
        return this.#state.settled;
      case 'waiting':
        this.#state = { kind: 'stopped' };
        return Promise.resolve();
      case 'alive':
      case 'leaving': {
        const { child } = this.#state;
        const settled = new Promise<void>((resolve) => {
          this.#stopped = resolve;
        });
        this.#state = { kind: 'stopping', child, settled };
        child.drain();
        return settled;
      }
    }
  }

  /** Stops it for good without a drain: the deadline of the stop has passed. */
  kill(): void {
    void this.stop();
    if ('child' in this.#state) this.#state.child.kill();
  }

  /** Its process exceeds its memory limit. */
  outgrown(message: string): void {
    if (this.#state.kind === 'alive') this.#state.child.lose('memory', message);
  }

  tick(stalledMs: number): void {
    if ('child' in this.#state) this.#state.child.tick(stalledMs);
    else if (this.#state.kind === 'waiting' && this.#deps.clock.monotonicMs() >= this.#state.dueAtMs)
      this.#state = this.#begin();
  }

  #begin(): InstanceState<C> {
    this.#starts += 1;
    const since = this.#deps.clock.monotonicMs() - strikesCountForMs;
    this.#strikes = this.#strikes.filter(({ atMs }) => atMs >= since);
    const count = (of: Fault): number => this.#strikes.filter(({ fault }) => fault === of).length;
    const instance = this.#deps.launch({ own: count('own'), possible: count('possible') });
    const child = new WorkerChild(this.spec, this.#settings, instance, this.#deps, this.#watcher());
    return { kind: 'alive', child };
  }

  #watcher(): ChildWatcher {
    const { observer, log } = this.#deps;
    return {
      ready: () => observer.workerReady(this.name),
      lost: (loss, readyMs) => this.#lost(loss, readyMs),
      gone: () => this.#gone(),
      log: (record, dropped) => {
        if (dropped > 0)
          log.warning(`${this.name} exceeded its log rate limit: ${String(dropped)} records dropped`);
        observer.log(record);
      },
      warn: (message) => log.warning(message),
      bug: (message) => log.error(message),
    };
  }

  #lost(loss: InstanceLoss | null, readyMs: number): void {
    // A worker that is being stopped is not lost.
    if (loss === null || this.#state.kind !== 'alive') return;
    const maxBackoffMs = this.spec.maxBackoffMs ?? defaultMaxBackoffMs;
    const isOwn = loss.fault === 'own';
    const next = isOwn
      ? nextRestart(this.#history, readyMs, maxBackoffMs)
      : { history: historyAfter(this.#history, readyMs, false), delayMs: 0 };
    this.#history = next.history;
    this.#strikes = [...this.#strikes, { atMs: this.#deps.clock.monotonicMs(), fault: loss.fault }];
    this.#state = { kind: 'leaving', child: this.#state.child, next };
    const when = next.delayMs === 0 ? 'now' : `in ${String(next.delayMs / 1000)} s`;
    // Their process reports all that are not at fault together.
    if (isOwn)
      this.#deps.log.warning(
        `lost the worker ${this.name} (${loss.reason}): ${loss.message}; it restarts ${when}`,
      );
    const quickFailures = isOwn ? next.history.quickFailures : 0;
    this.#deps.observer.workerLost(this.name, loss.reason, loss.message, quickFailures);
  }

  #gone(): void {
    if (this.#state.kind === 'stopping') {
      this.#state = { kind: 'stopped' };
      this.#stopped();
    } else if (this.#state.kind === 'leaving') {
      const { delayMs } = this.#state.next;
      if (delayMs === 0) this.#state = this.#begin();
      else this.#state = { kind: 'waiting', dueAtMs: this.#deps.clock.monotonicMs() + delayMs };
    }
  }
}
