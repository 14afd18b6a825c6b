import { expect } from 'chai';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import { publishedApi, startedApi } from '../fixture.js';
import { Held, answersIn, codeOf } from '../raw.js';

const health = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';

/**
 * The server that answers the next request. Node reads the deadlines of a server at each sweep: a test shortens one once the
 * request has arrived, however long that took.
 */
function nextServer(): Promise<Server> {
  const channel = 'http.server.request.start';
  return new Promise((resolve) => {
    const taken = (message: unknown): void => {
      unsubscribe(channel, taken);
      resolve((message as { readonly server: Server }).server);
    };
    subscribe(channel, taken);
  });
}

describe('a slow HTTP client', () => {
  it('gets 408 for an incomplete header at the deadline', async () => {
    const api = await startedApi();
    const server = nextServer();
    const held = new Held(api);
    held.socket.write(`${health}GET /health HTTP/1.1\r\nHo`);
    await held.until((text) => text.includes(' 200 '));
    (await server).headersTimeout = 1;
    await held.closed;
    const [, answer] = answersIn(held.received);
    expect(answer?.status).to.equal(408);
    if (answer !== undefined) expect(codeOf(answer)).to.equal('REQUEST_TIMEOUT');
    await api.end();
  });

  it('is closed without an answer when it never sends anything', async () => {
    const api = await startedApi({ limits: { headerMs: 60, requestMs: 120 } });
    const held = new Held(api);
    await held.closed;
    expect(held.received).to.equal('');
    await api.end();
  });

  it('is closed when its unread body continues past the deadline', async () => {
    const api = await startedApi({ limits: { requestMs: 59_000 } });
    const server = nextServer();
    const held = new Held(api);
    held.socket.write('POST /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx');
    expect((await server).requestTimeout).to.equal(59_000);
    await held.until((text) => text.includes('\r\n\r\n'));
    // Node takes the smaller of the two for the header.
    Object.assign(await server, { headersTimeout: 1, requestTimeout: 1 });
    await held.closed;
    expect(answersIn(held.received).map(({ status }) => status)).to.deep.equal([405]);
    await api.end();
  });

  it('is closed when it does not read its answer', async () => {
    const api = await publishedApi({
      limits: { unreadAnswerMs: 60 },
      ask: () => Promise.resolve({ ok: true, value: { readings: { huge: 'x'.repeat(30_000_000) } } }),
    });
    const held = new Held(api);
    held.socket.pause();
    held.socket.write('GET /api/v1/ups/office-127.0.0.1/readings HTTP/1.1\r\nHost: localhost\r\n\r\n');
    // A paused client notices the end only when it writes.
    const knocking = setInterval(() => held.socket.write('x'), 10);
    await held.closed;
    clearInterval(knocking);
    expect(held.received.length).to.be.lessThan(30_000_000);
    await api.end();
  });
});
