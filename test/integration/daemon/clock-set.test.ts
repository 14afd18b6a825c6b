import { expect } from 'chai';
import { OutagesBody } from '../../../shared/http/outage-bodies.js';
import type { OutageBody, OutageRow } from '../../../shared/http/outage-bodies.js';
import type { Report } from '../../../shared/domain/outage/report.js';
import { Office } from '../../fixtures/office.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { ridethrough } from '../../fixtures/ridethrough.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { skipFor } from '../../fixtures/skip.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { inTimeZone, zoneAtNoon } from '../../fixtures/time-zone.js';
import { is, until } from '../../fixtures/until.js';
import { removeLeftBehind } from '../../hold/clock.js';
import { SettableClock, libfaketime } from '../../torture/settable-clock.js';
import type { Answer, HttpServer } from '../notify/http-server.js';
import { fine, startHttp, status } from '../notify/http-server.js';

/** Seconds between a change of the UPS and its record, on a busy machine. */
const patience = 30;
const hourMs = 3_600_000;

describe('an outage in which the clock of the host is set', () => {
  inTimeZone(zoneAtNoon());
  const office = new Office();
  let clock: SettableClock;
  let directory: string;
  let push: HttpServer;
  let answer: Answer;

  before(function () {
    skipFor(this, libfaketime() === null && 'libfaketime is missing (Debian: the package libfaketime)');
  });
  beforeEach(async () => {
    directory = temporaryFolder();
    clock = new SettableClock(directory, libfaketime() ?? '');
    answer = fine;
    push = await startHttp((response, request) => answer(response, request));
  });
  afterEach(() => push.close());
  after(removeLeftBehind);

  const start = async (): Promise<void> => {
    const more = `[notifications]
retry_interval = 0.2
retry_backoff_max = 1
urls = ["gotify://127.0.0.1:${String(push.port)}/token"]
[reports]
enabled = true
daily = true
`;
    const toml = configurationFor({ port: office.upsd.port, checkInterval: 0.2, apiPort: 0, more });
    office.daemon = await startDaemon({
      toml: toml.replace('[statistics]\n', '[statistics]\nflush_interval = 0.5\n'),
      directory,
      env: clock.inherited,
    });
    await office.daemon.seesAll();
  };
  const restart = async (): Promise<void> => {
    office.daemon?.signal('SIGTERM');
    await office.daemon?.exited;
    await start();
  };
  const get = async (path: string): Promise<unknown> => {
    const port = String(office.daemon?.apiPort);
    const response = await until(
      () => fetch(`http://127.0.0.1:${port}/api/v1/${path}`),
      (answered) => answered.status !== 503,
    );
    expect(response.status, path).to.equal(200);
    return response.json();
  };
  /** The only outage, once it is `good`. */
  const outage = (good: (row: OutageRow) => boolean): Promise<OutageRow> =>
    until(
      async () => {
        const body = await get('outages');
        if (!OutagesBody.is(body)) throw new Error('no list of outages');
        expect(body.outages.length, 'outages').to.be.at.most(1);
        return body.outages[0];
      },
      (row) => row !== undefined && good(row),
    ) as Promise<OutageRow>;
  const messages = (): readonly string[] =>
    push.received.map(({ body }) => `${String(body['title'])}: ${String(body['message'])}`);
  const delivered = (text: RegExp): Promise<unknown> =>
    until(() => messages().some((message) => text.test(message)), is(true));
  const now = async (): Promise<number> => (await office.daemon?.status())?.generatedAt ?? 0;

  /** Begins an outage, has the clock set in it, ends it; returns it as it was told before and after. */
  const across = async (setting: () => Promise<void>) => {
    const begunMs = performance.now();
    office.upsd.ups('office').set({ mainsVolts: 0 });
    const before = await outage(() => true);
    const seenMs = performance.now();
    office.upsd.ups('office').set({ chargePercent: 70 });
    await outage(({ lowestCharge }) => (lowestCharge ?? 100) <= 70);
    await setting();
    office.upsd.ups('office').set({ chargePercent: 60 });
    await outage(({ lowestCharge }) => (lowestCharge ?? 100) <= 60);
    const leastSeconds = (performance.now() - seenMs) / 1000;
    office.upsd.ups('office').set({ mainsVolts: 230 });
    const after = await outage(({ end }) => end !== null);
    const mostSeconds = (performance.now() - begunMs) / 1000;
    expect(after).to.include({ id: before.id, endSeen: true, durationUncertain: false, interruptions: 0 });
    expect(after.durationSeconds).to.be.within(leastSeconds - 1, mostSeconds + 1);
    expect(after.energyWh).to.be.above(0);
    expect(Math.abs((await now()) - (after.end ?? 0))).to.be.below(patience);
    // The readings are written after the end.
    const detail = await until(
      async () => (await get(`outages/${String(before.id)}`)) as OutageBody,
      ({ evidenceComplete }) => evidenceComplete,
    );
    const { readings, changes, events } = detail;
    expect(readings.map(({ at, variables }) => [at, variables['ups.status']?.slice(0, 2)])).to.deep.equal([
      ['start', 'OB'],
      ['end', 'OL'],
    ]);
    expect(readings.map(({ ts }) => ts)).to.deep.equal([after.start, after.end]);
    const times = changes.map(({ ts }) => ts);
    expect(times).to.deep.equal(times.toSorted((a, b) => a - b));
    expect(times.at(0)).to.be.within(after.start - 600, after.start);
    expect(changes.map(({ variables }) => variables['battery.charge'])).to.include.members([
      '100',
      '70',
      '60',
    ]);
    await delivered(/: Power restored: /);
    const report = (await get('reports/day?date=current')) as Report;
    const [ofUps] = report.ups;
    expect(report.outages.map(({ label }) => label)).to.deep.equal([office.name]);
    expect(ofUps?.outages).to.equal(1);
    expect(ofUps?.onBatterySeconds).to.be.within(leastSeconds - 1, mostSeconds + 1);
    const shown = await ridethrough([
      ...['outages', 'show', String(before.id)],
      ...['--socket', office.daemon?.controlSocket ?? ''],
    ]);
    return { before, after, events: events.map(({ eventType }) => eventType), shown: shown.out };
  };

  // In the zone of the test the first hour of 1970 may be of the day before.
  it('from 1970 on has one length, its readings, and every message', async () => {
    clock.set(-Math.floor(Date.now() / hourMs));
    answer = status(503);
    await start();
    const { before, after, events, shown } = await across(async () => {
      await delivered(/: On battery: .*\n19(?:69-12-31|70-01-01) /s);
      await clock.setEverywhere(0);
      await outage(({ clockSetSeconds }) => clockSetSeconds !== null);
      answer = fine;
    });
    expect(before.start).to.be.below(86_400);
    expect(Math.abs(after.start - before.start - (after.clockSetSeconds ?? 0))).to.be.below(3);
    expect(events).to.include.members(['DAEMON_START', 'ON_BATTERY', 'POWER_RESTORED']);
    expect(shown).to.match(/Clock +it was set forward by \d+ days/);
    await delivered(
      /: On battery: .*\n19(?:69-12-31|70-01-01) .* The clock of this host was set meanwhile: by it, that was at 20\d\d-/s,
    );
    await restart();
    const { start: begin, end, durationSeconds, clockSetSeconds } = after;
    expect(await outage(() => true)).to.include({ start: begin, end, durationSeconds, clockSetSeconds });
  });

  it('back by an hour, and goes on over a restart, has one length, its readings, and every message', async () => {
    await start();
    const { before, after, events, shown } = await across(async () => {
      await delivered(/: On battery: /);
      await clock.setEverywhere(-1);
      await outage(({ clockSetSeconds }) => clockSetSeconds !== null);
      await restart();
    });
    expect(before.start - after.start).to.be.within(3597, 3603);
    expect(after.clockSetSeconds).to.be.within(-3603, -3597);
    expect(events).to.deep.equal([
      'DAEMON_START',
      'ON_BATTERY',
      'DAEMON_STOP',
      'DAEMON_RESTARTED',
      'POWER_RESTORED',
    ]);
    expect(shown).to.match(/Clock +it was set back by 1 h[^]* ON_BATTERY [^]* POWER_RESTORED /);
  });
});
