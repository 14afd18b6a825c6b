// The frames of a link. Plain data; each side decodes every frame on arrival.
import * as t from 'io-ts';
import { finite, integerFrom, textUpTo } from '../domain/units.js';
import { LogRecord } from '../domain/log-record.js';

/** Raised when a frame or a contract changes its meaning; both sides must have the same. */
export const protocolVersion = 1;

const id = integerFrom(0, Number.MAX_SAFE_INTEGER);
const name = textUpTo(64);
const failure = t.type({ code: textUpTo(64), message: textUpTo(4096) });

/** From the worker to the supervisor. */
export const UpFrame = t.union(
  [
    t.type({ kind: t.literal('hello'), protocol: integerFrom(0, 65535), build: textUpTo(64), pid: id }),
    t.type({ kind: t.literal('ready') }),
    /** Every second: the event loop of the worker runs. Of workers that share a process only the process sends it. */
    t.type({ kind: t.literal('heartbeat') }),
    t.type({ kind: t.literal('event'), id, name, body: t.unknown }),
    t.type({ kind: t.literal('ask'), id, name, params: t.unknown, deadlineMs: finite }),
    t.type({ kind: t.literal('answer'), id, result: t.unknown }),
    t.type({ kind: t.literal('failure'), id, error: failure }),
    t.type({ kind: t.literal('log'), record: LogRecord, dropped: id }),
    t.type({ kind: t.literal('drained') }),
  ],
  'UpFrame',
);
export type UpFrame = t.TypeOf<typeof UpFrame>;

/** From the supervisor to the worker. */
export const DownFrame = t.union(
  [
    t.type({ kind: t.literal('configure'), settings: t.unknown }),
    t.type({ kind: t.literal('acknowledge'), id }),
    t.type({ kind: t.literal('request'), id, name, params: t.unknown, deadlineMs: finite }),
    t.type({ kind: t.literal('answer'), id, result: t.unknown }),
    t.type({ kind: t.literal('failure'), id, error: failure }),
    t.type({ kind: t.literal('drain'), deadlineMs: finite }),
  ],
  'DownFrame',
);
export type DownFrame = t.TypeOf<typeof DownFrame>;
