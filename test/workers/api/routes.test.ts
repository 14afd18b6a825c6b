import { expect } from 'chai';
import * as t from 'io-ts';
import { decode } from '../../../shared/domain/base/decode.js';
import { SequenceModel, UpsRow } from '../../../shared/domain/status/status-model.js';
import {
  ExplainBody,
  GroupExplainBody,
  GroupPlanBody,
  HealthBody,
  IndexBody,
  PlanBody,
  ReadingsBody,
  ReadyBody,
  StatusBody,
} from '../../../shared/http/bodies.js';
import { AuthStateBody } from '../../../shared/http/auth-bodies.js';
import { ConfigBody } from '../../../shared/http/config-body.js';
import { BatteryHealthBody } from '../../../shared/http/battery-bodies.js';
import { EnergyBody, RemoteHealthBody, SelfTestBody } from '../../../shared/http/device-bodies.js';
import type { ApiUnderTest } from './fixture.js';
import { modelChange, publishedApi, publishedUps, startedApi } from './fixture.js';
import { ask, codeOf } from './raw.js';

const routes: readonly (readonly [string, t.Mixed | 'text'])[] = [
  ['/health', HealthBody],
  ['/ready', ReadyBody],
  ['/api/v1', IndexBody],
  ['/api/v1/openapi.json', t.UnknownRecord],
  ['/api/v1/ups', StatusBody],
  ['/api/v1/ups/{name}', UpsRow],
  ['/api/v1/ups/{name}/readings', ReadingsBody],
  ['/api/v1/ups/{name}/explain', ExplainBody],
  ['/api/v1/ups/{name}/shutdown-plan', PlanBody],
  ['/api/v1/redundancy/{group}/explain', GroupExplainBody],
  ['/api/v1/redundancy/{group}/shutdown-plan', GroupPlanBody],
  ['/api/v1/sequence', SequenceModel],
  ['/api/v1/config', ConfigBody],
  ['/api/v1/auth/state', AuthStateBody],
  ['/api/v1/remote-health', RemoteHealthBody],
  ['/api/v1/ups/{name}/battery-health', BatteryHealthBody],
  ['/api/v1/ups/{name}/energy', EnergyBody],
  ['/api/v1/ups/{name}/self-test', SelfTestBody],
  ['/metrics', 'text'],
  ['/', 'text'],
  ['/app.js', 'text'],
  ['/old-browser.js', 'text'],
  ['/style.css', 'text'],
  ['/icon.svg', 'text'],
];

function named(path: string): string {
  return path.replace('{name}', 'office%40127.0.0.1').replace('{group}', 'rack-1');
}

function parsed(codec: t.Mixed, body: string): unknown {
  const result = decode(codec, JSON.parse(body));
  if (!result.ok) throw new Error(`${body}: ${JSON.stringify(result.problems)}`);
  return result.value;
}

describe('the API', () => {
  let api: ApiUnderTest;
  beforeEach(async () => {
    api = await publishedApi();
  });
  afterEach(() => api.end());

  for (const [path, codec] of routes) {
    it(`answers GET ${path}`, async () => {
      const answer = await ask(api, named(path));
      expect(answer.status).to.equal(200);
      expect(answer.headers['content-type']).to.match(/charset=utf-8$/);
      expect(answer.headers['x-content-type-options']).to.equal('nosniff');
      expect(answer.headers).not.to.have.any.keys('server', 'x-powered-by', 'transfer-encoding');
      if (codec !== 'text') {
        expect(answer.headers['cache-control']).to.equal('no-store');
        parsed(codec, answer.body);
      }
    });

    it(`answers HEAD ${path} with the same headers and no body`, async () => {
      const get = await ask(api, named(path));
      const head = await ask(api, named(path), { method: 'HEAD' });
      expect(head.status).to.equal(get.status);
      expect(head.body).to.equal('');
      const told = (headers: Readonly<Record<string, string>>) => ({
        ...headers,
        date: '',
        'content-length': '',
      });
      expect(told(head.headers)).to.deep.equal(told(get.headers));
    });
  }

  for (const path of [
    '/api/v1/',
    '/api/v1/ups/',
    '/health/',
    '/Health',
    '/API/v1/ups',
    '/api/v2/ups',
    '/api/v1/nothing',
    '/api/v1/ups/office-127.0.0.1/nothing',
    '//health',
    '/%68ealth',
    '/control/v1/status',
    '*',
  ])
    it(`answers 404 at ${path}`, async () => {
      for (const method of ['GET', 'POST']) {
        const answer = await ask(api, path, { method });
        expect([answer.status, codeOf(answer)], method).to.deep.equal([404, 'NOT_FOUND']);
      }
    });

  it('accepts a request target in absolute form', async () => {
    expect((await ask(api, 'http://localhost/health')).status).to.equal(200);
    expect((await ask(api, 'HTTP://localhost')).headers['content-type']).to.contain('text/html');
  });

  for (const name of ['nobody', '%zz', 'office%2F127.0.0.1', '%00', '__proto__', 'office-127.0.0.1%20'])
    it(`answers 404 for the UPS ${name}`, async () => {
      for (const path of ['', '/readings', '/explain', '/shutdown-plan']) {
        const answer = await ask(api, `/api/v1/ups/${name}${path}`);
        expect([answer.status, codeOf(answer)], path).to.deep.equal([404, 'NOT_FOUND']);
      }
      expect(api.asked).to.deep.equal([]);
    });

  it('answers 503 when not ready, with the reasons, and shows no worker internals', async () => {
    const ready = { ...modelChange().ready, ready: false, reasons: ['office: the NUT server is down'] };
    await api.publish({ ready });
    const answer = await ask(api, '/ready');
    expect(answer.status).to.equal(503);
    expect(JSON.parse(answer.body)).to.deep.equal({
      ready: false,
      reasons: ['office: the NUT server is down'],
      capabilities: [{ id: 'local_poweroff', achievable: true, reason: '' }],
      ups: [{ groupId: 'office-127.0.0.1', connectionState: 'OK', lastUpdateTime: 1_790_000_000.5 }],
      workers: [{ name: 'api', state: 'ready' }],
    });
  });

  it('returns a changed status', async () => {
    await api.publish({ full: false, ups: [publishedUps({ batteryCharge: 41 })] });
    const { ups } = parsed(StatusBody, (await ask(api, '/api/v1/ups')).body) as StatusBody;
    expect(ups.map(({ batteryCharge }) => batteryCharge)).to.deep.equal([41]);
  });

  it('shows a plan without its commands', async () => {
    const answer = await ask(api, '/api/v1/ups/office-127.0.0.1/shutdown-plan');
    expect(answer.body).not.to.contain('secret-shutdown').and.not.to.contain('plan-b');
    expect(answer.body).to.contain('"action":{"kind":"poweroff"}');
  });
});

