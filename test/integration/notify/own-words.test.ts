// Refusals as the services word them: the code decides what it means, the sentence is shown, and no part of an address is.
import { expect } from 'chai';
import type { Certificate } from '../../fixtures/certificates.js';
import { makeCertificate } from '../../fixtures/certificates.js';
import { closeServers } from '../../fixtures/loopback-server.js';
import { deliver, message, verdict } from './delivering.js';
import { fine, startHttp, status } from './http-server.js';

const [user, token] = ['u'.repeat(30), 't'.repeat(30)];
const urls: Readonly<Record<string, string>> = {
  telegram: 'telegram://HOST/bot123:S3cr3t-Token/-100123',
  ntfy: 'ntfys://tk_S3cr3t@HOST/alarms',
  gotify: 'gotifys://HOST/S3cr3t-Token',
  pushover: `pushover://HOST/${user}/${token}`,
  matrix: 'matrixs://S3cr3t@HOST/!room:m.example',
  discord: 'discord://HOST/api/webhooks/12345/S3cr3t',
  slack: 'slack://HOST/services/T0/B0/S3cr3t',
  nextcloud: 'nctalks://ups:S3cr3t@HOST/a1b2c3',
  teams: 'teams://HOST/workflows/ab?sig=S3cr3t-sig',
  signal: 'signals://HOST/+491700000001/+491700000002',
  apprise: 'apprise+https://HOST/notify/S3cr3t',
  webhook: 'webhook+https://me:S3cr3t@HOST/hook',
};

const telegram = (error_code: number, description: string): string =>
  JSON.stringify({ ok: false, error_code, description });
const ocs = (text: string): string =>
  JSON.stringify({ ocs: { meta: { status: 'failure', statuscode: 404, message: text }, data: [] } });

/** Service, status, body, verdict, what the message includes. */
const refusals: readonly (readonly [string, number, string, string, string])[] = [
  [
    'telegram',
    401,
    telegram(401, 'Unauthorized'),
    'DENIED',
    'token of the bot is not valid, or was revoked (HTTP 401): "Unauthorized"',
  ],
  [
    'telegram',
    403,
    telegram(403, 'Forbidden: bot was kicked from the group chat'),
    'WRONG_ADDRESS',
    'may not write to this chat (HTTP 403): "Forbidden: bot was kicked',
  ],
  [
    'telegram',
    403,
    telegram(403, 'Forbidden: bot was blocked by the user'),
    'WRONG_ADDRESS',
    'add the bot to it',
  ],
  ['telegram', 404, telegram(404, 'Not Found'), 'DENIED', 'the bot does not exist'],
  [
    'telegram',
    400,
    telegram(400, 'Bad Request: message thread not found'),
    'WRONG_ADDRESS',
    'correct or remove "topic"',
  ],
  ['telegram', 400, telegram(400, 'Bad Request: message text is empty'), 'REFUSED', 'message text is empty'],
  [
    'ntfy',
    403,
    '{"code":40301,"http":403,"error":"forbidden","link":"https://ntfy.sh/docs/publish/#authentication"}',
    'DENIED',
    '(HTTP 403): "forbidden"',
  ],
  [
    'ntfy',
    429,
    '{"code":42908,"http":429,"error":"limit reached: daily message quota reached"}',
    'BUSY',
    'daily message quota reached',
  ],
  [
    'gotify',
    401,
    '{"error":"Unauthorized","errorCode":401,"errorDescription":"you need to provide a valid access token"}',
    'DENIED',
    '"you need to provide a valid access token"',
  ],
  [
    'pushover',
    400,
    '{"token":"invalid","errors":["application token is invalid"],"status":0}',
    'DENIED',
    'refuses the API token (HTTP 400): "application token is invalid"',
  ],
  [
    'pushover',
    400,
    '{"user":"invalid","errors":["user identifier is not a valid user"],"status":0}',
    'DENIED',
    'refuses the user key',
  ],
  [
    'pushover',
    400,
    '{"message":"cannot be blank","errors":["message cannot be blank"],"status":0}',
    'REFUSED',
    'message cannot be blank',
  ],
  [
    'matrix',
    401,
    '{"errcode":"M_UNKNOWN_TOKEN","error":"Invalid access token passed."}',
    'DENIED',
    'correct the token',
  ],
  [
    'matrix',
    403,
    '{"errcode":"M_FORBIDDEN","error":"User @ups:m.example not in room !room:m.example"}',
    'WRONG_ADDRESS',
    'write to this room (HTTP 403): "User',
  ],
  ['discord', 404, '{"message": "Unknown Webhook", "code": 10015}', 'WRONG_ADDRESS', '"Unknown Webhook"'],
  ['slack', 410, 'channel_is_archived', 'WRONG_ADDRESS', '(HTTP 410): "channel_is_archived"'],
  ['slack', 403, 'action_prohibited', 'DENIED', '"action_prohibited"'],
  ['nextcloud', 404, ocs('Room not found'), 'WRONG_ADDRESS', 'add the user to the room'],
  ['nextcloud', 412, ocs(''), 'WRONG_ADDRESS', '(HTTP 412);'],
  [
    'teams',
    404,
    '{"error":{"code":"WorkflowNotFound","message":"The workflow could not be found."}}',
    'WRONG_ADDRESS',
    'The workflow could not be found.',
  ],
  [
    'signal',
    400,
    '{"error":"Failed to send message: Unregistered user \\"+491700000002\\""}',
    'REFUSED',
    'Unregistered user',
  ],
  ['apprise', 500, '{"error":"The server is busy"}', 'SERVICE_ERROR', 'The server is busy'],
  [
    'webhook',
    500,
    '<html><head><title>Bad\r\n Gateway</title></head></html>',
    'SERVICE_ERROR',
    '(HTTP 500): "Bad Gateway"',
  ],
  ['webhook', 400, '<p>nothing of this</p>', 'REFUSED', '(HTTP 400)'],
];

