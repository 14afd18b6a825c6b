// The main thread of a host process: starts and ends the worker threads in it and relays their frames, unread.
import * as t from 'io-ts';
import { finite, integerFrom, oneOf, orNull, textUpTo } from '../domain/units.js';
import type { Contract } from './contract.js';

/** Workers that may live in a thread of a host process; each is the folder of its entry in workers/. */
const ThreadEntry = oneOf('poller', 'mqtt', 'notify');
export type ThreadEntry = t.TypeOf<typeof ThreadEntry>;

/** The thread's number in the supervisor's roster; unique for the life of the supervisor, so a late frame is told apart. */
const thread = integerFrom(1, Number.MAX_SAFE_INTEGER);

export const hostContract = {
  name: 'host',
  slice: t.type({}),
  events: {
    /**
     * A thread has ended, by itself, by order, because it flooded its port, or for another that shared it (`shared`);
     * `suspect`: what several shared ended by itself, and nobody can say which of them did it. Nothing of it comes
     * afterwards.
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
        /** Old-space limit of the thread: what stays below it ends the thread alone, not its process. */
        heapLimitMb: integerFrom(8, 4096),
        /** All of one lane share one thread of the machine; null has its own. */
        lane: orNull(textUpTo(64)),
      }),
      result: t.type({}),
    },
    /**
     * Answers once the thread is gone; the supervisor kills the whole process when it is not in time. `left`: it has
     * finished of itself, and others of its lane go on. Else they end with it, since nobody can say what it holds up.
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
