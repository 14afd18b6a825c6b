// The messages between the benchmark and its helper programs, over Node's channel between parent and child.
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface SimulatorOrders {
  /** Serves these UPSes; the answer is the port. */
  serve: { readonly names: readonly string[] };
  /** When each was polled since the last request. */
  arrivals: object;
  /** Sets FSD of a UPS. For true, the answer is the arrival of the next poll, which is answered with it. */
  fsd: { readonly ups: string; readonly on: boolean };
}

export interface SimulatorAnswers {
  serve: { readonly port: number };
  arrivals: { readonly byUps: readonly (readonly [string, readonly number[]])[] };
  fsd: { readonly askedAtMs: number };
}

export interface ReadersOrders {
  /** Starts reading. */
  read: ReadersPlan;
  /** Stops and reports. */
  report: object;
}

export interface ReadersPlan {
  readonly apiPort: number;
  readonly names: readonly string[];
  /** One request of each kind per interval, the next only after the answer to the last. */
  readonly everyMs: { readonly [K in ReaderKind]: number };
}

export type ReaderKind = 'health' | 'ups' | 'metrics' | 'history';

export interface KindReport {
  readonly answers: number;
  readonly errors: number;
  readonly tookMs: readonly number[];
  readonly largestBytes: number;
}

export interface ReadersAnswers {
  read: object;
  report: {
    readonly kinds: { readonly [K in ReaderKind]: KindReport };
    readonly streamMessages: number;
    readonly streamBytes: number;
  };
}

interface Order {
  readonly id: number;
  readonly name: string;
  readonly body: unknown;
}

interface Answer {
  readonly id: number;
  readonly body: unknown;
}

/** A helper in its own process, so that its work counts neither as the daemon's nor as the benchmark's. */
export class Program<O extends object, A extends { [K in keyof O]: unknown }> {
  readonly #child: ChildProcess;
  readonly #open = new Map<number, { resolve: (body: unknown) => void; reject: (error: Error) => void }>();
  #next = 1;

  constructor(module: string) {
    this.#child = fork(fileURLToPath(new URL(module, import.meta.url)), {
      serialization: 'advanced',
      execArgv: ['--max-old-space-size=1024'],
    });
    this.#child.on('message', (message) => {
      const { id, body } = message as Answer;
      this.#open.get(id)?.resolve(body);
      this.#open.delete(id);
    });
    this.#child.once('exit', () => {
      for (const { reject } of this.#open.values()) reject(new Error(`${module} ended`));
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  order<N extends keyof O & string>(name: N, body: O[N]): Promise<A[N]> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve: (answer) => resolve(answer as A[N]), reject });
      this.#child.send({ id, name, body } satisfies Order);
    });
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }
}

/** The side of the helper: answers every order; ends with the benchmark. */
export function serveOrders<O extends object, A extends { [K in keyof O]: unknown }>(handlers: {
  [N in keyof O & keyof A]: (body: O[N]) => Promise<A[N]>;
}): void {
  process.on('message', (message) => {
    const { id, name, body } = message as Order;
    const handler = handlers[name as keyof O & keyof A] as (body: unknown) => Promise<unknown>;
    void handler(body).then((answer) => process.send?.({ id, body: answer } satisfies Answer));
  });
  process.once('disconnect', () => process.exit(0));
}
