// What the supervisor has asked of one life of a worker and waits for. Every question is settled exactly once:
// answered, overdue, or gone with the worker.
import type * as t from 'io-ts';
import { decode } from '../../shared/domain/decode.js';
import type { Outcome } from '../../shared/protocol/contract.js';
import { linkFailure } from '../../shared/protocol/contract.js';

/** More unanswered questions than any honest use has; further ones are refused instead of remembered. */
const maxPending = 256;

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
  /** Settled as overdue; their answers may still come, once, and are then no violation. The newest are remembered. */
  readonly #overdue = new Set<number>();
  /** Overdue questions up to this number are no longer told from answered ones; what comes for them is passed over. */
  #forgottenUpTo = 0;

  constructor(worker: string) {
    this.#worker = worker;
  }

  /** Registers a question; `send` puts it on the wire and may throw for what can be no frame. */
  ask(name: string, result: t.Mixed, dueAtMs: number, send: (id: number) => void): Promise<Outcome<unknown>> {
    if (this.#pending.size >= maxPending) {
      return Promise.resolve(
        failed(linkFailure.refused, `${this.#worker} leaves ${String(maxPending)} questions unanswered`),
      );
    }
    const id = this.#nextId++;
    return new Promise((settle) => {
      this.#pending.set(id, { name, result, dueAtMs, settle });
      try {
        send(id);
      } catch (error) {
        this.#pending.delete(id);
        settle(failed(linkFailure.invalid, `${name} cannot be sent: ${String(error)}`));
      }
    });
  }

  /** Takes an answer. Returns what is wrong with it, or null. */
  answered(id: number, raw: unknown): string | null {
    if (this.#overdue.delete(id) || id <= this.#forgottenUpTo) return null;
    const pending = this.#pending.get(id);
    if (pending === undefined) return `an answer to question ${String(id)}, which is not open`;
    const result = decode(pending.result, raw);
    if (!result.ok) {
      const problem = result.problems[0];
      return `an answer to ${pending.name} that cannot be read: ${problem?.path ?? ''} ${problem?.message ?? ''}`;
    }
    this.#pending.delete(id);
    pending.settle(result);
    return null;
  }

  /** Takes a failure. Returns what is wrong with it, or null. */
  refused(id: number, error: { readonly code: string; readonly message: string }): string | null {
    if (this.#overdue.delete(id) || id <= this.#forgottenUpTo) return null;
    const pending = this.#pending.get(id);
    if (pending === undefined) return `a failure of question ${String(id)}, which is not open`;
    this.#pending.delete(id);
    pending.settle({ ok: false, error });
    return null;
  }

  /** Settles what is due. */
  expire(nowMs: number): void {
    for (const [id, pending] of this.#pending) {
      if (nowMs < pending.dueAtMs) continue;
      this.#pending.delete(id);
      this.#remember(id);
      pending.settle(failed(linkFailure.deadline, `${this.#worker} did not answer ${pending.name} in time`));
    }
  }

  #remember(id: number): void {
    this.#overdue.add(id);
    const [oldest] = this.#overdue;
    if (this.#overdue.size <= maxPending || oldest === undefined) return;
    this.#overdue.delete(oldest);
    this.#forgottenUpTo = Math.max(this.#forgottenUpTo, oldest);
  }

  /** The worker is gone: everything open is settled at once. */
  abandon(): void {
    const open = [...this.#pending.values()];
    this.#pending.clear();
    this.#overdue.clear();
    for (const pending of open) pending.settle(gone(this.#worker));
  }
}

/** The failure of every question to a worker that is not ready. */
export function gone(worker: string): Outcome<never> {
  return failed(linkFailure.gone, `${worker} is not running; it is being restarted unless it was stopped`);
}

export function failed(code: string, message: string): Outcome<never> {
  return { ok: false, error: { code, message: message.slice(0, 4000) } };
}
