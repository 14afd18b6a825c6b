// The real daemon with each state of authentication: no user, users, a damaged database, switched on and off. Each kind
// of route is compared for every caller (specification/api.md#access).
import { expect } from 'chai';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { request } from 'node:http';
import { join } from 'node:path';
import { addApiKey, addUser, userPassword } from '../../fixtures/auth-database.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { is, until } from '../../fixtures/until.js';
import { ridethrough } from '../../fixtures/ridethrough.js';

const ups = '/api/v1/ups/office-127.0.0.1-1';

// One of each kind: test/workers/api/access-table.test.ts compares every route.
const open = ['GET /health', 'GET /'];
const reads = ['GET /metrics', 'GET /api/v1/ups', 'GET /api/v1/stream'];
const writes = [`GET ${ups}/commands`, `POST ${ups}/command`, 'POST /api/v1/config/reload'];
const logout = 'POST /api/v1/auth/logout';

const callers = ['none', 'wrong', 'session', 'key', 'expired', 'deleted user', 'reset password'] as const;
type Caller = (typeof callers)[number];
const valid: readonly Caller[] = ['session', 'key'];

describe('the access check of the running daemon', () => {
  let daemon: RunningDaemon;
  const tokens = new Map<Caller, string>();

  const toml = (auth: string, control = true): string =>
    configurationFor({
      port: 1,
      apiPort: 0,
      more: `[api.auth]\ndb_path = "{directory}/auth.db"\n${auth}[nut_control]\nenabled = ${String(control)}\nusername = "u"\npassword = "p"\n`,
    });

  before(async () => {
    daemon = await startDaemon({ toml: toml('session_ttl = 1\n'), user: 'first' });
  });
  after(() => daemon.stop());

  function ask(route: string, headers: Record<string, string> = {}, body = ''): Promise<string> {
    const [method = '', path = ''] = route.split(' ');
    return new Promise((resolve, reject) => {
      const length = { 'content-length': String(Buffer.byteLength(body)) };
      const call = request({
        port: daemon.apiPort,
        host: '127.0.0.1',
        method,
        path,
        headers: { ...headers, ...length },
        agent: false,
      });
      call.once('error', reject);
      call.once('response', (response) => {
        const status = String(response.statusCode);
        // The answer may be an endless stream.
        if (Number(status) < 400) {
          call.destroy();
          resolve(status);
        } else void textOf(response).then((text) => resolve(`${status} ${codeIn(text)}`));
      });
      call.end(body);
    });
  }

  async function command(...args: readonly string[]): Promise<string> {
    const { code, out, err } = await ridethrough([
      ...args,
      '--config',
      join(daemon.directory, 'config.toml'),
    ]);
    if (code !== 0) throw new Error(err);
    return out.trim();
  }

  async function login(username: string): Promise<{ token: string; expiresIn: number }> {
    const answer = await fetch(`http://127.0.0.1:${String(daemon.apiPort)}/api/v1/auth/login`, {
      method: 'POST',
      body: JSON.stringify({ username, password: userPassword }),
    });
    return (await answer.json()) as { token: string; expiresIn: number };
  }

  const headersOf = (caller: Caller): Record<string, string> => {
    const token = tokens.get(caller);
    if (token === undefined) return {};
    return caller === 'key' ? { 'x-api-key': token } : { authorization: `Bearer ${token}` };
  };

  async function reload(configuration: string): Promise<void> {
    daemon.configure(configuration);
    const response = await got({
      socketPath: daemon.controlSocket,
      path: '/control/v1/reload',
      method: 'POST',
    });
    expect(await textOf(response)).to.contain('"reloaded":true');
  }

  /** Any answer but those of the access check. */
  const letIn = (answer: string): boolean => !/^401 |^403 .*authentication|AUTH_UNAVAILABLE/.test(answer);

  interface Expected {
    readonly read: (caller: Caller) => string | null;
    readonly write: (caller: Caller) => string | null;
  }

  async function holds({ read, write }: Expected, by: readonly Caller[] = callers): Promise<void> {
    const wrong: string[] = [];
    const check = async (route: string, caller: Caller, expected: string | null): Promise<void> => {
      const methods = route.startsWith('GET ') ? [route, route.replace('GET', 'HEAD')] : [route];
      for (const one of methods) {
        const got = await ask(one, headersOf(caller));
        const status = expected?.slice(0, 3);
        const right =
          expected === null
            ? letIn(got)
            : one.startsWith('HEAD')
              ? got.startsWith(status ?? '')
              : got === expected;
        if (!right) wrong.push(`${one} by ${caller}: ${got}, expected ${expected ?? 'to be let in'}`);
      }
    };
    for (const caller of by) {
      for (const route of open) await check(route, caller, null);
      for (const route of reads) await check(route, caller, read(caller));
      for (const route of writes) await check(route, caller, write(caller));
      if (!valid.includes(caller)) await check(logout, caller, write(caller));
    }
    expect(wrong).to.deep.equal([]);
  }

  const off: Expected = { read: () => null, write: () => '403 FORBIDDEN' };
  const denied = (caller: Caller): string | null => (valid.includes(caller) ? null : '401 UNAUTHORIZED');

  it('is read-only for everyone while there is no user', async () => {
    await command('user', 'delete', 'first');
    await holds(off);
    expect(await ask('POST /api/v1/auth/login')).to.equal('403 FORBIDDEN');
  });

  it('rejects a configuration with control of UPSes while there is no user', async () => {
    const response = await got({
      socketPath: daemon.controlSocket,
      path: '/control/v1/reload',
      method: 'POST',
    });
    expect(response.statusCode).to.equal(400);
    expect(await textOf(response))
      .to.contain('RELOAD_REJECTED')
      .and.to.contain('nut_control.enabled')
      .and.to.contain('ridethrough user create NAME');
  });

  it('requires a credential for writing once there is a user', async () => {
    const file = join(daemon.directory, 'auth.db');
    for (const name of ['eve', 'alice', 'bob', 'carol']) await addUser(file, name);
    const { token, expiresIn } = await login('eve');
    expect(expiresIn).to.equal(1);
    tokens.set('expired', token);
    await reload(toml(''));
    tokens.set('session', (await login('alice')).token);
    tokens.set('deleted user', (await login('bob')).token);
    tokens.set('reset password', (await login('carol')).token);
    tokens.set('key', await addApiKey(file, 'grafana'));
    tokens.set('wrong', `rs_${'x'.repeat(43)}`);
    await command('user', 'delete', 'bob');
    await command('user', 'passwd', 'carol', '--generate');
    await until(
      () => ask(logout, headersOf('expired')),
      (answer) => answer.startsWith('401'),
    );
    await holds({ read: () => null, write: denied });
  });

  it('is the same when authentication is enabled explicitly', async () => {
    await reload(toml('enabled = true\n'));
    await holds({ read: () => null, write: denied }, ['none', 'session', 'key']);
  });

  it('requires a credential for reading under require_for_reads', async () => {
    await reload(toml('require_for_reads = true\n'));
    await until(
      () => ask('GET /api/v1/ups'),
      (answer) => answer.startsWith('401'),
    );
    await holds({ read: denied, write: denied });
  });

  it('lets a session read but not write while the database cannot be read', async () => {
    const file = join(daemon.directory, 'auth.db');
    const good = readFileSync(file);
    writeFileSync(file, 'x'.repeat(good.length));
    // Only this session is left; those of a deleted user and of an old password have ended.
    await holds({
      read: (caller) => (caller === 'session' ? null : '401 UNAUTHORIZED'),
      write: (caller) => (caller === 'session' ? '503 AUTH_UNAVAILABLE' : '401 UNAUTHORIZED'),
    });
    expect(await ask('POST /api/v1/auth/login', {}, '{"username":"alice","password":"12345678"}')).to.equal(
      '503 AUTH_UNAVAILABLE',
    );
    writeFileSync(file, good);
    await holds({ read: denied, write: denied }, ['session', 'key', 'reset password']);
  });

  it('allows reading and forbids writing when authentication is disabled explicitly', async () => {
    await reload(toml('enabled = false\n', false));
    await until(() => ask('GET /api/v1/ups'), is('200'));
    await holds(off);
  });

  it('writes no credential to the log or the history', async () => {
    const events = await textOf(
      await got({ port: daemon.apiPort, host: '127.0.0.1', path: '/api/v1/events?limit=10000' }),
    );
    for (const token of tokens.values())
      for (const text of [daemon.log(), events]) expect(text).not.to.contain(token);
    expect(events).to.match(/LOGIN_SUCCESS.*user:alice from 127\.0\.0\.1/);
  });
});

function got(target: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => request(target, resolve).once('error', reject).end());
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function codeIn(text: string): string {
  if (text === '') return '';
  const { error } = JSON.parse(text) as { error?: { code: string } };
  return error?.code ?? '';
}
