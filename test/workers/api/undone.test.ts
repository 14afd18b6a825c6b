// What was asked of a UPS and not done stands in its history like what was done (interface.md 5.13, contract 1.8).
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiKey, makeAuthFile } from './auth-file.js';
import type { ApiUnderTest, Ask } from './fixture.js';
import { answers, startedApi } from './fixture.js';
import { ask } from './raw.js';

const office = { path: '/api/v1/ups/office-127.0.0.1', source: 'office-127.0.0.1' };
const nobody = { path: '/api/v1/ups/nobody', source: 'daemon' };
const byKey = 'apikey:ops from 127.0.0.1';

describe('an order that is not carried out', () => {
  let folder: string;
  let api: ApiUnderTest;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ridethrough-undone-'));
    await makeAuthFile(join(folder, 'auth.db'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const start = async (given: Ask = answers): Promise<void> => {
    api = await startedApi({ ask: given, auth: { enabled: true, dbPath: join(folder, 'auth.db') } });
    await api.publish();
  };
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
    ['a deletion', 'DELETE', '/events', { items: [] }, 'EVENTS_DELETED', 'delete events'],
  ] as const)
    it(`is recorded: ${what} for a UPS that is not configured`, async () => {
      await start();
      expect(await send(method, `${nobody.path}${path}`, body)).to.equal(404);
      const detail = `${byKey}: ${target} at nobody: failed: no such UPS`;
      expect(api.audited).to.deep.equal([{ type, source: nobody.source, detail }]);
    });

  for (const [about, name] of [
    [office, 'office-127.0.0.1'],
    [nobody, 'nobody'],
  ] as const)
    it(`is recorded: a self test of ${name}, which this version does not start`, async () => {
      await start();
      expect(await send('POST', `${about.path}/self-test`, {})).to.equal(403);
      const detail = `${byKey}: start a self test of ${name}: denied`;
      expect(api.audited).to.deep.equal([{ type: 'CONTROL_SELF_TEST', source: about.source, detail }]);
    });

  it('is recorded: a deletion that storage refuses', async () => {
    await start(() =>
      Promise.resolve({ ok: false, error: { code: 'READ_ONLY', message: 'the disk is read-only' } }),
    );
    expect(await send('DELETE', `${office.path}/events`, { items: [] })).to.equal(503);
    const detail = `${byKey}: delete events: failed: the disk is read-only`;
    expect(api.audited).to.deep.equal([{ type: 'EVENTS_DELETED', source: office.source, detail }]);
  });

  it('is not recorded here: a deletion of which storage says nothing in time, and which it may yet carry out', async () => {
    const error = { code: 'DEADLINE_EXCEEDED', message: 'no answer within 5000 ms' };
    await start(() => Promise.resolve({ ok: false, error }));
    expect(await send('DELETE', `${office.path}/events`, { items: [] })).to.equal(503);
    expect(api.audited).to.deep.equal([]);
  });

  it('is recorded: a logout with what is no session', async () => {
    await start();
    expect(await send('POST', '/api/v1/auth/logout', {})).to.equal(401);
    const detail = `${byKey}: POST /api/v1/auth/logout: denied`;
    expect(api.audited).to.deep.equal([{ type: 'LOGIN_FAILURE', source: 'daemon', detail }]);
  });

  for (const { path, source } of [office, nobody])
    it(`is recorded under ${source} when nobody in particular asked for it at ${path}`, async () => {
      await start();
      expect(await send('POST', `${path}/command`, { command: 'beeper.toggle' }, '')).to.equal(401);
      const detail = `anonymous from 127.0.0.1: POST ${path}/command: denied`;
      expect(api.audited).to.deep.equal([{ type: 'CONTROL_COMMAND', source, detail }]);
    });
});
