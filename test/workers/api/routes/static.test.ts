import { expect } from 'chai';
import { get } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { ApiUnderTest } from '../fixture.js';
import { startedApi } from '../fixture.js';
import { ask, codeOf } from '../raw.js';

/** The transferred bytes; fetch would decode them. */
function fetchBytes(port: number, accepted: string) {
  return new Promise<{ coding: string | undefined; etag: string; body: Buffer }>((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: '/app.js', headers: { 'Accept-Encoding': accepted } };
    get(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          coding: response.headers['content-encoding'],
          etag: response.headers.etag ?? '',
          body: Buffer.concat(chunks),
        }),
      );
    }).once('error', reject);
  });
}

describe('the files of the dashboard', () => {
  let api: ApiUnderTest;
  beforeEach(async () => void (api = await startedApi()));
  afterEach(() => api.end());

  it('have a policy that allows nothing inline, and are revalidated at every use', async () => {
    const { headers, body } = await ask(api, '/');
    expect(headers).to.include({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
      'cache-control': 'no-cache',
    });
    expect(body).not.to.match(/<style|style=|\son\w+=|<script(?![^>]*src=)/);
  });

  it('are not sent again to a client that has them', async () => {
    const first = await ask(api, '/app.js');
    const etag = first.headers['etag'] ?? '';
    expect(etag).to.match(/^"[\w-]{22}"$/);
    for (const method of ['GET', 'HEAD']) {
      const headers = `Host: localhost\r\nIf-None-Match: "other", ${etag}\r\n`;
      const again = await ask(api, '/app.js', { method, headers });
      expect([again.status, again.body, again.headers['etag']], method).to.deep.equal([304, '', etag]);
    }
    const changed = await ask(api, '/app.js', { headers: 'Host: localhost\r\nIf-None-Match: "other"\r\n' });
    expect(changed.status).to.equal(200);
  });

  for (const [accepted, coding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['*', 'br'],
    ['deflate', undefined],
    ['identity, br;q=0', undefined],
  ] as const)
    it(`are sent as ${coding ?? 'they are'} for Accept-Encoding ${accepted}`, async () => {
      const plain = await ask(api, '/app.js');
      const headers = `Host: localhost\r\nAccept-Encoding: ${accepted}\r\n`;
      const answer = await fetchBytes(api.port, accepted);
      expect(answer.coding).to.equal(coding);
      const text = { br: brotliDecompressSync, gzip: gunzipSync }[coding ?? 'br'];
      expect((coding === undefined ? answer.body : text(answer.body)).toString()).to.equal(plain.body);
      expect(answer.etag === plain.headers['etag']).to.equal(coding === undefined);
      const again = `${headers}If-None-Match: ${answer.etag}\r\n`;
      expect((await ask(api, '/app.js', { headers: again })).status).to.equal(304);
    });

  for (const path of [
    '/../package.json',
    '/..%2fpackage.json',
    '/%2e%2e/package.json',
    '/%2e%2e%2fpackage.json',
    '/..%5cpackage.json',
    '/..\\package.json',
    '/%252e%252e%252fpackage.json',
    '/....//package.json',
    '/./app.js',
    '//app.js',
    '/app.js/',
    '/app.js%00',
    '/app.js%00.html',
    '/%61pp.js',
    '/APP.JS',
    '/index.html',
    '/app.js/../../package.json',
    '/.git/config',
    '/style/page.css',
    'http://localhost/../package.json',
    '/%c0%ae%c0%ae/package.json',
  ])
    it(`cannot be escaped with ${path}`, async () => {
      const answer = await ask(api, path);
      expect([answer.status, codeOf(answer)]).to.deep.equal([404, 'NOT_FOUND']);
    });
});
