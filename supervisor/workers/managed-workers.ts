// All managed workers of a daemon in the order of their start: one loop each for apply, tick, ready, lost and end. An
// exception of one does not stop the loop.
import type { LogRecord } from '../../shared/domain/status/log-record.js';
import type { Configuration } from '../config/configuration/configuration.js';
import type { Guard } from '../guard/guard.js';
import type { SupervisionDependencies } from '../supervision/supervision.js';
import { Supervision } from '../supervision/supervision.js';
import type { ManagedWorker } from './managed-worker.js';

/** How long a stopping daemon waits for its last rows, and for its last log lines. */
const finishMs = 1_000;
/** For drain and kill of workers that stop together; the stop limit of the unit is far longer. */
const stopMs = 4_000;

export interface ManagedWorkersDependencies extends Omit<SupervisionDependencies, 'observer'> {
  readonly guard: Guard;
  /** Called when a worker has become ready or was lost, after the worker's own handler. */
  readonly changed: () => void;
  /** A worker was lost by its own fault, or a process with others; `quickFailures` as in SupervisionObserver. */
  readonly lost: (loss: string, quickFailures: number) => void;
  /** A record of a worker. */
  readonly logged: (record: LogRecord) => void;
}

export class ManagedWorkers {
  readonly supervision: Supervision;
  readonly #guard: Guard;
  #all: readonly ManagedWorker[] = [];

  constructor({ guard, changed, lost, logged, ...deps }: ManagedWorkersDependencies) {
    this.#guard = guard;
    this.supervision = new Supervision({
      ...deps,
      observer: {
        workerReady: (name) => {
          this.#each('a worker that is ready', (worker) => {
            if (worker.workerReady !== undefined && worker.names.includes(name)) worker.workerReady();
          });
          guard.run('a worker that is ready', changed);
        },
        workerLost: (name, reason, message, quickFailures) => {
          this.#each('a worker that is lost', (worker) => {
            if (worker.workerLost !== undefined && worker.names.includes(name)) worker.workerLost();
          });
          guard.runAll('a worker that is lost', {
            events: () => {
              if (quickFailures > 0) lost(`${name}: ${reason}: ${message}`, quickFailures);
            },
            changed,
          });
        },
        processLost: (message) => guard.run('a process that is lost', () => lost(message, 0)),
        log: logged,
      },
    });
  }

  /** Starts the workers that `configuration` needs, in this order. */
  start(all: readonly ManagedWorker[], configuration: Configuration): void {
    this.#all = all;
    for (const worker of all) worker.apply(configuration);
  }

  apply(configuration: Configuration): void {
    this.#each('a reload', (worker) => worker.apply(configuration));
  }

  tick(): void {
    this.#each('a tick', (worker) => worker.tick?.());
  }

  /**
   * Ends the workers in reverse order; ticks must go on. A worker with something to finish does so while everything
   * that started before it still runs; the others stop together.
   */
  async end(reason: string): Promise<void> {
    let together: ManagedWorker[] = [];
    for (const worker of [...this.#all].reverse()) {
      if (worker.finish !== undefined) {
        await this.#stop(together);
        together = [];
        await worker.finish(reason, finishMs);
      }
      together.push(worker);
    }
    await this.#stop(together);
  }

  async #stop(together: readonly ManagedWorker[]): Promise<void> {
    await this.supervision.stopAll(
      together.flatMap(({ names }) => names),
      stopMs,
    );
    for (const worker of together) worker.stopped?.();
  }

  #each(place: string, act: (worker: ManagedWorker) => unknown): void {
    for (const worker of this.#all) this.#guard.run(`${place} of ${worker.label}`, () => act(worker));
  }
}
