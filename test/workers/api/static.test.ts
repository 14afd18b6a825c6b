import { expect } from 'chai';
import type { ApiUnderTest } from './fixture.js';
import { startedApi } from './fixture.js';
import { ask, codeOf } from './raw.js';

describe("the page's files", () => {
  let api: ApiUnderTest;
  beforeEach(async () => void (api = await startedApi()));
  afterEach(() => api.end());

  it('come with a policy that allows nothing inline, and are checked again at every use', async () => {
    const { headers, body } = await ask(api, '/');
    expect(headers).to.include({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
      'cache-control': 'no-cache',
    });
    expect(body).not.to.match(/<style|style=|\son\w+=|<script(?![^>]*src=)/);
  });

  it('are not sent again to who has them', async () => {
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
    it(`are not left by way of ${path}`, async () => {
      const answer = await ask(api, path);
      expect([answer.status, codeOf(answer)]).to.deep.equal([404, 'NOT_FOUND']);
    });
});
