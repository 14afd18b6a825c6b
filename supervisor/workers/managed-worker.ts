// One worker as the daemon manages it. Its own file says the rest: specification, settings, what is heard of it, what it
// is served. The daemon treats all of them alike.
import { fileURLToPath } from 'node:url';
import type { Answer, Contract, Outcome, Params, RequestName } from '../../shared/protocol/contract.js';
import type { ThreadEntry } from '../../shared/protocol/host.js';
import type { Configuration } from '../config/configuration/configuration.js';
import { gone } from '../supervision/requests.js';
import type { Supervision } from '../supervision/supervision.js';
import type { Hosting, WorkerHandle, WorkerSpec } from '../supervision/worker-spec.js';

export interface ManagedWorker {
  /** For the log. */
  readonly label: string;
  /** Names in supervision: of one worker at most, or of all pollers; none where it was never needed. */
  readonly names: readonly string[];
  /** Makes a configuration the running one; starts what is needed for the first time. A worker that was needed once stays. */
  apply(configuration: Configuration): void;
  /** Called every 250 ms. */
  tick?(): void;
  /** One of `names` has become ready. */
  workerReady?(): void;
  /** One of `names` was lost. */
  workerLost?(): void;
  /** The daemon ends: settles when what must not be lost is done, at the latest after `withinMs`. It is stopped afterwards. */
  finish?(reason: string, withinMs: number): Promise<void>;
  /** It has ended for good. */
  stopped?(): void;
}

/** A worker of which there is one, with the name of its contract. */
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

  /** Never rejects; fails with WORKER_GONE while there is no worker that is ready. */
  request<N extends RequestName<C>>(
    name: N,
    params: Params<C['requests'], N>,
    deadlineMs: number,
  ): Promise<Outcome<Answer<C['requests'], N>>> {
    return this.#handle?.request(name, params, deadlineMs) ?? Promise.resolve(gone(this.label));
  }

  /** Starts the worker if it is needed, or gives the running one its slice. */
  protected configure(spec: WorkerSpec<C>, isNeeded = true): void {
    if (this.#handle !== undefined) this.#handle.reconfigure(spec.slice);
    else if (isNeeded) this.#handle = this.#supervision.start(spec);
  }

  protected async stop(): Promise<void> {
    await this.#handle?.stop();
  }
}

/**
 * Two seconds of silence, four missed heartbeats, cost a worker its life: then it is back within three, and the UPSes
 * of a poller are seen again before policy misses them.
 */
const silenceMs = 2_000;
/** From spawn to ready on a small board under load; on a workstation it takes 0.1 to 0.3 s. */
const startDeadlineMs = 10_000;
const stopDeadlineMs = 2_000;
/** Several times what each needs; above it something leaks, and the machine needs its memory in an outage. */
const memoryLimitMb = 300;

type Own = 'hosting' | 'slice' | 'onEvent' | 'serve';

/** The specification of the worker in workers/<name of the contract>/; `own` overrides what is usual. */
export function workerSpec<C extends Contract>(
  contract: C,
  own: Pick<WorkerSpec<C>, Own> & Partial<WorkerSpec<C>>,
): WorkerSpec<C> {
  const { name } = contract;
  const defaults = { silenceMs, startDeadlineMs, stopDeadlineMs, memoryLimitMb };
  return { ...defaults, name, contract, entry: entry(`${name}/worker.js`), ...own };
}

const entry = (path: string): string => fileURLToPath(new URL(`../../workers/${path}`, import.meta.url));

/** The program in which worker threads live. */
export const hostEntry = entry('host/host.js');

/** MQTT and notifications share a process: pure JavaScript over sockets, each in a thread of its own. */
export function outboundThread(thread: ThreadEntry, { supervisor }: Configuration): Hosting {
  return {
    kind: 'thread',
    process: 'outbound',
    lane: null,
    entry: thread,
    user: supervisor.workerUsers.net,
  };
}
