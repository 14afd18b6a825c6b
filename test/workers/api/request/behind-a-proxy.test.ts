// Requests through a proxy: below the base path, and with the address that it forwards.
import { expect } from 'chai';
import { apiKey, makeAuthFile } from '../auth-file.js';
import type { ApiUnderTest } from '../fixture.js';
import { publishedApi } from '../fixture.js';
import { ask } from '../raw.js';

describe('the API behind a proxy', () => {
  let api: ApiUnderTest;
  const start = async (basePath: string, trustedProxies: string[] = []): Promise<void> => {
    api = await publishedApi({ settings: { basePath, trustedProxies } });
  };
  afterEach(() => api.end());
  const status = async (path: string, method = 'GET'): Promise<number> =>
    (await ask(api, path, { method, basePath: api.settings.basePath })).status;

  it('is served below the base path and without it', async () => {
    await start('/power/ups');
    for (const path of [
      '/',
      '/app.js',
      '/old-browser.js',
      '/health',
      '/ready',
      '/metrics',
      '/api/v1',
      '/api/v1/ups/office-127.0.0.1',
    ])
      for (const base of ['', '/power/ups'])
        expect(await status(`${base}${path}`), base + path).to.equal(200);
    const { body } = await ask(api, '/power/ups/api/v1/ups/office-127.0.0.1?x=1', { basePath: '/power/ups' });
    expect(JSON.parse(body)).to.have.property('groupId', 'office-127.0.0.1');
    expect(await status('http://localhost/power/ups/health')).to.equal(200);
    expect(await status('/power/ups/health', 'HEAD')).to.equal(200);
    expect(await status('/power/ups/health', 'POST')).to.equal(405);
    expect(await status('/power/ups/api/v1/events?limit=x')).to.equal(400);
  });

  const others = [
    '/power',
    '/power/',
    '/power/upsx/health',
    '/power/UPS/health',
    '/power/ups/../health',
    '/power/ups/%2e%2e/health',
    '/power/ups//health',
    '/power%2fups/health',
    '/power/ups/power/ups/health',
    '//power/ups/health',
    '/power/%C3%BCps/health',
  ];
  it('is not served at any other path', async () => {
    await start('/power/ups');
    for (const path of others) expect(await status(path), path).to.equal(404);
  });

  it('leads from the base path to the page, and nowhere else', async () => {
    await start('/ups');
    for (const path of ['/ups', '/ups?next=//evil.example']) {
      const answer = await ask(api, path);
      expect([answer.status, answer.headers['location']], path).to.deep.equal([308, '/ups/']);
    }
    await api.end();
    await start('');
    expect(await status('/ups/')).to.equal(404);
  });

  it('follows a changed base path at once', async () => {
    await start('/old');
    api.body.reconfigure({ ...api.settings, basePath: '/new' });
    expect([
      await status('/old/health'),
      (await ask(api, '/new/health', { basePath: '/new' })).status,
    ]).to.deep.equal([404, 200]);
    const document = JSON.parse((await ask(api, '/new/api/v1/openapi.json', { basePath: '/new' })).body) as {
      servers: unknown;
    };
    expect(document.servers).to.deep.equal([{ url: '/new' }]);
  });

  describe('with authentication', () => {
    const forwarded = 'X-Forwarded-For: 198.51.100.66, 203.0.113.9\r\n';
    const rows = async (headers: string): Promise<readonly string[]> => {
      await makeAuthFile(api.settings.auth.dbPath);
      const to = `Host: localhost\r\nContent-Length: 2\r\n${headers}`;
      await ask(api, '/ups/api/v1/config/reload', { method: 'POST', headers: to, body: '{}' });
      const login = { method: 'POST', headers: to, body: '{}' };
      await ask(api, '/api/v1/auth/logout', login);
      return api.audited.map(({ detail }) => detail);
    };

    it('writes the forwarded address beside that of a trusted proxy', async () => {
      await start('/ups', ['127.0.0.0/8']);
      expect(await rows(forwarded)).to.deep.equal([
        'anonymous from 127.0.0.1 for 203.0.113.9: POST /api/v1/config/reload: denied',
        'anonymous from 127.0.0.1 for 203.0.113.9: POST /api/v1/auth/logout: denied',
      ]);
    });

    it('ignores a forwarded address of anybody else', async () => {
      await start('/ups', ['192.0.2.1']);
      expect((await rows(forwarded))[0]).to.match(/^anonymous from 127\.0\.0\.1: POST/);
    });

    it('counts failed logins by the peer, whatever it forwards', async () => {
      await start('/ups', ['127.0.0.1']);
      await makeAuthFile(api.settings.auth.dbPath);
      const body = '{"username":"alice","password":"wrong words"}';
      const statuses: number[] = [];
      for (let turn = 0; turn < 11; turn += 1) {
        const headers = `Host: localhost\r\nContent-Length: ${String(body.length)}\r\nX-Forwarded-For: 203.0.113.${String(turn)}\r\n`;
        statuses.push((await ask(api, '/api/v1/auth/login', { method: 'POST', headers, body })).status);
      }
      expect(statuses).to.deep.equal([...Array.from({ length: 10 }, () => 401), 429]);
    });

    it('gives a trusted proxy no right', async () => {
      await start('/ups', ['127.0.0.1']);
      await makeAuthFile(api.settings.auth.dbPath);
      const headers = `Host: localhost\r\nX-Forwarded-For: local\r\nX-Forwarded-User: alice\r\n`;
      expect((await ask(api, '/api/v1/ups/office-127.0.0.1/commands', { headers })).status).to.equal(401);
      const key = `${headers}X-API-Key: ${apiKey}\r\n`;
      expect((await ask(api, '/api/v1/ups/office-127.0.0.1/commands', { headers: key })).status).to.equal(
        200,
      );
    });
  });
});
