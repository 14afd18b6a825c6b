// A proxy that asks for a login itself (docs/proxy.md#a-login-of-the-proxy): HTTP Basic of the real nginx and Caddy, and a gate that
// wants a cookie.
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { noBrowser, openPage, startBrowser } from '../../fixtures/browser.js';
import { signIn } from '../../fixtures/dashboard.js';
import type { Site } from '../../fixtures/dry-run-daemon.js';
import { startSite } from '../../fixtures/dry-run-daemon.js';
import { skipFor } from '../../fixtures/skip.js';
import type { ProxyKind } from './real-proxy.js';
import { isInstalled, proxyLogin, RealProxy, snippet } from './real-proxy.js';

/** As the proxy of a single sign-on does it: without its cookie every path leads to its page. */
const gate = `
location = /login { add_header Set-Cookie "gate=open; Path=/; HttpOnly"; return 302 /; }
location = /login-page { default_type text/html; return 200 "<h1>Log in</h1>"; }
location / {
    if ($cookie_gate != "open") { return 302 /login-page; }
    proxy_pass http://127.0.0.1:9191;
    proxy_set_header Host $host;
}`;
/** The same, with its page in place of every answer. */
const gateInPlace = gate.replace('return 302 /login-page', 'rewrite ^ /login-page last');

describe('the page behind a proxy with a login of its own', () => {
  let browser: Browser | undefined;
  let site: Site;
  let proxy: RealProxy;
  let page: Page;
  let complaints: readonly string[];

  before(async function () {
    browser = await startBrowser();
    skipFor(this, browser === undefined && noBrowser);
    site = await startSite({
      ups: [{ name: 'office', label: 'Office', local: true }],
      auth: 'require_for_reads = true',
      user: 'alice',
    });
  });
  afterEach(async () => {
    await page?.close();
    await proxy?.stop();
  });
  after(async () => {
    await browser?.close();
    await site?.stop();
  });

  async function open(kind: ProxyKind, text: string, path = '/'): Promise<void> {
    proxy = await RealProxy.start(kind, text, site.port);
    if (browser === undefined) throw new Error('the browser has not started');
    ({ page, complaints } = await openPage(browser, `${proxy.origin}${path}`, {
      httpCredentials: proxyLogin,
    }));
  }

  async function worksWithAUser(): Promise<void> {
    await page.getByText('Sign in to see this daemon').waitFor();
    await signIn(page);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('Office').first().waitFor();
    await page.getByRole('link', { name: 'Configuration' }).click();
    await page.getByText('All settings except secrets.').waitFor();
  }

  for (const [kind, heading] of [
    ['nginx', 'nginx, login of the proxy'],
    ['caddy', 'Caddy, login of the proxy'],
  ] as const)
    it(`works with a session of the daemon beside it: ${heading}`, async function () {
      skipFor(this, !isInstalled(kind) && `there is no ${kind} (Debian package ${kind})`);
      await open(kind, snippet(heading, kind));
      await worksWithAUser();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByText('Sign in to see this daemon').waitFor();
      expect(complaints).to.deep.equal([]);
    });

  for (const [what, text] of [
    ['leads to its page', gate],
    ['answers with its page', gateInPlace],
  ] as const)
    it(`works behind a cookie, and asks to be loaded again when the proxy ${what}`, async function () {
      skipFor(this, !isInstalled('nginx') && 'there is no nginx (Debian package nginx)');
      await open('nginx', text, '/login');
      await worksWithAUser();
      await page.context().clearCookies();
      await page.evaluate("dispatchEvent(new Event('offline'))");
      await page.getByText('asks for its own login: reload this page').waitFor();
      // The session of the daemon goes on.
      await page.goto(`${proxy.origin}/login`);
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
    });

  it('does not take a 401 of the proxy for the end of its session', async function () {
    skipFor(this, !isInstalled('nginx') && 'there is no nginx (Debian package nginx)');
    await open('nginx', gate, '/login');
    await worksWithAUser();
    await page.route('**/api/v1/**', (route) => route.fulfill({ status: 401, body: '<h1>401</h1>' }));
    await page.evaluate("dispatchEvent(new Event('offline'))");
    await page.getByText('asks for its own login: reload this page').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  });
});
