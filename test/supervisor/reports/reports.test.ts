import { expect } from 'chai';
import type { LogRecord } from '../../../shared/domain/status/log-record.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { NotificationRecord } from '../../../shared/protocol/notification-records.js';
import type { ReportMark } from '../../../shared/protocol/reports.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import { PeriodicReports } from '../../../supervisor/reports/reports.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { inTimeZone } from '../../fixtures/time-zone.js';
import { configurationFrom, office } from '../config/loading.js';

const local = (text: string): number => new Date(text).getTime() / 1000;
const configured = (keys: string) => configurationFrom(`${office}[reports]\nenabled = true\n${keys}\n`);
const daily = configured('daily = true\nweekly = false');
const down: Outcome<never> = { ok: false, error: { code: 'WORKER_GONE', message: 'it is not running' } };

/** Storage outlives a daemon. */
class Site {
  readonly marks = new Map<string, number>();
  stored: NotificationRecord[] = [];
  readonly sent: string[] = [];
  readonly composed: string[] = [];
  readonly log: LogRecord[] = [];
  storageFails = false;
  apiFails = false;
  hasService = true;
  isSequenceRunning = false;
  areServersKnown = true;
  time = new FakeTime();
  #reports: PeriodicReports | undefined;

  start(configuration = daily): void {
    this.#reports = new PeriodicReports({
      clock: { monotonicMs: () => this.time.monotonicMs(), wallSeconds: () => this.now },
      log: loggerTo('supervisor', this.time, (record) => this.log.push(record)),
      isSequenceRunning: () => this.isSequenceRunning,
      areServersKnown: () => this.areServersKnown,
      storage: {
        request: (name: string, params: unknown) => Promise.resolve(this.#answer(name, params)),
      } as never,
      api: {
        request: (_: string, { period, at }: { period: string; at: number }) => {
          if (this.apiFails) return Promise.resolve(down);
          this.composed.push(`${period} ${new Date(at * 1000).toLocaleDateString('sv-SE')}`);
          return Promise.resolve({ ok: true, value: { text: `of ${String(at)}`, html: '<p>' } });
        },
      } as never,
      record: (type, { text, html }) => {
        const id = `${type} ${String(this.composed.length)}`;
        const notification = { id, at: this.now, source: 'daemon', type, text, urgent: false, html };
        return this.hasService ? { id, notification, deliveries: [] } : null;
      },
      send: ({ id }) => this.sent.push(id),
    });
    this.#reports.apply(configuration);
  }

  now = 0;

  apply(configuration: typeof daily): void {
    this.#reports?.apply(configuration);
  }

  /** The daemon runs at this time, for a minute. */
  async at(text: string): Promise<void> {
    this.now = local(text);
    for (let second = 0; second < 60; second += 1) {
      await this.time.pass(1000);
      this.#reports?.tick();
      await settled();
    }
  }

  #answer(name: string, params: unknown): Outcome<unknown> {
    if (this.storageFails) return down;
    if (name === 'reports.recall') {
      const { marks } = params as { marks: readonly ReportMark[] };
      const wanted = new Map(marks.map(({ period, to }) => [period as string, to]));
      for (const name of this.marks.keys()) if (!wanted.has(name)) this.marks.delete(name);
      for (const [period, to] of wanted) if (!this.marks.has(period)) this.marks.set(period, to);
      return { ok: true, value: { marks: [...this.marks].map(([period, to]) => ({ period, to })) } };
    }
    const { mark, record } = params as { mark: ReportMark; record: NotificationRecord | null };
    this.marks.set(mark.period, mark.to);
    if (record !== null) this.stored = [...this.stored, record];
    return { ok: true, value: {} };
  }
}

