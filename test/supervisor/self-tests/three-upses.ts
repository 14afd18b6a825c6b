// Policy and the battery tests of three UPSes on a fake clock.
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { RecalledTests, SelfTestRow } from '../../../shared/protocol/self-tests.js';
import type { UpsPolled } from '../../../shared/protocol/poller.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import { policySettings } from '../../../supervisor/config/derive/policy-settings.js';
import type { RecordedEvent } from '../../../supervisor/events/event-recorder.js';
import type { Input } from '../../../supervisor/policy/base/inputs.js';
import { initialState } from '../../../supervisor/policy/state/state.js';
import { soundStep } from '../../transcript/sound-step.js';
import type { SelfTestDependencies } from '../../../supervisor/self-tests/dependencies.js';
import { SelfTests } from '../../../supervisor/self-tests/self-tests.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { configurationFrom, withGroup } from '../config/loading.js';

export const control = '[nut_control]\nenabled = true\npassword = "secret"\n';
export const scheduled = '[self_test]\nenabled = true\nschedule = "daily"\n';
export const [office, a, b] = ['office-127.0.0.1-3493', 'rack-a-nut1', 'rack-b-nut1'] as const;
export const gone = (code: string): Outcome<never> => ({ ok: false, error: { code, message: 'no' } });

interface Shown {
  readonly words?: readonly string[];
  readonly charge?: number | null;
  readonly result?: string;
  readonly fails?: true;
}

/** Policy and the tests of a site with `office` and a group of two, on a fake clock. */
export class Site {
  readonly time = new FakeTime();
  readonly events: RecordedEvent[] = [];
  readonly sent: string[] = [];
  readonly holds: string[] = [];
  readonly stored = new Map<string, SelfTestRow>();
  readonly recalled = new Map<string, Partial<RecalledTests>>();
  readonly tests: SelfTests;
  state = initialState;
  isSequenceRunning = false;
  isCritical = false;
  isStorageDown = false;
  /** What storage knows of `office`, when it is asked. */
  recall: () => Partial<RecalledTests> = () => ({});
  /** Runs while tests are stored. */
  stores: () => void = () => undefined;
  answer: (action: string) => Promise<Outcome<{ output: string }>> = () =>
    Promise.resolve({ ok: true, value: { output: '' } });

  constructor(text = '') {
    const loaded = configurationFrom(`${withGroup}${text}`);
    const request = (name: string, params: { tests: SelfTestRow[]; schedules: { groupId: string }[] }) => {
      if (this.isStorageDown) return Promise.resolve(gone('DISK_FULL'));
      if (name === 'selfTests.keep') this.stores();
      if (name === 'selfTests.keep')
        for (const row of params.tests) this.stored.set(`${row.groupId} ${String(row.test.startedTs)}`, row);
      const nothing = { running: null, last: null, verdict: null, scheduledTs: null, outageTs: null };
      const sinceTs = this.time.wallSeconds();
      const ups = name === 'selfTests.keep' ? [] : params.schedules;
      const found = ups.map(({ groupId }) => ({
        groupId,
        ...nothing,
        sinceTs,
        ...this.recalled.get(groupId),
        ...(groupId === office ? this.recall() : {}),
      }));
      return Promise.resolve({ ok: true, value: { ups: found } });
    };
    this.tests = new SelfTests({
      clock: this.time,
      log: loggerTo('supervisor', this.time, () => undefined),
      storage: { request } as unknown as SelfTestDependencies['storage'],
      engine: () => ({
        state: this.state,
        isSequenceRunning: this.isSequenceRunning,
        tested: (groupId, running) => {
          this.holds.push(`${groupId} ${String(running)}`);
          this.post({ kind: 'tested', at: this.at, groupId, running });
        },
      }),
      poller: (groupId) => ({
        request: (_name: string, { action }: { action: string }) => {
          this.sent.push(`${action} ${groupId}`);
          return this.answer(action);
        },
      }),
      record: (event) => void this.events.push(event),
      changed: () => undefined,
      isBatteryCritical: () => this.isCritical,
    });
    this.post({ kind: 'configured', at: this.at, settings: policySettings(loaded) });
    this.tests.apply(loaded);
  }

  get at(): Input['at'] {
    return { monotonicMs: this.time.monotonicMs(), unixSeconds: this.time.wallSeconds() };
  }

  post(input: Input): void {
    ({ state: this.state } = soundStep(this.state, input));
  }

  poll(groupId: string, { words = ['OL'], charge = 100, result, fails }: Shown = {}): void {
    const reading = { status: words, chargePercent: charge, runtimeSeconds: 3_000, loadPercent: 20 };
    const variables = result === undefined ? {} : { 'ups.test.result': result };
    const outcome = (
      fails === true
        ? { kind: 'failed', detail: 'TIMEOUT', message: '' }
        : { kind: 'reading', reading, variables }
    ) as UpsPolled['outcome'];
    this.post({ kind: 'polled', at: this.at, groupId, outcome });
    this.tests.polled(groupId, { startedAt: 0, endedAt: 0, outcome });
  }

  /** Polls all every `step` seconds, as `shown`, and ticks. */
  async pass(seconds: number, shown: Readonly<Record<string, Shown>> = {}, step = 1): Promise<this> {
    for (let second = 0; second < seconds; second += step) {
      await this.time.pass(1_000 * step);
      for (const groupId of [office, a, b]) this.poll(groupId, shown[groupId]);
      this.post({ kind: 'ticked', at: this.at });
      this.tests.tick();
      await settled();
    }
    return this;
  }

  get types(): readonly string[] {
    return this.events.map(({ type }) => type);
  }
}

export const why = (outcome: Outcome<unknown>): string =>
  outcome.ok ? 'started' : `${outcome.error.code} ${outcome.error.message}`;
