// The contract of a worker host, a process that runs several workers of one kind: the supervisor adds and removes them.
// Their frames share its link.
import * as t from 'io-ts';
import { integerFrom, textUpTo } from '../domain/base/units.js';
import type { Contract } from './contract.js';

/** The number of a worker; unique for the life of the supervisor, so that a late frame is recognised. */
const member = integerFrom(1, Number.MAX_SAFE_INTEGER);

export const workerHostContract = {
  name: 'host',
  settings: t.type({}),
  events: {
    /** An exception of a member. The process ends with it: its other members can no longer be trusted. */
    'member.failed': { body: t.type({ member, message: textUpTo(1024) }), flow: 'queued' },
    /** A member closed its link by itself. No frame of it follows. */
    'member.left': { body: t.type({ member }), flow: 'queued' },
  },
  requests: {
    'member.start': { params: t.type({ member }), result: t.type({}) },
    /** After its drain: the process removes it. */
    'member.end': { params: t.type({ member }), result: t.type({}) },
  },
  asks: {},
} as const satisfies Contract;

/** A frame of a member on the wire. Frames without `member` are those of the process itself. */
export const RelayedFrame = t.type({ member, frame: t.unknown }, 'RelayedFrame');
export type RelayedFrame = t.TypeOf<typeof RelayedFrame>;

/** The frame of a member, or undefined for any other. Without a codec, which would be slower: every poll passes here. */
export function relayedFrame(raw: unknown): RelayedFrame | undefined {
  if (typeof raw !== 'object' || raw === null || !('member' in raw) || !('frame' in raw)) return undefined;
  const { member: number, frame } = raw;
  return Number.isSafeInteger(number) && (number as number) > 0
    ? { member: number as number, frame }
    : undefined;
}

/**
 * The process writes the number of the member that runs to the name of its main thread (`/proc/PID/comm`), because a
 * process that hangs cannot report which member does not return.
 */
export const activeMember = {
  name: (member: number): string => `member-${String(member)}`,
  of: (name: string): number | null => {
    const number = /^member-(\d{1,8})\n?$/.exec(name)?.[1];
    return number === undefined ? null : Number(number);
  },
};
