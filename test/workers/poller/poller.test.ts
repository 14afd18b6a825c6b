import { expect } from 'chai';
import type { Variables } from '../../../shared/domain/ups/reading.js';
import type { PollerSettings, UpsPolled } from '../../../shared/protocol/poller.js';
import type { NutAnswer } from '../../../workers/poller/wire/errors.js';
import { answerOf, failureOf } from '../../../workers/poller/wire/errors.js';
import { Poller } from '../../../workers/poller/poller.js';
import type { NutTransport } from '../../../workers/poller/wire/transport.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { pollerSettings } from '../../fixtures/poller-settings.js';

const settings = pollerSettings();

/** A poller on a fake clock, with servers whose answers the test gives. */
class Bench {
  readonly time = new FakeTime(0);
  readonly reports: UpsPolled[] = [];
  readonly opened: { host: string; closed: boolean }[] = [];
  readonly asked: { at: number; deadlineMs: number; answer: (answer: NutAnswer<Variables>) => void }[] = [];
  readonly poller: Poller;

  constructor(first: PollerSettings = settings) {
    this.poller = new Poller(
      {
        monotonicMs: () => this.now,
        after: this.time.setTimer,
        transportOf: (of) => this.#transport(of),
        polled: (report) => this.reports.push(report),
      },
      first,
    );
  }

  to(ms: number): Promise<void> {
    return this.time.pass(ms - this.now);
  }

  get now(): number {
    return this.time.monotonicMs();
  }

  /** After a suspend the clock jumps first; then the due timers run. */
  async jumpTo(ms: number): Promise<void> {
    this.time.advance(ms - this.now);
    await this.to(ms);
  }

  async answer(answer: NutAnswer<Variables> = answerOf({ 'ups.status': 'OL' })): Promise<void> {
    this.asked.at(-1)?.answer(answer);
    await settled();
  }

  get starts(): number[] {
    return this.asked.map(({ at }) => at);
  }

  #transport({ host }: PollerSettings): NutTransport {
    const entry = { host, closed: false };
    this.opened.push(entry);
    const unused = (): never => {
      throw new Error('a poller only reads');
    };
    return {
      readVariables: (deadlineMs) =>
        new Promise((resolve) => this.asked.push({ at: this.now, deadlineMs, answer: resolve })),
      listCommands: unused,
      listWritable: unused,
      runCommand: unused,
      writeVariable: unused,
      disconnect: unused,
      close: () => void (entry.closed = true),
    };
  }
}