describe('the API before the supervisor has published anything', () => {
  let api: ApiUnderTest;
  beforeEach(async () => void (api = await startedApi()));
  afterEach(() => api.end());

  it('is alive and not ready, with the reason', async () => {
    expect((await ask(api, '/health')).status).to.equal(200);
    const ready = await ask(api, '/ready');
    expect(ready.status).to.equal(503);
    expect((parsed(ReadyBody, ready.body) as ReadyBody).reasons[0]).to.contain('not published its state');
  });

  for (const path of ['/api/v1/ups', '/api/v1/ups/x', '/api/v1/ups/x/explain', '/api/v1/sequence'])
    it(`answers ${path} with SUPERVISOR_UNAVAILABLE`, async () => {
      const answer = await ask(api, path);
      expect([answer.status, codeOf(answer)]).to.deep.equal([503, 'SUPERVISOR_UNAVAILABLE']);
    });

  it('waits for it a while: after a start it comes at once', async () => {
    await api.end();
    api = await startedApi({ limits: { publishMs: 60_000 } });
    const answer = ask(api, '/api/v1/ups');
    expect((await ask(api, '/health')).status).to.equal(200);
    await api.publish();
    expect((await answer).status).to.equal(200);
  });
});

describe('a question to the supervisor', () => {
  const explain = '/api/v1/ups/office-127.0.0.1/explain';

  it('is answered with 503 when the supervisor is late', async () => {
    const api = await publishedApi({
      ask: () => Promise.resolve({ ok: false, error: { code: 'DEADLINE_EXCEEDED', message: 'too late' } }),
    });
    const answer = await ask(api, explain);
    expect([answer.status, codeOf(answer)]).to.deep.equal([503, 'SUPERVISOR_UNAVAILABLE']);
    await api.end();
  });

  it('is answered with 404 for a UPS that was just removed', async () => {
    const api = await publishedApi({
      ask: () => Promise.resolve({ ok: false, error: { code: 'NOT_FOUND', message: 'no such group' } }),
    });
    expect((await ask(api, explain)).status).to.equal(404);
    await api.end();
  });

  it('is sent once for simultaneous requests', async () => {
    const api = await publishedApi({ limits: { freshMs: 60_000 } });
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(api, explain)));
    expect(answers.every(({ status }) => status === 200)).to.equal(true);
    expect(api.asked).to.deep.equal(['explain.get office-127.0.0.1']);
    await api.end();
  });

  it('reveals an internal error in the log only', async () => {
    const api = await publishedApi({ ask: () => Promise.reject(new Error('secret of the heap')) });
    const answer = await ask(api, explain);
    expect([answer.status, codeOf(answer)]).to.deep.equal([500, 'INTERNAL_ERROR']);
    expect(answer.body).not.to.contain('secret');
    expect(
      api.log.some(({ level, message }) => level === 'error' && /secret of the heap.*\n.*at /s.test(message)),
    ).to.equal(true);
    await api.end();
  });
});
