// Requests to one instance of a worker that are not answered yet. Each is settled exactly once: answered, overdue, or
// gone with the worker.
import type * as t from 'io-ts';
import { decode } from '../../shared/domain/base/decode.js';
import type { Outcome } from '../../shared/protocol/contract.js';
import { failureOf, linkFailure } from '../../shared/protocol/contract.js';

/** More than a site has UPSes and servers: each may have one at once. Further ones are refused. */
export const maxPending = 10_000;

interface Pending {
  readonly name: string;
  readonly result: t.Mixed;
  /** Monotonic ms. */
  readonly dueAtMs: number;
  readonly settle: (outcome: Outcome<unknown>) => void;
}

export class Requests {
  readonly #worker: string;
  #nextId = 1;
  readonly #pending = new Map<number, Pending>();
  /** Settled as overdue. A late answer to one is accepted once and dropped. Only the newest are kept. */
  readonly #overdue = new Set<number>();
  /** Overdue requests up to this number are no longer distinguished from answered ones: answers to them are dropped. */
  #forgottenUpTo = 0;

  constructor(worker: string) {
    this.#worker = worker;
  }

  get pending(): number {
    return this.#pending.size;
  }

  /** Registers a request; `send` writes the frame and may throw for what cannot be sent. */
  ask(name: string, result: t.Mixed, dueAtMs: number, send: (id: number) => void): Promise<Outcome<unknown>> {
    if (this.#pending.size >= maxPending) {
      return Promise.resolve(
        failureOf(linkFailure.refused, `${this.#worker} has ${String(maxPending)} unanswered requests`),
      );
    }
    const id = this.#nextId++;
    return new Promise((settle) => {
      this.#pending.set(id, { name, result, dueAtMs, settle });
      try {
        send(id);
      } catch (error) {
        this.#pending.delete(id);
        settle(failureOf(linkFailure.invalid, `${name} cannot be sent: ${String(error)}`));
      }
    });
  }

  /** Takes an answer. Returns its fault, or null. */
  answered(id: number, raw: unknown): string | null {
    if (this.#overdue.delete(id) || id <= this.#forgottenUpTo) return null;
    const pending = this.#pending.get(id);
    if (pending === undefined) return `an answer to request ${String(id)}, which is not pending`;
    const result = decode(pending.result, raw);
    if (!result.ok) {
      const problem = result.problems[0];
      return `an answer to ${pending.name} that cannot be read: ${problem?.path ?? ''} ${problem?.message ?? ''}`;
    }
    this.#pending.delete(id);
    pending.settle(result);
    return null;
  }

  /** Takes a failure. Returns its fault, or null. */
  refused(id: number, error: { readonly code: string; readonly message: string }): string | null {
    if (this.#overdue.delete(id) || id <= this.#forgottenUpTo) return null;
    const pending = this.#pending.get(id);
    if (pending === undefined) return `a failure of request ${String(id)}, which is not pending`;
    this.#pending.delete(id);
    pending.settle({ ok: false, error });
    return null;
  }

  /** Settles overdue requests. */
  expire(nowMs: number): void {
    for (const [id, pending] of this.#pending) {
      if (nowMs < pending.dueAtMs) continue;
      this.#pending.delete(id);
      this.#remember(id);
      pending.settle(
        failureOf(linkFailure.deadline, `${this.#worker} did not answer ${pending.name} in time`),
      );
    }
  }

  #remember(id: number): void {
    this.#overdue.add(id);
    const [oldest] = this.#overdue;
    if (this.#overdue.size <= maxPending || oldest === undefined) return;
    this.#overdue.delete(oldest);
    this.#forgottenUpTo = Math.max(this.#forgottenUpTo, oldest);
  }

  /** The worker is gone: settles every pending request. */
  abandon(): void {
    const open = [...this.#pending.values()];
    this.#pending.clear();
    this.#overdue.clear();
    for (const pending of open) pending.settle(gone(this.#worker));
  }
}

/** The failure of every request to a worker that is not ready. */
export function gone(worker: string): Outcome<never> {
  return failureOf(linkFailure.gone, `${worker} is not running; it is being restarted unless it was stopped`);
}
