import { expect } from 'chai';
import type * as t from 'io-ts';
import { decode } from '../../../shared/domain/base/decode.js';
import { EventsBody, HistoryBody } from '../../../shared/http/bodies.js';
import { SampleWriter } from '../../../workers/storage/samples.js';
import { Bench, sampleOf } from '../storage/fixture.js';
import type { ApiUnderTest } from './fixture.js';
import { publishedApi, publishedUps } from './fixture.js';
import type { Answered } from './raw.js';
import { ask, codeOf, Held } from './raw.js';

const office = 'office-127.0.0.1';
const events = '/api/v1/events';
const history = '/api/v1/ups/office%40127.0.0.1/history';
const retention = { rawHours: 24, fiveMinuteDays: 30, hourlyDays: 1825 };
/** After the last second with a year of four digits. */
const tooLate = '253402300800';

function body<C extends t.Mixed>(codec: C, answer: Answered): t.TypeOf<C> {
  expect(answer.status, answer.body).to.equal(200);
  const decoded = decode(codec, JSON.parse(answer.body));
  if (!decoded.ok) throw new Error(`${answer.body}: ${JSON.stringify(decoded.problems)}`);
  return decoded.value as t.TypeOf<C>;
}

function refusal(answer: Answered): readonly [number, string] {
  return [answer.status, codeOf(answer)];
}

