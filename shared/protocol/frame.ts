// The frames of a link. Plain data; each side decodes every frame on arrival.
import * as t from 'io-ts';
import type { Decoded } from '../domain/base/decode.js';
import { decode, shown } from '../domain/base/decode.js';
import { finite, integerFrom, textUpTo } from '../domain/base/units.js';
import { LogRecord } from '../domain/status/log-record.js';

/** Raised when a frame or a contract changes its meaning; both sides must have the same. */
export const protocolVersion = 2;

const id = integerFrom(0, Number.MAX_SAFE_INTEGER);
const name = textUpTo(64);
const failure = t.type({ code: textUpTo(64), message: textUpTo(4096) });

/** From the worker to the supervisor. */
const upFrames = {
  hello: t.type({ kind: t.literal('hello'), protocol: integerFrom(0, 65535), build: textUpTo(64), pid: id }),
  ready: t.type({ kind: t.literal('ready') }),
  /** Every second: the event loop of the worker runs. Of workers that share a process only the process sends it. */
  heartbeat: t.type({ kind: t.literal('heartbeat') }),
  event: t.type({ kind: t.literal('event'), id, name, body: t.unknown }),
  ask: t.type({ kind: t.literal('ask'), id, name, params: t.unknown, deadlineMs: finite }),
  answer: t.type({ kind: t.literal('answer'), id, result: t.unknown }),
  failure: t.type({ kind: t.literal('failure'), id, error: failure }),
  log: t.type({ kind: t.literal('log'), record: LogRecord, dropped: id }),
  drained: t.type({ kind: t.literal('drained') }),
} as const;
export type UpFrame = t.TypeOf<(typeof upFrames)[keyof typeof upFrames]>;
export const decodeUpFrame = decoderOf(upFrames);

/** From the supervisor to the worker. */
const downFrames = {
  configure: t.type({ kind: t.literal('configure'), settings: t.unknown }),
  /** Of all events up to this one. */
  acknowledge: t.type({ kind: t.literal('acknowledge'), id }),
  request: t.type({ kind: t.literal('request'), id, name, params: t.unknown, deadlineMs: finite }),
  answer: t.type({ kind: t.literal('answer'), id, result: t.unknown }),
  failure: t.type({ kind: t.literal('failure'), id, error: failure }),
  drain: t.type({ kind: t.literal('drain'), deadlineMs: finite }),
} as const;
export type DownFrame = t.TypeOf<(typeof downFrames)[keyof typeof downFrames]>;
export const decodeDownFrame = decoderOf(downFrames);

/** By the kind of the frame: io-ts would try one codec of a union after the other. */
function decoderOf<C extends Readonly<Record<string, t.Mixed>>>(
  codecs: C,
): (raw: unknown) => Decoded<t.TypeOf<C[keyof C]>> {
  return (raw) => {
    const kind = typeof raw === 'object' && raw !== null && 'kind' in raw ? raw.kind : undefined;
    const codec = typeof kind === 'string' && Object.hasOwn(codecs, kind) ? codecs[kind] : undefined;
    if (codec !== undefined) return decode(codec as t.Type<t.TypeOf<C[keyof C]>>, raw);
    return { ok: false, problems: [{ path: 'kind', message: `expected a frame, found ${shown(kind)}` }] };
  };
}
