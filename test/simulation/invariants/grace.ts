// "A UPS that cannot be read on line power: the grace period, neither early nor late."
import type { RecordedEvent } from '../../../supervisor/events/event-recorder.js';
import { hasPlainLine } from './courses.js';
import { Invariant } from './invariant.js';

export class Grace extends Invariant {
  readonly #lostMs = new Map<string, number>();

  recorded({ type, source }: RecordedEvent): void {
    if (type !== 'CONNECTION_LOST') return;
    const { nowMs, courses } = this.facts;
    const policy = this.facts.policy(source);
    const { last, lineReadings } = courses.of(source);
    this.#lostMs.set(source, nowMs);
    if (policy === undefined || last === null || lineReadings < policy.triggers.confirmations) return;
    const unseenMs = nowMs - last.atMs;
    if (policy.grace.enabled && unseenMs < policy.grace.durationMs)
      this.facts.violated('the grace period', `${source} is lost after ${String(unseenMs)} ms`);
  }

  ticked(): void {
    const { nowMs, world, courses } = this.facts;
    for (const { groupId, grace, maxStaleDataTolerance, checkIntervalMs, pollDeadlineMs } of world.policies
      .ups) {
      const { last, lineReadings, isWaiting } = courses.of(groupId);
      const isOnLine = last !== null && hasPlainLine(last.reading) && lineReadings > 3;
      if (!isOnLine || !this.facts.isUninterruptedSince(last.atMs) || isWaiting) continue;
      const countMs = (maxStaleDataTolerance + 1) * Math.max(checkIntervalMs, pollDeadlineMs);
      const latestMs =
        (grace.enabled ? grace.durationMs : 0) + countMs + checkIntervalMs + pollDeadlineMs + 1_000;
      const isLost = (this.#lostMs.get(groupId) ?? -Infinity) >= last.atMs;
      if (nowMs - last.atMs > latestMs && !isLost)
        this.facts.violated('the grace period ends', `${groupId} after ${String(nowMs - last.atMs)} ms`);
    }
  }

  hostDown(): void {
    this.#lostMs.clear();
  }
}
