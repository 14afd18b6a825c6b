// The polls that never came: a poller of ours that is dead or hung, or a driver that only says WAIT, reports nothing,
// and nothing must not look like calm.
import type { PollFailure } from '../../shared/domain/states.js';
import type { PolicyClock } from './clock.js';
import type { UpsPolicy } from './inputs.js';

export interface LastReport {
  /** Watched time of the last poll that told something, good or failed; of the start before any. */
  readonly watchedMs: number;
  /** The driver has said WAIT since. */
  readonly waiting: boolean;
}

export interface PollTimeout {
  /** One failed poll per poll deadline since the last good reading. */
  readonly missedPolls: number;
  readonly detail: PollFailure;
}

/** Failed polls in a row: those that were reported, or those that never came where these are more. */
export function failuresInARow(reported: number, silent: PollTimeout | null): number {
  return silent === null ? reported : Math.max(reported, silent.missedPolls);
}

/**
 * Null while the next report may still come: it is due one interval and one poll deadline after the last. Polls are
 * counted no faster than they are due, so that a long `check_interval` is not taken for silence.
 */
export function pollTimeout(
  heard: LastReport,
  lastGoodWatchedMs: number,
  { checkIntervalMs, pollDeadlineMs }: UpsPolicy,
  now: PolicyClock,
): PollTimeout | null {
  if (now.watchedMs - heard.watchedMs <= checkIntervalMs + pollDeadlineMs) return null;
  const periodMs = Math.max(checkIntervalMs, pollDeadlineMs);
  return {
    missedPolls: Math.floor((now.watchedMs - lastGoodWatchedMs) / periodMs),
    detail: heard.waiting ? 'DATA_STALE' : 'TIMEOUT',
  };
}
