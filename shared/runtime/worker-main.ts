// Runs a worker: hello, configure, ready, heartbeats, drain, drained.
import type { Answer, Contract, Outcome, Params, RequestName, WorkerSettings } from '../protocol/contract.js';
import { linkFailure } from '../protocol/contract.js';
import type { Clock } from './clock.js';
import { systemClock } from './clock.js';
import type { Logger } from './log.js';
import { loggerTo } from './log.js';
import { letLargeHeapGrow } from './heap-growth.js';
import { oncePer } from './period.js';

import type { Home } from './worker-runtime.js';
import { ownHome } from './worker-runtime.js';
import type { Uplink } from './worker-link.js';
import { WorkerLink } from './worker-link.js';

/** A worker silent for 2 s is killed (specification/nut.md#worker-limits): one beat may be late by a second. */
const heartbeatMs = 1_000;
/**
 * Time for the frame `drained` to leave. The supervisor answers it by closing the link, which ends the worker sooner.
 */
const drainMs = 200;

export interface WorkerContext<C extends Contract> extends Uplink<C> {
  readonly log: Logger;
  readonly clock: Clock;
  /** Called by a poller's timers and sockets before their work (worker-host.ts). */
  readonly activate: () => void;
}

export type StartWorker<C extends Contract> = (
  settings: WorkerSettings<C>,
  context: WorkerContext<C>,
) => Promise<WorkerBody<C>>;

export interface WorkerBody<C extends Contract> {
  readonly requests: {
    [N in RequestName<C>]: (
      params: Params<C['requests'], N>,
      deadlineMs: number,
    ) => Promise<Outcome<Answer<C['requests'], N>>>;
  };
  /** The settings have changed. */
  reconfigure(settings: WorkerSettings<C>): void;
  /** Finishes and releases everything; the worker ends when this settles or the deadline passes. */
  drain(deadlineMs: number): Promise<void>;
}

/** The entry file of a worker ends with one call of this. */
export function runWorker<C extends Contract>(
  contract: C,
  start: StartWorker<C>,
  home: Home = ownHome(),
): void {
  const link = new WorkerLink(contract, home.port);
  const logger = (name: string): Logger => loggerTo(name, systemClock, (record) => link.log(record));
  const context: WorkerContext<C> = {
    emit: (name, body) => link.emit(name, body),
    emitNewest: (name, body) => link.emitNewest(name, body),
    ask: (name, params, deadlineMs) => link.ask(name, params, deadlineMs),
    log: logger(contract.name),
    clock: systemClock,
    activate: home.activate ?? (() => undefined),
  };
  let body: Promise<WorkerBody<C>> | undefined;

  const beat = (): void => {
    link.heartbeat();
    letLargeHeapGrow();
  };
  const stopBeats = home.activate === undefined ? oncePer(heartbeatMs, beat) : () => undefined;
  const end = (): void => {
    stopBeats();
    home.end();
  };
  link.serve({
    configure: (settings) => {
      if (body === undefined) {
        // A worker that cannot start throws and dies: the supervisor counts it and decides about the restart.
        body = start(settings, context);
        void body.then(() => link.ready());
      } else void body.then((running) => running.reconfigure(settings));
    },
    request: requestsOf(contract, () => body),
    drain: (deadlineMs) => void drain(link, body, deadlineMs, end),
    // A shared process does not end with one worker, so the worker cancels its own work.
    lost: () => {
      void body?.then((running) => running.drain(0));
      end();
    },
  });
  link.hello();
}

function requestsOf<C extends Contract>(
  contract: C,
  body: () => Promise<WorkerBody<C>> | undefined,
): WorkerBody<C>['requests'] {
  const serve = (name: RequestName<C>) => async (params: never, deadlineMs: number) => {
    const running = await body();
    if (running === undefined)
      return { ok: false, error: { code: linkFailure.gone, message: 'not configured yet' } };
    return running.requests[name](params, deadlineMs);
  };
  return Object.fromEntries(
    Object.keys(contract.requests).map((name) => [name, serve(name)]),
  ) as WorkerBody<C>['requests'];
}

async function drain<C extends Contract>(
  link: WorkerLink<C>,
  body: Promise<WorkerBody<C>> | undefined,
  deadlineMs: number,
  end: () => void,
): Promise<void> {
  const timer = setTimeout(end, deadlineMs);
  await (await body)?.drain(deadlineMs);
  // The last events of the body may wait for acknowledgements.
  await link.sent();
  clearTimeout(timer);
  link.drained();
  setTimeout(end, drainMs);
}
