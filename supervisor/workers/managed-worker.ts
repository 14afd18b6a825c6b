// The interface of a worker that the daemon manages. Each worker has a file here with its specification, settings and
// events.
import { fileURLToPath } from 'node:url';
import type { Answer, Contract, Outcome, Params, RequestName } from '../../shared/protocol/contract.js';
import type { Configuration } from '../config/configuration/configuration.js';
import { gone } from '../supervision/requests.js';
import type { Supervision } from '../supervision/supervision.js';
import type { WorkerHandle, WorkerSpec } from '../supervision/worker-spec.js';

export interface ManagedWorker {
  /** For the log. */
  readonly label: string;
  /** Names in supervision: one worker, all pollers, or none if it was never needed. */
  readonly names: readonly string[];
  /** Applies a configuration and starts a worker that it needs for the first time. A started worker stays. */
  apply(configuration: Configuration): void;
  /** Called at every tick. */
  tick?(): void;
  workerReady?(): void;
  workerLost?(): void;
  /**
   * The daemon ends: settles when its data is saved, at the latest after `withinMs`. The worker is stopped afterwards.
   */
  finish?(reason: string, withinMs: number): Promise<void>;
  /** It was stopped for good. */
  stopped?(): void;
}

/** A worker with one instance, named as its contract. */
export abstract class SingleWorker<C extends Contract> implements ManagedWorker {
  readonly label: string;
  readonly #supervision: Pick<Supervision, 'start'>;
  #handle: WorkerHandle<C> | undefined;

  constructor({ name }: C, supervision: Pick<Supervision, 'start'>) {
    this.label = name;
    this.#supervision = supervision;
  }

  abstract apply(configuration: Configuration): void;

  get names(): readonly string[] {
    return this.#handle === undefined ? [] : [this.label];
  }

  get isStarted(): boolean {
    return this.#handle !== undefined;
  }

  get isReady(): boolean {
    return this.#handle?.state === 'ready';
  }

  /** Never rejects; fails with WORKER_GONE while no worker is ready. */
  request<N extends RequestName<C>>(
    name: N,
    params: Params<C['requests'], N>,
    deadlineMs: number,
  ): Promise<Outcome<Answer<C['requests'], N>>> {
    return this.#handle?.request(name, params, deadlineMs) ?? Promise.resolve(gone(this.label));
  }

  /** Starts the worker if needed, or sends its settings to the running one. */
  protected configure(spec: WorkerSpec<C>, isNeeded = true): void {
    if (this.#handle !== undefined) this.#handle.reconfigure(spec.settings);
    else if (isNeeded) this.#handle = this.#supervision.start(spec);
  }

  protected async stop(): Promise<void> {
    await this.#handle?.stop();
  }
}

/**
 * Two missed heartbeats: a silent worker is back within three seconds, before policy counts the UPSes of a poller as
 * missing.
 */
const silenceMs = 2_000;
/** On a slow board under load; on a workstation a start takes 0.1 to 0.3 s. */
const startDeadlineMs = 10_000;
const stopDeadlineMs = 2_000;
/** Several times what each needs: more is a leak, and the machine needs its memory in an outage. */
const memoryLimitMb = 300;

type Own = 'hosting' | 'settings' | 'onEvent' | 'asks';

/** The specification of the worker in workers/<name of the contract>/; `own` overrides the defaults. */
export function workerSpec<C extends Contract>(
  contract: C,
  own: Pick<WorkerSpec<C>, Own> & Partial<WorkerSpec<C>>,
): WorkerSpec<C> {
  const { name } = contract;
  const defaults = { silenceMs, startDeadlineMs, stopDeadlineMs, memoryLimitMb };
  return { ...defaults, name, contract, entry: entry(`${name}/worker.js`), ...own };
}

const entry = (path: string): string => fileURLToPath(new URL(`../../workers/${path}`, import.meta.url));
