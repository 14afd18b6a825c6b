import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { checkDescribed } from '../../workers/api/openapi/described.js';
import type { OutagesBody } from '../../../shared/http/outage-bodies.js';
import type { EnergyHistoryBody } from '../../../shared/http/device-bodies.js';
import { until } from '../../fixtures/until.js';
import type { WholeDaemon } from './whole-daemon.js';
import { startWholeDaemon } from './whole-daemon.js';

const page = readFileSync(fileURLToPath(new URL('../../../../docs/api.md', import.meta.url)), 'utf8');

interface Example {
  readonly heading: string;
  readonly commands: string;
  readonly shown: string | undefined;
}

function examplesOf(text: string): readonly Example[] {
  return text.split(/^#{2,3} /m).flatMap((section) => {
    const heading = section.slice(0, section.indexOf('\n'));
    const blocks = [...section.matchAll(/```sh\n([^`]*)```(?:\n\n?```json\n([^`]*)```)?/g)];
    return blocks.map(([, commands = '', shown]) => ({ heading, commands, shown }));
  });
}

function shell(
  script: string,
  env: NodeJS.ProcessEnv,
  directory: string,
): Promise<{ code: number; out: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-e', '-c', script], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, ...env },
      cwd: directory,
    });
    let out = '';
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => (out += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? -1, out }));
  });
}

/** The keys of a body, recursively; of a list those of its first row. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value !== 'object' || value === null) return '';
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}

describe('the documentation of the API', () => {
  let whole: WholeDaemon;
  let token: string;
  const here = (text: string): string =>
    text
      .replaceAll('office@127.0.0.1:3493', `office@127.0.0.1:${String(whole.upsdPort)}`)
      .replaceAll('127.0.0.1:9191', `127.0.0.1:${String(whole.port)}`);
  before(async () => {
    whole = await startWholeDaemon('[energy]\ncost_per_kwh = 0.3\n');
    const energy = here('http://127.0.0.1:9191/api/v1/ups/office@127.0.0.1:3493/energy-history?by=month');
    // With the second sample that is flushed.
    await until(
      async () => (await (await fetch(energy)).json()) as EnergyHistoryBody,
      (body) => body.data.length > 0,
    );
    whole.upsd.ups('rack-a').set({ mainsVolts: 0 });
    const outages = async (): Promise<OutagesBody> =>
      (await (await fetch(here('http://127.0.0.1:9191/api/v1/outages'))).json()) as OutagesBody;
    await until(outages, (body) => body.outages.length === 1);
    whole.upsd.ups('rack-a').set({ mainsVolts: 230 });
    await until(outages, (body) => body.outages[0]?.end !== null);
    const answer = await fetch(`http://127.0.0.1:${String(whole.port)}/api/v1/auth/login`, {
      method: 'POST',
      body: JSON.stringify({ username: 'alice', password: whole.password }),
    });
    ({ token } = (await answer.json()) as { token: string });
  });
  after(() => whole.stop());

  it('has an example for every endpoint in the index, and for no other', async () => {
    const index = await fetch(`http://127.0.0.1:${String(whole.port)}/api/v1`);
    const { endpoints } = (await index.json()) as { endpoints: { method: string; path: string }[] };
    const documented = examplesOf(page).flatMap(({ heading }) => {
      const [method, ...paths] = heading.split(/,? /);
      return /^[A-Z]+$/.test(method ?? '') ? paths.map((path) => `${method ?? ''} ${path}`) : [];
    });
    expect(documented).to.have.members(endpoints.map(({ method, path }) => `${method} ${path}`));
  });

  for (const { heading, commands, shown } of examplesOf(page))
    it(`matches the real request and answer: ${heading}`, async () => {
      const env = { KEY: whole.key, TOKEN: token };
      const { code, out } = await shell(here(commands), env, whole.daemon.directory);
      expect(code, out).to.equal(0);
      // The first example shows an error; the daemon of the test has no self test.
      if (heading !== 'Errors' && !heading.startsWith('POST /api/v1/ups/{name}/self-test'))
        expect(out).not.to.contain('"error":{');
      const [method = '', path = ''] = heading.split(' ');
      if (out.startsWith('{') && /^[A-Z]+$/.test(method) && !out.includes('}{')) {
        const status = out.includes('"error":{') ? 403 : 200;
        const headers = { 'content-type': 'application/json' };
        checkDescribed(method, path, { status, headers, body: out });
      }
      if (shown !== undefined)
        expect(shapeOf(JSON.parse(out)), out).to.deep.equal(shapeOf(JSON.parse(shown)));
    });
});
