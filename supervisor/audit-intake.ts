// Audit rows the API worker sends or causes, on their way to the history. A worker that was taken over can write rows of
// category audit and no others, about what exists, and no more of them than the history can bear.
import type { AuditRecord } from '../shared/protocol/api.js';
import type { Clock } from '../shared/runtime/clock.js';
import type { Logger } from '../shared/runtime/log.js';
import type { RecordedEvent } from './event-recorder.js';

/** A script that works through a rack may do this much at once. */
const burst = 500;
/** In the long run; the queue to the history holds 10,000 rows, which must never be these alone. */
const perSecond = 5;
/** How often at most the log says that rows were dropped. */
const saidEveryMs = 60_000;

export interface AuditIntakeTools {
  readonly clock: Clock;
  readonly log: Logger;
  /** groupIds that exist now. */
  readonly knows: (group: string) => boolean;
  readonly record: (event: RecordedEvent) => void;
}

export class AuditIntake {
  readonly #tools: AuditIntakeTools;
  #allowance = burst;
  #countedMs: number;
  #dropped = 0;
  #saidMs = -Infinity;

  constructor(tools: AuditIntakeTools) {
    this.#tools = tools;
    this.#countedMs = tools.clock.monotonicMs();
  }

  /** Takes a row, under `daemon` when it is about nothing known; drops it when there are too many. */
  take({ type, source, detail }: AuditRecord): void {
    this.record({ type, source: this.#tools.knows(source) ? source : 'daemon', detail });
  }

  /** Records a row of the supervisor's own about what the API has asked; the same allowance holds for both. */
  record(event: RecordedEvent): void {
    const nowMs = this.#tools.clock.monotonicMs();
    this.#allowance = Math.min(burst, this.#allowance + ((nowMs - this.#countedMs) / 1000) * perSecond);
    this.#countedMs = nowMs;
    if (this.#allowance < 1) {
      this.#dropped += 1;
      this.#say(nowMs);
      return;
    }
    this.#allowance -= 1;
    this.#tools.record(event);
  }

  #say(nowMs: number): void {
    if (nowMs - this.#saidMs < saidEveryMs) return;
    this.#saidMs = nowMs;
    this.#tools.log.warning(
      `${String(this.#dropped)} audit rows so far were not kept: the API reports more than ${String(perSecond)} a second. Somebody may be flooding it; see who with: ridethrough events`,
    );
  }
}
