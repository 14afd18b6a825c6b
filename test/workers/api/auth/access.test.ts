// The access check as a table: route, configuration, content of the database, and caller.
import { expect } from 'chai';
import type { Access as Asked } from '../../../../shared/http/bodies.js';
import type { Role } from '../../../../shared/domain/status/role.js';
import type { LogRecord } from '../../../../shared/domain/status/log-record.js';
import { loggerTo } from '../../../../shared/runtime/log.js';
import { AccessControl } from '../../../../workers/api/auth/access.js';
import { StoreUnavailable } from '../../../../workers/api/auth/auth-store/connection.js';
import type { AuthStore, StoredKey, StoredUser } from '../../../../workers/api/auth/auth-store/store.js';
import { ApiProblem } from '../../../../workers/api/http/problem.js';
import { Sessions } from '../../../../workers/api/auth/sessions.js';
import { FakeTime } from '../../../fixtures/fake-time.js';

const key = `rt_${'k'.repeat(43)}`;

/** A database that a test fills, empties and breaks. */
class TestStore implements AuthStore {
  users = new Map<string, StoredUser>();
  broken = false;
  key: Omit<StoredKey, 'label'> = { role: 'control', expired: false };
  asked = 0;

  hasUsers(): Promise<boolean> {
    return this.#answer(this.users.size > 0);
  }
  user(name: string): Promise<StoredUser | null> {
    return this.#answer(this.users.get(name) ?? null);
  }
  apiKey(text: string): Promise<StoredKey | null> {
    return this.#answer(text === key ? { label: 'grafana', ...this.key } : null);
  }
  add(name: string, stamp: string, role: Role = 'control'): StoredUser {
    const user = { name, stamp, role, hash: Buffer.alloc(96) };
    this.users.set(name, user);
    return user;
  }
  #answer<T>(value: T): Promise<T> {
    this.asked += 1;
    return this.broken ? Promise.reject(new StoreUnavailable('damaged')) : Promise.resolve(value);
  }
}

type Who = 'nobody' | 'a stranger' | 'a session' | 'a key';
type State =
  | 'off'
  | 'off without users'
  | 'on'
  | 'on with users'
  | 'unreadable'
  | 'unreadable, set on'
  | 'unreadable, set off';

