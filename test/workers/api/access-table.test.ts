// Every route, method, caller and feature, compared with specification/api.md#order-of-checks and
// specification/api.md#access.
import { expect } from 'chai';
import { join } from 'node:path';
import type { Access } from '../../../shared/http/bodies.js';
import type { ApiSettings } from '../../../shared/protocol/api.js';
import { apiKey, makeAuthFile, makeUnreadable, roleKeys } from './auth-file.js';
import type { ApiUnderTest } from './fixture.js';
import { publishedApi } from './fixture.js';
import { ask, codeOf } from './raw.js';
import { summary } from './published-settings.js';
import { answerOf, pathOf } from './route-answers.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

interface Sample {
  readonly body?: string;
  /** The status for an allowed caller; default 200. */
  readonly status?: number;
  readonly params?: Readonly<Record<string, string>>;
  /** Any caller: the route checks access itself. */
  readonly statusFor?: (who: Who) => number;
}

/** The body of a valid request to a route. Every route with a body is here, and every status other than 200. */
const samples: Readonly<Record<string, Sample>> = {
  'POST /api/v1/ups/{name}/command': { body: '{"command":"beeper.toggle"}' },
  'PUT /api/v1/ups/{name}/variables/{var}': { body: '{"value":"20"}' },
  'DELETE /api/v1/ups/{name}/events': { body: '{"items":[{"id":1,"ts":2,"eventType":"ON_BATTERY"}]}' },
  'POST /api/v1/config/reload': { body: '' },
  'POST /api/v1/ups/{name}/self-test': { body: '' },
  // The test has no history database.
  'GET /api/v1/events': { status: 503 },
  'GET /api/v1/ups/{name}/history': { status: 503 },
  'GET /api/v1/servers': { status: 503 },
  'GET /api/v1/outages': { status: 503 },
  'GET /api/v1/outages/{id}': { status: 503 },
  'GET /api/v1/ups/{name}/self-tests': { status: 503 },
  'GET /api/v1/ups/{name}/battery-health/history': { status: 503 },
  'GET /api/v1/ups/{name}/energy-history': { status: 503 },
  'GET /api/v1/reports/{period}': { status: 503 },
  // There is no session, and the only user has no password.
  'POST /api/v1/auth/login': {
    body: '{"username":"nobody","password":"wrong word"}',
    statusFor: ({ state }) => ({ off: 403, on: 401, unreadable: 503 })[state],
  },
  'POST /api/v1/auth/logout': { statusFor: ({ state }) => (state === 'off' ? 403 : 401) },
};

interface Who {
  readonly it: string;
  readonly state: 'off' | 'on' | 'unreadable';
  readonly gated: boolean;
  readonly credential: string | null;
  /** Whether the credential is valid. */
  readonly known: boolean;
}

const whos: readonly Who[] = (['off', 'on', 'unreadable'] as const).flatMap((state) =>
  [false, true].flatMap((gated) =>
    (
      [
        ['nobody', null],
        ['a wrong key', `rt_${'x'.repeat(43)}`],
        ['an expired key', roleKeys.expired],
        ['an API key', apiKey],
      ] as const
    ).map(([name, credential]) => ({
      it: `${name}, authentication ${state}${gated ? ', reads gated' : ''}`,
      state,
      gated,
      credential,
      known: credential === apiKey && state === 'on',
    })),
  ),
);

/** The check before the route itself: the status of a rejection, or null. */
function refusal(access: Access, { state, gated, known }: Who): number | null {
  if (access === 'open') return null;
  if (access === 'write') {
    if (state === 'off') return 403;
    return known ? null : 401;
  }
  return state !== 'off' && gated && !known ? 401 : null;
}

const authSettings = (path: string, { state, gated }: Who): ApiSettings['auth'] => ({
  enabled: state === 'off' ? false : state === 'on' ? true : null,
  requireForReads: gated,
  sessionTtlSeconds: 3600,
  dbPath: path,
});

interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly auth: Access;
}

async function endpointsOf(api: ApiUnderTest): Promise<readonly Endpoint[]> {
  const { body } = await ask(api, '/api/v1', { headers: headersOf(apiKey) });
  return (JSON.parse(body) as { endpoints: Endpoint[] }).endpoints;
}

function headersOf(credential: string | null): string {
  return `Host: localhost\r\n${credential === null ? '' : `X-API-Key: ${credential}\r\n`}`;
}

async function statusOf(
  api: ApiUnderTest,
  method: string,
  { path }: Endpoint,
  credential: string | null,
  body = '',
): Promise<number> {
  const headers = `${headersOf(credential)}Content-Length: ${String(Buffer.byteLength(body))}\r\n`;
  return (await answerOf(api, method, path, headers, body)).status;
}

