// When a service may be tried again after failures (specification/notifications.md#delivery). Sends nothing.
import { retryPauseMs } from './backoff.js';
import type { BackoffSettings } from './backoff.js';
import type { SendFault } from './services/outcome.js';

/** Above so many consecutive failures nothing changes. */
const maxCounted = 1000;

export class Pauses {
  /** Since the last delivery. */
  failures = 0;
  /** The backoff after failures. A safety event that arrived after the last failure ignores it. */
  pausedUntilMs = 0;
  /** The pause that the service requested: nothing is sent before. */
  closedUntilMs = 0;
  /** The last arrival before the last failure. */
  stale = 0;

  succeeded(): void {
    this.failures = 0;
    this.pausedUntilMs = 0;
    this.closedUntilMs = 0;
  }

  /** `arrivals`: messages that have arrived so far. */
  failed(
    { code, retryAfterMs }: SendFault,
    arrivals: number,
    nowMs: number,
    settings: BackoffSettings,
    random: number,
  ): void {
    this.failures = Math.min(this.failures + 1, maxCounted);
    this.pausedUntilMs = nowMs + retryPauseMs(this.failures, settings, random);
    this.stale = arrivals;
    // BUSY applies to every message, also to safety events.
    if (code === 'BUSY') this.closedUntilMs = this.pausedUntilMs;
    if (retryAfterMs !== null) this.closedUntilMs = nowMs + retryAfterMs;
  }
}
