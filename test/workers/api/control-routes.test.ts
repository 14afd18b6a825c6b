import { expect } from 'chai';
import { apiKey, makeAuthFile } from './auth-file.js';
import type { ApiUnderTest, Ask, Options } from './fixture.js';
import { answers, publishedApi } from './fixture.js';
import type { Answered } from './raw.js';
import { ask, codeOf } from './raw.js';

const ups = '/api/v1/ups/office-127.0.0.1';

describe('a route that changes something', () => {
  let api: ApiUnderTest;
  let orders: { name: string; params: object }[];
  const start = async (options: Options = {}): Promise<void> => {
    orders = [];
    const { ask: given = answers } = options;
    const recording: Ask = (name, group, params) => {
      orders.push({ name, params });
      return given(name, group, params);
    };
    api = await publishedApi({ ...options, ask: recording, auth: { enabled: true } });
    await makeAuthFile(api.settings.auth.dbPath);
  };
  afterEach(() => api.end());

  const send = (method: string, path: string, body: string | object): Promise<Answered> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const length = `Content-Length: ${String(Buffer.byteLength(text))}\r\n`;
    return ask(api, path, {
      method,
      headers: `Host: localhost\r\nX-API-Key: ${apiKey}\r\n${length}`,
      body: text,
    });
  };
  const refusing =
    (code: string, message = 'no reason'): Ask =>
    () =>
      Promise.resolve({ ok: false, error: { code, message } });

  describe('an instant command', () => {
    it('is executed and answered with the result of the server', async () => {
      await start();
      const answer = await send('POST', `${ups}/command`, { command: 'beeper.toggle', value: '5' });
      expect([answer.status, JSON.parse(answer.body)]).to.deep.equal([
        200,
        { ups: 'office@127.0.0.1', command: 'beeper.toggle', status: 'ok', output: 'OK' },
      ]);
      expect(orders).to.deep.equal([
        {
          name: 'control.run',
          params: {
            group: 'office-127.0.0.1',
            principal: 'apikey:ops from 127.0.0.1',
            command: 'beeper.toggle',
            value: '5',
          },
        },
      ]);
    });

    for (const command of [
      'shutdown.return',
      'SHUTDOWN.stayoff',
      'load.off',
      'driver.killpower',
      'Outlet.1.Load.Off',
      'outlet.group.1.load.cycle',
      'outlet.1.shutdown.return',
      'test.panel',
      'beeper.toggle ',
    ])
      it(`is rejected without asking the server when it is ${command}, and the rejection is recorded`, async () => {
        await start();
        const answer = await send('POST', `${ups}/command`, { command });
        expect([answer.status, codeOf(answer)]).to.deep.equal([403, 'FORBIDDEN']);
        expect(orders).to.deep.equal([]);
        expect(api.audited).to.have.length(1);
        expect(api.audited[0]).to.include({ type: 'CONTROL_COMMAND', source: 'office-127.0.0.1' });
        expect(api.audited[0]?.detail).to.match(/^apikey:ops from 127\.0\.0\.1: run .*: denied$/);
      });

    for (const [what, body] of [
      ['no command', {}],
      ['an empty one', { command: '' }],
      ['a number', { command: 5 }],
      ['a name that is too long', { command: 'x'.repeat(300) }],
      ['a value that is no text', { command: 'beeper.toggle', value: 5 }],
      ['a value of two lines', { command: 'beeper.toggle', value: '5\nFSD ups' }],
      ['a list', '[]'],
      ['no JSON', '{'],
    ] as const)
      it(`is answered with 400 for ${what}`, async () => {
        await start();
        const answer = await send('POST', `${ups}/command`, body);
        expect([answer.status, codeOf(answer)]).to.deep.equal([400, 'INVALID_REQUEST']);
        expect(orders).to.deep.equal([]);
      });

    it('is checked before its UPS is looked up', async () => {
      await start();
      expect((await send('POST', '/api/v1/ups/nobody/command', {})).status).to.equal(400);
      expect((await send('POST', '/api/v1/ups/nobody/command', { command: 'x' })).status).to.equal(404);
    });

    it('finds its UPS by every name', async () => {
      await start();
      for (const name of [
        'office%40127.0.0.1',
        'office%40127.0.0.1:3493',
        'office@127.0.0.1',
        'office-127.0.0.1',
      ])
        expect(
          (await send('POST', `/api/v1/ups/${name}/command`, { command: 'beeper.toggle' })).status,
        ).to.equal(200);
    });

    for (const [code, status, error] of [
      ['NUT_ERROR', 502, 'NUT_ERROR'],
      ['UNSUPPORTED', 502, 'NUT_ERROR'],
      ['DEADLINE_EXCEEDED', 502, 'NUT_ERROR'],
      ['NOT_ALLOWED', 403, 'FORBIDDEN'],
      ['NOT_FOUND', 404, 'NOT_FOUND'],
      ['WORKER_GONE', 503, 'SUPERVISOR_UNAVAILABLE'],
    ] as const)
      it(`that fails with ${code} is answered with ${String(status)} and the text of the server`, async () => {
        await start({ ask: refusing(code, 'the driver is offline') });
        const answer = await send('POST', `${ups}/command`, { command: 'beeper.toggle' });
        expect([answer.status, codeOf(answer)]).to.deep.equal([status, error]);
        if (status !== 404) expect(answer.body).to.contain('the driver is offline');
      });
  });

  describe('the list of commands', () => {
    it('shows all commands, and as allowed none that cuts power', async () => {
      await start();
      const answer = await ask(api, `${ups}/commands`, {
        headers: `Host: localhost\r\nX-API-Key: ${apiKey}\r\n`,
      });
      const body = JSON.parse(answer.body) as { commands: { name: string }[]; supported: { name: string }[] };
      expect(body.commands.map(({ name }) => name)).to.deep.equal(['beeper.toggle']);
      expect(body.supported.map(({ name }) => name)).to.deep.equal(['beeper.toggle', 'load.off']);
    });
  });

  describe('a variable', () => {
    it('is written', async () => {
      await start();
      const answer = await send('PUT', `${ups}/variables/ups%2Edelay.shutdown`, { value: '30' });
      expect(JSON.parse(answer.body)).to.deep.equal({
        ups: 'office@127.0.0.1',
        variable: 'ups.delay.shutdown',
        value: '30',
        status: 'ok',
      });
    });

    it('outside the allowlist is rejected without asking the server', async () => {
      await start();
      expect((await send('PUT', `${ups}/variables/input.transfer.low`, { value: '1' })).status).to.equal(403);
      expect(orders).to.deep.equal([]);
      expect(api.audited[0]).to.include({ type: 'CONTROL_VARIABLE', source: 'office-127.0.0.1' });
    });

    for (const variable of ['ups.timer.shutdown', 'OUTLET.1.SWITCH', 'outlet.group.2.timer.reboot'])
      it(`that can cut power to a load is rejected without asking the server: ${variable}`, async () => {
        await start();
        const answer = await send('PUT', `${ups}/variables/${variable}`, { value: '0' });
        expect([answer.status, codeOf(answer)]).to.deep.equal([403, 'FORBIDDEN']);
        expect(answer.body).to.contain('can cut the power of a load');
        expect(orders).to.deep.equal([]);
        expect(api.audited).to.have.length(1);
      });

    for (const value of ['(hidden)', ' (hidden) '])
      it(`is not written as ${JSON.stringify(value)}, the placeholder of a hidden value`, async () => {
        await start();
        const answer = await send('PUT', `${ups}/variables/ups.delay.shutdown`, { value });
        expect([answer.status, codeOf(answer)]).to.deep.equal([400, 'INVALID_REQUEST']);
        expect(orders).to.deep.equal([]);
        expect(api.audited[0]?.detail).to.match(/: set ups\.delay\.shutdown: failed: /);
      });

    it('accepts text only', async () => {
      await start();
      for (const body of [{}, { value: 30 }, { value: null }, { value: 'x'.repeat(2000) }, { value: '1\n2' }])
        expect((await send('PUT', `${ups}/variables/ups.delay.shutdown`, body)).status).to.equal(400);
    });
  });

  describe('a deletion of events', () => {
    const item = { id: 1, ts: 2, eventType: 'ON_BATTERY' };

    it('returns the number of deleted events', async () => {
      await start();
      const answer = await send('DELETE', `${ups}/events`, { items: [item] });
      expect([answer.status, JSON.parse(answer.body)]).to.deep.equal([
        200,
        { ups: 'office@127.0.0.1', deleted: 1 },
      ]);
      expect(orders[0]).to.deep.equal({
        name: 'events.delete',
        params: { group: 'office-127.0.0.1', principal: 'apikey:ops from 127.0.0.1', items: [item] },
      });
    });

    it('skips an id that cannot exist', async () => {
      await start();
      const items = [{ ...item, id: -1 }, { ...item, eventType: 'x'.repeat(500) }, item];
      expect((await send('DELETE', `${ups}/events`, { items })).status).to.equal(200);
      expect(orders[0]?.params).to.have.property('items').that.deep.equals([item]);
    });

    it('accepts an empty list', async () => {
      await start();
      expect((await send('DELETE', `${ups}/events`, { items: [] })).status).to.equal(200);
    });

    it('accepts at most 1000 items, which is checked first', async () => {
      await start();
      const items = (count: number, one: unknown) => ({ items: Array.from({ length: count }, () => one) });
      expect((await send('DELETE', `${ups}/events`, items(1000, item))).status).to.equal(200);
      expect((await send('DELETE', `${ups}/events`, items(1001, item))).status).to.equal(413);
      expect((await send('DELETE', '/api/v1/ups/nobody/events', items(1001, 'wrong'))).status).to.equal(413);
    });

    for (const [what, body] of [
      ['no items', {}],
      ['items that are no list', { items: {} }],
      ['a switch for an id', { items: [{ ...item, id: true }] }],
      ['half a second', { items: [{ ...item, ts: 1.5 }] }],
      ['a number in a text', { items: [{ ...item, id: '1' }] }],
      ['an empty type', { items: [{ ...item, eventType: '' }] }],
      ['a type that is missing', { items: [{ id: 1, ts: 2 }] }],
    ] as const)
      it(`is answered with 400 for ${what}`, async () => {
        await start();
        expect((await send('DELETE', `${ups}/events`, body)).status).to.equal(400);
        expect((await send('DELETE', '/api/v1/ups/nobody/events', body)).status).to.equal(400);
      });

    it('explains the expected body', async () => {
      await start();
      const said = async (body: object) => (await send('DELETE', `${ups}/events`, body)).body;
      expect(await said({})).to.contain('items: expected a list of events, each with id, ts and eventType.');
      expect(await said({ items: [7] })).to.contain('items[0]: expected an event with id, ts and eventType.');
      expect(await said({ items: [{ id: 1.5, ts: '2', eventType: '' }] })).to.contain(
        'items[0].id: expected a whole number; items[0].ts: expected a whole number; items[0].eventType: expected a word.',
      );
    });

    it('is answered with 404 for an unknown UPS, and with 503 without a history', async () => {
      await start({ ask: refusing('READ_ONLY', 'the disk is read-only') });
      expect((await send('DELETE', '/api/v1/ups/nobody/events', { items: [] })).status).to.equal(404);
      const answer = await send('DELETE', `${ups}/events`, { items: [] });
      expect([answer.status, codeOf(answer)]).to.deep.equal([503, 'STATS_UNAVAILABLE']);
    });
  });

  describe('a reload', () => {
    it('returns the active configuration', async () => {
      await start();
      const answer = await send('POST', '/api/v1/config/reload', '');
      expect([answer.status, JSON.parse(answer.body)]).to.deep.equal([
        200,
        {
          reloaded: true,
          applied: ['triggers.low_battery_threshold'],
          restartedWorkers: [],
          restartRequired: [],
          errors: [],
        },
      ]);
      expect(orders[0]).to.deep.equal({
        name: 'configuration.reload',
        params: { principal: 'apikey:ops from 127.0.0.1' },
      });
    });

    it('of a file that nobody could read does not call it invalid', async () => {
      const errors = [{ path: '', message: 'config.toml could not be read within 30 s' }];
      const report = { reloaded: false, applied: [], restartedWorkers: [], restartRequired: [], errors };
      await start({ ask: () => Promise.resolve({ ok: true, value: { ...report, isUnread: true } }) });
      const { body } = await send('POST', '/api/v1/config/reload', '{}');
      expect(body)
        .to.include('could not be read. The current configuration stays')
        .and.include('"isUnread":true')
        .and.not.include('not valid');
    });

    it('of an invalid file is answered with 400 and all problems', async () => {
      const errors = [{ path: '', message: 'line 3, column 1: not TOML' }];
      const report = { reloaded: false, applied: [], restartedWorkers: [], restartRequired: [], errors };
      await start({ ask: () => Promise.resolve({ ok: true, value: report }) });
      const answer = await send('POST', '/api/v1/config/reload', '{}');
      expect([answer.status, codeOf(answer)]).to.deep.equal([400, 'RELOAD_REJECTED']);
      expect(JSON.parse(answer.body)).to.have.nested.property('error.details').that.deep.equals({ errors });
      expect(answer.body).to.include('is not valid. The current');
    });
  });
});
