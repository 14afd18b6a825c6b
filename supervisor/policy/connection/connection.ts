// The connection to a UPS. On line power a lost connection is reported after a grace period and shuts nothing down; on
// battery only the failsafe decides.
import { reuseUnchanged } from '../base/comparison.js';
import type { ConnectionDetail, ConnectionState, PollFailure } from '../../../shared/domain/status/states.js';
import { unreachable } from '../../../shared/domain/base/unreachable.js';
import type { PolicyClock } from '../base/clock.js';
import type { UpsSettings } from '../base/inputs.js';

/** Recoveries are counted over a day (specification/policy.md#connection): a flapping link points to a cable or a server. */
const flapWindowMs = 24 * 60 * 60_000;

export type ConnectionStatus =
  /** No good reading yet. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ok' }
  | { readonly kind: 'grace'; readonly sinceWatchedMs: number }
  | { readonly kind: 'failed' };

export interface Connection {
  readonly status: ConnectionStatus;
  /** Of the last poll. */
  readonly detail: ConnectionDetail;
  /** Failed polls in a row, as reported. */
  readonly failedPolls: number;
  /** Since the last good reading the server has answered, and with nothing but DATA-STALE. */
  readonly onlyStale: boolean;
  readonly flaps: Flaps;
}

export interface Flaps {
  /** Monotonic times of the last recoveries, at most as many as the threshold. */
  readonly recoveriesMs: readonly number[];
  /** CONNECTION_FLAPPING was reported, and recoveries are still as frequent. */
  readonly reported: boolean;
}

export const neverPolled: Connection = {
  status: { kind: 'unknown' },
  detail: 'NEVER_POLLED',
  failedPolls: 0,
  onlyStale: true,
  flaps: { recoveriesMs: [], reported: false },
};

export function connectionState({ status }: Connection): ConnectionState {
  switch (status.kind) {
    case 'unknown':
      return 'UNKNOWN';
    case 'ok':
      return 'OK';
    case 'grace':
      return 'GRACE_PERIOD';
    case 'failed':
      return 'FAILED';
    default:
      return unreachable(status);
  }
}

/** After a good reading. */
export function pollSucceeded(
  connection: Connection,
  { flapThreshold }: UpsSettings['grace'],
  nowMs: number,
): Connection {
  const { status, flaps } = connection;
  if (status.kind === 'ok' && connection.detail === 'OK' && connection.onlyStale) return connection;
  const good = { status: { kind: 'ok' }, detail: 'OK', failedPolls: 0, onlyStale: true } as const;
  const isRecovery = status.kind === 'grace' || status.kind === 'failed';
  return { ...good, flaps: isRecovery ? recovered(flaps, flapThreshold, nowMs) : flaps };
}

/** After a poll that failed. */
export function pollFailed(connection: Connection, detail: PollFailure): Connection {
  const onlyStale = connection.onlyStale && detail === 'DATA_STALE';
  return { ...connection, detail, failedPolls: connection.failedPolls + 1, onlyStale };
}

/** A silent poller counts as a timeout; a silent driver behind a good server (WAIT) as stale data. */
export function pollTimedOut(connection: Connection, detail: PollFailure): Connection {
  const silent = answeredNothing(connection);
  return silent.failedPolls > 0 || silent.detail === detail ? silent : { ...silent, detail };
}

/** After an answer without data, or none. */
export function answeredNothing(connection: Connection): Connection {
  return reuseUnchanged(connection, { ...connection, onlyStale: false });
}

/**
 * The connection without a good reading, on line power: the grace period starts immediately, for stale data only after
 * the tolerance.
 */
export function connectionOnLine(
  connection: Connection,
  failures: number,
  policy: UpsSettings,
  now: PolicyClock,
): Connection {
  const { status } = connection;
  if (status.kind === 'failed') return connection;
  if (status.kind === 'grace') return expired(connection, status.sinceWatchedMs, policy, now);
  const soonEnough = connection.detail === 'DATA_STALE' ? policy.maxStaleDataTolerance : 1;
  if (failures < soonEnough) return connection;
  if (!policy.grace.enabled) return lost(connection);
  const inGrace: Connection = { ...connection, status: { kind: 'grace', sinceWatchedMs: now.watchedMs } };
  return expired(inGrace, now.watchedMs, policy, now);
}

/** FAILED: without a grace period or at its end, and by the failsafe. */
export function lost(connection: Connection): Connection {
  return connection.status.kind === 'failed' ? connection : { ...connection, status: { kind: 'failed' } };
}

function expired(connection: Connection, sinceMs: number, policy: UpsSettings, now: PolicyClock): Connection {
  return now.watchedMs - sinceMs >= policy.grace.durationMs ? lost(connection) : connection;
}

function recovered(flaps: Flaps, threshold: number, nowMs: number): Flaps {
  const recent = flaps.recoveriesMs.filter((atMs) => nowMs - atMs < flapWindowMs);
  const recoveriesMs = [...recent, nowMs].slice(-threshold);
  return { recoveriesMs, reported: recoveriesMs.length >= threshold };
}
