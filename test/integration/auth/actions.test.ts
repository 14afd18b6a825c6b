// Every action over the API of a running daemon leaves an audit row (specification/events.md#audit-rows): which rows,
// limits (specification/events.md#audit-limits) and counts, also across a stop of the daemon.
import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WholeDaemon } from '../api/whole-daemon.js';
import type { Row } from './shared-daemon.js';
import { SharedDaemon } from './shared-daemon.js';
import { requestDaemon } from '../../../scripts/commands/control/control-socket.js';
import { ReloadReport } from '../../../shared/protocol/api.js';
import { descendants } from '../../fixtures/processes.js';
import { until } from '../../fixtures/until.js';

describe('the audit of actions in a running daemon', () => {
  const shared = new SharedDaemon();
  let whole: WholeDaemon;
  let office: string;
  let label: string;
  beforeEach(async () => {
    await shared.begin();
    ({ whole, label } = shared);
    office = `office-127.0.0.1-${String(whole.upsdPort)}`;
  });
  afterEach(function () {
    return shared.endTest(this.currentTest?.isFailed() !== false);
  });
  after(() => shared.stop());

  async function send(
    method: string,
    path: string,
    body: object | null,
    credential: string | null = shared.key,
  ): Promise<Response> {
    return fetch(`http://127.0.0.1:${String(whole.port)}${path}`, {
      method,
      headers: credential === null ? {} : { 'x-api-key': credential },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    });
  }
  const status = async (answer: Promise<Response>): Promise<number> => {
    const one = await answer;
    expect(await one.text()).not.to.equal('');
    return one.status;
  };
  const command = (name: string, credential?: string | null): Promise<number> =>
    status(send('POST', `/api/v1/ups/${office}/command`, { command: name }, credential));

  const audited = async (): Promise<readonly Row[]> => {
    const answer = await whole.daemon.control('events?category=audit&limit=10000');
    // An error while the history cannot be read.
    return (answer as { events?: Row[] }).events ?? [];
  };
  /** The rows once `enough` accepts them: they are written shortly after the answer. */
  const rows = (enough: (rows: readonly Row[]) => boolean): Promise<readonly Row[]> =>
    until(() => audited(), enough);
  const ofType = (all: readonly Row[], type: string): readonly string[] =>
    all.filter(({ eventType }) => eventType === type).map(({ detail }) => detail);
  const own = (all: readonly Row[], type: string): readonly string[] =>
    ofType(all, type).filter((detail) => detail.startsWith(`apikey:${label}`));

  it('counts failures only: after nine wrong passwords and a right one, the eleventh attempt must wait', async () => {
    const login = (password: string): Promise<number> =>
      status(send('POST', '/api/v1/auth/login', { username: 'alice', password }, null));
    const wrong = (times: number): Promise<readonly number[]> =>
      Promise.all(Array.from({ length: times }, () => login('wrong')));
    const answers = [...(await wrong(9)), await login(whole.password), ...(await wrong(10))];
    const count = (code: number): number => answers.filter((one) => one === code).length;
    expect([count(401), count(200), count(429)]).to.deep.equal([10, 1, 9]);
    const all = await shared.rowsAfterTheEnd();
    expect(ofType(all, 'LOGIN_FAILURE')).to.have.length(10);
    expect(ofType(all, 'LOGIN_SUCCESS')).to.have.length(1);
    expect(ofType(all, 'LOGIN_THROTTLED')).to.deep.equal([
      'anonymous from 127.0.0.1: login: denied, too many failed logins',
      'anonymous from 127.0.0.1: login: denied, too many failed logins, 8 more',
    ]);
  });

  it('records one row for each action and target of an anonymous caller, and counts the repeats', async () => {
    const answers = await Promise.all(Array.from({ length: 194 }, () => command('beeper.mute', null)));
    expect(new Set(answers)).to.deep.equal(new Set([401]));
    const paths = [
      ...['office', 'rack-a', 'rack-b'].map(
        (name) => ['POST', `/api/v1/ups/${name}-127.0.0.1-${String(whole.upsdPort)}/self-test`] as const,
      ),
      ['PUT', `/api/v1/ups/${office}/variables/ups.id`] as const,
      ['PUT', `/api/v1/ups/${office}/variables/ups.delay.shutdown`] as const,
      ['DELETE', `/api/v1/ups/${office}/events`] as const,
      ['POST', '/api/v1/config/reload'] as const,
    ];
    for (const [method, path] of paths) expect(await status(send(method, path, {}, null))).to.equal(401);
    const others = ['beeper.toggle', 'load.off', 'test.panel.start'];
    for (const name of others) expect(await command(name, null)).to.equal(401);
    const line = (method: string, path: string): string =>
      `anonymous from 127.0.0.1: ${method} ${path}: denied`;
    const run = (name: string): string => line('POST', `/api/v1/ups/${office}/command (run ${name})`);
    const now = await rows((all) => ofType(all, 'CONTROL_COMMAND').length > others.length);
    expect(ofType(now, 'CONTROL_COMMAND')).to.deep.equal(['beeper.mute', ...others].map(run));
    expect(ofType(now, 'CONTROL_SELF_TEST')).to.have.members(
      paths.slice(0, 3).map(([method, path]) => line(method, path)),
    );
    expect(ofType(now, 'CONTROL_VARIABLE')).to.have.members(
      paths.slice(3, 5).map(([method, path]) => line(method, path)),
    );
    expect(ofType(now, 'EVENTS_DELETE_DENIED')).to.deep.equal([
      line('DELETE', `/api/v1/ups/${office}/events`),
    ]);
    expect(ofType(await shared.rowsAfterTheEnd(), 'CONTROL_COMMAND').at(-1)).to.equal(
      `${run('beeper.mute')}, 193 more`,
    );
  });

  it('keeps the counts of a killed API worker: the supervisor records them', async () => {
    for (let turn = 0; turn < 194; turn += 1) expect(await command('beeper.mute', null)).to.equal(401);
    const worker = descendants(whole.daemon.pid).find(({ command: line }) => line.endsWith('api/worker.js'));
    // The worker reports its counts every second; nothing shows that from outside. Twice that and more have passed, and
    // what it sent before its questions to the supervisor has arrived with their answers.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    for (let times = 0; times < 2; times += 1)
      expect(await status(send('POST', '/api/v1/config/reload', null))).to.equal(200);
    shared.spend();
    process.kill(worker?.pid ?? 0, 'SIGKILL');
    const commands = (all: readonly Row[]): readonly string[] => ofType(all, 'CONTROL_COMMAND');
    const all = await until(
      () => audited().catch(() => []),
      (found) => commands(found).length > 1,
    );
    expect(commands(all)[1]).to.match(/^api: 193 more rows of this kind were not written: /);
    expect(commands(await shared.rowsAfterTheEnd())).to.deep.equal(commands(all));
  });

  it('records one row an action for a user whose session cannot be confirmed, within the same limit', async () => {
    const login = { username: 'alice', password: whole.password };
    const { token } = (await (await send('POST', '/api/v1/auth/login', login, null)).json()) as {
      token: string;
    };
    shared.spend();
    writeFileSync(join(whole.daemon.directory, 'lib/auth.db'), 'no database'.repeat(1_000));
    const names = ['beeper.mute', 'beeper.toggle', 'beeper.toggle'];
    for (const name of names) expect(await command(name, token)).to.equal(503);
    const found = await rows((all) => ofType(all, 'CONTROL_COMMAND').length > 2);
    const why = 'denied, the authentication database cannot be read';
    expect(ofType(found, 'CONTROL_COMMAND')).to.deep.equal(
      names.map((name) => `user:alice from 127.0.0.1: run ${name}: ${why}`),
    );
    const flood = await Promise.all(Array.from({ length: 60 }, () => command('beeper.mute', token)));
    expect(flood).to.include(429);
  });

  it('keeps every count when the daemon stops', async () => {
    for (let turn = 0; turn < 3; turn += 1)
      await Promise.all(
        Array.from({ length: 120 }, (_, name) =>
          status(send('PUT', `/api/v1/ups/${office}/variables/ups.${String(name)}`, {}, null)),
        ),
      );
    const details = ofType(await shared.rowsAfterTheEnd(), 'CONTROL_VARIABLE');
    expect(details).to.have.length(202);
    const counts = details.map((one) => Number(/, (\d+) more$/.exec(one)?.[1] ?? 1));
    expect(counts.reduce((sum, one) => sum + one, 0)).to.equal(360);
    expect(details.filter((one) => one.includes('other refusals'))).to.deep.equal([
      'anonymous: other refusals: denied, 59 more',
    ]);
  });

  it('records or counts each of 330 rejected commands of one key', async () => {
    const answers: number[] = [];
    // More than the 300 of five minutes, so that some are counted on a slow machine too.
    for (let turn = 0; turn < 330; turn += 1) answers.push(await command(`test.number.${String(turn)}`));
    const denied = answers.flatMap((code, turn) => (code === 403 ? [`test.number.${String(turn)}`] : []));
    const limited = answers.filter((code) => code === 429).length;
    expect(denied.length + limited).to.equal(330);
    expect(denied).to.have.length.within(20, 300);
    const all = await shared.rowsAfterTheEnd();
    const details = own(all, 'CONTROL_COMMAND');
    expect(details.filter((one) => one.includes(': run '))).to.deep.equal(
      denied.map((name) => `apikey:${label} from 127.0.0.1: run ${name}: denied`),
    );
    const counted = details.filter((one) => !one.includes(': run '));
    expect(counted[0]).to.match(/^apikey:key-\d+ from 127\.0\.0\.1: POST \S+\/command: denied, too many/);
    // On a slow machine another period of counting begins: its first has a row of its own.
    const each = counted.map((one) => Number(/, (\d+) more$/.exec(one)?.[1] ?? 1));
    expect(each.reduce((sum, one) => sum + one, 0)).to.equal(limited);
  });

  it('limits all actions of one principal together, and returns when to retry', async () => {
    // The reload last: each one it lets through is a process that reads the configuration.
    const actions = [
      ['POST', `/api/v1/ups/${office}/command`, { command: 'beeper.mute' }],
      ['PUT', `/api/v1/ups/${office}/variables/ups.id`, { value: '1' }],
      ['POST', `/api/v1/ups/${office}/self-test`, {}],
      ['DELETE', `/api/v1/ups/${office}/events`, { items: [] }],
      ['POST', '/api/v1/config/reload', {}],
    ] as const;
    for (const [method, path, body] of actions) {
      const answers = await Promise.all(Array.from({ length: 40 }, () => send(method, path, body)));
      const limited = answers.filter(({ status: code }) => code === 429);
      expect(limited.length, path).to.be.at.least(1);
      for (const answer of limited) {
        expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 300);
        const { error } = (await answer.json()) as { error: { code: string } };
        expect(error.code).to.equal('TOO_MANY_ATTEMPTS');
      }
    }
    const login = { username: 'alice', password: whole.password };
    const { token } = (await (await send('POST', '/api/v1/auth/login', login, null)).json()) as {
      token: string;
    };
    expect(await command('beeper.mute', token)).to.equal(200);
  });

  it('records one row a reload and principal, and does not limit the control socket', async () => {
    const byKey = await Promise.all(
      Array.from({ length: 3 }, () => status(send('POST', '/api/v1/config/reload', null))),
    );
    expect(new Set(byKey)).to.deep.equal(new Set([200]));
    const bySocket = await Promise.all(
      Array.from({ length: 21 }, () =>
        requestDaemon(whole.daemon.controlSocket, 'reload', ReloadReport, {
          method: 'POST',
          withinMs: 120_000,
        }),
      ),
    );
    expect(bySocket.every(({ ok }) => ok)).to.equal(true);
    whole.daemon.signal('SIGHUP');
    const count = (all: readonly Row[], principal: string): number =>
      ofType(all, 'CONFIG_RELOAD').filter((one) => one.startsWith(`${principal}: reload: ok`)).length;
    const principals = [`apikey:${label} from 127.0.0.1`, 'local', 'signal'];
    const counts = (all: readonly Row[]): readonly number[] => principals.map((who) => count(all, who));
    const all = await rows((found) => counts(found).reduce((sum, one) => sum + one, 0) > 24);
    expect(counts(all)).to.deep.equal([3, 21, 1]);
  });

  const reloadWith = async (toml: string): Promise<void> => {
    whole.daemon.configure(toml);
    expect(await status(send('POST', '/api/v1/config/reload', null))).to.equal(200);
  };

  it('names the command or variable of a rejected request, even while control is off', async () => {
    expect(await command('beeper.mute')).to.equal(200);
    expect(await command('test.panel.start')).to.equal(403);
    await reloadWith(whole.toml.replace('[nut_control]\nenabled = true', '[nut_control]\nenabled = false'));
    expect(await command('beeper.toggle')).to.equal(403);
    expect(await status(send('POST', `/api/v1/ups/${office}/command`, { command: 5 }))).to.equal(403);
    const variable = `/api/v1/ups/${office}/variables/ups.delay.shutdown`;
    expect(await status(send('PUT', variable, { value: '30' }))).to.equal(403);
    const all = await rows((found) => own(found, 'CONTROL_VARIABLE').length > 0);
    const by = `apikey:${label} from 127.0.0.1`;
    expect(own(all, 'CONTROL_COMMAND')).to.deep.equal([
      `${by}: run beeper.mute: ok`,
      `${by}: run test.panel.start: denied`,
      `${by}: run beeper.toggle: denied`,
      `${by}: run a command without a name: denied`,
    ]);
    expect(own(all, 'CONTROL_VARIABLE')).to.deep.equal([`${by}: set ups.delay.shutdown: denied`]);
    await reloadWith(whole.toml);
  });

  it('records a deletion as done, rejected or failed, and runs the hooks for it', async () => {
    const path = `/api/v1/ups/${office}/events`;
    const hook = `[[hooks]]\non = ["EVENTS_DELETED"]\ncommand = ["/usr/bin/env"]\n`;
    await reloadWith(`${whole.toml}${hook}`);
    whole.upsd.ups('office').set({ mainsVolts: 0 });
    const happened = async (): Promise<readonly Row[]> =>
      ((await whole.daemon.control('events?category=power_event')) as { events: Row[] }).events;
    const [row] = await until(happened, (found) => found.length > 0);
    whole.upsd.ups('office').set({ mainsVolts: 230 });
    const item = { id: row?.id, ts: row?.ts, eventType: row?.eventType };
    expect(await status(send('DELETE', path, { items: [item] }))).to.equal(200);
    expect(await status(send('DELETE', path, { items: [item] }))).to.equal(200);
    expect(await status(send('DELETE', path, { items: 'all' }))).to.equal(400);
    expect(await status(send('DELETE', path, { items: [] }, null))).to.equal(401);
    expect(await status(send('DELETE', '/api/v1/ups/nobody/events', { items: [] }))).to.equal(404);
    await whole.daemon.logged(/hooks\[0\] for EVENTS_DELETED of .* ended after .*EVENT=EVENTS_DELETED/);
    await reloadWith(whole.toml);
    const all = await rows((found) => own(found, 'EVENTS_DELETE_FAILED').length > 2);
    const by = `apikey:${label} from 127.0.0.1`;
    expect(own(all, 'EVENTS_DELETED')).to.deep.equal([`${by}: delete events: 1 rows`]);
    expect(ofType(all, 'EVENTS_DELETE_DENIED')).to.deep.equal([
      `anonymous from 127.0.0.1: DELETE ${path}: denied`,
    ]);
    const failed = [...own(all, 'EVENTS_DELETE_FAILED')].sort();
    expect(failed[0]).to.equal(`${by}: delete events at nobody: failed: no such UPS`);
    expect(failed[1]).to.equal(`${by}: delete events: 0 rows`);
    expect(failed[2]).to.match(/: delete events: failed: The body cannot be used: items: expected a list/);
  });

  it('records a deletion without an answer from storage as unknown', async () => {
    const storage = descendants(whole.daemon.pid).find(({ command: line }) => line.includes('storage'));
    shared.spend();
    process.kill(storage?.pid ?? 0, 'SIGSTOP');
    expect(await status(send('DELETE', `/api/v1/ups/${office}/events`, { items: [] }))).to.equal(503);
    const all = await rows((found) => own(found, 'EVENTS_DELETE_FAILED').length > 0);
    expect(own(all, 'EVENTS_DELETE_FAILED')[0]).to.match(
      /^apikey:key-\d+ from 127.0.0.1: delete events: failed: .*; whether they were deleted is not known$/,
    );
  });
});
