import { expect } from 'chai';
import type { ApiUnderTest } from './fixture.js';
import { publishedApi, startedApi } from './fixture.js';
import { Held, answersIn, ask, codeOf, exchange } from './raw.js';

const health = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';
const lastHealth = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

describe('the HTTP transport', () => {
  let api: ApiUnderTest;
  beforeEach(async () => {
    api = await publishedApi();
  });
  afterEach(() => api.end());

  const broken: readonly (readonly [string, string, number, string])[] = [
    ['garbage', 'hello there\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00', 400, 'INVALID_REQUEST'],
    ['an unknown version', 'GET / HTTP/9.9\r\nHost: localhost\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost localhost\r\n\r\n', 400, 'INVALID_REQUEST'],
    [
      'two lengths',
      'POST /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'INVALID_REQUEST',
    ],
    [
      'a header of 20 KiB',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    ['a path of 20 KiB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
  ];
  for (const [what, bytes, status, code] of broken)
    it(`answers ${what} with ${String(status)} ${code} in JSON and closes`, async () => {
      const [answer] = answersIn(await exchange(api, bytes));
      expect(answer?.status).to.equal(status);
      if (answer !== undefined) expect(codeOf(answer)).to.equal(code);
      expect(answer?.headers).to.include({
        'content-type': 'application/json; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        connection: 'close',
      });
    });

  it('answers CONNECT with 404, after the Host check', async () => {
    for (const [host, status] of [
      ['localhost', 404],
      ['evil.example.org', 421],
    ] as const) {
      const [answer] = answersIn(
        await exchange(api, `CONNECT evil.example.org:443 HTTP/1.1\r\nHost: ${host}\r\n\r\n`),
      );
      expect(answer?.status).to.equal(status);
    }
  });

  it('answers a CONNECT after the requests before it', async () => {
    const connect = 'CONNECT evil.example.org:443 HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const explain = 'GET /api/v1/ups/office-127.0.0.1/explain HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const text = await exchange(api, `${explain}${health}${connect}`);
    expect(answersIn(text).map(({ status }) => status)).to.deep.equal([200, 200, 404]);
  });

  it('survives a CONNECT that is reset', async () => {
    const held = new Held(api);
    held.socket.write('CONNECT evil.example.org:443 HTTP/1.1\r\nHost: localhost\r\n\r\n');
    held.socket.resetAndDestroy();
    await held.closed;
    expect((await ask(api, '/health')).status).to.equal(200);
  });

  it('answers an unknown expectation with 417', async () => {
    const answer = await ask(api, '/health', { headers: 'Host: localhost\r\nExpect: the-moon\r\n' });
    expect([answer.status, codeOf(answer)]).to.deep.equal([417, 'EXPECTATION_FAILED']);
  });

  it('answers Expect: 100-continue immediately when it does not need the body', async () => {
    const text = await exchange(
      api,
      'POST /health HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n',
    );
    expect(text).to.match(/^HTTP\/1\.1 405 /);
  });

  describe('with an unknown Host', () => {
    const hosts: readonly (readonly [string, string])[] = [
      ['no Host', ''],
      ['an empty one', 'Host:\r\n'],
      ['two of them', 'Host: localhost\r\nHost: localhost\r\n'],
      ['a foreign name', 'Host: evil.example.org\r\n'],
      [
        'a name after two thousand headers',
        `${'a: b\r\n'.repeat(2100)}Host: localhost\r\nhost: evil.example.org\r\n`,
      ],
    ];
    for (const [what, headers] of hosts)
      it(`rejects ${what} on every path and method`, async () => {
        for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS'])
          for (const path of ['/health', '/', '/nothing', '/api/v1/ups']) {
            const answer = await ask(api, path, { method, headers });
            expect([answer.status, codeOf(answer)], `${method} ${path}`).to.deep.equal([
              421,
              'MISDIRECTED_REQUEST',
            ]);
          }
      });

    it('accepts a listed name in any case', async () =>
      expect((await ask(api, '/health', { headers: 'Host: UPS.example.ORG:80\r\n' })).status).to.equal(200));

    it('logs only the first name, with the remedy', async () => {
      for (const name of ['first.example.org', 'second.example.org'])
        await ask(api, '/health', { headers: `Host: ${name}\r\n` });
      const told = api.log
        .map(({ message }) => message)
        .filter((message) => message.includes('for the host'));
      expect(told).to.have.length(1);
      expect(told[0]).to.contain('first.example.org').and.to.contain('api.allowed_hosts');
    });
  });

  it('answers pipelined requests in order, and a malformed one last', async () => {
    const explain = 'GET /api/v1/ups/office-127.0.0.1/explain HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const text = await exchange(
      api,
      `${explain}${health}GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n!!!\r\n\r\n`,
    );
    expect(answersIn(text).map(({ status }) => status)).to.deep.equal([200, 200, 404, 400]);
  });

  it('answers 65 pipelined requests, and closes a connection that sends more', async () => {
    const answered = answersIn(await exchange(api, `${health.repeat(64)}${lastHealth}`));
    expect(answered.map(({ status }) => status)).to.deep.equal(Array.from({ length: 65 }, () => 200));
    expect(answersIn(await exchange(api, health.repeat(1000))).length).to.be.below(66);
    expect((await ask(api, '/health')).status).to.equal(200);
  });

  it('serves other connections between two requests of one connection', async () => {
    const many = new Held(api);
    many.socket.write(health.repeat(60));
    const answer = await ask(api, '/health');
    const before = answersIn(many.received).length;
    expect([answer.status, before < 60]).to.deep.equal([200, true]);
    await many.until((text) => answersIn(text).length === 60);
    many.socket.destroy();
  });

  it('keeps a connection whose request body was not read', async () => {
    const post = `POST /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 300000\r\n\r\n${'x'.repeat(300_000)}`;
    const text = await exchange(api, `${post}${lastHealth}`);
    expect(answersIn(text).map(({ status }) => status)).to.deep.equal([405, 200]);
  });

  it('closes a connection whose unread body does not end', async () => {
    const held = new Held(api);
    held.socket.write('POST /health HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
    await held.until((text) => text.includes(' 405 '));
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const pour = (): void => {
      while (!held.socket.destroyed && held.socket.write(chunk));
    };
    held.socket.on('drain', pour);
    pour();
    await held.closed;
    expect(held.received.match(/HTTP\/1\.1/g)).to.have.length(1);
  });

  it('sends no second answer when a body breaks after the answer', async () => {
    const held = new Held(api);
    held.socket.write('POST /health HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
    await held.until((text) => text.includes(' 405 '));
    held.socket.write('not a chunk\r\n');
    await held.closed;
    expect(held.received.match(/HTTP\/1\.1/g)).to.have.length(1);
  });
});

describe('the limit on connections', () => {
  const hold = (api: ApiUnderTest, count: number): readonly Held[] =>
    Array.from({ length: count }, () => new Held(api));

  it('keeps /health available: it closes one of 256 silent connections for a new one', async () => {
    const api = await startedApi({ limits: { headerMs: 60_000, requestMs: 60_000 } });
    const silent = hold(api, 256);
    await Promise.all(silent.map(({ socket }) => new Promise((resolve) => socket.once('connect', resolve))));
    expect((await ask(api, '/health')).status).to.equal(200);
    await silent[0]?.closed;
    expect(silent.filter(({ socket }) => socket.destroyed)).to.have.length(1);
    for (const { socket } of silent) socket.destroy();
    await api.end();
  });

  it('closes the oldest connection without a request before one that waits for its answer', async () => {
    let answer: () => void = () => undefined;
    const later = new Promise<void>((resolve) => (answer = resolve));
    const api = await publishedApi({
      limits: { connections: 2, headerMs: 60_000, requestMs: 60_000 },
      ask: () => later.then(() => ({ ok: true, value: { readings: {} } })),
    });
    const waits = new Held(api);
    waits.socket.write('GET /api/v1/ups/office-127.0.0.1/readings HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const idle = new Held(api);
    idle.socket.write(health);
    await idle.until((text) => text.includes(' 200 '));
    expect((await ask(api, '/health')).status).to.equal(200);
    await idle.closed;
    answer();
    await waits.until((text) => text.includes(' 200 '));
    waits.socket.destroy();
    await api.end();
  });

  it('closes a waiting connection when all of them wait', async () => {
    const api = await publishedApi({
      limits: { connections: 3, headerMs: 60_000, requestMs: 60_000 },
      ask: () => new Promise(() => undefined),
    });
    const waiting = hold(api, 3);
    for (const { socket } of waiting)
      socket.write('GET /api/v1/ups/office-127.0.0.1/readings HTTP/1.1\r\nHost: localhost\r\n\r\n');
    while (api.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect((await ask(api, '/health')).status).to.equal(200);
    for (const { socket } of waiting) socket.destroy();
    await api.end();
  });
});
