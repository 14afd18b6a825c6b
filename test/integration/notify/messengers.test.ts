import { expect } from 'chai';
import type { Certificate } from '../../fixtures/certificates.js';
import { makeCertificate } from '../../fixtures/certificates.js';
import { closeServers } from '../../fixtures/loopback-server.js';
import { until } from '../../fixtures/until.js';
import { deliver, message, verdict } from './delivering.js';
import type { Answer, HttpServer } from './http-server.js';
import { fine, startHttp, status } from './http-server.js';

const both = `${message.title}\n${message.body}`;
const [user, token] = ['u'.repeat(30), 't'.repeat(30)];
const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;

interface Case {
  readonly name: string;
  readonly url: (port: string) => string;
  readonly request: object;
  readonly headers?: Record<string, string>;
  /** The status of its success. */
  readonly success: number;
}

const cases: readonly Case[] = [
  {
    name: 'Pushover',
    url: (port) => `pushover://127.0.0.1:${port}/${user}/${token}/phone`,
    request: {
      method: 'POST',
      path: '/1/messages.json',
      body: {
        user,
        token,
        device: 'phone',
        title: message.title,
        message: message.body,
        priority: 1,
        timestamp: 1_700_000_000,
      },
    },
    success: 200,
  },
  {
    name: 'Matrix',
    url: (port) => `matrixs://syt_t0ken@127.0.0.1:${port}/!room:matrix.example`,
    request: {
      method: 'PUT',
      path: '/_matrix/client/v3/rooms/!room%3Amatrix.example/send/m.room.message/a1b2-7',
      body: { msgtype: 'm.text', body: both },
    },
    headers: { authorization: 'Bearer syt_t0ken' },
    success: 200,
  },
  {
    name: 'Signal',
    url: (port) => `signals://u:p@127.0.0.1:${port}/+491700000001/+491700000002`,
    request: {
      method: 'POST',
      path: '/v2/send',
      body: { number: '+491700000001', recipients: ['+491700000002'], message: both },
    },
    headers: { authorization: basic('u:p') },
    success: 201,
  },
  {
    name: 'Nextcloud Talk',
    url: (port) => `nctalks://ups:app-pass@127.0.0.1:${port}/cloud/a1b2c3`,
    request: {
      method: 'POST',
      path: '/cloud/ocs/v2.php/apps/spreed/api/v1/chat/a1b2c3',
      body: { message: both },
    },
    headers: { authorization: basic('ups:app-pass'), 'ocs-apirequest': 'true' },
    success: 201,
  },
  {
    name: 'an Apprise API server',
    url: (port) => `apprise+https://127.0.0.1:${port}/notify/home?tag=ops`,
    request: {
      method: 'POST',
      path: '/notify/home',
      body: { title: message.title, body: message.body, type: 'warning', tag: 'ops' },
    },
    success: 200,
  },
  {
    name: 'Teams',
    url: (port) => `teams://127.0.0.1:${port}/workflows/ab?sig=x-Y_z`,
    request: { method: 'POST', path: '/workflows/ab?sig=x-Y_z' },
    success: 202,
  },
];

