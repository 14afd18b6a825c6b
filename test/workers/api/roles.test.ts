// Every role on every route of the OpenAPI document, with and without `require_for_reads`. The table is written by hand: a new
// route must be put into it.
import { expect } from 'chai';
import { join } from 'node:path';
import type { Role } from '../../../shared/domain/status/role.js';
import { addUser, administer, userPassword } from '../../fixtures/auth-database.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { makeAuthFile, roleKeys } from './auth-file.js';
import type { ApiUnderTest } from './fixture.js';
import { publishedApi } from './fixture.js';
import type { Answered } from './raw.js';
import { ask, codeOf } from './raw.js';
import { answerOf } from './route-answers.js';

/** The least role of each route; `open` needs none. */
const table: Readonly<Record<'open' | Role, readonly string[]>> = {
  open: [
    'GET /',
    'GET /app.js',
    'GET /old-browser.js',
    'GET /style.css',
    'GET /icon.svg',
    'GET /health',
    'GET /ready',
    'GET /api/v1/auth/state',
    'POST /api/v1/auth/login',
  ],
  metrics: ['GET /metrics'],
  read: [
    'GET /api/v1',
    'GET /api/v1/openapi.json',
    'GET /api/v1/ups',
    'GET /api/v1/ups/{name}',
    'GET /api/v1/ups/{name}/readings',
    'GET /api/v1/ups/{name}/explain',
    'GET /api/v1/ups/{name}/shutdown-plan',
    'GET /api/v1/ups/{name}/history',
    'GET /api/v1/ups/{name}/battery-health',
    'GET /api/v1/ups/{name}/battery-health/history',
    'GET /api/v1/ups/{name}/energy',
    'GET /api/v1/ups/{name}/energy-history',
    'GET /api/v1/ups/{name}/self-test',
    'GET /api/v1/ups/{name}/self-tests',
    'GET /api/v1/redundancy/{group}/explain',
    'GET /api/v1/redundancy/{group}/shutdown-plan',
    'GET /api/v1/events',
    'GET /api/v1/outages',
    'GET /api/v1/outages/{id}',
    'GET /api/v1/reports/{period}',
    'GET /api/v1/remote-health',
    'GET /api/v1/sequence',
    'GET /api/v1/recovery',
    'GET /api/v1/recovery/check',
    'GET /api/v1/servers',
    'GET /api/v1/stream',
    'GET /api/v1/config',
    // Ends only the session of the caller.
    'POST /api/v1/auth/logout',
  ],
  control: [
    'GET /api/v1/ups/{name}/commands',
    'POST /api/v1/ups/{name}/command',
    'GET /api/v1/ups/{name}/variables',
    'PUT /api/v1/ups/{name}/variables/{var}',
    'POST /api/v1/ups/{name}/self-test',
    'DELETE /api/v1/ups/{name}/events',
    'POST /api/v1/config/reload',
    'GET /api/v1/support',
  ],
};
const logout = 'POST /api/v1/auth/logout';
const alwaysCredential: readonly string[] = [...table.control, logout];

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly 'x-role'?: Role }>>>>;
}

