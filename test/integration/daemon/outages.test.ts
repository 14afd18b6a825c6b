import { expect } from 'chai';
import type { OutageBody, OutageRow } from '../../../shared/http/outage-bodies.js';
import { OutagesBody } from '../../../shared/http/outage-bodies.js';
import { Office } from '../../fixtures/office.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { ridethrough } from '../../fixtures/ridethrough.js';
import { until } from '../../fixtures/until.js';

describe('an outage in the running daemon', () => {
  const office = new Office();
  const start = async (directory?: string): Promise<RunningDaemon> => {
    const running = await office.start({ apiPort: 0 }, directory);
    await running.seesAll();
    return running;
  };
  /** A busy disk may answer with 503 before. */
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    until(
      () => fetch(`http://127.0.0.1:${String(office.daemon?.apiPort)}/api/v1/outages${path}`, { headers }),
      ({ status }) => status !== 503,
    );
  const rows = async (): Promise<readonly OutageRow[]> => {
    try {
      return ((await (await get('')).json()) as Partial<OutagesBody>).outages ?? [];
    } catch {
      return [];
    }
  };
  /** The outage once it is `good`. */
  const detail = (id: number, good: (outage: OutageBody) => boolean): Promise<OutageBody> =>
    until(
      async () => (await (await get(`/${String(id)}`)).json()) as OutageBody,
      (body) => 'readings' in body && good(body),
    );
  const fails = async (): Promise<OutageRow> => {
    office.upsd.ups('office').set({ mainsVolts: 0 });
    const [row] = await until(rows, (list) => list.length === 1);
    if (row === undefined) throw new Error('no outage');
    return row;
  };

  it('has begin, end, lowest charge, and the readings at its decisions', async () => {
    await start();
    const begun = await fails();
    expect(begun).to.include({ end: null, cause: 'outage', ups: office.name });
    office.upsd.ups('office').set({ chargePercent: 60 });
    await until(rows, ([row]) => (row?.lowestCharge ?? 100) <= 60);
    office.upsd.ups('office').set({ mainsVolts: 230 });
    const [ended] = await until(rows, ([row]) => row !== undefined && row.end !== null);
    expect(ended).to.include({ id: begun.id, start: begun.start, endSeen: true });
    // The evidence is written after the end.
    const outage = await detail(
      begun.id,
      ({ readings }) => readings[1]?.variables['ups.status']?.startsWith('OL') === true,
    );
    expect(outage.readings.map(({ at }) => at)).to.deep.equal(['start', 'end']);
    expect(outage.readings[0]?.variables['ups.status']).to.match(/OB/);
    const statuses = outage.changes.flatMap(({ variables }) => variables['ups.status'] ?? []);
    expect(statuses[0]).to.match(/^OL/);
    expect(statuses.some((status) => status.startsWith('OB'))).to.equal(true);
    expect(outage.events.map(({ eventType }) => eventType)).to.include.members([
      'ON_BATTERY',
      'POWER_RESTORED',
    ]);
  });

  it('shows the plan of its shutdown beside what each step took', async () => {
    const running = await start();
    const { id } = await fails();
    office.upsd.ups('office').set({ chargePercent: 5 });
    const outage = await detail(
      id,
      ({ shutdowns, readings }) => shutdowns[0]?.over === true && readings.length === 2,
    );
    const [shutdown] = outage.shutdowns;
    expect(shutdown?.trigger).to.equal('LOW_BATTERY');
    const powerOff = shutdown?.steps.find(({ phase }) => phase === 'local_poweroff');
    expect(powerOff?.state).to.equal('done');
    expect(powerOff?.endedAt ?? 0).to.be.at.least(powerOff?.startedAt ?? Infinity);
    expect(shutdown?.boundSeconds).to.be.above(0);
    expect(outage.readings.map(({ at }) => at)).to.include(`shutdown ${shutdown?.group ?? ''}`);
    const shown = await ridethrough(['outages', 'show', String(id), '--socket', running.controlSocket]);
    expect(shown.code, shown.err).to.equal(0);
    expect(shown.out)
      .to.match(/local_poweroff .* done/)
      .and.to.contain('ON_BATTERY');
    const list = await ridethrough(['outages', '--json', '--socket', running.controlSocket]);
    expect(OutagesBody.is(JSON.parse(list.out))).to.equal(true);
    const missing = await ridethrough(['outages', 'show', '99', '--socket', running.controlSocket]);
    expect(missing).to.include({ code: 1 });
    expect(missing.err).to.contain('There is no outage of this number');
  });

  it('is one outage across kill -9 in its middle', async () => {
    const first = await start();
    const { id, start: began } = await fails();
    await first.kill();
    await start(first.directory);
    office.upsd.ups('office').set({ mainsVolts: 230 });
    const after = await until(rows, ([row]) => row !== undefined && row.end !== null);
    expect(after).to.have.length(1);
    expect(after[0]).to.include({ id, start: began, endSeen: true });
  });

  it('is JSON, CSV or a page, by the Accept header or by format', async () => {
    await start();
    const { id } = await fails();
    const path = `/${String(id)}`;
    for (const [answer, type] of [
      [await get(path, { accept: '*/*' }), 'application/json'],
      [await get(path, { accept: 'text/csv' }), 'text/csv'],
      [await get(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }), 'text/html'],
      [await get(`${path}?format=html`), 'text/html'],
      [await get('', { accept: 'text/csv' }), 'text/csv'],
      [await get('?format=csv'), 'text/csv'],
    ] as const) {
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('content-type')).to.equal(`${type}; charset=utf-8`);
    }
    const page = await get(`${path}?format=html`);
    expect(page.headers.get('content-security-policy')).to.contain("default-src 'none'");
    expect((await get('/99')).status).to.equal(404);
    expect((await get('/x')).status).to.equal(404);
    expect((await get('?limit=0')).status).to.equal(400);
    expect((await get(`${path}?format=pdf`)).status).to.equal(400);
    expect(await (await get('?ups=nobody')).json()).to.deep.include({ outages: [] });
    expect(await (await get(`?before=${String(id)}`)).json()).to.deep.include({ outages: [] });
  });
});
