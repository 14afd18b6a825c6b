// The results of commands and writes with tracking (`SET TRACKING ON`). One bounded table per server.
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../shared/runtime/clock.js';

/** The result of a command or write, as GET TRACKING returns it. */
export type TrackingResult = 'SUCCESS' | 'ERR UNKNOWN' | 'ERR INVALID-ARGUMENT' | 'ERR FAILED';

interface TrackedCommand {
  readonly outcome: TrackingResult;
  readonly knownAtMs: number;
  readonly expiresAtMs: number;
}

/** upsd's TRACKINGDELAY: entries are kept for an hour. */
const keptMs = 3_600_000;
/** Far more than an hour of a busy client; the oldest is dropped first. */
const maxEntries = 10_000;

export class Tracking {
  readonly #entries = new Map<string, TrackedCommand>();

  constructor(
    private readonly clock: Clock,
    /** How long the driver takes to report: until then the answer is PENDING. */
    private readonly reportDelayMs: number,
  ) {}

  /** Stores the outcome and returns its tracking id. */
  add(outcome: TrackingResult): string {
    const now = this.clock.monotonicMs();
    const id = randomUUID().toUpperCase();
    this.#entries.set(id, { outcome, knownAtMs: now + this.reportDelayMs, expiresAtMs: now + keptMs });
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > maxEntries && oldest.done !== true) this.#entries.delete(oldest.value);
    return id;
  }

  /** PENDING, the outcome, or ERR UNKNOWN for an id never given or expired. */
  answer(id: string): string {
    const entry = this.#entries.get(id);
    const now = this.clock.monotonicMs();
    if (entry === undefined || now >= entry.expiresAtMs) return 'ERR UNKNOWN';
    return now >= entry.knownAtMs ? entry.outcome : 'PENDING';
  }
}