describe('the reports of the supervisor', () => {
  inTimeZone('Europe/Berlin');
  let site: Site;
  beforeEach(() => (site = new Site()));

  it('are sent once at their time, and none for the time before they were switched on', async () => {
    site.start();
    await site.at('2026-11-24T12:00');
    await site.at('2026-11-25T07:59');
    expect(site.sent).to.deep.equal([]);
    await site.at('2026-11-25T08:00');
    await site.at('2026-11-25T08:01');
    expect(site.composed).to.deep.equal(['day 2026-11-24']);
    expect(site.sent).to.deep.equal(['DAILY_REPORT 1']);
  });

  it('that a daemon has missed are one, at its start', async () => {
    site.start();
    await site.at('2026-11-24T12:00');
    site.start();
    await site.at('2026-11-28T10:30');
    expect(site.composed).to.deep.equal(['day 2026-11-27']);
    site.start();
    await site.at('2026-11-28T10:40');
    expect(site.sent).to.have.length(1);
  });

  it('come once in the nights in which the clock changes', async () => {
    const night = configured('daily = true\nweekly = false\ntime = "02:30"');
    for (const [day, before] of [
      ['2026-03-29', '2026-03-28'],
      ['2026-10-25', '2026-10-24'],
    ] as const) {
      site = new Site();
      site.start(night);
      await site.at(`${before}T12:00`);
      for (let minutes = 0; minutes < 5 * 60; minutes += 20)
        await site.at(new Date(local(`${day}T00:00`) * 1000 + minutes * 60_000).toISOString());
      expect(site.composed, day).to.deep.equal([`day ${before}`]);
    }
  });

  it('of several periods come in one round, each for its own', async () => {
    site.start(configured('daily = true\nweekly = true\nmonthly = true'));
    await site.at('2026-05-31T12:00');
    // A Monday and the first of a month.
    await site.at('2026-06-01T08:00');
    expect(site.composed).to.deep.equal(['day 2026-05-31', 'week 2026-05-25', 'month 2026-05-01']);
  });

  it('wait for the worker that writes them, and for storage, and are then sent once', async () => {
    site.start();
    await site.at('2026-11-24T12:00');
    site.apiFails = true;
    await site.at('2026-11-25T08:00');
    site.apiFails = false;
    site.storageFails = true;
    await site.at('2026-11-25T08:02');
    expect(site.sent).to.deep.equal([]);
    site.storageFails = false;
    await site.at('2026-11-25T08:04');
    await site.at('2026-11-25T08:06');
    expect(site.composed, 'not written again').to.have.length(1);
    expect(site.sent).to.have.length(1);
    expect(site.log.map(({ message }) => message).join('\n')).to.match(
      /cannot be written[^]*cannot be stored/,
    );
  });

  it('wait for the end of a shutdown', async () => {
    site.start();
    await site.at('2026-11-24T12:00');
    site.isSequenceRunning = true;
    await site.at('2026-11-25T08:00');
    expect(site.composed).to.deep.equal([]);
    site.isSequenceRunning = false;
    await site.at('2026-11-25T08:10');
    expect(site.composed).to.have.length(1);
  });

  it('wait at the start of the daemon for the first probes of the servers, six minutes at most', async () => {
    site.areServersKnown = false;
    site.start();
    await site.at('2026-11-24T12:00');
    for (const minute of ['00', '01', '02', '03']) await site.at(`2026-11-25T08:${minute}`);
    expect(site.marks.size).to.equal(0);
    await site.at('2026-11-25T08:05');
    await site.at('2026-11-26T08:00');
    expect(site.composed).to.deep.equal(['day 2026-11-25']);
  });

  it('are not sent twice when their time changes after they were sent', async () => {
    site.start();
    await site.at('2026-11-24T12:00');
    await site.at('2026-11-25T08:00');
    site.apply(configured('daily = true\nweekly = false\ntime = "09:00"'));
    await site.at('2026-11-25T09:00');
    expect(site.sent).to.have.length(1);
  });

  it('go on after the clock was a year ahead for a while', async () => {
    site.start();
    await site.at('2026-11-24T12:00');
    await site.at('2027-11-24T12:00');
    expect(site.sent).to.have.length(1);
    await site.at('2026-11-25T07:00');
    await site.at('2026-11-25T08:00');
    expect(site.composed.at(-1)).to.equal('day 2026-11-24');
    expect(site.sent).to.have.length(2);
  });

  it('go on after a restart while the clock is behind the last report by more than a day', async () => {
    site.start();
    await site.at('2026-11-24T12:00');
    await site.at('2027-11-24T12:00');
    site.start();
    await site.at('2026-11-25T07:00');
    site.start();
    await site.at('2026-11-25T08:00');
    await site.at('2026-11-26T08:00');
    expect(site.composed.slice(1)).to.deep.equal(['day 2026-11-25']);
  });

  it('are not sent again by a daemon that starts before the clock is right', async () => {
    site.start();
    await site.at('2026-11-24T12:00');
    await site.at('2026-11-25T08:00');
    // A machine whose clock does not run without power.
    site.start();
    await site.at('2026-03-01T12:00');
    await site.at('2026-11-25T10:00');
    expect(site.sent).to.have.length(1);
    await site.at('2026-11-26T08:00');
    expect(site.sent).to.have.length(2);
  });

  it('without a service are only noted as done', async () => {
    site.hasService = false;
    site.start();
    await site.at('2026-11-24T12:00');
    await site.at('2026-11-25T08:00');
    site.hasService = true;
    await site.at('2026-11-25T09:00');
    expect(site.sent).to.deep.equal([]);
  });

  it('that are switched off and on again begin with the next one', async () => {
    site.start();
    await site.at('2026-11-24T12:00');
    site.apply(configurationFrom(office));
    await site.at('2026-11-26T12:00');
    site.apply(daily);
    await site.at('2026-11-27T12:00');
    expect(site.sent).to.deep.equal([]);
    await site.at('2026-11-28T08:00');
    expect(site.sent).to.have.length(1);
  });
});
