// The type of a worker's contract: its settings, events, requests and asks. A request goes from the supervisor
// to the worker, an ask from the worker to the supervisor; both have an answer. Each worker has one file with its
// contract, which does not depend on the transport.
import * as t from 'io-ts';

/** A request with its answer. Both are plain data that structured clone and JSON both carry. */
export interface Call<P extends t.Mixed = t.Mixed, R extends t.Mixed = t.Mixed> {
  readonly params: P;
  readonly result: R;
}

/**
 * Backpressure of an event when the supervisor is slower than the sender:
 * `newest`: at most two are unacknowledged, and of the later ones only the newest waits.
 * `queued`: all wait, in order, in a bounded queue; an event that does not fit is dropped and counted.
 */
export type Flow = 'newest' | 'queued';

export interface EventSpec<B extends t.Mixed = t.Mixed> {
  readonly body: B;
  readonly flow: Flow;
}

export interface Contract {
  readonly name: string;
  /** The settings of the worker, sent with `configure` and again whenever they change. */
  readonly settings: t.Mixed;
  /** From the worker: facts, past tense. */
  readonly events: Readonly<Record<string, EventSpec>>;
  /** Calls from the supervisor to the worker. */
  readonly requests: Readonly<Record<string, Call>>;
  /** Calls from the worker to the supervisor. Only the API worker has any. */
  readonly asks: Readonly<Record<string, Call>>;
}

export type WorkerSettings<C extends Contract> = t.TypeOf<C['settings']>;
export type EventName<C extends Contract> = keyof C['events'] & string;
export type EventBody<C extends Contract, N extends EventName<C>> = t.TypeOf<C['events'][N]['body']>;
export type RequestName<C extends Contract> = keyof C['requests'] & string;
export type AskName<C extends Contract> = keyof C['asks'] & string;
export type Params<T extends Readonly<Record<string, Call>>, N extends keyof T> = t.TypeOf<T[N]['params']>;
export type Answer<T extends Readonly<Record<string, Call>>, N extends keyof T> = t.TypeOf<T[N]['result']>;

/** An expected failure as data: structured clone keeps only the message of an Error. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

export type Outcome<R> =
  | { readonly ok: true; readonly value: R }
  | { readonly ok: false; readonly error: Failure };

export function failureOf(code: string, message: string): Outcome<never> {
  return { ok: false, error: { code, message: message.slice(0, 4000) } };
}

/** Failure codes of the link itself; workers add their own. */
export const linkFailure = {
  deadline: 'DEADLINE_EXCEEDED',
  gone: 'WORKER_GONE',
  refused: 'NOT_PERMITTED',
  invalid: 'INVALID_MESSAGE',
  broken: 'WORKER_ERROR',
} as const;

/** With these the outcome is unknown: the request may have been done, or may still be done. */
export const unanswered: readonly string[] = [linkFailure.deadline, linkFailure.gone, linkFailure.broken];

/** An empty object: a call without parameters, or without a result. */
export const nothing = t.type({});