describe('messengers', () => {
  let certificate: Certificate;

  const https = (answer: Answer): Promise<HttpServer> => startHttp(answer, certificate);
  const send = (one: Case, { port }: HttpServer, more: Parameters<typeof deliver>[1] = {}) =>
    deliver(one.url(String(port)), { ca: certificate.certPem, ...more });

  before(async () => {
    certificate = await makeCertificate();
  });
  afterEach(closeServers);

  for (const one of cases)
    describe(one.name, () => {
      it('gets a message in its own form, with the headers of the operator', async () => {
        const server = await https(status(one.success));
        expect(verdict(await send(one, server, { headers: { 'X-Extra': 'a' } }))).to.equal('delivered');
        expect(server.received).to.have.length(1);
        expect(server.received[0]).to.deep.include(one.request);
        expect(server.received[0]?.headers).to.include({ ...one.headers, 'x-extra': 'a' });
      });

      it('is given up when it hangs', async () => {
        const server = await https(() => undefined);
        expect(verdict(await send(one, server, { withinMs: 200 }))).to.equal('given up');
        await until(server.connections, (count) => count === 0);
      });

      it('pauses when it limits the rate', async () => {
        const server = await https(status(429, { 'Retry-After': '30' }));
        const outcome = await send(one, server);
        expect(outcome).to.have.nested.property('fault.code', 'BUSY');
        expect(outcome).to.have.nested.property('fault.retryAfterMs', 30_000);
      });

      it('is reported without its address when it refuses, or is down', async () => {
        const server = await https(status(401, {}, '{"errcode":"M_UNKNOWN_TOKEN","error":"x"}'));
        const refused = await send(one, server);
        expect(verdict(refused)).to.equal('DENIED');
        await server.close();
        const gone = await send(one, server);
        expect(verdict(gone)).to.equal('UNREACHABLE');
        expect(JSON.stringify([refused, gone])).to.not.match(/t0ken|app-pass|uuuu|\+49|127\.0\.0\.1|x-Y_z/);
      });

      it('gets a text of bounded size', async () => {
        const server = await https(fine);
        await send(one, server, { message: { ...message, body: '\u{1F50B}"\\\n'.repeat(1000) } });
        expect(JSON.stringify(server.received[0]?.body).length).to.be.lessThan(28_000);
      });
    });

  it('tell apart a wrong key at Pushover, a pause in the body at Matrix, and an empty KEY at Apprise', async () => {
    const [pushover, matrix, , , apprise] = cases;
    if (pushover === undefined || matrix === undefined || apprise === undefined) throw new Error('no case');
    const wrong = await https(status(400, {}, '{"user":"invalid","status":0}'));
    expect(verdict(await send(pushover, wrong))).to.equal('DENIED');
    const limited = await https(status(429, {}, '{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":2500}'));
    expect(await send(matrix, limited)).to.have.nested.property('fault.retryAfterMs', 2500);
    const absurd = await https(status(429, {}, '{"retry_after_ms":1e308}'));
    expect(await send(matrix, absurd)).to.have.nested.property('fault.retryAfterMs', 3_600_000);
    const empty = await https(status(204));
    expect(verdict(await send(apprise, empty))).to.equal('WRONG_ADDRESS');
    const partly = await https(status(424, {}, '{"error":"x"}'));
    expect(verdict(await send(apprise, partly))).to.equal('SERVICE_ERROR');
  });

  it('take the text of Teams for a refusal where its status says that all is well', async () => {
    const teams = cases.at(-1);
    if (teams === undefined) throw new Error('no case');
    const text = (code: string): string =>
      `Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error ${code} with ContextId x.`;
    for (const [body, expected] of [
      ['1', 'delivered'],
      ['', 'delivered'],
      [text('429'), 'BUSY'],
      [text('413'), 'REFUSED'],
      [text('403'), 'WRONG_ADDRESS'],
      [text('500'), 'SERVICE_ERROR'],
      [
        'Webhook message delivery failed with error: Error contacting Microsoft Teams endpoint',
        'SERVICE_ERROR',
      ],
    ] as const) {
      const outcome = await send(teams, await https(status(200, {}, body)));
      expect(verdict(outcome), body).to.equal(expected);
    }
  });

  it('show no markup of a text in a card of Teams', async () => {
    const teams = cases.at(-1);
    const server = await https(status(202));
    if (teams !== undefined)
      await send(teams, server, { message: { ...message, body: '[x](http://evil.example) **a**\nb' } });
    const [{ content } = { content: {} }] = (server.received[0]?.body['attachments'] ?? []) as {
      content: object;
    }[];
    expect(content).to.have.nested.property('body[1].inlines[0].text', '[x](http://evil.example) **a**');
    expect(JSON.stringify(content)).to.not.include('"TextBlock"');
  });
});