describe('the access table of routes, methods, callers and features', () => {
  let folder: string;
  let endpoints: readonly Endpoint[];
  before(async () => {
    folder = temporaryFolder();
    await makeAuthFile(join(folder, 'auth.db'));
    makeUnreadable(join(folder, 'unreadable.db'));
    const all = await started(keyHolder);
    endpoints = await endpointsOf(all);
    await all.end();
  });

  const started = async (who: Who, settings: Partial<ApiSettings> = {}): Promise<ApiUnderTest> => {
    const path = join(folder, who.state === 'unreadable' ? 'unreadable.db' : 'auth.db');
    return publishedApi({ settings: { auth: authSettings(path, who), ...settings } });
  };
  const keyHolder = whos.find(({ known }) => known) as Who;

  for (const who of whos)
    it(`holds for ${who.it}`, async () => {
      const api = await started(who);
      for (const endpoint of endpoints) {
        const { method, path, auth } = endpoint;
        const sample = samples[`${method} ${path}`] ?? {};
        const expected = sample.statusFor?.(who) ?? refusal(auth, who) ?? sample.status ?? 200;
        const name = `${method} ${path}`;
        expect(await statusOf(api, method, endpoint, who.credential, sample.body), name).to.equal(expected);
        if (method === 'GET')
          expect(await statusOf(api, 'HEAD', endpoint, who.credential), `HEAD ${path}`).to.equal(expected);
      }
      await api.end();
    });

  it('allows on every path exactly the methods of the index, for every caller', async () => {
    const api = await started(whos[0] as Who);
    for (const path of new Set(endpoints.map((one) => one.path))) {
      const known = endpoints.filter((one) => one.path === path);
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
        if (known.some((one) => one.method === method)) continue;
        const answer = await ask(api, pathOf(path), { method });
        expect([answer.status, codeOf(answer)], `${method} ${path}`).to.deep.equal([
          405,
          'METHOD_NOT_ALLOWED',
        ]);
        const allow = known.flatMap((one) => (one.method === 'GET' ? ['GET', 'HEAD'] : [one.method]));
        expect(answer.headers['allow']?.split(', '), `${method} ${path}`).to.have.members(allow);
      }
    }
    await api.end();
  });

  it('checks the Host header of every request first', async () => {
    const api = await started(keyHolder);
    for (const { method, path } of endpoints) {
      const answer = await ask(api, path, {
        method,
        headers: `Host: evil.example\r\nX-API-Key: ${apiKey}\r\n`,
      });
      expect(answer.status, `${method} ${path}`).to.equal(421);
    }
    await api.end();
  });

  const features: readonly (readonly [string, Partial<ApiSettings>, Readonly<Record<string, number>>])[] = [
    [
      'metrics',
      { metrics: { enabled: false, prefix: 'svc', nutExporterNames: false } },
      { 'GET /metrics': 404 },
    ],
    [
      'UPS control',
      { summary: { ...summary, nutControl: { enabled: false } } },
      {
        'GET /api/v1/ups/{name}/commands': 403,
        'POST /api/v1/ups/{name}/command': 403,
        'GET /api/v1/ups/{name}/variables': 403,
        'PUT /api/v1/ups/{name}/variables/{var}': 403,
        'POST /api/v1/ups/{name}/self-test': 403,
      },
    ],
    [
      'statistics',
      {
        statistics: {
          directory: '/nowhere',
          enabled: false,
          retention: { rawHours: 24, fiveMinuteDays: 30, hourlyDays: 1825 },
        },
      },
      {
        'DELETE /api/v1/ups/{name}/events': 503,
        'GET /api/v1/events': 200,
        'GET /api/v1/ups/{name}/history': 200,
        'GET /api/v1/outages': 200,
        'GET /api/v1/outages/{id}': 404,
        'GET /api/v1/servers': 200,
        'GET /api/v1/ups/{name}/battery-health/history': 200,
        'GET /api/v1/ups/{name}/energy-history': 200,
        'GET /api/v1/reports/{period}': 200,
      },
    ],
  ];
  for (const [feature, settings, changed] of features)
    it(`changes only the routes of ${feature} when it is off`, async () => {
      const api = await started(keyHolder, settings);
      for (const endpoint of endpoints) {
        const name = `${endpoint.method} ${endpoint.path}`;
        const sample = samples[name] ?? {};
        const usual = sample.statusFor?.(keyHolder) ?? sample.status ?? 200;
        expect(await statusOf(api, endpoint.method, endpoint, apiKey, sample.body), name).to.equal(
          changed[name] ?? usual,
        );
      }
      await api.end();
    });
});
