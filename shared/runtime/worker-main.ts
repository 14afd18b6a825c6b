// The life of a worker, the same in a thread and in a process: hello, configure, ready, heartbeats, drain, drained.
import type { Answer, Contract, Outcome, Params, RequestName, Slice } from '../protocol/contract.js';
import { linkFailure } from '../protocol/contract.js';
import type { Clock } from './clock.js';
import { systemClock } from './clock.js';
import type { Logger } from './log.js';
import { loggerTo } from './log.js';
import type { Home } from './worker-runtime.js';
import { ownHome } from './worker-runtime.js';
import type { Uplink } from './worker-link.js';
import { WorkerLink } from './worker-link.js';

/** A poller silent for 2 s is killed (specification/nut.md#worker-limits); 500 ms allows for a late beat. */
const heartbeatMs = 500;
/** The frame `drained` must leave before the end; the supervisor answers it by closing the link, which ends us sooner. */
const drainMs = 200;

export interface WorkerContext<C extends Contract> extends Uplink<C> {
  readonly log: Logger;
  readonly clock: Clock;
}

export interface WorkerBody<C extends Contract> {
  readonly requests: {
    [N in RequestName<C>]: (
      params: Params<C['requests'], N>,
      deadlineMs: number,
    ) => Promise<Outcome<Answer<C['requests'], N>>>;
  };
  /** A changed slice while running. */
  reconfigure(slice: Slice<C>): void;
  /** Finish and release everything; the process ends when this settles or the deadline passes. */
  drain(deadlineMs: number): Promise<void>;
}

/** Runs a worker in its own home; the entry file of every worker ends in one call of this. */
export function runWorker<C extends Contract>(
  contract: C,
  start: (slice: Slice<C>, context: WorkerContext<C>) => Promise<WorkerBody<C>>,
  home: Home = ownHome(),
): void {
  const link = new WorkerLink(contract, home.port);
  const logger = (name: string): Logger => loggerTo(name, systemClock, (record) => link.log(record));
  const context: WorkerContext<C> = {
    emit: (name, body) => link.emit(name, body),
    ask: (name, params, deadlineMs) => link.ask(name, params, deadlineMs),
    log: logger(contract.name),
    clock: systemClock,
  };
  let body: Promise<WorkerBody<C>> | undefined;

  const beats = setInterval(() => link.heartbeat(), heartbeatMs);
  const end = (): void => {
    clearInterval(beats);
    home.end();
  };
  link.serve({
    configure: (slice) => {
      if (body === undefined) {
        // A worker that cannot start throws, dies and is counted: the supervisor decides when to try again.
        body = start(slice, context);
        void body.then(() => link.ready());
      } else void body.then((running) => running.reconfigure(slice));
    },
    request: requestsOf(contract, () => body),
    drain: (deadlineMs) => void drain(link, body, deadlineMs, end),
    // In a shared thread nothing ends by itself: what it began is given up first.
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
  // What the body has said last may be more than is sent at once.
  await link.sent();
  clearTimeout(timer);
  link.drained();
  setTimeout(end, drainMs);
}
