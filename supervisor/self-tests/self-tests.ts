// Battery tests: starts them by request and by schedule, follows them, and ends one when its group needs the UPS. Nothing on
// the path to a shutdown waits for this; what it starts, policy treats as a test and never as an outage.
import type { Instant } from '../../shared/domain/base/instant.js';
import type { SelfTest, SelfTestRecord } from '../../shared/domain/ups/self-test.js';
import { notStarted } from '../../shared/domain/ups/self-test.js';
import { singleLine } from '../../shared/domain/base/single-line.js';
import type { Failure, Outcome } from '../../shared/protocol/contract.js';
import { failureOf } from '../../shared/protocol/contract.js';
import type { UpsPolled } from '../../shared/protocol/poller.js';
import { controlFailure } from '../../shared/protocol/poller.js';
import type { RecalledTests } from '../../shared/protocol/self-tests.js';
import type {
  Configuration,
  SelfTestConfiguration,
  UpsConfiguration,
} from '../config/configuration/configuration.js';
import { upsOf } from '../policy/state/state.js';
import { groupsOf, observationOf, othersOf } from './conditions.js';
import type { SelfTestDependencies } from './dependencies.js';
import type { TestEffect, TestStep } from './machine/follow.js';
import { begun, endedWithout, notStopped, resumedTest, testsAfter } from './machine/follow.js';
import { objectionTo } from './machine/preconditions.js';
import { dateOf, isDue } from './machine/schedule.js';
import type { UpsTests } from './machine/state.js';
import { noTests, reportOf, shownTest } from './machine/state.js';
import { isRefusal, TestMemory } from './test-memory.js';

/** In addition to the deadline of the poller, whose message is better than that of the link. */
const graceMs = 1_000;
/** A schedule is in minutes. */
const scheduleEveryMs = 20_000;

export type TestSource = 'scheduler' | 'api';

export class SelfTests {
  readonly #deps: SelfTestDependencies;
  readonly #memory: TestMemory;
  readonly #tests = new Map<string, UpsTests>();
  #configuration: ReadonlyMap<string, UpsConfiguration> = new Map();
  /** UPSes whose test is being started. */
  readonly #starting = new Set<string>();
  #scheduleAtMs = 0;

  constructor(deps: SelfTestDependencies) {
    this.#deps = deps;
    this.#memory = new TestMemory({ ...deps, recalled: (found) => this.#recalled(found) });
  }

