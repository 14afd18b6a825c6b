import { expect } from 'chai';
import type { Certificate } from '../../fixtures/certificates.js';
import { makeCertificate } from '../../fixtures/certificates.js';
import { closeServers } from '../../fixtures/loopback-server.js';
import { until } from '../../fixtures/until.js';
import { deliver, message, verdict } from './delivering.js';
import type { Answer, HttpServer } from './http-server.js';
import { fine, startHttp, status } from './http-server.js';

describe('notification services over HTTP', () => {
  let certificate: Certificate;

  const https = (answer: Answer): Promise<HttpServer> => startHttp(answer, certificate);
  before(async () => {
    certificate = await makeCertificate();
  });
  afterEach(closeServers);

  describe('a message', () => {
    const secure: readonly (readonly [string, (port: number) => string, string, object])[] = [
      [
        'Discord',
        (port) => `discord://127.0.0.1:${String(port)}/api/webhooks/12345/to-ken`,
        '/api/webhooks/12345/to-ken',
        { content: `${message.title}\n${message.body}`, allowed_mentions: { parse: [] } },
      ],
      [
        'Slack',
        (port) => `slack://127.0.0.1:${String(port)}/services/T0/B0/xyz`,
        '/services/T0/B0/xyz',
        {
          text: `${message.title}\n${message.body}`.replace('&', '&amp;').replace('<', '&lt;'),
        },
      ],
      [
        'Telegram',
        (port) => `telegram://127.0.0.1:${String(port)}/bot123:ABC/-4711`,
        '/bot123:ABC/sendMessage',
        { chat_id: '-4711', text: `${message.title}\n${message.body}` },
      ],
      [
        'ntfy over TLS',
        (port) => `ntfys://127.0.0.1:${String(port)}/alarms`,
        '/',
        {
          topic: 'alarms',
          title: message.title,
          message: message.body,
          priority: 5,
          tags: ['warning'],
        },
      ],
    ];
    for (const [name, url, path, body] of secure)
      it(`reaches ${name} in its own form`, async () => {
        const server = await https(fine);
        expect(verdict(await deliver(url(server.port), { ca: certificate.certPem }))).to.equal('delivered');
        expect(server.received).to.have.length(1);
        expect(server.received[0]).to.deep.include({ method: 'POST', path, body });
        expect(server.received[0]?.headers['content-type']).to.equal('application/json; charset=utf-8');
        expect(server.received[0]?.headers['user-agent']).to.match(/^ridethrough\/\d/);
      });

    it('reaches ntfy with a token, or with user and password', async () => {
      const server = await startHttp(fine);
      const port = String(server.port);
      await deliver(`ntfy://tk_123@127.0.0.1:${port}/alarms`);
      await deliver(`ntfy://me:p%40ss@127.0.0.1:${port}/alarms`);
      expect(server.received.map(({ headers }) => headers.authorization)).to.deep.equal([
        'Bearer tk_123',
        `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
      ]);
    });

    it('reaches Gotify with its token in a header, also below a path', async () => {
      const server = await startHttp(fine);
      await deliver(`gotify://127.0.0.1:${String(server.port)}/push/A1b2`);
      expect(server.received[0]).to.deep.include({
        path: '/push/message',
        body: { title: message.title, message: message.body, priority: 8 },
      });
      expect(server.received[0]?.headers['x-gotify-key']).to.equal('A1b2');
    });

    it('reaches a webhook with the event for programs and the text for readers', async () => {
      const server = await startHttp(fine);
      await deliver(`webhook+http://u:p@127.0.0.1:${String(server.port)}/hook?room=a%20b`);
      expect(server.received[0]).to.deep.include({
        path: '/hook?room=a%20b',
        body: {
          id: 'a1b2-7',
          title: 'nas01: On battery',
          text: message.text,
          time: message.time,
          timestamp: 1_700_000_000,
          eventType: 'ON_BATTERY',
          source: 'office-127.0.0.1',
          urgent: true,
        },
      });
      expect(server.received[0]?.headers.authorization).to.equal(`Basic ${btoa('u:p')}`);
    });

    it('is cut to the limit of a service', async () => {
      const server = await https(fine);
      const long = { ...message, body: 'x'.repeat(4000) };
      const url = `discord://127.0.0.1:${String(server.port)}/api/webhooks/1/t`;
      await deliver(url, { ca: certificate.certPem, message: long });
      const content = String(server.received[0]?.body['content']);
      expect(content.length).to.equal(2000);
      expect(content.endsWith('x [cut]')).to.equal(true);
    });

    it('goes only to a server with a valid certificate', async () => {
      const server = await https(fine);
      const outcome = await deliver(`ntfys://127.0.0.1:${String(server.port)}/alarms`);
      expect(verdict(outcome)).to.equal('TLS_FAILED');
      expect(JSON.stringify(outcome)).to.contain('own authority set NODE_EXTRA_CA_CERTS');
      expect(server.received).to.deep.equal([]);
    });

    it('does not follow a redirect', async () => {
      const other = await startHttp(fine);
      const server = await startHttp(status(302, { Location: `http://127.0.0.1:${String(other.port)}/` }));
      const outcome = await deliver(`webhook+http://127.0.0.1:${String(server.port)}/`);
      expect(verdict(outcome)).to.equal('WRONG_ADDRESS');
      expect(other.received).to.deep.equal([]);
    });
  });

  describe('a rejection by a service', () => {
    const verdicts: readonly (readonly [number, string])[] = [
      [400, 'REFUSED'],
      [401, 'DENIED'],
      [403, 'DENIED'],
      [404, 'WRONG_ADDRESS'],
      [410, 'WRONG_ADDRESS'],
      [413, 'REFUSED'],
      [429, 'BUSY'],
      [500, 'SERVICE_ERROR'],
      [503, 'SERVICE_ERROR'],
    ];
    for (const [code, expected] of verdicts)
      it(`maps ${String(code)} to ${expected}`, async () => {
        const server = await startHttp(status(code));
        const outcome = await deliver(`gotify://127.0.0.1:${String(server.port)}/tok`);
        expect(verdict(outcome)).to.equal(expected);
        expect(JSON.stringify(outcome)).to.contain(`HTTP ${String(code)}`);
        await until(server.connections, (count) => count === 0);
      });

    const pauses: readonly (readonly [string, string, number | null])[] = [
      ['seconds', '120', 120_000],
      ['more than an hour', '999999999', 3_600_000],
      ['nonsense', 'soon', null],
    ];
    for (const [what, header, expected] of pauses)
      it(`pauses for the time it names: ${what}`, async () => {
        const server = await startHttp(status(429, { 'Retry-After': header }));
        const outcome = await deliver(`gotify://127.0.0.1:${String(server.port)}/tok`);
        expect(outcome).to.have.nested.property('fault.retryAfterMs', expected);
      });

    it('pauses until the date it names', async () => {
      const date = Math.ceil(Date.now() / 1000) * 1000 + 1_800_000;
      const server = await startHttp(status(503, { 'Retry-After': new Date(date).toUTCString() }));
      const latest = date - Date.now();
      const outcome = await deliver(`gotify://127.0.0.1:${String(server.port)}/tok`);
      const earliest = date - Date.now();
      expect(outcome).to.have.nested.property('fault.retryAfterMs').that.is.within(earliest, latest);
    });

    const telegram = async (code: number, body: object): Promise<unknown> => {
      const server = await https(status(code, {}, JSON.stringify(body)));
      return deliver(`tgram://127.0.0.1:${String(server.port)}/bot1:A/5`, { ca: certificate.certPem });
    };

    it('pauses for the time in its body, as Telegram sends it', async () => {
      const outcome = await telegram(429, {
        ok: false,
        error_code: 429,
        description: 'Too Many Requests: retry after 17',
        parameters: { retry_after: 17 },
      });
      expect(outcome).to.have.nested.property('fault.retryAfterMs', 17_000);
    });

    it('means an unknown chat or bot at Telegram', async () => {
      const chat = { ok: false, error_code: 400, description: 'Bad Request: chat not found' };
      expect(verdict((await telegram(400, chat)) as never)).to.equal('WRONG_ADDRESS');
      const bot = { ok: false, error_code: 404, description: 'Not Found' };
      expect(verdict((await telegram(404, bot)) as never)).to.equal('DENIED');
    });
  });
});
