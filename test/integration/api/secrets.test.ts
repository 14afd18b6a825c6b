import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { until } from '../../fixtures/until.js';
import type { WholeDaemon } from './whole-daemon.js';
import { planted, startWholeDaemon } from './whole-daemon.js';

describe('the secrets of the configuration', () => {
  let whole: WholeDaemon;
  before(async () => {
    whole = await startWholeDaemon('[logging]\nlevel = "debug"\nformat = "json"\n');
  });
  after(() => whole.stop());

  /** Retries when the action limit rejects the request: each request needs its own answer. */
  const get = async (path: string, init: RequestInit = {}): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${String(whole.port)}${path}`, init).catch(
      (cause: unknown) => {
        throw new Error(`no answer for ${path}: ${whole.daemon.log().slice(-2000)}`, { cause });
      },
    );
    const text = await answer.text();
    if (answer.status !== 429) return [...answer.headers].join('\n') + text;
    await delay(Number(answer.headers.get('retry-after')) * 1000);
    return get(path, init);
  };
  const withKey = (): RequestInit => ({ headers: { 'X-API-Key': whole.key } });

  it('are in use: the daemon authenticates with one of them', async () => {
    const name = `/api/v1/ups/office@127.0.0.1:${String(whole.upsdPort)}/command`;
    const body = JSON.stringify({ command: 'beeper.mute' });
    expect(await get(name, { ...withKey(), method: 'POST', body })).to.contain('"status":"ok"');
  });

  it('appear in no answer, error, metric or API description, for any caller', async () => {
    const { endpoints } = JSON.parse((await get('/api/v1')).replace(/^[^{]*/s, '')) as {
      endpoints: { method: string; path: string }[];
    };
    let answers = 0;
    for (const { method, path } of endpoints) {
      if (path === '/api/v1/stream') continue;
      for (const name of [`office@127.0.0.1:${String(whole.upsdPort)}`, 'nobody'])
        for (const init of [{}, withKey()])
          for (const body of method === 'GET'
            ? [null]
            : ['{', '{}', '{"command":"x","value":"y","items":[{}]}']) {
            const target = path.replace('{name}', name).replace('{group}', 'rack-1').replace('{var}', 'x.y');
            const text = await get(target, { ...init, method, body });
            expect(text, `${method} ${target}`).not.to.contain(planted);
            answers += 1;
          }
    }
    expect(answers).to.be.greaterThan(100);
  });

  it('appear in no configuration summary, which only says that they are set', async () => {
    for (const init of [{}, withKey()]) {
      const text = await get('/api/v1/config', init);
      expect(text).not.to.contain(planted);
      expect(text).to.contain('"brokerConfigured":true').and.to.contain('"serviceCount":1');
      expect(text.includes('"allowedCommands"')).to.equal(init.headers !== undefined);
    }
  });

  it('appear neither in the error of a reload that fails on them nor in the log', async () => {
    const broken = whole.toml
      .replace(`password = "${planted} nut"`, `password = ["${planted} nut"]`)
      .replace(`mqtts://${planted}-user`, `http://${planted}-user`);
    whole.daemon.configure(broken);
    const answer = await get('/api/v1/config/reload', { ...withKey(), method: 'POST' });
    expect(answer).to.contain('RELOAD_REJECTED').and.to.contain('nut_control.password');
    expect(answer).not.to.contain(planted);
    whole.daemon.configure(whole.toml);
    expect(await get('/api/v1/config/reload', { ...withKey(), method: 'POST' })).to.contain(
      '"reloaded":true',
    );
    whole.daemon.signal('SIGUSR2');
    await until(
      () => whole.daemon.log(),
      (log) => log.includes('"reloaded"') || log.split('CONFIG_RELOAD').length > 2,
    );
    expect(whole.daemon.log().length).to.be.greaterThan(2000);
    expect(whole.daemon.log()).not.to.contain(planted);
  });
});
