// What `ridethrough shutdown` leaves for the daemon in a file: a machine that a person begins to shut down, a server that a person has shut
// down; and the answer beside it
// (specification/recovery.md#down-by-hand). Each side reads the other's file as untrusted data.
import * as t from 'io-ts';
import { closed } from '../base/closed-record.js';
import { numberFrom, orNull, textUpTo } from '../base/units.js';

/** Of a request, and of an answer. */
export const maxRequestBytes = 1_024;

export const ByHandRequest = closed({
  /** One of another boot is not used. */
  bootId: textUpTo(128),
  server: textUpTo(128),
  /** When its final command was answered, or its step ended without an answer. */
  unixSeconds: numberFrom(0, 253_402_300_799),
});
export type ByHandRequest = t.TypeOf<typeof ByHandRequest>;

/** Before the first step: what was stopped there until then is not started again. */
export const BegunRequest = closed({
  bootId: textUpTo(128),
  /** Null: this host. */
  server: orNull(textUpTo(128)),
  begunUnixSeconds: numberFrom(0, 253_402_300_799),
});
export type BegunRequest = t.TypeOf<typeof BegunRequest>;

export const ByHandAnswer = closed({
  isRecorded: t.boolean,
  /** Why not; empty where it is. */
  reason: textUpTo(256),
});
export type ByHandAnswer = t.TypeOf<typeof ByHandAnswer>;

/** `NAME.request` has its answer in `NAME.answer`. */
export const requestEnd = '.request';
export const answerOf = (request: string): string => request.replace(/\.request$/, '.answer');
