// Audit rows the API worker sends or causes, on their way to the history. A worker that was taken over can write rows of
// category audit and no others, about what exists, and no more of them than the history can bear: the rest is counted.
import type { AuditEventType } from '../../shared/domain/events.js';
import type { AuditCounts, AuditRecord } from '../../shared/protocol/api.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { RecordedEvent } from '../events/event-recorder.js';

/**
 * Ten credentials may each spend five minutes of their allowance in one burst (300 actions). The queue to the history
 * holds 10,000 rows, which must never be these alone.
 */
const burst = 3_000;
/** In the long run: five credentials that never stop, or a flood of strangers, which an honest API counts by itself. */
const perSecond = 5;
/** How often the counts of dropped rows are reported, in the log and as rows. */
const reportIntervalMs = 60_000;

export interface AuditRateLimitDependencies {
  readonly clock: Clock;
  readonly log: Logger;
  /** groupIds that exist now. */
  readonly hasGroup: (group: string) => boolean;
  readonly record: (event: RecordedEvent) => void;
  /** Has `then` called in `ms`; what it returns takes the appointment back. */
  readonly setTimer: (ms: number, then: () => void) => () => void;
}

export class AuditRateLimit {
  readonly #tools: AuditRateLimitDependencies;
  #allowance = burst;
  #countedMs: number;
  /** Dropped rows that are not reported yet, by type. */
  readonly #dropped = new Map<AuditEventType, number>();
  /** What the API worker counts and has not written. It writes that itself, unless it is killed. */
  #counted: AuditCounts | undefined;
  #cancel: () => void = () => undefined;

  constructor(tools: AuditRateLimitDependencies) {
    this.#tools = tools;
    this.#countedMs = tools.clock.monotonicMs();
  }

  /** Takes a row, under `daemon` when it is about nothing known; counts it instead when there are too many. */
  take({ type, source, detail }: AuditRecord): void {
    const nowMs = this.#tools.clock.monotonicMs();
    this.#allowance = Math.min(burst, this.#allowance + ((nowMs - this.#countedMs) / 1000) * perSecond);
    this.#countedMs = nowMs;
    if (this.#allowance < 1) {
      this.#drop(type);
      return;
    }
    this.#allowance -= 1;
    this.#tools.record({ type, source: this.#tools.hasGroup(source) ? source : 'daemon', detail });
  }

  /** Notes what the API worker has counted. A new instance of it means that what the last one had not written is lost. */
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

  /** Writes every count; to be called when the API worker has ended for good. */
  ended(): void {
    if (this.#counted !== undefined) this.#takeLost(this.#counted);
    this.#counted = undefined;
    this.flush();
  }

  /** Writes the counts of what was not kept. */
  flush(): void {
    this.#cancel();
    for (const [type, count] of this.#dropped)
      this.#tools.record({
        type,
        source: 'daemon',
        detail: `api: ${String(count)} more rows of this kind were not kept: more than ${String(perSecond)} a second`,
      });
    this.#dropped.clear();
  }

  #drop(type: AuditEventType): void {
    if (this.#dropped.size === 0) {
      this.#tools.log.warning(
        `The API reports more than ${String(perSecond)} audit rows a second. Further ones are counted, not kept; the counts are recorded every minute. See who floods it with "ridethrough events".`,
      );
      this.#cancel = this.#tools.setTimer(reportIntervalMs, () => this.flush());
    }
    this.#dropped.set(type, (this.#dropped.get(type) ?? 0) + 1);
  }
}
