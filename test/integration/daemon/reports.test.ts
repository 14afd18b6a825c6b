import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { periodBefore } from '../../../shared/domain/base/local-calendar.js';
import { Report } from '../../../shared/domain/outage/report.js';
import { Database } from '../../../workers/storage/database.js';
import { Office } from '../../fixtures/office.js';
import { ridethrough } from '../../fixtures/ridethrough.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { inTimeZone, zoneAtNoon } from '../../fixtures/time-zone.js';
import { hasLength, includes, isAtLeast, until } from '../../fixtures/until.js';
import type { HttpServer } from '../notify/http-server.js';
import { fine, startHttp } from '../notify/http-server.js';
import type { SmtpServer } from '../notify/smtp-server.js';
import { startSmtp } from '../notify/smtp-server.js';

describe('the reports of the running daemon', () => {
  inTimeZone(zoneAtNoon());
  const office = new Office();
  let mails: SmtpServer;
  let push: HttpServer;
  beforeEach(async () => {
    mails = await startSmtp();
    push = await startHttp((response, request) => fine(response, request));
  });
  afterEach(() => Promise.all([mails.close(), push.close()]));

  const start = async (directory?: string): Promise<RunningDaemon> => {
    const urls = [
      `mailto://127.0.0.1:${String(mails.port)}?to=ops@example.org`,
      `gotify://127.0.0.1:${String(push.port)}/token`,
    ];
    const more = `
[notifications]
title = "nas01"
urls = ${JSON.stringify(urls)}
[reports]
enabled = true
daily = true
weekly = false
time = "00:00"
[energy]
cost_per_kwh = 0.3
`;
    const running = await office.start({ apiPort: 0, more }, directory);
    await running.seesAll();
    return running;
  };
  const get = (path: string, accept = '*/*'): Promise<Response> =>
    fetch(`http://127.0.0.1:${String(office.daemon?.apiPort)}/api/v1/reports${path}`, {
      headers: { accept },
    });
  const inDatabase = async <T>(directory: string, work: (db: Database) => Promise<T>): Promise<T> => {
    const db = await Database.open(join(directory, 'lib', 'ridethrough.db'));
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  };
  const mark = (directory: string): Promise<readonly { value: number }[]> =>
    inDatabase(directory, (db) =>
      db.all<{ value: number }>(`SELECT value FROM marks WHERE name = 'report_day'`),
    ).catch(() => []);

  it('show the period that runs and those that have ended, in every form', async () => {
    const { controlSocket } = await start();
    const current = await until(
      async () => (await (await get('/day?date=current')).json()) as Report,
      (found) => found.ups[0]?.lowestVolts?.value !== undefined,
    );
    expect(Report.is(current)).to.equal(true);
    expect(current).to.include({ isOver: false, period: 'day', currency: 'EUR' });
    expect(current.ups[0]).to.include({ label: office.name, outages: 0 });
    const last = (await (await get('/month')).json()) as Report;
    expect(last).to.include({ isOver: true, to: periodBefore('month', Date.now() / 1000).to });
    for (const [answer, type] of [
      [await get('/week', 'text/csv'), 'text/csv'],
      [await get('/week', 'text/html,*/*;q=0.8'), 'text/html'],
      [await get('/week?format=text'), 'text/plain'],
    ] as const)
      expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([
        200,
        `${type}; charset=utf-8`,
      ]);
    for (const [path, status] of [
      ['/year', 404],
      ['/day?date=2026-02-30', 400],
      ['/day?date=yesterday', 400],
      ['/day?date=2999-01-01', 400],
      ['/day?format=pdf', 400],
    ] as const)
      expect((await get(path)).status, path).to.equal(status);
    const written = await ridethrough(['report', 'current', '--socket', controlSocket]);
    expect(written.code, written.err).to.equal(0);
    expect(written.out).to.match(/^Daily report, .*: 1 UPS, no outage.*; the period is not over\.\n/);
    expect(written.out).to.match(/Input voltage: lowest 230 V/);
    const page = await ridethrough(['report', '--period', 'week', '--html', '--socket', controlSocket]);
    expect(page.out).to.match(/^<!doctype html>[^]*<h1>Weekly report/);
    expect(await ridethrough(['report', '--period', 'year', '--socket', controlSocket])).to.include({
      code: 2,
    });
  });

  it('are sent once for the time in which the daemon was down, and not again after a kill', async () => {
    const directory = temporaryFolder();
    mkdirSync(join(directory, 'lib'));
    const first = await start(directory);
    const [begun] = await until(() => mark(directory), hasLength(1));
    expect(push.received).to.have.length(0);
    first.signal('SIGTERM');
    await first.exited;
    await inDatabase(directory, (db) =>
      db.run(`UPDATE marks SET value = value - 5 * 86400 WHERE name = 'report_day'`),
    );
    const second = await start(directory);
    await until(
      () => [push.received.length, mails.mails.length],
      ([pushed, mailed]) => pushed === 1 && mailed === 1,
    );
    expect(await mark(directory)).to.deep.equal([begun]);
    expect(push.received[0]?.body['title']).to.equal('nas01: Daily report');
    expect(String(push.received[0]?.body['message'])).to.match(
      /^Daily report, \w+day \d{4}-\d\d-\d\d: 1 UPS/,
    );
    const [mail] = mails.mails;
    expect(mail?.headers['content-type']).to.match(/^multipart\/alternative/);
    const parts = (mail?.lines ?? [])
      .join('\n')
      .split('\n\n')
      .map((part) => Buffer.from(part, 'base64').toString());
    expect(parts.some((part) => part.startsWith('<!doctype html>'))).to.equal(true);
    expect(parts.some((part) => part.startsWith('Daily report, '))).to.equal(true);
    // The results of the deliveries are on disk.
    await until(
      () =>
        inDatabase(directory, (db) =>
          db.number(`SELECT count(*) AS value FROM deliveries WHERE state = 'sent'`),
        ),
      isAtLeast(2),
    );
    await second.kill();
    const third = await start(directory);
    // What a start sends itself comes after what it has recalled.
    await until(() => push.received.map(({ body }) => body['title']), includes('nas01: Daemon after crash'));
    expect(push.received.filter(({ body }) => body['title'] === 'nas01: Daily report')).to.have.length(1);
    expect(third.log()).not.to.match(/report .* waits/);
  });
});
