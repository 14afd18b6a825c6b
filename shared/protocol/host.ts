// The contract of the main thread of a host process: it starts and ends worker threads and relays their frames, unread.
import * as t from 'io-ts';
import { finite, integerFrom, oneOf, orNull, textUpTo } from '../domain/units.js';
import type { Contract } from './contract.js';

/** Workers that may live in a thread of a host process; each is the folder of its entry in workers/. */
const ThreadEntry = oneOf('poller', 'mqtt', 'notify');
export type ThreadEntry = t.TypeOf<typeof ThreadEntry>;

/** The number of the thread; unique for the life of the supervisor, so that a late frame is recognised. */
const thread = integerFrom(1, Number.MAX_SAFE_INTEGER);

export const hostContract = {
  name: 'host',
  settings: t.type({}),
  events: {
    /**
     * A thread has ended: by itself, on request, because it flooded its port, or with another worker that shared it
     * (`shared`). `suspect`: a shared thread ended by itself, and it is not known which of its workers caused it. No frame
     * of it follows.
     */
    'thread.ended': {
      body: t.type({
        thread,
        reason: oneOf('exit', 'error', 'ordered', 'flood', 'shared', 'suspect'),
        message: textUpTo(1024),
      }),
      flow: 'queued',
    },
  },
  requests: {
    'thread.start': {
      params: t.type({
        thread,
        entry: ThreadEntry,
        /** Old-space limit of the thread: exceeding it ends the thread alone, not its process. */
        heapLimitMb: integerFrom(8, 4096),
        /** Workers of one lane share one thread; null: a thread of its own. */
        lane: orNull(textUpTo(64)),
      }),
      result: t.type({}),
    },
    /**
     * Answers when the thread has ended; the supervisor kills the process when the answer is late. `left`: the worker has
     * drained, and the others of its lane continue. Otherwise they end with it, since it may block their thread.
     */
    'thread.end': { params: t.type({ thread, withinMs: finite, left: t.boolean }), result: t.type({}) },
  },
  asks: {},
} as const satisfies Contract;

/** A frame of a thread on the wire between its host process and the supervisor. Frames without `thread` are the host's own. */
export const RelayedFrame = t.type({ thread, frame: t.unknown }, 'RelayedFrame');
export type RelayedFrame = t.TypeOf<typeof RelayedFrame>;

/** True for a frame that belongs to a thread, whether or not it is well formed. */
export function isRelayed(frame: unknown): boolean {
  return typeof frame === 'object' && frame !== null && Object.hasOwn(frame, 'thread');
}
