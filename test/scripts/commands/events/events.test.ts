import { expect } from 'chai';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { EventLines } from '../../../../scripts/commands/events/event-table.js';
import { newestEvents } from '../../../../scripts/commands/events/event-pages.js';
import { events } from '../../../../scripts/commands/events/events.js';
import { followEvents } from '../../../../scripts/commands/events/follow-events.js';
import type { EventRow } from '../../../../shared/http/bodies.js';
import { localTime } from '../../../../shared/domain/base/local-calendar.js';
import { UsageError } from '../../../../scripts/commands/usage.js';
import { hasAtLeast, hasLength, includes, until } from '../../../fixtures/until.js';
import type { ApiUnderTest } from '../../../workers/api/fixture.js';
import { publishedUps, startedApi } from '../../../workers/api/fixture.js';
import { Bench } from '../../../workers/storage/fixture.js';
import type { Said } from '../run.js';
import { run } from '../run.js';

const office = 'office-127.0.0.1';
const retention = { rawHours: 24, fiveMinuteDays: 30, hourlyDays: 1825 };

/** The fixture removes its folder at the end of an API; the next one opens the same path. */
function inFolderAgain(socket: string): string {
  mkdirSync(dirname(socket), { recursive: true });
  return socket;
}

describe('ridethrough events', () => {
  let bench: Bench;
  let api: ApiUnderTest;
  const now = () => Math.floor(Date.now() / 1000);
  beforeEach(async () => {
    bench = new Bench();
    await bench.probe();
    api = await startedApi({
      settings: { statistics: { directory: bench.directory, enabled: true, retention } },
    });
    await api.publish({
      ups: [publishedUps(), publishedUps({ name: 'rack@nut1', groupId: 'rack-nut1', label: 'Rack' })],
    });
  });
  afterEach(async () => {
    await api.end();
    await bench.end();
  });

  const told = (...args: string[]) => run(() => events(['--socket', api.socket, ...args]));
  /** The details that were printed, without the header. */
  const details = (out: string) =>
    out
      .split('\n')
      .slice(1, -1)
      .map((line) => line.split('   ').at(-1)?.trim());

  it('has a note at an event that was recorded before the clock was set', () => {
    const event = { source: office, id: 1, ts: 100, eventType: 'ON_BATTERY', detail: 'power is gone' };
    const row = { ...event, category: 'power_event', ups: 'office', label: 'Office' } as const;
    const lines = new EventLines().begin([row, { ...row, clockSetSeconds: 1_700_000_000 }]).split('\n');
    expect(lines[1]).to.match(/power is gone$/);
    const then = localTime(1_700_000_100);
    expect(lines[2]).to.contain(`power is gone (the clock was set meanwhile: by it, that was at ${then})`);
  });

  it('prints a table, oldest first, in local time', async () => {
    await bench.record(
      { at: 1_700_000_060, type: 'POWER_RESTORED', detail: 'power is back after 1 min' },
      { at: 1_700_000_000 },
      { at: 1_700_000_090, source: 'daemon', type: 'CONFIG_RELOAD', detail: 'signal: reload: ok' },
    );
    const row = (at: number, rest: string) => `${localTime(at)}   ${rest}\n`;
    expect(await told()).to.deep.equal({
      code: 0,
      err: '',
      out: [
        'TIME                  UPS      EVENT            DETAIL\n',
        row(1_700_000_000, 'Office   ON_BATTERY       power is gone'),
        row(1_700_000_060, 'Office   POWER_RESTORED   power is back after 1 min'),
        row(1_700_000_090, 'daemon   CONFIG_RELOAD    signal: reload: ok'),
      ].join(''),
    });
  });

  it('removes control characters and line breaks of events', async () => {
    await bench.record({ at: 1, detail: '\u001b[2J\n1970-01-01 00:00:09   Office\r\u009b1m' });
    const { out } = await told();
    expect(out.split('\n')).to.have.length(3);
    expect(out.replaceAll('\n', '')).not.to.match(/\p{Cc}/u);
  });

  it('lists the newest of the selected events', async () => {
    await bench.record(
      ...Array.from({ length: 120 }, (_, index) => ({ at: index + 1, detail: `e${String(index)}` })),
      { at: now() - 60, type: 'DAEMON_START' as const, detail: 'started' },
    );
    expect(details((await told()).out)).to.have.length(100);
    expect(details((await told('--limit', '2')).out)).to.deep.equal(['e119', 'started']);
    expect(details((await told('--limit', '1', '--verbosity', '0')).out)).to.deep.equal(['e119']);
    expect(details((await told('--since', '2m')).out)).to.deep.equal(['started']);
    expect((await told('--since', '10s')).out).to.match(/^No event matches\./);
  });

  it('finds the events of one UPS by any of its names', async () => {
    await bench.record(
      { at: 1, source: 'rack-nut1', detail: 'of the rack' },
      { at: 2, source: 'gone', detail: 'of one that is gone' },
      { at: 3, source: 'daemon', type: 'DAEMON_START', detail: 'of the daemon' },
      ...Array.from({ length: 50 }, (_, index) => ({ at: index + 4 })),
    );
    for (const name of ['rack@nut1', 'rack@nut1:3493', 'rack-nut1', 'Rack'])
      expect(details((await told('--limit', '5', '--ups', name)).out), name).to.deep.equal(['of the rack']);
    expect(details((await told('--ups', 'gone')).out)).to.deep.equal(['of one that is gone']);
    expect(details((await told('--ups', 'daemon')).out)).to.deep.equal(['of the daemon']);
    const nobody = await told('--ups', 'nobody');
    expect([nobody.code, nobody.out]).to.deep.equal([1, '']);
    expect(nobody.err).to.match(/No UPS/);
  });

  it('prints the body of the API with --json', async () => {
    await bench.record({ at: 5 });
    const body = JSON.parse((await told('--json')).out) as { events: unknown[] };
    expect(body).to.have.all.keys('generatedAt', 'events');
    expect(body.events[0]).to.include({ source: office, ts: 5, eventType: 'ON_BATTERY', label: 'Office' });
  });

  for (const args of [
    ['--limit', '0'],
    ['--limit', '10001'],
    ['--limit', 'ten'],
    ['--verbosity', '3'],
    ['--since', 'yesterday'],
    ['--since', '2026-02-30'],
  ])
    it(`refuses ${args.join(' ')}`, async () => {
      const wrong = await told(...args).catch((error: unknown) => error);
      expect(wrong).to.be.instanceOf(UsageError);
    });

  it('reports why the history cannot be read', async () => {
    await api.end();
    api = await startedApi({
      settings: { statistics: { directory: '/nonexistent', enabled: true, retention } },
    });
    const { code, out, err } = await told();
    expect([code, out]).to.deep.equal([1, '']);
    expect(err)
      .to.contain('history cannot be read')
      .and.to.contain('Monitoring and shutdown are not affected');
  });

  describe('with --follow', () => {
    let said: Said;
    let stop: AbortController;
    let ended: Promise<{ code: number }>;
    const follow = (...args: string[]) => {
      said = { out: '', err: '' };
      stop = new AbortController();
      ended = run(() => events(['--socket', api.socket, '--follow', ...args], stop.signal), said);
    };
    const shows = async (...texts: readonly string[]) => {
      await until(() => details(said.out), hasAtLeast(texts.length));
      expect(details(said.out)).to.deep.equal(texts);
    };
    const end = async () => {
      stop.abort();
      expect((await ended).code).to.equal(0);
    };

    it('shows the last ten and then each new event once, also one that was stored late', async () => {
      const start = now();
      await bench.record(
        ...Array.from({ length: 12 }, (_, at) => ({ at: start - 50 + at, detail: `old${String(at)}` })),
      );
      follow();
      const first = Array.from({ length: 10 }, (_, at) => `old${String(at + 2)}`);
      await shows(...first);
      await bench.record({ at: start, detail: 'new' });
      await shows(...first, 'new');
      await bench.record({ at: start - 30, detail: 'late' });
      await bench.record({ at: start, detail: 'newer' });
      await shows(...first, 'new', 'late', 'newer');
      await end();
      expect(said.err).to.equal('');
    });

    it('shows what happens after the clock was set back', async () => {
      await bench.record({ at: now() + 7200, detail: 'ahead' });
      follow();
      await shows('ahead');
      await bench.record({ at: now(), detail: 'behind' });
      await shows('ahead', 'behind');
      await end();
    });

    it('shows what is stored between the first page and the next, also by a clock that was set back', async () => {
      await bench.record({ at: now() - 60, detail: 'older' }, { at: now() + 7200, detail: 'ahead' });
      const request = { socketPath: api.socket, verbosity: 1, since: null, of: null };
      const page = await newestEvents(request, 1);
      if (!page.ok) throw new Error(page.message);
      await bench.record({ at: now(), detail: 'behind' });
      const shown: string[] = [];
      const ending = new AbortController();
      const show = (rows: readonly EventRow[]) => {
        shown.push(...rows.map(({ detail }) => detail));
        ending.abort();
      };
      await followEvents({ request, shown: page.value, show, report: () => undefined, stop: ending.signal });
      expect(shown).to.deep.equal(['behind']);
    });

    it('starts with an empty history', async () => {
      follow();
      await until(
        () => said.out,
        (out) => out.startsWith('TIME'),
      );
      await bench.record({ at: now(), detail: 'first' });
      await shows('first');
      await end();
    });

    it('waits for a restarted daemon, reports it once, and misses no event', async () => {
      await bench.record({ at: now(), detail: 'before' });
      follow();
      await shows('before');
      const { settings } = api;
      await api.end();
      await bench.record({ at: now(), detail: 'meanwhile' });
      await until(() => said.err, includes('Waiting for it.'));
      // An error while the API is not ready must not count as an answer.
      api = await startedApi({
        settings: { ...settings, controlSocket: inFolderAgain(settings.controlSocket) },
      });
      await shows('before', 'meanwhile');
      await until(() => said.err, includes('The daemon answers again.'));
      await end();
      expect(said.err.match(/Waiting for it\./g)).to.have.length(1);
      rmSync(dirname(settings.controlSocket), { recursive: true });
    });

    it('prints one JSON object per line with --json', async () => {
      await bench.record({ at: now(), detail: 'a\nb' });
      follow('--json', '--ups', 'office@127.0.0.1');
      await until(() => said.out);
      await bench.record({ at: now(), detail: 'of others', source: 'rack-nut1' }, { at: now(), detail: 'c' });
      const lines = await until(() => said.out.split('\n').filter((line) => line !== ''), hasLength(2));
      await end();
      expect(lines.map((line) => (JSON.parse(line) as { detail: string }).detail)).to.deep.equal([
        'a\nb',
        'c',
      ]);
    });
  });
});
