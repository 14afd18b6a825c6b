// A refused or failed action on a UPS leaves an audit row like one that was done (specification/events.md#audit-rows).
import { expect } from 'chai';
import type { ApiSettings } from '../../../shared/protocol/api.js';
import { AuditRecord } from '../../../shared/protocol/api.js';
import { apiKey, makeAuthFile } from './auth-file.js';
import type { ApiUnderTest, Ask, Options } from './fixture.js';
import { answers, publishedApi } from './fixture.js';
import { Held, answersIn, ask } from './raw.js';
import { summary } from './published-settings.js';

const office = { path: '/api/v1/ups/office-127.0.0.1', source: 'office-127.0.0.1' };
const nobody = { path: '/api/v1/ups/nobody', source: 'daemon' };
const byKey = 'apikey:ops from 127.0.0.1';

describe('the audit row of an action that is not executed', () => {
  let api: ApiUnderTest;
  const startWith = async (options: Options): Promise<void> => {
    api = await publishedApi({ ...options, auth: { enabled: true } });
    await makeAuthFile(api.settings.auth.dbPath);
  };
  const start = (given: Ask = answers): Promise<void> => startWith({ ask: given });
  afterEach(() => api.end());

  const send = async (
    method: string,
    path: string,
    body: object,
    credential = `X-API-Key: ${apiKey}\r\n`,
  ) => {
    const text = JSON.stringify(body);
    const headers = `Host: localhost\r\n${credential}Content-Length: ${String(Buffer.byteLength(text))}\r\n`;
    return (await ask(api, path, { method, headers, body: text })).status;
  };

  for (const [what, method, path, body, type, target] of [
    [
      'an instant command',
      'POST',
      '/command',
      { command: 'beeper.toggle' },
      'CONTROL_COMMAND',
      'run beeper.toggle',
    ],
    ['a write', 'PUT', '/variables/ups.id', { value: 'x' }, 'CONTROL_VARIABLE', 'set ups.id'],
    ['a deletion', 'DELETE', '/events', { items: [] }, 'EVENTS_DELETE_FAILED', 'delete events'],
  ] as const)
    it(`covers ${what} for a UPS that is not configured`, async () => {
      await start();
      expect(await send(method, `${nobody.path}${path}`, body)).to.equal(404);
      const detail = `${byKey}: ${target} at nobody: failed: no such UPS`;
      expect(api.audited).to.deep.equal([{ type, source: nobody.source, detail }]);
    });

  it('covers a self test of a UPS that is not configured', async () => {
    await start();
    expect(await send('POST', `${nobody.path}/self-test`, {})).to.equal(404);
    const detail = `${byKey}: start a self test of nobody: failed: no such UPS`;
    expect(api.audited).to.deep.equal([{ type: 'CONTROL_SELF_TEST', source: nobody.source, detail }]);
  });

  for (const [code, status] of [
    ['CONFLICT', 409],
    ['UNSUPPORTED', 422],
    ['NOT_ALLOWED', 403],
    ['NUT_REFUSED', 502],
    ['NUT_ERROR', 502],
    ['DEADLINE_EXCEEDED', 502],
  ] as const)
    it(`leaves a self test that fails with ${code} to the supervisor, and answers ${String(status)}`, async () => {
      await start(() => Promise.resolve({ ok: false, error: { code, message: 'full: the charge is 80 %' } }));
      expect(await send('POST', `${office.path}/self-test`, {})).to.equal(status);
      expect(api.audited).to.deep.equal([]);
    });

  it('covers a deletion that storage rejects', async () => {
    await start(() =>
      Promise.resolve({ ok: false, error: { code: 'READ_ONLY', message: 'the disk is read-only' } }),
    );
    expect(await send('DELETE', `${office.path}/events`, { items: [] })).to.equal(503);
    const detail = `${byKey}: delete events: failed: the disk is read-only`;
    expect(api.audited).to.deep.equal([{ type: 'EVENTS_DELETE_FAILED', source: office.source, detail }]);
  });

  it('is left out here for a deletion that times out, because storage may still execute it', async () => {
    const error = { code: 'DEADLINE_EXCEEDED', message: 'no answer within 5000 ms' };
    await start(() => Promise.resolve({ ok: false, error }));
    expect(await send('DELETE', `${office.path}/events`, { items: [] })).to.equal(503);
    expect(api.audited).to.deep.equal([]);
  });

  it('is written by the supervisor for a request that it received and could not execute', async () => {
    for (const code of ['NOT_ALLOWED', 'NUT_ERROR', 'DEADLINE_EXCEEDED', 'WORKER_GONE']) {
      await start(() => Promise.resolve({ ok: false, error: { code, message: 'no' } }));
      expect(await send('POST', `${office.path}/command`, { command: 'beeper.toggle' })).to.be.above(400);
      expect(api.audited, code).to.deep.equal([]);
      await api.end();
    }
    await start();
  });

  for (const [method, path, body, type, target] of [
    ['POST', `${office.path}/command`, { command: 'beeper.toggle' }, 'CONTROL_COMMAND', 'run beeper.toggle'],
    [
      'PUT',
      `${office.path}/variables/ups.delay.shutdown`,
      { value: '30' },
      'CONTROL_VARIABLE',
      'set ups.delay.shutdown',
    ],
    ['DELETE', `${office.path}/events`, { items: [] }, 'EVENTS_DELETE_FAILED', 'delete events'],
    ['POST', '/api/v1/config/reload', {}, 'CONFIG_RELOAD', 'reload'],
  ] as const)
    it(`is written here for a request that the supervisor did not receive: ${target}`, async () => {
      const error = { code: 'NOT_PERMITTED', message: 'too many concurrent requests; try again later' };
      await start(() => Promise.resolve({ ok: false, error }));
      expect(await send(method, path, body)).to.equal(503);
      const source = path.includes('/ups/') ? office.source : 'daemon';
      const detail = `${byKey}: ${target}: failed: ${error.message}`;
      expect(api.audited).to.deep.equal([{ type, source, detail }]);
    });

  it('covers an unusable body and too many items', async () => {
    await start();
    expect(await send('POST', `${office.path}/command`, { command: 'x'.repeat(300) })).to.equal(400);
    expect(await send('POST', `${office.path}/command`, { command: 5 })).to.equal(400);
    const written = await send('PUT', `${nobody.path}/variables/ups.id`, { value: '(hidden)' });
    expect(written, 'fields come before the UPS (specification/api.md#order-of-checks)').to.equal(400);
    const items = Array.from({ length: 1001 }, () => ({}));
    expect(await send('DELETE', `${office.path}/events`, { items })).to.equal(413);
    const said = api.audited.map(({ type, detail }) => `${type} ${detail}`);
    expect(said[0]).to.contain(`CONTROL_COMMAND ${byKey}: run ${'x'.repeat(300)}: failed: The body cannot`);
    expect(said[1]).to.contain('run a command without a name: failed: The body cannot be used');
    expect(said[2]).to.contain('set ups.id at nobody: failed: "(hidden)" is a placeholder for');
    expect(said[3]).to.equal(
      `EVENTS_DELETE_FAILED ${byKey}: delete events: failed: At most 1000 items at once.`,
    );
  });

  it('contains the request, within its size, whatever was requested', async () => {
    await start();
    const odd = `${'\u{1f50c}'.repeat(200)}\n\u202e\0`;
    expect(await send('PUT', `${nobody.path}/variables/${encodeURIComponent(odd)}`, { value: '1' })).to.equal(
      404,
    );
    const [row] = api.audited;
    expect(AuditRecord.is(row)).to.equal(true);
    expect(row?.detail).to.match(/^apikey:ops from 127\.0\.0\.1: set [^\p{C}]+: failed: no such UPS$/u);
  });

  describe('while control of UPSes is off', () => {
    const off: Partial<ApiSettings> = {
      summary: { ...summary, nutControl: { ...summary.nutControl, enabled: false } },
    };
    const startOff = (limits: Options['limits'] = {}): Promise<void> => startWith({ settings: off, limits });
    const rowOf = (target: string) => ({
      type: 'CONTROL_COMMAND',
      source: office.source,
      detail: `${byKey}: ${target}: denied`,
    });
    const head = (length: number, more = ''): string =>
      `POST ${office.path}/command HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${apiKey}\r\nContent-Length: ${String(length)}\r\n${more}\r\n`;

    it('names the command, for a body with nothing else', async () => {
      await startOff();
      expect(await send('POST', `${office.path}/command`, { command: 'beeper.toggle', value: 5 })).to.equal(
        403,
      );
      expect(await send('POST', `${nobody.path}/command`, { command: 'beeper.toggle' })).to.equal(403);
      expect(await send('PUT', `${office.path}/variables/ups.id`, { value: 5 })).to.equal(403);
      expect(api.audited).to.deep.equal([
        rowOf('run beeper.toggle'),
        { ...rowOf('run beeper.toggle at nobody'), source: 'daemon' },
        { ...rowOf('set ups.id'), type: 'CONTROL_VARIABLE' },
      ]);
    });

    for (const [what, text] of [
      ['no JSON', '{"command":'],
      ['a list', '["beeper.toggle"]'],
      ['nothing', ''],
      ['more than a body may be', JSON.stringify({ command: 'x'.repeat(300 * 1024) })],
    ] as const)
      it(`has no name for a body that is ${what}, which is answered with 403`, async () => {
        await startOff();
        const held = new Held(api);
        held.socket.write(head(Buffer.byteLength(text), 'Connection: close\r\n') + text);
        await held.until((got) => got.includes('\r\n\r\n'));
        expect(answersIn(held.received)[0]?.status).to.equal(403);
        held.socket.destroy();
        expect(api.audited).to.deep.equal([rowOf('run a command without a name')]);
      });

    it('does not wait for a body that never comes or that needs 100 Continue', async () => {
      await startOff({ refusedBodyMs: 30 });
      for (const more of ['', 'Expect: 100-continue\r\n']) {
        const held = new Held(api);
        held.socket.write(head(100, more));
        await held.until((text) => text.includes('\r\n\r\n'));
        expect(held.received).to.match(/^HTTP\/1\.1 403 /);
        held.socket.destroy();
      }
      expect(api.audited).to.deep.equal([
        rowOf('run a command without a name'),
        rowOf('run a command without a name'),
      ]);
    });
  });

  it('covers a logout without a valid session', async () => {
    await start();
    expect(await send('POST', '/api/v1/auth/logout', {})).to.equal(401);
    const detail = `${byKey}: POST /api/v1/auth/logout: denied`;
    expect(api.audited).to.deep.equal([{ type: 'LOGIN_FAILURE', source: 'daemon', detail }]);
  });

  for (const { path, source } of [office, nobody])
    it(`has the source ${source} for an anonymous request to ${path}`, async () => {
      await start();
      for (const command of ['beeper.toggle', 'beeper.toggle', 'beeper.mute', 'x\u2028y', '', 5])
        expect(await send('POST', `${path}/command`, { command }, '')).to.equal(401);
      const rowOf = (named: string) => ({
        type: 'CONTROL_COMMAND',
        source,
        detail: `anonymous from 127.0.0.1: POST ${path}/command${named}: denied`,
      });
      expect(api.audited).to.deep.equal(
        [' (run beeper.toggle)', ' (run beeper.mute)', ' (run x?y)', ''].map(rowOf),
      );
    });

  it('reads at most a small body that has already arrived, for a caller without a credential', async () => {
    await start();
    const held = new Held(api);
    const length = 5_000;
    held.socket.write(
      `POST ${office.path}/command HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${String(length)}\r\n\r\n`,
    );
    held.socket.write(`{"command":"${'x'.repeat(4_200)}`);
    await held.until((text) => text.includes('\r\n\r\n'));
    expect(held.received).to.match(/^HTTP\/1\.1 401 /);
    held.socket.destroy();
    expect(api.audited.map(({ detail }) => detail)).to.deep.equal([
      `anonymous from 127.0.0.1: POST ${office.path}/command: denied`,
    ]);
  });
});
