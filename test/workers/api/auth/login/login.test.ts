import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import {
  AuthStateBody,
  LoginBody,
  LogoutBody,
  ReadyAloneBody,
} from '../../../../../shared/http/auth-bodies.js';
import { decode } from '../../../../../shared/domain/base/decode.js';
import { addUser, administer, userPassword as right } from '../../../../fixtures/auth-database.js';
import { FakeTime } from '../../../../fixtures/fake-time.js';
import type { ApiUnderTest, Options } from '../../fixture.js';
import { publishedApi } from '../../fixture.js';
import type { Answered } from '../../raw.js';
import { Held, answersIn, ask, codeOf } from '../../raw.js';

describe('the login', () => {
  // The hash of an unknown user takes a tenth of a second, longer on a busy machine.
  let api: ApiUnderTest;
  const start = async (options: Options = {}): Promise<void> => {
    api = await publishedApi(options);
  };
  beforeEach(() => start());
  afterEach(() => api.end());

  const file = (): string => api.settings.auth.dbPath;
  const createAlice = (): Promise<void> => addUser(file(), 'alice');

  function post(path: string, body: string, headers = ''): Promise<Answered> {
    return ask(api, path, {
      method: 'POST',
      headers: `Host: localhost\r\nContent-Length: ${String(Buffer.byteLength(body))}\r\n${headers}`,
      body,
    });
  }
  const login = (username: string, password: string): Promise<Answered> =>
    post('/api/v1/auth/login', JSON.stringify({ username, password }));
  const bearer = (token: string): string => `Authorization: Bearer ${token}\r\n`;
  const get = (path: string, headers = ''): Promise<Answered> =>
    ask(api, path, { headers: `Host: localhost\r\n${headers}` });
  async function tokenOf(username = 'alice', password = right): Promise<string> {
    const decoded = decode(LoginBody, JSON.parse((await login(username, password)).body));
    if (!decoded.ok) throw new Error('no token');
    return decoded.value.token;
  }
  const details = (type: string): readonly string[] =>
    api.audited.filter((row) => row.type === type).map(({ detail }) => detail);

  it('is closed until there is a user, and open immediately afterwards', async () => {
    expect(JSON.parse((await get('/api/v1/auth/state')).body)).to.deep.equal({
      enabled: false,
      requireForReads: false,
      role: null,
    });
    const closed = await login('alice', right);
    expect([closed.status, codeOf(closed)]).to.deep.equal([403, 'FORBIDDEN']);
    await createAlice();
    const open = await login('alice', right);
    expect(open.status).to.equal(200);
    expect(LoginBody.is(JSON.parse(open.body))).to.equal(true);
    expect(Object.keys(JSON.parse(open.body) as object)).to.deep.equal(['token', 'tokenType', 'expiresIn']);
    expect(AuthStateBody.is(JSON.parse((await get('/api/v1/auth/state')).body))).to.equal(true);
  });

  it('rejects a wrong password and an unknown user with the same answer', async () => {
    await createAlice();
    const [wrong, unknown] = [await login('alice', 'wrong'), await login('bob', right)];
    expect([wrong.status, wrong.headers['www-authenticate'], codeOf(wrong)]).to.deep.equal([
      401,
      'Bearer',
      'UNAUTHORIZED',
    ]);
    expect(unknown.body).to.equal(wrong.body);
    expect(unknown.status).to.equal(401);
  });

  it('audits each attempt with its principal and its peer', async () => {
    await createAlice();
    await login('alice', 'wrong');
    await login('alice', right);
    expect(details('LOGIN_FAILURE')).to.deep.equal(['anonymous from 127.0.0.1: login as "alice": denied']);
    expect(details('LOGIN_SUCCESS')).to.deep.equal(['user:alice from 127.0.0.1: login: ok']);
    expect(api.audited.every(({ source }) => source === 'daemon')).to.equal(true);
  });

  it('does not record an invalid user name, which may be a password', async () => {
    await createAlice();
    for (const name of [
      'my secret pass phrase',
      'a\0b',
      'ä',
      '\u202ealice',
      'alice\nLOGIN_SUCCESS',
      "' OR 1=1 --",
      'x'.repeat(256),
    ])
      expect((await login(name, 'whatever')).status, name).to.equal(401);
    expect(new Set(details('LOGIN_FAILURE'))).to.deep.equal(
      new Set(['anonymous from 127.0.0.1: login: denied']),
    );
  });

  it('accepts a password in any Unicode normalization', async () => {
    await administer(file(), (database) => database.createUser('alice', 'Fr\u00fchst\u00fcck!', 1));
    expect((await login('alice', 'Fru\u0308hstu\u0308ck!')).status).to.equal(200);
  });

  it('ends a session at logout, for the session only', async () => {
    await createAlice();
    const key = (await administer(file(), (database) => database.createKey('grafana', 1))) ?? '';
    const [one, other] = [await tokenOf(), await tokenOf()];
    expect((await post('/api/v1/auth/logout', '', bearer(key))).status).to.equal(401);
    expect((await post('/api/v1/auth/logout', '')).status).to.equal(401);
    expect((await post('/api/v1/auth/logout', 'nonsense', bearer(one))).status).to.equal(400);
    const done = await post('/api/v1/auth/logout', '', bearer(one));
    expect([done.status, LogoutBody.is(JSON.parse(done.body))]).to.deep.equal([200, true]);
    expect((await post('/api/v1/auth/logout', '', bearer(one))).status).to.equal(401);
    expect((await post('/api/v1/auth/logout', '{}', `X-API-Key: ${other}\r\n`)).status).to.equal(200);
  });

  it('rejects a logout with 403 while authentication is off', async () => {
    expect((await post('/api/v1/auth/logout', '')).status).to.equal(403);
  });

  it('throttles a peer after ten failures, before it checks the password', async () => {
    await api.end();
    await start({ clock: new FakeTime() });
    await createAlice();
    for (let turn = 0; turn < 10; turn += 1) expect((await login('alice', 'wrong')).status).to.equal(401);
    const throttled = await login('alice', right);
    expect([throttled.status, codeOf(throttled)]).to.deep.equal([429, 'TOO_MANY_ATTEMPTS']);
    expect(throttled.headers['retry-after']).to.equal('60');
    // Before the body, too.
    expect((await post('/api/v1/auth/login', 'nonsense')).status).to.equal(429);
    expect(details('LOGIN_THROTTLED')).to.deep.equal([
      'anonymous from 127.0.0.1: login: denied, too many failed logins',
    ]);
  });

  it('checks at most ten of a hundred simultaneous attempts, and answers all', async () => {
    await createAlice();
    const answers = await Promise.all(Array.from({ length: 100 }, () => login('alice', 'wrong')));
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(401), count(429)]).to.deep.equal([10, 90]);
    expect(details('LOGIN_FAILURE')).to.have.length(10);
    expect(details('LOGIN_THROTTLED')).to.have.length(1);
  });

  it('does not count a malformed body', async () => {
    await createAlice();
    for (const body of [
      '',
      '[]',
      '"x"',
      'null',
      '{"username":"alice"}',
      '{"username":1,"password":"x"}',
      '{',
      '{"__proto__":{"username":"alice"}}',
      `{"username":"${'x'.repeat(257)}","password":"x"}`,
      `{"username":"alice","password":"${'x'.repeat(1025)}"}`,
    ])
      expect((await post('/api/v1/auth/login', body)).status, body.slice(0, 40)).to.equal(400);
    for (const body of ['{"username":"alice","password":"', '{"username":"alice","password":5}'])
      expect((await post('/api/v1/auth/login', body)).body).not.to.contain('horse');
    expect((await login('alice', right)).status).to.equal(200);
  });

  it('accepts JSON under any content type and charset', async () => {
    await createAlice();
    const body = JSON.stringify({ username: 'alice', password: right });
    for (const type of [
      '',
      'Content-Type: text/plain\r\n',
      'Content-Type: application/x-www-form-urlencoded\r\n',
      'Content-Type: application/json; charset=utf-8\r\n',
    ])
      expect((await post('/api/v1/auth/login', body, type)).status, type).to.equal(200);
  });

  it('rejects a body above 256 KiB with 413 and an incomplete one with 408', async () => {
    await api.end();
    await start({ limits: { bodyMs: 60 } });
    await createAlice();
    const large = JSON.stringify({ username: 'alice', password: 'x'.repeat(256 * 1024) });
    expect((await post('/api/v1/auth/login', large)).status).to.equal(413);
    const slow = new Held(api);
    slow.socket.write(
      'POST /api/v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"user',
    );
    await slow.closed;
    const [answer] = answersIn(slow.received);
    expect([answer?.status, answer === undefined ? '' : codeOf(answer)]).to.deep.equal([
      408,
      'REQUEST_TIMEOUT',
    ]);
  });

  it('sends 100 Continue to a client that expects it', async () => {
    await createAlice();
    const body = JSON.stringify({ username: 'alice', password: right });
    const held = new Held(api);
    held.socket.write(
      `POST /api/v1/auth/login HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: ${String(body.length)}\r\n\r\n`,
    );
    await held.until((text) => text.startsWith('HTTP/1.1 100 Continue\r\n\r\n'));
    held.socket.write(body);
    await held.closed;
    expect(held.received).to.contain('HTTP/1.1 200 OK');
  });

  it('answers 503 while the database is unreadable, after 400 for a malformed body', async () => {
    writeFileSync(file(), 'x'.repeat(4096));
    expect(JSON.parse((await get('/api/v1/auth/state')).body)).to.deep.include({ enabled: true });
    expect((await post('/api/v1/auth/login', '[]')).status).to.equal(400);
    for (let turn = 0; turn < 12; turn += 1) {
      const answer = await login('alice', right);
      expect([answer.status, codeOf(answer)]).to.deep.equal([503, 'AUTH_UNAVAILABLE']);
    }
    expect(api.log.filter(({ message }) => message.includes('authentication database'))).to.have.length(1);
    await api.body.drain(1000);
    expect(details('LOGIN_FAILURE')).to.deep.equal([
      'anonymous from 127.0.0.1: login: failed: the password could not be checked',
      'anonymous from 127.0.0.1: login: failed: the password could not be checked, 11 more',
    ]);
  });

  it('records the rejections of a session by name while the database is unreadable', async () => {
    await createAlice();
    const token = await tokenOf();
    writeFileSync(file(), 'x'.repeat(4096));
    for (let turn = 0; turn < 3; turn += 1)
      expect((await post('/api/v1/config/reload', '', bearer(token))).status).to.equal(503);
    const row = 'user:alice from 127.0.0.1: reload: denied, the authentication database cannot be read';
    expect(details('CONFIG_RELOAD')).to.deep.equal([row, row, row]);
  });

  it('shows anonymous callers only the status of /ready while reads need a credential', async () => {
    await api.end();
    await start({ auth: { requireForReads: true } });
    expect(Object.keys(JSON.parse((await get('/ready')).body) as object)).to.have.length(5);
    await createAlice();
    const shown = await get('/ready');
    expect([shown.status, JSON.parse(shown.body)]).to.deep.equal([200, { ready: true }]);
    expect(ReadyAloneBody.is(JSON.parse(shown.body))).to.equal(true);
    expect(
      Object.keys(JSON.parse((await get('/ready', bearer(await tokenOf()))).body) as object),
    ).to.have.length(5);
    expect((await get('/health')).status).to.equal(200);
  });

  it('ends the stream of an ended session, and no other', async () => {
    await api.end();
    await start({ auth: { requireForReads: true }, limits: { askAgainMs: 20 } });
    await createAlice();
    const token = await tokenOf();
    const [one, other] = [await following(token), await following(await tokenOf())];
    await post('/api/v1/auth/logout', '', bearer(token));
    await one.closed;
    expect(other.socket.destroyed).to.equal(false);
    await administer(file(), (database) => database.deleteUser('alice'));
    // Authentication is off without a user, and reads are open again.
    expect(other.socket.destroyed).to.equal(false);
    await addUser(file(), 'bob');
    await other.closed;
  });

  async function following(token: string): Promise<Held> {
    const held = new Held(api);
    held.socket.write(`GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n${bearer(token)}\r\n`);
    await held.until((text) => text.includes('event: status'));
    return held;
  }

  it('audits a rejection immediately, and repeats as a count', async () => {
    for (let turn = 0; turn < 5; turn += 1) await post('/api/v1/auth/logout', '');
    await createAlice();
    for (let turn = 0; turn < 5; turn += 1) await post('/api/v1/auth/logout', '');
    expect(api.audited.map(({ type, detail }) => `${type} ${detail}`)).to.deep.equal([
      'LOGIN_FAILURE anonymous from 127.0.0.1: POST /api/v1/auth/logout: denied',
    ]);
    await api.body.drain(1000);
    expect(details('LOGIN_FAILURE').slice(1)).to.deep.equal([
      'anonymous from 127.0.0.1: POST /api/v1/auth/logout: denied, 9 more',
    ]);
  });
});