describe('the poller', () => {
  for (const [variables, detail] of [
    [{ 'driver.name': 'apcupsd-ups', 'ups.status': 'OFF' }, 'DATA_STALE'],
    // upsnutwrapper 1.2 and 1.3 call themselves usbhid-ups.
    [
      {
        'driver.name': 'usbhid-ups',
        'driver.version.internal': 'apcupsd 3.14.14 (31 May 2016)',
        'ups.status': 'OFF',
      },
      'DATA_STALE',
    ],
    [{ 'driver.name': 'apcupsd-ups', 'ups.status': 'OB OFF' }, null],
    [{ 'driver.name': 'apcupsd-ups', 'ups.status': 'OL' }, null],
    [{ 'driver.name': 'snmp-ups', 'ups.status': 'OFF' }, null],
  ] as const)
    it(`${detail === null ? 'takes' : 'has no reading of'} ${variables['ups.status']} of ${variables['driver.name']}`, async () => {
      const bench = new Bench();
      await bench.to(1);
      await bench.answer(answerOf<Variables>(variables));
      const outcome = bench.reports[0]?.outcome;
      expect(outcome?.kind === 'failed' ? outcome.detail : null).to.equal(detail);
    });

  it('polls immediately, then at its moment of every interval', async () => {
    for (const [pollOffsetMs, starts] of [
      [0, [0, 1000, 2000, 3000]],
      [300, [0, 1300, 2300, 3300]],
      [700, [0, 700, 1700, 2700]],
    ] as const) {
      const bench = new Bench({ ...settings, pollOffsetMs });
      await bench.to(0);
      for (const [place, took] of [30, 600, 1].entries()) {
        await bench.to(bench.now + took);
        await bench.answer();
        await bench.to(starts[place + 1] ?? 0);
      }
      expect(bench.starts).to.deep.equal(starts);
    }
  });

  it('leaves no poll out after a late one, and waits at least half an interval', async () => {
    for (const [tookMs, next] of [
      [1400, 2000],
      [1600, 3000],
    ] as const) {
      const bench = new Bench();
      await bench.to(tookMs);
      await bench.answer();
      expect(bench.starts).to.deep.equal([0, tookMs]);
      await bench.answer();
      await bench.to(next - 1);
      expect(bench.starts).to.have.length(2);
      await bench.to(next);
      expect(bench.starts).to.have.length(3);
    }
  });

  it('reports the start and the end of each poll', async () => {
    const bench = new Bench();
    await bench.to(17);
    await bench.answer(answerOf({ 'ups.status': 'OB', 'battery.charge': '55' }));
    const [report] = bench.reports;
    expect(report).to.include({ startedAt: 0, endedAt: 17 });
    expect(report?.outcome).to.have.nested.property('reading.chargePercent', 55);
    expect(report?.outcome).to.deep.include({ variables: { 'ups.status': 'OB', 'battery.charge': '55' } });
  });

  it('reports a failure by its code', async () => {
    const bench = new Bench();
    await bench.to(0);
    await bench.answer(failureOf('DATA_STALE', 'ERR DATA-STALE'));
    expect(bench.reports[0]?.outcome).to.deep.equal({
      kind: 'failed',
      detail: 'DATA_STALE',
      message: 'ERR DATA-STALE',
    });
  });

  it('gives each poll its full deadline', async () => {
    const bench = new Bench();
    await bench.to(0);
    expect(bench.asked[0]?.deadlineMs).to.equal(5000);
  });

  it('never runs two polls at once, and starts the next immediately after one longer than the interval', async () => {
    const bench = new Bench();
    await bench.to(4500);
    expect(bench.starts).to.deep.equal([0]);
    await bench.answer();
    expect(bench.starts).to.deep.equal([0, 4500]);
  });

  it('does not catch up on missed polls', async () => {
    const bench = new Bench();
    await bench.to(0);
    await bench.answer();
    await bench.jumpTo(10_000);
    await bench.answer();
    await bench.to(10_999);
    expect(bench.starts).to.deep.equal([0, 10_000]);
    await bench.to(11_000);
    expect(bench.starts).to.deep.equal([0, 10_000, 11_000]);
  });

  it('applies a new interval on the same connection', async () => {
    const bench = new Bench();
    await bench.to(0);
    await bench.answer();
    await bench.to(100);
    bench.poller.reconfigure({ ...settings, checkIntervalMs: 300 });
    await bench.to(299);
    expect(bench.starts).to.deep.equal([0]);
    await bench.to(300);
    expect(bench.starts).to.deep.equal([0, 300]);
    expect(bench.opened).to.deep.equal([{ host: '127.0.0.1', closed: false }]);
  });

  it('runs no second poll when it gets new settings during one', async () => {
    const bench = new Bench();
    await bench.to(0);
    bench.poller.reconfigure({ ...settings, checkIntervalMs: 300 });
    await bench.to(900);
    expect(bench.starts).to.deep.equal([0]);
  });

  it('connects again for another password, also where a server wants one only once it refuses a read', async () => {
    const control = {
      username: 'admin',
      password: 'old',
      timeoutMs: 1000,
      allowedCommands: [],
      allowedVariables: [],
    };
    const bench = new Bench({ ...settings, control });
    await bench.to(0);
    bench.poller.reconfigure({ ...settings, control: { ...control, allowedCommands: ['beeper.mute'] } });
    expect(bench.opened).to.have.length(1);
    bench.poller.reconfigure({ ...settings, control: { ...control, password: 'new' } });
    expect(bench.opened).to.have.length(2);
  });

  it('reports no secret of the UPS', async () => {
    const bench = new Bench();
    await bench.to(0);
    await bench.answer(answerOf({ 'ups.status': 'OL', 'driver.parameter.password': 'hunter2' }));
    expect(JSON.stringify(bench.reports))
      .to.contain('driver.parameter.password')
      .and.not.to.contain('hunter2');
  });

  it('switches to a new server without a gap, and discards the running poll of the old one', async () => {
    const bench = new Bench();
    await bench.to(100);
    const old = bench.asked[0];
    bench.poller.reconfigure({ ...settings, host: '127.0.0.2' });
    await bench.to(1000);
    expect(bench.opened).to.deep.equal([
      { host: '127.0.0.1', closed: true },
      { host: '127.0.0.2', closed: false },
    ]);
    expect(bench.starts).to.deep.equal([0, 1000]);
    old?.answer(failureOf('SERVER_DOWN', 'the daemon closed the connection'));
    await settled();
    expect(bench.reports).to.deep.equal([]);
    await bench.answer();
    expect(bench.reports).to.have.length(1);
  });

  it('is silent once it is stopped', async () => {
    const bench = new Bench();
    await bench.to(10);
    bench.poller.stop();
    await bench.answer();
    await bench.to(5000);
    expect(bench.reports).to.deep.equal([]);
    expect(bench.starts).to.deep.equal([0]);
    expect(bench.opened).to.deep.equal([{ host: '127.0.0.1', closed: true }]);
  });
});
