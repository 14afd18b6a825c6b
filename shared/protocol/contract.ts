// What a worker's contract is made of. One file per worker fills one of these in; it is blind to the transport.
import * as t from 'io-ts';

/** A question with its answer. Both plain data: what structured clone and JSON both carry. */
export interface Call<P extends t.Mixed = t.Mixed, R extends t.Mixed = t.Mixed> {
  readonly params: P;
  readonly result: R;
}

/**
 * How an event travels when the supervisor is slower than the speaker:
 * `newest`: at most one unacknowledged; while it is, only the newest of the later ones waits.
 * `queued`: all of them, in order, in a bounded queue; what no longer fits is dropped and counted.
 */
export type Flow = 'newest' | 'queued';

export interface EventSpec<B extends t.Mixed = t.Mixed> {
  readonly body: B;
  readonly flow: Flow;
}

export interface Contract {
  readonly name: string;
  /** The worker's own slice of the configuration, sent with `configure` and again whenever it changes. */
  readonly slice: t.Mixed;
  /** Up: facts, past tense. */
  readonly events: Readonly<Record<string, EventSpec>>;
  /** Down: what the supervisor may ask of the worker. */
  readonly requests: Readonly<Record<string, Call>>;
  /** Up: what the worker may ask of the supervisor (the API alone has any). */
  readonly asks: Readonly<Record<string, Call>>;
}

export type Slice<C extends Contract> = t.TypeOf<C['slice']>;
export type EventName<C extends Contract> = keyof C['events'] & string;
export type EventBody<C extends Contract, N extends EventName<C>> = t.TypeOf<C['events'][N]['body']>;
export type RequestName<C extends Contract> = keyof C['requests'] & string;
export type AskName<C extends Contract> = keyof C['asks'] & string;
export type Params<T extends Readonly<Record<string, Call>>, N extends keyof T> = t.TypeOf<T[N]['params']>;
export type Answer<T extends Readonly<Record<string, Call>>, N extends keyof T> = t.TypeOf<T[N]['result']>;

/** An expected failure crossing a link: structured clone loses everything of an Error but its message. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

export type Outcome<R> =
  { readonly ok: true; readonly value: R } | { readonly ok: false; readonly error: Failure };

/** Codes a link itself answers with; workers add their own. */
export const linkFailure = {
  deadline: 'DEADLINE_EXCEEDED',
  gone: 'WORKER_GONE',
  refused: 'NOT_PERMITTED',
  invalid: 'INVALID_MESSAGE',
  broken: 'WORKER_ERROR',
} as const;

/** With one of these nothing is known of what was asked: it may have been done, or may be done yet. */
export const unanswered: readonly string[] = [linkFailure.deadline, linkFailure.gone, linkFailure.broken];

/** A call without parameters or without a result says so with an empty object. */
export const nothing = t.type({});
