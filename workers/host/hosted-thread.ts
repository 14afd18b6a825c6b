// One worker thread: its start, its end, and the guard over what it sends. It never reads a frame.
import { MessageChannel, Worker } from 'node:worker_threads';
import { systemClock } from '../../shared/runtime/clock.js';
import { FloodGauge } from '../../shared/runtime/flood-gauge.js';
import type { ThreadData } from '../../shared/runtime/home.js';
import type { Port } from '../../shared/runtime/port.js';
import { threadPort } from '../../shared/runtime/thread-port.js';

/** Short-lived objects of one poll; V8's own default would be 16 MB and more per thread. */
const youngGenerationMb = 8;
/** V8's default for threads; said here because a deep recursion must end the thread and not the process. */
const stackMb = 4;

export interface ThreadEnd {
  readonly reason: 'exit' | 'error' | 'ordered' | 'flood';
  readonly message: string;
}

export interface ThreadListener {
  /** A frame to pass on. Throws for what can be no frame, which ends the thread. */
  frame(frame: unknown): void;
  /** Once; nothing of the thread comes afterwards. */
  ended(end: ThreadEnd): void;
}

export class HostedThread {
  readonly #worker: Worker;
  readonly #port: Port;
  readonly #gauge = new FloodGauge();
  readonly #listener: ThreadListener;
  /** Why it ends, once that is known: the first reason counts. */
  #end: ThreadEnd | undefined;
  readonly #gone: Promise<void>;

  constructor(entry: URL, heapLimitMb: number, listener: ThreadListener) {
    const { port1, port2 } = new MessageChannel();
    this.#listener = listener;
    this.#port = threadPort(port1);
    this.#worker = new Worker(entry, {
      workerData: { link: port2 } satisfies ThreadData,
      transferList: [port2],
      // The host's own --import has been applied to the process; heap limits are per thread.
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: heapLimitMb,
        maxYoungGenerationSizeMb: youngGenerationMb,
        stackSizeMb: stackMb,
      },
    });
    const exited = new Promise<number>((resolve) => void this.#worker.once('exit', resolve));
    const closed = new Promise<void>((resolve) => {
      this.#port.onClosed(() => resolve());
    });
    this.#worker.once('error', (error) => {
      this.#end ??= {
        reason: 'error',
        message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      };
    });
    this.#port.onFrame((frame) => this.#pass(frame));
    // Its last frames are still in the channel when it exits; the channel closes behind them.
    this.#gone = Promise.all([exited, closed]).then(([code]) => {
      this.#listener.ended(this.#end ?? { reason: 'exit', message: `it ended with code ${String(code)}` });
    });
  }

  post(frame: unknown): void {
    this.#port.post(frame);
  }

  /** Ends it; settles when it is gone, which never happens while it is stuck in native code. */
  async end(reason: ThreadEnd['reason'], message: string): Promise<void> {
    this.#end ??= { reason, message };
    // Closed first: what a flooding thread has queued must not be delivered any more.
    this.#port.close();
    void this.#worker.terminate();
    await this.#gone;
  }

  #pass(frame: unknown): void {
    if (this.#gauge.count(systemClock.monotonicMs())) {
      void this.end('flood', 'it sent more frames than any honest worker does');
      return;
    }
    try {
      this.#listener.frame(frame);
    } catch (error) {
      void this.end(
        'error',
        `it sent what can be no frame: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}