describe('every role on every route of the OpenAPI document', () => {
  let database: string;
  let api: ApiUnderTest;
  let document: Document;
  before(async () => {
    database = join(temporaryFolder(), 'auth.db');
    await makeAuthFile(database);
    await addUser(database, 'viewer', 'read');
    await addUser(database, 'operator');
    api = await started(false);
    const answer = await ask(api, '/api/v1/openapi.json', { headers: 'Host: localhost\r\n' });
    document = JSON.parse(answer.body) as Document;
  });
  after(() => api.end());

  async function started(requireForReads: boolean): Promise<ApiUnderTest> {
    return publishedApi({ auth: { enabled: true, requireForReads, dbPath: database } });
  }

  async function statusOf(one: ApiUnderTest, operation: string, credential: string): Promise<Answered> {
    const [method = '', path = ''] = operation.split(' ');
    const headers = `Host: localhost\r\nX-API-Key: ${credential}\r\nContent-Length: 0\r\n`;
    return answerOf(one, method, path, headers);
  }

  async function sessionOf(one: ApiUnderTest, username: string): Promise<string> {
    const body = JSON.stringify({ username, password: userPassword });
    const headers = `Host: localhost\r\nContent-Length: ${String(body.length)}\r\n`;
    const answer = await ask(one, '/api/v1/auth/login', { method: 'POST', headers, body });
    return (JSON.parse(answer.body) as { token: string }).token;
  }

  it('has every route in the table, with its role in the document', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => `${method.toUpperCase()} ${path}: ${operation['x-role'] ?? 'open'}`,
      ),
    );
    const expected = Object.entries(table).flatMap(([role, operations]) =>
      operations.map((operation) => `${operation}: ${role}`),
    );
    expect(described.sort()).to.deep.equal(expected.sort());
  });

  const ranks = ['open', 'metrics', 'read', 'control'];
  const holders: readonly (readonly [string, Role, (one: ApiUnderTest) => string | Promise<string>])[] = [
    ['a key of metrics', 'metrics', () => roleKeys.metrics],
    ['a key of read', 'read', () => roleKeys.read],
    ['a key of control', 'control', () => roleKeys.control],
    ['a session of read', 'read', (one) => sessionOf(one, 'viewer')],
    ['a session of control', 'control', (one) => sessionOf(one, 'operator')],
  ];
  for (const [holder, role, credentialOf] of holders)
    for (const gated of [false, true])
      it(`lets ${holder} through, or answers 403 and does nothing${gated ? ', with reads gated' : ''}`, async () => {
        const one = await started(gated);
        const credential = await credentialOf(one);
        for (const [least, operations] of Object.entries(table))
          for (const operation of operations) {
            // It would end the session; its own test is below.
            if (operation === logout && holder.startsWith('a session')) continue;
            const asked = one.asked.length;
            const answer = await statusOf(one, operation, credential);
            const enough = ranks.indexOf(role) >= ranks.indexOf(least);
            const needed = gated || alwaysCredential.includes(operation);
            expect(answer.status === 403, `${operation} ${String(answer.status)}`).to.equal(
              !enough && needed,
            );
            if (operation !== logout && !operation.endsWith('/login'))
              expect(answer.status, operation).not.to.equal(401);
            if (!enough && needed) {
              if (operation !== 'GET /api/v1/stream')
                expect(answer.body, operation).to.contain('The role of this credential');
              expect(one.asked.length, operation).to.equal(asked);
            }
          }
        const state = await statusOf(one, 'GET /api/v1/auth/state', credential);
        expect(JSON.parse(state.body)).to.have.property('role', role);
        await one.end();
      });

  it('shows a role that may not read what an anonymous caller sees', async () => {
    const gated = await started(true);
    const ready = await statusOf(gated, 'GET /ready', roleKeys.metrics);
    expect(JSON.parse(ready.body)).to.deep.equal({ ready: true });
    expect(JSON.parse((await statusOf(gated, 'GET /ready', roleKeys.read)).body)).to.have.property('workers');
    await gated.end();
    const config = async (key: string): Promise<unknown> =>
      JSON.parse((await statusOf(api, 'GET /api/v1/config', key)).body);
    expect(await config(roleKeys.metrics)).to.have.property('detail', 'sanitized');
    expect(await config(roleKeys.read)).to.have.property('detail', 'extended');
  });

  it('lets a session of read log out', async () => {
    const token = await sessionOf(api, 'viewer');
    expect((await statusOf(api, logout, token)).status).to.equal(200);
    expect((await statusOf(api, logout, token)).status).to.equal(401);
  });

  it('applies a new role to an open session at once', async () => {
    const token = await sessionOf(api, 'operator');
    const reload = async () => (await statusOf(api, 'POST /api/v1/config/reload', token)).status;
    expect(await reload()).not.to.equal(403);
    await administer(database, (db) => db.setRole('operator', 'read'));
    expect(await reload()).to.equal(403);
    await administer(database, (db) => db.setRole('operator', 'control'));
    expect(await reload()).not.to.equal(403);
  });

  it('records a refused action under the name of the key, with the role', async () => {
    const one = await started(false);
    await statusOf(one, 'POST /api/v1/config/reload', roleKeys.read);
    expect(one.audited.map(({ type, detail }) => `${type} ${detail}`)).to.deep.equal([
      'CONFIG_RELOAD apikey:wall from 127.0.0.1: reload: denied, the role is read',
    ]);
    await one.end();
  });

  it('says that a key has expired, and treats it as none where none is needed', async () => {
    const answer = await statusOf(api, 'POST /api/v1/config/reload', roleKeys.expired);
    expect([answer.status, codeOf(answer)]).to.deep.equal([401, 'UNAUTHORIZED']);
    expect(answer.body).to.contain('The API key old has expired.');
    expect((await statusOf(api, 'GET /api/v1/ups', roleKeys.expired)).status).to.equal(200);
  });
});
