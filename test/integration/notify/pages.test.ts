// A page in place of the answer of a service: a proxy with a login of its own before it, or another program at its address.
import { expect } from 'chai';
import type { Certificate } from '../../fixtures/certificates.js';
import { makeCertificate } from '../../fixtures/certificates.js';
import { closeServers } from '../../fixtures/loopback-server.js';
import { deliver, verdict } from './delivering.js';
import type { Answer } from './http-server.js';
import { startHttp, status } from './http-server.js';

const html = { 'Content-Type': 'text/html; charset=utf-8' };
const page = '<!doctype html><html><head><title>Login - Authelia</title></head></html>';

const withoutPages: readonly (readonly [string, (port: number) => string])[] = [
  ['ntfy', (port) => `ntfys://127.0.0.1:${String(port)}/alarms`],
  ['Gotify', (port) => `gotifys://127.0.0.1:${String(port)}/AbCdEf123456789`],
  ['Telegram', (port) => `telegram://127.0.0.1:${String(port)}/bot123456789:AAHdqTcvCH1vGWJxf/-1001`],
  ['Matrix', (port) => `matrixs://t0ken@127.0.0.1:${String(port)}/!room:m.example`],
  ['Signal', (port) => `signals://127.0.0.1:${String(port)}/+491701234567/+491701234568`],
  ['Nextcloud Talk', (port) => `nctalks://bob:app-pass@127.0.0.1:${String(port)}/abcd1234`],
];

describe('a page in place of a service', () => {
  let ca: string;
  let certificate: Certificate;
  const send = async (url: (port: number) => string, answer: Answer) =>
    deliver(url((await startHttp(answer, certificate)).port), { ca });

  before(async () => {
    certificate = await makeCertificate();
    ca = certificate.certPem;
  });
  afterEach(closeServers);

  for (const [name, url] of withoutPages)
    it(`is no delivery: ${name}`, async () => {
      const outcome = await send(url, status(200, html, page));
      expect(verdict(outcome)).to.equal('NOT_UNDERSTOOD');
      expect(outcome)
        .to.have.nested.property('fault.message')
        .that.contains('a page answers in its place (HTTP 200): "Login - Authelia"');
      const json = { 'Content-Type': 'application/json' };
      expect(verdict(await send(url, status(200, json, '{}')))).to.equal('delivered');
    });

  it('is one of a webhook, whose program may answer as it likes', async () => {
    const url = (port: number): string => `webhook+https://127.0.0.1:${String(port)}/hook`;
    expect(verdict(await send(url, status(200, html, page)))).to.equal('delivered');
  });

  it('of Matrix is about the room where its code says so', async () => {
    const url = (port: number): string => `matrixs://t0ken@127.0.0.1:${String(port)}/!room:m.example`;
    for (const [code, errcode, expected] of [
      [403, 'M_FORBIDDEN', 'WRONG_ADDRESS invite'],
      [404, 'M_NOT_FOUND', 'WRONG_ADDRESS invite'],
      [403, 'M_USER_DEACTIVATED', 'DENIED check'],
      [403, 'M_CONSENT_NOT_GIVEN', 'DENIED check'],
      [404, 'M_UNRECOGNIZED', 'WRONG_ADDRESS correct it'],
    ] as const) {
      const outcome = await send(url, status(code, {}, JSON.stringify({ errcode, error: 'x' })));
      const [kind = '', words = ''] = expected.split(/ (.*)/);
      expect(verdict(outcome), errcode).to.equal(kind);
      expect(JSON.stringify(outcome), errcode).to.contain(words);
    }
    expect(JSON.stringify(await send(url, status(404, html, page)))).to.contain(
      'no resource at this address',
    );
  });
});