describe('the own words of a service', () => {
  let certificate: Certificate;
  before(async () => {
    certificate = await makeCertificate();
  });
  afterEach(closeServers);

  async function refused(service: string, code: number, body: string): Promise<string> {
    const server = await startHttp(status(code, {}, body), certificate);
    const url = (urls[service] ?? '').replace('HOST', `127.0.0.1:${String(server.port)}`);
    const outcome = await deliver(url, { ca: certificate.certPem });
    if (outcome === null || outcome.ok) throw new Error(verdict(outcome));
    return `${outcome.fault.code} ${outcome.fault.message}`;
  }

  for (const [service, code, body, expected, words] of refusals)
    it(`are in the message: ${service}, HTTP ${String(code)}, ${words}`, async () => {
      const said = await refused(service, code, body);
      expect(said.startsWith(`${expected} `), said).to.equal(true);
      expect(said).to.include(words);
      expect(said).to.not.match(/S3cr3t|uuuu|tttt|\+49170|127\.0\.0\.1|room:m|ups:m/);
    });

  it('have no part of the address in any spelling, no key, no mailbox, one line, and an end', async () => {
    const basic = Buffer.from('me:S3cr3t').toString('base64');
    const hostile = [
      'no S3cr3t, no S3cr3t%20, no me@mail.example',
      `no ${basic.replaceAll('=', '')}`,
      'no https://evil.example/?x=1, no sk_live_0123456789abcdefghij\u202e\u0007',
      '"; rm',
    ];
    const said = await refused('webhook', 400, JSON.stringify({ error: hostile.join('\n') }));
    expect(said, said).to.match(/: "no \[…\], no \[…\]%20, no \[…\] no \[…\] no \[…\] no \[…\] '; rm"$/);
    const long = await refused('webhook', 400, JSON.stringify({ error: 'word '.repeat(500) }));
    expect(long.length).to.be.lessThan(300);
  });
});

describe('a Telegram group that has become a supergroup', () => {
  let certificate: Certificate;
  before(async () => {
    certificate = await makeCertificate();
  });
  afterEach(closeServers);

  const moved = (to: unknown): string =>
    JSON.stringify({
      ok: false,
      error_code: 400,
      description: 'Bad Request: group chat was upgraded to a supergroup chat',
      parameters: { migrate_to_chat_id: to },
    });
  const url = ({ port }: { readonly port: number }): string =>
    `telegram://127.0.0.1:${String(port)}/bot1:A/-4001?topic=7`;

  it('gets its messages under the new id, which the first delivery names', async () => {
    const server = await startHttp((response, request) => {
      const chat = request.body['chat_id'];
      if (chat === '-4001') status(400, {}, moved(-1_001_234_567_890))(response, request);
      else fine(response, request);
    }, certificate);
    const outcome = await deliver(url(server), { ca: certificate.certPem, times: 2 });
    expect(server.received.map(({ body }) => body['chat_id'])).to.deep.equal([
      '-4001',
      '-1001234567890',
      '-1001234567890',
    ]);
    expect(server.received[1]?.body).to.include({ message_thread_id: 7 });
    expect(outcome).to.deep.equal({ ok: true, warning: null });
    const [first] = [await deliver(url(server), { ca: certificate.certPem })];
    expect(first).to.have.property('warning').that.includes('supergroup with the id -1001234567890');
  });

  for (const [what, to] of [
    ['an id that moves on for ever', -5],
    ['no id', 'x'],
  ] as const)
    it(`is asked at most twice for a message: ${what}`, async () => {
      const server = await startHttp(status(400, {}, moved(to)), certificate);
      const outcome = await deliver(url(server), { ca: certificate.certPem });
      expect(verdict(outcome)).to.equal('REFUSED');
      expect(server.received.length).to.equal(to === -5 ? 2 : 1);
      expect(JSON.stringify(outcome)).to.include('upgraded to a supergroup chat');
    });

  it('is silent for what may wait where its address says so', async () => {
    const server = await startHttp(fine, certificate);
    const silent = url(server).replace('topic=7', 'silent=yes');
    for (const urgent of [false, true])
      await deliver(silent, { ca: certificate.certPem, message: { ...message, urgent } });
    expect(server.received.map(({ body }) => body['disable_notification'])).to.deep.equal([true, undefined]);
  });
});
