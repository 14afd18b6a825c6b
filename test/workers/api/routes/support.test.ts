// GET /api/v1/support: who gets it, and one at a time.
import { expect } from 'chai';
import { apiKey, makeAuthFile } from '../auth-file.js';
import type { ApiUnderTest, Ask } from '../fixture.js';
import { answers, publishedApi } from '../fixture.js';
import { ask, codeOf } from '../raw.js';

describe('the route of the support archive', () => {
  let api: ApiUnderTest;
  let held: (() => void)[];
  let holds = false;
  const answering: Ask = async (name, group, params) => {
    if (name !== 'log.tail') return answers(name, group, params);
    if (holds) await new Promise<void>((resolve) => held.push(resolve));
    return { ok: true, value: { lines: [JSON.stringify(params)] } };
  };
  beforeEach(async () => {
    held = [];
    holds = false;
    api = await publishedApi({ ask: answering });
  });
  afterEach(() => api.end());

  const withKey = { headers: `Host: localhost\r\nX-API-Key: ${apiKey}\r\n` };
  const status = async (): Promise<number> => (await ask(api, '/api/v1/support', withKey)).status;

  it('is 403 while authentication is off, though everybody may read', async () => {
    expect((await ask(api, '/api/v1/ups')).status).to.equal(200);
    const answer = await ask(api, '/api/v1/support');
    expect([answer.status, codeOf(answer)]).to.deep.equal([403, 'FORBIDDEN']);
    expect(api.asked).to.deep.equal([]);
  });

  it('needs a credential, and names its owner to the daemon', async () => {
    await makeAuthFile(api.settings.auth.dbPath);
    expect((await ask(api, '/api/v1/support')).status).to.equal(401);
    const answer = await ask(api, '/api/v1/support', withKey);
    expect(answer.status).to.equal(200);
    expect(answer.headers['content-type']).to.equal('application/gzip');
    expect(answer.headers['content-disposition']).to.match(
      /^attachment; filename="ridethrough-support-\d{14}\.tar\.gz"$/,
    );
    expect(api.asked.filter((name) => name.startsWith('log.tail'))).to.have.length(1);
  });

  it('is made one at a time, on TCP and on the control socket together', async () => {
    await makeAuthFile(api.settings.auth.dbPath);
    holds = true;
    const first = status();
    while (held.length === 0) await new Promise(setImmediate);
    const second = await ask(api, '/api/v1/support', withKey);
    expect([second.status, codeOf(second)]).to.deep.equal([409, 'CONFLICT']);
    expect((await ask({ path: api.socket }, '/control/v1/support')).status).to.equal(409);
    holds = false;
    for (const settle of held) settle();
    expect(await first).to.equal(200);
    expect(await status()).to.equal(200);
  });

  it('needs no credential on the control socket', async () => {
    expect((await ask({ path: api.socket }, '/control/v1/support')).status).to.equal(200);
  });
});