  /** The last test of a UPS, or the one under way; null while unknown. */
  of(groupId: string): SelfTest | null {
    return shownTest(this.#of(groupId));
  }

  /** The next date of the schedule, in the past while the test waits; null without a schedule. Unix seconds. */
  nextOf(groupId: string): number | null {
    const found = this.#memory.scheduleOf(groupId);
    const settings = this.#configured(groupId)?.selfTest;
    if (found === undefined || settings?.enabled !== true || settings.login === null) return null;
    return dateOf(settings, found.sinceTs, found.scheduledTs, found.readTs, this.#now().unixSeconds);
  }

  /** After policy has handled the poll. */
  polled(groupId: string, { outcome }: UpsPolled): void {
    this.#stopForGroup(groupId);
    const { state } = this.#deps.engine();
    const ups = upsOf(state, groupId);
    // What the device reports is compared with what is stored. A test under way is followed without that.
    const isFollowed = this.#memory.isRecalled || this.#of(groupId).running !== null;
    if (ups === undefined || outcome.kind !== 'reading' || !isFollowed) return;
    const settings = this.#configured(groupId)?.selfTest;
    if (settings === undefined) return;
    const { reading, variables } = outcome;
    const report = reportOf(variables);
    const now = observationOf(ups, { reading, variables, report, at: this.#now(), settings });
    this.#take(groupId, testsAfter(this.#of(groupId), now));
  }

  /** Call it at every tick. */
  tick(): void {
    this.#memory.tick();
    const nowMs = this.#deps.clock.monotonicMs();
    if (nowMs < this.#scheduleAtMs || !this.#memory.isRecalled) return;
    this.#scheduleAtMs = nowMs + scheduleEveryMs;
    for (const { policy, selfTest } of this.#configuration.values())
      if (selfTest.enabled && selfTest.login !== null) this.#startIfDue(policy.groupId, selfTest);
  }

  /** Forgets UPSes that are no longer configured, and reads what is stored of new ones and of new schedules. */
  apply(configuration: Configuration): void {
    this.#configuration = new Map(configuration.ups.map((ups) => [ups.policy.groupId, ups]));
    for (const groupId of this.#tests.keys())
      if (!this.#configuration.has(groupId)) this.#tests.delete(groupId);
    this.#memory.apply(configuration);
  }

  /** Starts the configured test by a request: returns the command, or why it is refused. A test whose command gets no answer is followed. */
  async request(groupId: string): Promise<Outcome<{ command: string }>> {
    const ups = this.#configured(groupId);
    if (ups === undefined) return failureOf('NOT_FOUND', 'there is no such UPS');
    const { isAllowed, login, command } = ups.selfTest;
    if (!isAllowed)
      return failureOf(
        controlFailure.notAllowed,
        `a test needs nut_control.enabled and ${command} in nut_control.allowed_commands`,
      );
    if (login === null) return failureOf(controlFailure.notAllowed, 'nut_control.password is missing');
    return this.#start(ups, login, 'api');
  }

  #startIfDue(groupId: string, settings: SelfTestConfiguration): void {
    const found = this.#memory.scheduleOf(groupId);
    const ups = this.#configured(groupId);
    if (found === undefined || ups === undefined || settings.login === null) return;
    const { clock, log } = this.#deps;
    if (clock.monotonicMs() < found.retryMs) return;
    if (!isDue(settings, found.sinceTs, found.scheduledTs, found.readTs, clock.wallSeconds())) return;
    const why = this.#objection(groupId, true);
    const logChange = (text: string): void => {
      if (text !== found.lastLogged) log.warning(`${ups.policy.name}: the battery test that is due ${text}`);
      found.lastLogged = text;
    };
    if (why !== null) logChange(`waits: ${why}`);
    else
      void this.#start(ups, settings.login, 'scheduler').then((outcome) => {
        if (outcome.ok) return;
        this.#memory.notStarted(groupId, outcome.error.code);
        logChange(`was not started: ${outcome.error.message}`);
      });
  }

  async #start(
    { policy: { groupId }, selfTest: { command } }: UpsConfiguration,
    { timeoutMs }: { readonly timeoutMs: number },
    source: TestSource,
  ): Promise<Outcome<{ command: string }>> {
    const objection = this.#objection(groupId, source === 'scheduler');
    if (objection !== null) return failureOf('CONFLICT', objection);
    const { seen } = this.#of(groupId);
    const { raw, date } = seen ?? { raw: '', date: null };
    const startedTs = Math.floor(this.#now().unixSeconds);
    const record = { startedTs, endedTs: null, command, source, result: 'RUNNING', raw, date } as const;
    this.#starting.add(groupId);
    try {
      // Stored first: after a crash the test is followed, and the schedule does not start it again.
      const kept = await this.#memory.keepNow(groupId, record);
      if (!kept.ok && source === 'scheduler') return kept;
      return await this.#send(groupId, record, timeoutMs);
    } finally {
      this.#starting.delete(groupId);
    }
  }

  async #send(
    groupId: string,
    record: SelfTestRecord & { readonly command: string; readonly source: TestSource },
    timeoutMs: number,
  ): Promise<Outcome<{ command: string }>> {
    this.#starting.delete(groupId);
    // Conditions may have changed while the record was written.
    const objection = this.#objection(groupId, record.source === 'scheduler');
    this.#tests.set(groupId, begun(this.#of(groupId), record, this.#now().monotonicMs));
    if (objection !== null) {
      this.#end(groupId, 'UNKNOWN', `${notStarted}${objection}`);
      return failureOf('CONFLICT', objection);
    }
    const { engine, record: recordEvent } = this.#deps;
    engine().tested(groupId, true);
    const poller = this.#deps.poller(groupId);
    const answer = await (poller?.request('selfTest.run', { action: 'start' }, timeoutMs + graceMs) ??
      failureOf('NOT_FOUND', 'the UPS is no longer configured'));
    if (!answer.ok) return this.#notStarted(groupId, record, answer.error);
    const by = record.source === 'scheduler' ? 'by the schedule' : 'by request';
    recordEvent({ source: groupId, type: 'SELF_TEST_STARTED', detail: `${record.command} ${by}` });
    this.#deps.changed(groupId);
    return { ok: true, value: { command: record.command } };
  }

  /** Only an answer of the server says that no test runs. */
  #notStarted(groupId: string, record: SelfTestRecord, error: Failure): Outcome<never> {
    const message = singleLine(error.message);
    if (error.code === controlFailure.unsupported || isRefusal(error.code)) {
      const result = error.code === controlFailure.unsupported ? 'UNSUPPORTED' : 'UNKNOWN';
      this.#end(groupId, result, `${notStarted}${message}`.slice(0, 256));
      return { ok: false, error };
    }
    const tests = this.#of(groupId);
    const { running } = tests;
    if (running?.record.startedTs === record.startedTs)
      this.#tests.set(groupId, { ...tests, running: { ...running, isDoubtful: true } });
    this.#deps.changed(groupId);
    const consequence = 'It is not known whether the test runs; the daemon follows it';
    return failureOf(error.code, `${message}. ${consequence}`);
  }

  #end(groupId: string, result: 'UNKNOWN' | 'UNSUPPORTED', why: string): void {
    this.#take(groupId, endedWithout(this.#of(groupId), result, why, this.#now().unixSeconds));
  }

  /** Takes a step of the machine and performs its effects. */
  #take(groupId: string, { tests, effects }: TestStep): void {
    const last = this.#of(groupId);
    if (tests === last) return;
    const before = shownTest(last);
    this.#tests.set(groupId, tests);
    for (const effect of effects) this.#perform(groupId, effect);
    if (JSON.stringify(shownTest(tests)) !== JSON.stringify(before)) this.#deps.changed(groupId);
  }

  #perform(groupId: string, effect: TestEffect): void {
    switch (effect.kind) {
      case 'keep':
        this.#memory.keep(groupId, effect.record);
        return;
      case 'record':
        this.#deps.record({ source: groupId, type: effect.type, detail: singleLine(effect.detail) });
        return;
      case 'hold':
        this.#deps.engine().tested(groupId, effect.running);
        return;
      case 'stop':
        void this.#stop(groupId, effect.why);
        return;
    }
  }

