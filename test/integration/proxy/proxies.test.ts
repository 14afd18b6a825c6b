// The snippets of docs/proxy.md in a real nginx, Caddy and HAProxy: Chromium, the live stream, a login, and the records.
import { expect } from 'chai';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { request as requestWithTls } from 'node:https';
import type { Browser } from 'playwright-core';
import { noBrowser, openPage, startBrowser } from '../../fixtures/browser.js';
import { signIn } from '../../fixtures/dashboard.js';
import type { Site } from '../../fixtures/dry-run-daemon.js';
import { startSite } from '../../fixtures/dry-run-daemon.js';
import { skipFor } from '../../fixtures/skip.js';
import { includes, is, until } from '../../fixtures/until.js';
import type { ProxyKind } from './real-proxy.js';
import { isInstalled, RealProxy, snippet } from './real-proxy.js';

interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly text: string;
}

/** From another address of loopback than the proxy's, with the Host of the documentation. */
function ask(url: string, { method = 'GET', body = '', headers = {} } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = {
      method,
      localAddress: '127.0.0.2',
      headers: { Host: 'ups.example.org', ...headers },
      rejectUnauthorized: false,
    };
    const answered = (answer: IncomingMessage): void => {
      let text = '';
      answer.setEncoding('utf8').on('data', (more: string) => (text += more));
      answer.once('end', () =>
        resolve({ status: answer.statusCode ?? 0, location: answer.headers.location, text }),
      );
    };
    const sent = url.startsWith('https')
      ? requestWithTls(url, options, answered)
      : request(url, options, answered);
    sent.once('error', reject).end(body);
  });
}

const cases: readonly (readonly [ProxyKind, string, string])[] = [
  ['nginx', 'nginx, own name', '/'],
  ['nginx', 'nginx, path taken off', '/ups/'],
  ['nginx', 'nginx, path kept', '/ups/'],
  ['caddy', 'Caddy, own name', '/'],
  ['caddy', 'Caddy, path taken off', '/ups/'],
  ['caddy', 'Caddy, path kept', '/ups/'],
  ['haproxy', 'HAProxy, own name', '/'],
];

describe('the daemon behind a real proxy', () => {
  let browser: Browser | undefined;
  let site: Site;
  let proxy: RealProxy | undefined;

  before(async () => {
    browser = await startBrowser();
    site = await startSite({
      ups: [{ name: 'office', label: 'Office', local: true }],
      api: 'base_path = "/ups"\nallowed_hosts = ["ups.example.org"]\ntrusted_proxies = ["127.0.0.1"]\n',
      user: 'alice',
    });
  });
  afterEach(async () => {
    await proxy?.stop();
    proxy = undefined;
  });
  after(async () => {
    await browser?.close();
    await site?.stop();
  });

  for (const [kind, heading, path] of cases)
    it(`is whole: ${heading}`, async function () {
      skipFor(this, !isInstalled(kind) && `there is no ${kind} (Debian package ${kind})`);
      proxy = await RealProxy.start(kind, snippet(heading, kind), site.port);
      const { origin } = proxy;

      const username = heading.replace(/\W+/g, '-');
      const credentials = JSON.stringify({ username, password: 'wrong' });
      const forged = { 'X-Forwarded-For': '198.51.100.66' };
      const login = { method: 'POST', body: credentials, headers: forged };
      expect((await ask(`${origin}${path}api/v1/auth/login`, login)).status).to.equal(401);
      // The row is written with the next flush of the history. A forged address before it has no effect.
      await until(
        async () => (await ask(`${origin}${path}api/v1/events?verbosity=2&limit=20`)).text,
        includes(`anonymous from 127.0.0.1 for 127.0.0.2: login as \\"${username}\\": denied`),
      );
      const unslashed = await ask(`${origin}${path.replace(/(.)\/$/, '$1')}`);
      if (path !== '/') {
        expect(unslashed.status, unslashed.text).to.be.oneOf([301, 302, 308]);
        expect(new URL(unslashed.location ?? '', origin).pathname).to.equal(path);
      }

      skipFor(this, browser === undefined && noBrowser);
      if (browser === undefined) return;
      const { page, complaints } = await openPage(browser, `${origin}${path}`, { ignoreHTTPSErrors: true });
      try {
        // "Live" is the stream; by polling it would say so.
        await page.getByText('Live', { exact: true }).waitFor();
        await page.getByText('Office').first().waitFor();
        await page.goto(`${origin}${path}#/sign-in`);
        await signIn(page);
        await page.getByRole('button', { name: 'Sign out' }).waitFor();
        await page.getByRole('link', { name: 'Configuration' }).click();
        await page.getByText('All settings except secrets.').waitFor();
        for (const name of ['API', 'Readiness', 'Metrics']) {
          const href = await page.getByRole('link', { name, exact: true }).getAttribute('href');
          expect(await page.evaluate(`fetch('${href ?? ''}').then(({ status }) => status)`), name).to.equal(
            200,
          );
        }
        // An outage comes through the stream at once.
        await page.goto(`${origin}${path}#/`);
        site.upsd.ups('office').set({ mainsVolts: 0 });
        await page
          .getByText(/Office is on battery/)
          .first()
          .waitFor();
        site.upsd.ups('office').set({ mainsVolts: 230 });
        await until(() => page.getByText(/Office is on battery/).count(), is(0));
        expect(complaints).to.deep.equal([]);
      } finally {
        await page.close();
      }
    });

  for (const [what, from, to, status] of [
    ['keeps the server with the check of the documentation', '', '', 200],
    ['would take the server out without its Host', ' hdr Host localhost', '', 503],
  ] as const)
    it(`HAProxy ${what}`, async function () {
      skipFor(this, !isInstalled('haproxy') && 'there is no haproxy (Debian package haproxy)');
      const text = snippet('HAProxy, own name', 'haproxy').replace(from, to);
      const checked = status === 200 ? '200' : '421';
      const checks = async (): Promise<number> => {
        const { text: metrics } = await ask(`http://127.0.0.1:${String(site.port)}/metrics`);
        const route = status === 200 ? '/health' : 'unmatched';
        const count = `http_request_duration_seconds_count\\{route="${route}",status="${checked}"\\} (\\d+)`;
        return Number(new RegExp(count).exec(metrics)?.[1] ?? 0);
      };
      const before = await checks();
      proxy = await RealProxy.start('haproxy', text, site.port);
      await until(async () => (await checks()) >= before + 3, is(true));
      expect((await ask(`${proxy.origin}/monitor`)).status).to.equal(status);
    });

  it('has every field that the widgets of the documentation read', async () => {
    const row = (
      await ask(`http://127.0.0.1:${String(site.port)}/api/v1/ups/office-127.0.0.1-${String(site.upsd.port)}`)
    ).text;
    const homepage = [...snippet('Homepage', 'yaml').matchAll(/field: (\w+)/g)].map(([, field]) => field);
    const glance = [...snippet('Glance', 'yaml').matchAll(/\{ \.(?:String|Float) "(\w+)"/g)].map(
      ([, field]) => field,
    );
    expect([homepage.length, glance.length]).to.deep.equal([4, 3]);
    for (const field of [...homepage, ...glance]) expect(JSON.parse(row)).to.have.property(field ?? '');
  });
});