describe('the access check', () => {
  let time: FakeTime;
  let store: TestStore;
  let log: LogRecord[];
  let settings: {
    enabled: boolean | null;
    requireForReads: boolean;
    sessionTtlSeconds: number;
    dbPath: string;
  };
  let access: AccessControl;
  let alice: StoredUser;
  let token: string;
  beforeEach(() => {
    time = new FakeTime();
    store = new TestStore();
    log = [];
    settings = { enabled: null, requireForReads: false, sessionTtlSeconds: 60, dbPath: '' };
    access = new AccessControl({
      settings: () => settings,
      store: () => store,
      sessions: new Sessions(time),
      clock: time,
      log: loggerTo('api', time, (record) => void log.push(record)),
    });
    alice = store.add('alice', 's1');
    token = access.open(alice).token;
  });

  const headersOf = (who: Who): readonly string[] =>
    ({
      nobody: [],
      'a stranger': ['Authorization', 'Bearer rs_nothing'],
      'a session': ['Authorization', `Bearer ${token}`],
      'a key': ['X-API-Key', key],
    })[who];

  function put(state: State): void {
    settings.enabled =
      { off: false, on: true, 'unreadable, set on': true, 'unreadable, set off': false }[state as string] ??
      null;
    store.broken = state.startsWith('unreadable');
    if (state === 'off without users') store.users.clear();
  }

  async function outcome(auth: Asked, headers: readonly string[], withoutStore = false): Promise<string> {
    try {
      const { principal } = await access.authorize(
        { auth, ...(withoutStore ? { withoutStore } : {}) },
        headers,
      );
      return principal;
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      if (error.status === 401) expect(error.headers).to.deep.equal({ 'WWW-Authenticate': 'Bearer' });
      return `${String(error.status)} ${error.code}`;
    }
  }

  const known: Record<Who, string> = {
    nobody: 'anonymous',
    'a stranger': 'anonymous',
    'a session': 'user:alice',
    'a key': 'apikey:grafana',
  };
  const everybody = Object.keys(known) as Who[];
  const same = (text: string): Record<Who, string> =>
    Object.fromEntries(everybody.map((who) => [who, text])) as Record<Who, string>;
  const [no401, no403, no503] = ['401 UNAUTHORIZED', '403 FORBIDDEN', '503 AUTH_UNAVAILABLE'];
  const denied = { ...known, nobody: no401, 'a stranger': no401 };
  const blind = { ...known, 'a key': 'anonymous' };
  const blindDenied = { ...same(no401), 'a session': 'user:alice' };

  const table: readonly (readonly [
    State,
    { reads: Record<Who, string>; gated: Record<Who, string>; writes: Record<Who, string> },
  ])[] = [
    ['off', { reads: same('anonymous'), gated: same('anonymous'), writes: same(no403) }],
    ['off without users', { reads: same('anonymous'), gated: same('anonymous'), writes: same(no403) }],
    ['on', { reads: known, gated: denied, writes: denied }],
    ['on with users', { reads: known, gated: denied, writes: denied }],
    ['unreadable', { reads: blind, gated: blindDenied, writes: { ...same(no401), 'a session': no503 } }],
    [
      'unreadable, set on',
      { reads: blind, gated: blindDenied, writes: { ...same(no401), 'a session': no503 } },
    ],
    ['unreadable, set off', { reads: same('anonymous'), gated: same('anonymous'), writes: same(no403) }],
  ];
  for (const [state, { reads, gated, writes }] of table)
    for (const who of everybody)
      it(`with authentication ${state}: ${who} reads as ${reads[who]}, under require_for_reads ${gated[who]}, writes: ${writes[who]}`, async () => {
        put(state);
        expect(await outcome('open', headersOf(who))).to.equal('anonymous');
        expect(await outcome('read', headersOf(who))).to.equal(reads[who]);
        expect(await outcome('write', headersOf(who))).to.equal(writes[who]);
        settings.requireForReads = true;
        expect(await outcome('read', headersOf(who))).to.equal(gated[who]);
      });

  it('accepts a session token and an API key in either header', async () => {
    for (const text of [token, key])
      for (const headers of [
        ['Authorization', `Bearer ${text}`],
        ['X-API-Key', text],
      ])
        expect(await outcome('write', headers)).not.to.match(/^4/);
  });

  it('accepts the valid one of two credentials', async () => {
    expect(await outcome('write', ['Authorization', 'Bearer rs_old', 'X-API-Key', key])).to.equal(
      'apikey:grafana',
    );
  });

  it('does not read the database for an open route', async () => {
    await outcome('read', []);
    await outcome('open', headersOf('a session'));
    expect(store.asked).to.equal(0);
  });

  it('accepts a user immediately after its creation', async () => {
    store.users.clear();
    expect(await outcome('write', [])).to.equal(no403);
    store.add('bob', 's2');
    expect(await outcome('write', [])).to.equal(no401);
  });

  it('ends a session when its user is deleted, even if a user of that name is created again', async () => {
    store.add('bob', 's3');
    store.users.delete('alice');
    expect(await outcome('write', headersOf('a session'))).to.equal(no401);
    store.users.set('alice', alice);
    expect(await outcome('write', headersOf('a session'))).to.equal(no401);
  });

  it('is off for a session whose user, the last one, is deleted between its two questions', async () => {
    settings.requireForReads = true;
    store.user = () => {
      store.users.clear();
      return Promise.resolve(null);
    };
    expect(await outcome('read', headersOf('a session'))).to.equal('anonymous');
    store.add('alice', 's1');
    token = access.open(alice).token;
    expect(await outcome('write', headersOf('a session'))).to.equal(no403);
  });

  it('ends a session when the password is reset', async () => {
    store.add('alice', 's2');
    expect(await outcome('write', headersOf('a session'))).to.equal(no401);
  });

  it('ends a session after its lifetime', async () => {
    await time.pass(60_000);
    expect(await outcome('write', headersOf('a session'))).to.equal(no401);
  });

  it('keeps a session while the database is unreadable', async () => {
    store.broken = true;
    expect(await outcome('write', headersOf('a session'))).to.equal(no503);
    expect(await outcome('write', headersOf('a session'), true)).to.equal('user:alice');
    store.broken = false;
    expect(await outcome('write', headersOf('a session'))).to.equal('user:alice');
  });

  it('does not keep a session that the database rejected before it failed', async () => {
    store.users.clear();
    store.add('bob', 's9');
    await outcome('read', headersOf('a session'));
    store.broken = true;
    settings.requireForReads = true;
    expect(await outcome('read', headersOf('a session'))).to.equal(no401);
  });

  it('restricts an open route for anonymous callers only while reads need a credential', async () => {
    const ready = { auth: 'open', identifies: true } as const;
    const restricted = async (who: Who) => (await access.authorize(ready, headersOf(who))).restricted;
    expect(await restricted('nobody')).to.equal(false);
    settings.requireForReads = true;
    expect(await Promise.all(everybody.map(restricted))).to.deep.equal([true, true, false, false]);
    settings.enabled = false;
    expect(await restricted('nobody')).to.equal(false);
  });

  it('reports require_for_reads only while authentication is on', async () => {
    settings.requireForReads = true;
    expect(await access.shown()).to.deep.equal({ enabled: true, requireForReads: true });
    store.users.clear();
    expect(await access.shown()).to.deep.equal({ enabled: false, requireForReads: false });
    store.broken = true;
    expect(await access.shown()).to.deep.equal({ enabled: true, requireForReads: true });
  });

  it('logs an unreadable database once a minute', async () => {
    store.broken = true;
    for (let turn = 0; turn < 20; turn += 1) await outcome('write', []);
    expect(log).to.have.length(1);
    expect(log[0]?.message).to.contain('damaged');
    await time.pass(60_000);
    await outcome('write', []);
    expect(log).to.have.length(2);
  });

  it('says once that reads are open which the configuration closes, each time the last user is lost', async () => {
    settings.requireForReads = true;
    const open = () =>
      log.filter(({ message }) => message.includes('require_for_reads has no effect')).length;
    const read = () => outcome('read', []);
    expect([await read(), open()]).to.deep.equal(['401 UNAUTHORIZED', 0]);
    store.users.clear();
    expect([await read(), await read(), open()]).to.deep.equal(['anonymous', 'anonymous', 1]);
    store.add('alice', 's1');
    expect([await read(), open()]).to.deep.equal(['401 UNAUTHORIZED', 1]);
    store.users.clear();
    settings.enabled = true;
    expect([await read(), open()]).to.deep.equal(['401 UNAUTHORIZED', 1]);
    settings.enabled = null;
    expect([await read(), open()]).to.deep.equal(['anonymous', 2]);
  });
});
