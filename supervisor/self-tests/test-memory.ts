// Writes battery tests to storage and reads at the start what is stored. A write without an answer is repeated.
import type { SelfTestRecord } from '../../shared/domain/ups/self-test.js';
import type { Outcome } from '../../shared/protocol/contract.js';
import type { RecalledTests, SelfTestRow } from '../../shared/protocol/self-tests.js';
import { controlFailure } from '../../shared/protocol/poller.js';
import { maxTestRows } from '../../shared/protocol/self-tests.js';
import type { storageContract } from '../../shared/protocol/storage.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Configuration, SelfTestConfiguration } from '../config/configuration/configuration.js';
import { AppendQueue } from '../queues/append-queue.js';
import { deadlineMs, Turns } from '../queues/turns.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';

/** A test waits for its row. */
const keepNowMs = 5_000;
/** The users or the driver of a server that refuses a test may be repaired meanwhile. */
const retryRefusedMs = 60 * 60_000;

export interface TestMemoryDependencies {
  readonly storage: Pick<WorkerHandle<typeof storageContract>, 'request'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warning'>;
  readonly recalled: (found: readonly RecalledTests[]) => void;
}

/** Where the schedule of a UPS stands. */
export interface ScheduleState {
  readonly sinceTs: number;
  /** When it was read, or a later time at which the clock was set back. */
  readTs: number;
  /** The last test by the schedule, and the one before. */
  scheduledTs: number | null;
  formerTs: number | null;
  /** After a refusal, no try before this time (monotonic). */
  retryMs: number;
  /** What was last logged of the test that is due. */
  lastLogged: string | null;
}

export class TestMemory {
  readonly #deps: TestMemoryDependencies;
  readonly #pending: AppendQueue<SelfTestRow>;
  readonly #turns: Turns;
  readonly #schedules = new Map<string, ScheduleState>();
  #wanted: readonly { readonly groupId: string; readonly schedule: string }[] = [];
  #watchedSinceMs: ReadonlyMap<string, number> = new Map();
  #hasHistory = false;
  #isRecalled = false;

  constructor(deps: TestMemoryDependencies) {
    this.#deps = deps;
    const { storage, clock, log } = deps;
    this.#pending = new AppendQueue<SelfTestRow>({
      perRequest: maxTestRows,
      dropped: ({ groupId }, why) => {
        if (why !== null) log.warning(`a battery test of ${groupId} cannot be stored: ${why.message}`);
      },
      send: (tests) => storage.request('selfTests.keep', { tests: [...tests] }, deadlineMs),
    });
    // Writes before a recall, whose answer would be older than what waits.
    this.#turns = new Turns(
      clock,
      () => this.#pending.next() ?? (this.#isRecalled ? undefined : () => this.#recall()),
    );
  }

  /** What is stored of every configured UPS has been read. */
  get isRecalled(): boolean {
    return this.#isRecalled;
  }

  /** Outages of a UPS before this time are unknown; null: storage has named the last one. Without statistics it knows none. */
  unknownBeforeMs(groupId: string): number | null {
    return this.#hasHistory && this.#isRecalled ? null : this.#watchedSince(groupId);
  }

  #watchedSince(groupId: string): number {
    return this.#watchedSinceMs.get(groupId) ?? this.#deps.clock.monotonicMs();
  }

  scheduleOf(groupId: string): ScheduleState | undefined {
    const found = this.#schedules.get(groupId);
    if (found !== undefined) found.readTs = Math.min(found.readTs, this.#deps.clock.wallSeconds());
    return found;
  }

  apply({ ups, statistics }: Configuration): void {
    this.#hasHistory = statistics.enabled;
    const since = new Map(ups.map(({ policy: { groupId } }) => [groupId, this.#watchedSince(groupId)]));
    this.#watchedSinceMs = since;
    const wanted = ups.map(({ policy, selfTest }) => ({
      groupId: policy.groupId,
      schedule: scheduleText(selfTest),
    }));
    if (JSON.stringify(wanted) === JSON.stringify(this.#wanted)) return;
    this.#wanted = wanted;
    this.#isRecalled = false;
  }

  /** Stores a test soon. */
  keep(groupId: string, test: SelfTestRecord): void {
    this.#pending.push({ groupId, test }, `${groupId} ${String(test.startedTs)}`);
  }

  /** Stores a test that begins; settles with the commit, or within 5 s. */
  async keepNow(groupId: string, test: SelfTestRecord): Promise<Outcome<unknown>> {
    const kept = await this.#deps.storage.request(
      'selfTests.keep',
      { tests: [{ groupId, test }] },
      keepNowMs,
    );
    const schedule = this.#schedules.get(groupId);
    if (kept.ok && test.source === 'scheduler' && schedule !== undefined) {
      schedule.formerTs = schedule.scheduledTs;
      schedule.scheduledTs = test.startedTs;
    }
    return kept;
  }

  /** The test by the schedule ended with this failure before it began. After a refusal its date is due again. */
  notStarted(groupId: string, code: string): void {
    const schedule = this.#schedules.get(groupId);
    if (schedule === undefined || !(isRefusal(code) || code === 'CONFLICT')) return;
    schedule.scheduledTs = schedule.formerTs;
    if (isRefusal(code)) schedule.retryMs = this.#deps.clock.monotonicMs() + retryRefusedMs;
  }

  /** Call it at every tick. */
  tick(): void {
    this.#turns.tick();
  }

  async #recall(): Promise<boolean> {
    const { clock, storage, recalled } = this.#deps;
    const wanted = this.#wanted;
    const found: RecalledTests[] = [];
    for (let at = 0; at < wanted.length; at += maxTestRows) {
      const order = { schedules: wanted.slice(at, at + maxTestRows), at: clock.wallSeconds() };
      const outcome = await storage.request('selfTests.recall', order, deadlineMs);
      if (!outcome.ok) return false;
      found.push(...outcome.value.ups);
    }
    // A reload may have changed them meanwhile.
    if (wanted !== this.#wanted) return true;
    this.#isRecalled = true;
    this.#schedules.clear();
    const fresh = { readTs: clock.wallSeconds(), formerTs: null, retryMs: 0, lastLogged: null };
    for (const { groupId, sinceTs, scheduledTs } of found)
      this.#schedules.set(groupId, { sinceTs, scheduledTs, ...fresh });
    recalled(found);
    return true;
  }
}

/** The driver was not asked. */
export function isRefusal(code: string): boolean {
  return code === controlFailure.notAllowed || code === controlFailure.refused;
}

/** "" without a schedule. */
function scheduleText({ enabled, schedule, time }: SelfTestConfiguration): string {
  return enabled ? `${schedule} ${time}` : '';
}
