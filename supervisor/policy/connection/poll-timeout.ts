// Polls that never ended: a dead or hanging poller, or a driver that only reports WAIT, sends nothing. Silence must not
// look like line power.
import type { PollFailure } from '../../../shared/domain/status/states.js';
import type { PolicyClock } from '../base/clock.js';
import type { UpsSettings } from '../base/inputs.js';

export interface LastReport {
  /** Watched time of the last poll with a result, or of the start. */
  readonly watchedMs: number;
  /** The driver has reported WAIT since. */
  readonly waiting: boolean;
}

export interface PollTimeout {
  /** One failed poll per poll deadline since the last good reading. */
  readonly missedPolls: number;
  readonly detail: PollFailure;
}

/** Failed polls in a row: the reported ones or the missed ones, whichever is more. */
export function failuresInARow(reported: number, silent: PollTimeout | null): number {
  return silent === null ? reported : Math.max(reported, silent.missedPolls);
}

/**
 * Null while the next report is not overdue: it is due one interval and one poll deadline after the last. Polls are
 * counted no faster than they are due, so that a long `check_interval` does not look like silence.
 */
export function pollTimeout(
  lastReport: LastReport,
  lastGoodWatchedMs: number,
  { checkIntervalMs, pollDeadlineMs }: UpsSettings,
  now: PolicyClock,
): PollTimeout | null {
  if (now.watchedMs - lastReport.watchedMs <= checkIntervalMs + pollDeadlineMs) return null;
  const periodMs = Math.max(checkIntervalMs, pollDeadlineMs);
  return {
    missedPolls: Math.floor((now.watchedMs - lastGoodWatchedMs) / periodMs),
    detail: lastReport.waiting ? 'DATA_STALE' : 'TIMEOUT',
  };
}
