// What an event does to the newest outage of its UPS. Pure. An event may come twice: what it has done, it does not do again.
import { sameOutageSeconds } from '../../../shared/domain/outage/outage.js';
import type { EventRecord } from '../../../shared/protocol/storage.js';

/**
 * After a restart of the daemon ON_BATTERY comes again for an outage that goes on. When there was no sample for longer than
 * this, power came back meanwhile: a host that had been powered off has started.
 */
const longestSilenceMs = 300_000;

/** Times in Unix ms. */
export interface NewestOutage {
  readonly started: number;
  readonly ended: number | null;
  /** False: the return of power was not seen. */
  readonly endSeen: boolean;
  /** The last sample counted. */
  readonly last: number | null;
}

export type CourseChange =
  | { readonly kind: 'none' }
  | { readonly kind: 'begin' }
  /** The newest ends, unseen, and another begins. */
  | { readonly kind: 'beginAfterUnseenEnd' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'end' };

const none: CourseChange = { kind: 'none' };

/** `isKnown`: an outage that began at the time of the event is stored. */
export function changeBy(
  { type, at }: Pick<EventRecord, 'type' | 'at'>,
  newest: NewestOutage | undefined,
  isKnown: boolean,
): CourseChange {
  const atMs = Math.floor(at * 1000);
  if (type === 'POWER_RESTORED') {
    if (newest === undefined || atMs < newest.started) return none;
    return newest.ended === null || !newest.endSeen ? { kind: 'end' } : none;
  }
  if (type !== 'ON_BATTERY' || isKnown) return none;
  if (newest === undefined) return { kind: 'begin' };
  if (newest.ended === null) {
    const silentMs = atMs - (newest.last ?? newest.started);
    return silentMs <= longestSilenceMs ? none : { kind: 'beginAfterUnseenEnd' };
  }
  const pauseMs = atMs - newest.ended;
  return newest.endSeen && Math.abs(pauseMs) <= sameOutageSeconds * 1000
    ? { kind: 'resume' }
    : { kind: 'begin' };
}