  /** A member of the same group fails or goes on battery: the load needs the one that is tested. */
  #stopForGroup(groupId: string): void {
    const { state } = this.#deps.engine();
    for (const member of groupsOf(state, groupId).flatMap(({ members }) => members)) {
      const tests = this.#tests.get(member);
      const { running } = tests ?? noTests;
      if (tests === undefined || member === groupId || running === null) continue;
      if (running.record.source === 'device' || this.#now().monotonicMs < running.stopAtMs) continue;
      const other = othersOf(state, member).find(({ problem }) => problem !== null);
      if (other === undefined) continue;
      this.#tests.set(member, { ...tests, running: { ...running, stopAtMs: Infinity } });
      void this.#stop(member, `${other.name}, of the same group, ${other.problem ?? ''}`);
    }
  }

  async #stop(groupId: string, why: string): Promise<void> {
    const { log } = this.#deps;
    const ups = this.#configured(groupId);
    const timeoutMs = (ups?.selfTest.login?.timeoutMs ?? 0) + graceMs;
    const name = ups?.policy.name ?? groupId;
    log.warning(`${name}: the daemon ends the battery test with test.battery.stop: ${why}`);
    const answer = await this.#deps.poller(groupId)?.request('selfTest.run', { action: 'stop' }, timeoutMs);
    if (answer === undefined || answer.ok) return;
    const { code, message } = answer.error;
    log.warning(`${name}: the test could not be ended: ${message}`);
    if (!isRefusal(code) && code !== controlFailure.unsupported)
      this.#tests.set(groupId, notStopped(this.#of(groupId), this.#now().monotonicMs));
  }

  /** Restores the tests of the previous daemon. A test that it started still inhibits triggers. */
  #recalled(found: readonly RecalledTests[]): void {
    const { monotonicMs, unixSeconds } = this.#now();
    for (const { groupId, running, last, verdict, outageTs } of found) {
      if (this.#configured(groupId) === undefined) continue;
      const tests = this.#of(groupId);
      if (tests.running !== null) continue;
      const ago = (seconds: number): number => monotonicMs - Math.max(0, unixSeconds - seconds) * 1000;
      const outageMs = tests.outageMs ?? (outageTs === null ? null : ago(outageTs));
      const resumed = running === null ? null : resumedTest(running, ago(running.startedTs), monotonicMs);
      this.#tests.set(groupId, { ...tests, running: resumed, last, verdict, outageMs });
      this.#deps.engine().tested(groupId, resumed?.isHeld === true);
      this.#deps.changed(groupId);
    }
  }

  #objection(groupId: string, isScheduled: boolean): string | null {
    const { engine, clock, isBatteryCritical } = this.#deps;
    const { state, isSequenceRunning } = engine();
    const row = upsOf(state, groupId)?.row;
    if (row === undefined) return 'connection: the UPS is not configured';
    if (this.#starting.has(groupId)) return 'no other test: a test of this UPS is being started';
    const others = othersOf(state, groupId).map((member) => ({
      ...member,
      isTesting:
        member.isTesting || this.#starting.has(member.groupId) || this.#of(member.groupId).running !== null,
    }));
    const nowMs = clock.monotonicMs();
    const watchedSinceMs = this.#memory.unknownBeforeMs(groupId);
    const conditions = { row, tests: this.#of(groupId), nowMs, watchedSinceMs, isSequenceRunning, others };
    return objectionTo({ ...conditions, isBatteryCritical: isBatteryCritical(groupId) }, isScheduled);
  }

  #of(groupId: string): UpsTests {
    return this.#tests.get(groupId) ?? noTests;
  }

  #configured(groupId: string): UpsConfiguration | undefined {
    return this.#configuration.get(groupId);
  }

  #now(): Instant {
    const { clock } = this.#deps;
    return { monotonicMs: clock.monotonicMs(), unixSeconds: clock.wallSeconds() };
  }
}
