// Passes audit rows of the API worker to the history, at a limited rate. A compromised API worker can write only rows of
// category audit, only about a configured UPS or group or the daemon, and cannot fill the history: excess rows are counted.
import type { AuditEventType } from '../../shared/domain/status/events.js';
import type { AuditCounts, AuditRecord } from '../../shared/protocol/api.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import { TokenBucket } from '../../shared/runtime/token-bucket.js';
import type { RecordedEvent } from '../events/event-recorder.js';
import type { SetTimer } from '../host/timer.js';

/**
 * Ten credentials may each use their limit of five minutes at once (300 actions). The queue to the history has room for
 * 10,000 rows and must keep room for others.
 */
const burst = 3_000;
/** The sustained rate: five credentials that act without a pause. A correct API worker itself counts anonymous refusals. */
const perSecond = 5;
/** How often the counts of dropped rows are reported, in the log and as rows. */
const reportIntervalMs = 60_000;

export interface AuditRateLimitDependencies {
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether a UPS or redundancy group with this groupId is configured. */
  readonly hasGroup: (group: string) => boolean;
  readonly record: (event: RecordedEvent) => void;
  readonly setTimer: SetTimer;
}

export class AuditRateLimit {
  readonly #deps: AuditRateLimitDependencies;
  readonly #rate: TokenBucket;
  /** Dropped rows that are not reported yet, by type. */
  readonly #dropped = new Map<AuditEventType, number>();
  /** Counts that the API worker has not written yet. It writes them itself, unless it is killed. */
  #counted: AuditCounts | undefined;
  #cancel: () => void = () => undefined;

  constructor(deps: AuditRateLimitDependencies) {
    this.#deps = deps;
    this.#rate = new TokenBucket(burst, perSecond, deps.clock.monotonicMs());
  }

  /** Records a row, or counts it above the limit. An unknown source becomes `daemon`. */
  take({ type, source, detail }: AuditRecord): void {
    if (!this.#rate.take(this.#deps.clock.monotonicMs())) this.#drop(type);
    else this.#deps.record({ type, source: this.#deps.hasGroup(source) ? source : 'daemon', detail });
  }

  /** Keeps the counts of the API worker. Counts of another instance are lost there and are recorded here. */
  counted(counted: AuditCounts): void {
    if (this.#counted !== undefined && this.#counted.instance !== counted.instance)
      this.#takeLost(this.#counted);
    this.#counted = counted;
  }

  #takeLost({ counts }: AuditCounts): void {
    for (const { type, count } of counts)
      this.take({
        type,
        source: 'daemon',
        detail: `api: ${String(count)} more rows of this kind were not written: the API worker was killed`,
      });
  }

  /** Records every count. Call it when the API worker has ended for good. */
  ended(): void {
    if (this.#counted !== undefined) this.#takeLost(this.#counted);
    this.#counted = undefined;
    this.flush();
  }

  /** Records the counts of the dropped rows. */
  flush(): void {
    this.#cancel();
    for (const [type, count] of this.#dropped)
      this.#deps.record({
        type,
        source: 'daemon',
        detail: `api: ${String(count)} more rows of this kind were not kept: more than ${String(perSecond)} a second`,
      });
    this.#dropped.clear();
  }

  #drop(type: AuditEventType): void {
    if (this.#dropped.size === 0) {
      this.#deps.log.warning(
        `The API worker sends more than ${String(perSecond)} audit rows a second. Further rows are counted and not kept; the counts are recorded every minute. To see who causes them, run "ridethrough events".`,
      );
      this.#cancel = this.#deps.setTimer(reportIntervalMs, () => this.flush());
    }
    this.#dropped.set(type, (this.#dropped.get(type) ?? 0) + 1);
  }
}
