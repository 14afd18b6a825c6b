// What the benchmark and its helper programs tell each other over Node's own channel between parent and child.
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface SimulatorOrders {
  /** Serve these; the answer is the port. */
  serve: { readonly names: readonly string[] };
  /** When each was asked since the last time this was wanted. */
  arrivals: object;
  /** FSD of a UPS from now on. The answer, for true: when the next poll of it, which is answered with it, came in. */
  fsd: { readonly ups: string; readonly on: boolean };
}

export interface SimulatorAnswers {
  serve: { readonly port: number };
  arrivals: { readonly byUps: readonly (readonly [string, readonly number[]])[] };
  fsd: { readonly askedAtMs: number };
}

export interface ReadersOrders {
  /** Begin to read. */
  read: ReadersPlan;
  /** Stop, and say what came of it. */
  report: object;
}

export interface ReadersPlan {
  readonly apiPort: number;
  readonly names: readonly string[];
  /** One request of each kind every so many ms, the next only after the last was answered. */
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

/** A helper program of its own, so that its work is not counted as the daemon's or the benchmark's. */
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

/** The program's side: answers every order; ends with the benchmark. */
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