describe('the history routes', () => {
  let bench: Bench;
  let api: ApiUnderTest;
  const start = async (directory = bench.directory, enabled = true): Promise<void> => {
    api = await publishedApi({ settings: { statistics: { directory, enabled, retention } } });
  };
  beforeEach(async () => {
    bench = new Bench();
    await bench.probe();
    await start();
  });
  afterEach(async () => {
    await api.end();
    await bench.end();
  });

  const eventsFor = async (query: string) => body(EventsBody, await ask(api, `${events}?${query}`)).events;
  const stamps = async (query: string) => (await eventsFor(query)).map(({ ts }) => ts);

  const refused: readonly (readonly [string, readonly string[]])[] = [
    [
      events,
      [
        ...['0', '10001', '-1', '1.5', '1e3', '', '%20', '0x10', 'ten', '99999999999999999999'].map(
          (limit) => `limit=${limit}`,
        ),
        ...['3', '-1', '1.0', ''].map((verbosity) => `verbosity=${verbosity}`),
        ...['', 'AUDIT', 'power', '__proto__'].map((category) => `category=${category}`),
        ...['from', 'to', 'before'].flatMap((name) =>
          ['-1', tooLate, '1.5', 'now', ''].map((value) => `${name}=${value}`),
        ),
        'from=2&to=1',
        'before=5&beforeSource=daemon',
        'before=5&beforeId=1',
        'before=5&beforeSource=&beforeId=1',
        'before=5&beforeSource=daemon&beforeId=-1',
        'before=5&beforeSource=daemon&beforeId=9007199254740992',
        'beforeSource=daemon&beforeId=1',
        'beforeSource=daemon',
        'beforeId=1',
        ...[
          'limit=1',
          'verbosity=1',
          'category=audit',
          'from=1',
          'to=1',
          'before=1',
          'beforeId=1',
          'beforeSource=a',
        ].map((one) => `before=9&beforeSource=a&beforeId=1&${one}&${one}`),
      ],
    ],
    [
      history,
      [
        ...['', 'Charge', 'watts', 'charge%00', '__proto__'].map((metric) => `metric=${metric}`),
        ...['9', '5001', '-10', '10.5', '', 'many'].map((points) => `points=${points}`),
        ...['from', 'to'].flatMap((name) => ['-1', tooLate, '0.5', ''].map((value) => `${name}=${value}`)),
        'from=2&to=1',
        'from=253402300799',
        ...['metric=load', 'points=10', 'from=1', 'to=1'].map((one) => `${one}&${one}`),
      ],
    ],
  ];
  for (const [path, queries] of refused)
    it(`reject invalid parameters of ${path} instead of clamping them`, async () => {
      for (const query of queries)
        expect(refusal(await ask(api, `${path}?${query}`)), query).to.deep.equal([400, 'INVALID_REQUEST']);
    });

  it('accept every parameter at its limits', async () => {
    for (const query of [
      'limit=1',
      'limit=10000',
      'verbosity=0',
      'verbosity=2',
      'from=0&to=0',
      'from=253402300799',
      'before=0&beforeSource=a&beforeId=0',
      'before=9&beforeSource=a&beforeId=9007199254740991',
    ])
      expect(await eventsFor(query), query).to.deep.equal([]);
    for (const query of ['points=10', 'points=5000', 'from=0&to=0', 'to=253402300799'])
      expect(body(HistoryBody, await ask(api, `${history}?${query}`)).data, query).to.deep.equal([]);
  });

  it('end no series before its start', async () => {
    const { from, to, data } = body(HistoryBody, await ask(api, `${history}?to=5`));
    expect([from, to, data]).to.deep.equal([5, 5, []]);
  });

  it('check the parameters before they look up the UPS', async () => {
    const nobody = '/api/v1/ups/nobody/history';
    expect(refusal(await ask(api, `${nobody}?points=1`))).to.deep.equal([400, 'INVALID_REQUEST']);
    expect(refusal(await ask(api, nobody))).to.deep.equal([404, 'NOT_FOUND']);
  });

  it('page through 250 events with the cursor without a gap or a duplicate', async () => {
    // Seven rows a second from three sources: the cursor must distinguish rows of one second.
    const sources = [office, 'daemon', 'rack'];
    await bench.record(
      ...Array.from({ length: 250 }, (_, index) => ({
        at: 1_700_000_000 + Math.floor(index / 7),
        source: sources[index % 3] ?? '',
        detail: String(index),
      })),
    );
    const pages: EventsBody['events'][] = [];
    for (let cursor = ''; pages.at(-1)?.length !== 0 && pages.length < 30;) {
      const page = await eventsFor(`limit=20${cursor}`);
      const [oldest] = page;
      pages.push(page);
      if (oldest !== undefined)
        cursor = `&before=${String(oldest.ts)}&beforeSource=${encodeURIComponent(oldest.source)}&beforeId=${String(oldest.id)}`;
    }
    const seen = pages.reverse().flat();
    expect(new Set(seen.map(({ detail }) => detail)).size).to.equal(250);
    expect(seen).to.have.length(250);
    const inOrder = (a: (typeof seen)[number], b: (typeof seen)[number]) =>
      a.ts - b.ts || (a.source < b.source ? -1 : a.source > b.source ? 1 : 0) || a.id - b.id;
    expect(seen).to.deep.equal([...seen].sort(inOrder));
    expect(await eventsFor('')).to.deep.equal(seen.slice(-100));
  });

  it('treat from, to, and before alone as inclusive', async () => {
    await bench.record(...[1, 2, 3, 4].map((at) => ({ at })));
    expect(await stamps('from=2&to=3')).to.deep.equal([2, 3]);
    expect(await stamps('before=3')).to.deep.equal([1, 2, 3]);
    expect(await stamps('before=3&from=2&limit=1')).to.deep.equal([3]);
    const [, second] = await eventsFor('');
    expect(await stamps(`before=2&beforeSource=${office}&beforeId=${String(second?.id)}`)).to.deep.equal([1]);
  });

  it('filter by verbosity, and by category on request', async () => {
    const types = [
      'ON_BATTERY',
      'SHUTDOWN_TRIGGERED',
      'BATTERY_ANOMALY',
      'LOGIN_FAILURE',
      'DAEMON_START',
    ] as const;
    await bench.record(...types.map((type, index) => ({ at: index + 1, type })));
    const shown = async (query: string) => (await eventsFor(query)).map(({ eventType }) => eventType);
    expect(await shown('verbosity=0')).to.deep.equal(types.slice(0, 2));
    expect(await shown('verbosity=1')).to.deep.equal(types.slice(0, 3));
    expect(await shown('')).to.deep.equal(types);
    expect(await shown('category=audit')).to.deep.equal(['LOGIN_FAILURE']);
    expect(await shown('category=audit&verbosity=1')).to.deep.equal([]);
  });

  it('name the UPS of an event; events of the daemon or of a removed UPS keep their stored name', async () => {
    await bench.record(
      { at: 1 },
      { at: 2, source: 'daemon', type: 'DAEMON_START' },
      { at: 3, source: 'gone' },
    );
    expect((await eventsFor('')).map(({ source, ups, label }) => [source, ups, label])).to.deep.equal([
      [office, 'office@127.0.0.1', 'Office'],
      ['daemon', 'daemon', 'daemon'],
      ['gone', 'gone', 'gone'],
    ]);
  });

  it('return the values of the requested UPS only', async () => {
    const now = Math.floor(Date.now() / 1000);
    await bench.run((db) =>
      new SampleWriter().append(db, [
        sampleOf(office, now - 3, { charge: 50, load: 20 }),
        sampleOf(office, now - 2, { charge: 40 }),
        sampleOf('rack', now - 2, { charge: 1 }),
      ]),
    );
    const from = String(now - 60);
    const charge = body(HistoryBody, await ask(api, `${history}?from=${from}`));
    expect(charge).to.include({ ups: 'office@127.0.0.1', metric: 'charge', from: now - 60, tier: 'raw' });
    expect(charge.data).to.deep.equal([
      { ts: now - 3, value: 50, min: 50, max: 50 },
      { ts: now - 2, value: 40, min: 40, max: 40 },
    ]);
    const load = body(HistoryBody, await ask(api, `/api/v1/ups/${office}/history?from=${from}&metric=load`));
    expect(load.data.map(({ value }) => value)).to.deep.equal([20]);
  });

  it('answer HEAD as GET, without the body', async () => {
    await bench.record({ at: 1 });
    for (const path of [events, history, `${events}?limit=0`]) {
      const get = await ask(api, path);
      const head = await ask(api, path, { method: 'HEAD' });
      expect([head.status, head.body], path).to.deep.equal([get.status, '']);
      expect(head.headers['content-type']).to.equal(get.headers['content-type']);
    }
  });

  it('answer the same over the control socket, with the same errors', async () => {
    await bench.record({ at: 1 });
    const local = (what: string) => ask({ path: api.socket }, `/control/v1/${what}`, { headers: '' });
    expect(body(EventsBody, await local('events?limit=5')).events).to.have.length(1);
    expect(body(HistoryBody, await local(`history?ups=${office}`)).ups).to.equal('office@127.0.0.1');
    expect(refusal(await local('events?limit=0'))).to.deep.equal([400, 'INVALID_REQUEST']);
    expect(refusal(await local('history?ups=a&ups=b'))).to.deep.equal([400, 'INVALID_REQUEST']);
    expect(refusal(await local('history'))).to.deep.equal([404, 'NOT_FOUND']);
  });

  it('are empty while statistics are off', async () => {
    await bench.record({ at: 1 });
    await api.end();
    await start(bench.directory, false);
    expect(await eventsFor('')).to.deep.equal([]);
    expect(body(HistoryBody, await ask(api, history)).data).to.deep.equal([]);
  });

  it('answer 503 without a database, and recover as soon as there is one', async () => {
    await api.end();
    await start('/nonexistent');
    for (const path of [events, history])
      expect(refusal(await ask(api, path))).to.deep.equal([503, 'STATS_UNAVAILABLE']);
    expect((await ask(api, '/api/v1/ups')).status).to.equal(200);
    api.body.reconfigure({
      ...api.settings,
      statistics: { directory: bench.directory, enabled: true, retention },
    });
    expect(await eventsFor('')).to.deep.equal([]);
  });

  it('survive clients that disconnect during a query', async () => {
    await bench.record(...Array.from({ length: 500 }, (_, at) => ({ at, detail: 'x'.repeat(1000) })));
    // As many as the queue accepts; two are running.
    const clients = Array.from({ length: 32 }, () => new Held(api));
    for (const { socket } of clients)
      socket.write(`GET ${events}?limit=10000 HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await Promise.all(
      clients.map(({ socket, closed }) => {
        socket.once('connect', () => setImmediate(() => socket.destroy()));
        return closed;
      }),
    );
    expect(await eventsFor('limit=10000')).to.have.length(500);
    expect(api.log.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });

  it('return hostile text as it was recorded', async () => {
    const detail = '\u001b[2J"\\\u0000<script>\u{1F50B}';
    await bench.record({ at: 1, detail });
    expect((await eventsFor('')).map((row) => row.detail)).to.deep.equal([detail]);
  });

  it('use the present names: a renamed UPS shows its new label', async () => {
    await bench.record({ at: 1 });
    await api.publish({ ups: [publishedUps({ label: 'Basement' })] });
    expect((await eventsFor(''))[0]).to.include({ source: office, label: 'Basement' });
  });
});
