// What the page says of an answer that a proxy gives in place of the daemon: its login with 403, as oauth2-proxy does, and its own page for a
// daemon that does not answer.
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { noBrowser, openPage, startBrowser } from '../../fixtures/browser.js';
import type { Site } from '../../fixtures/dry-run-daemon.js';
import { startSite } from '../../fixtures/dry-run-daemon.js';
import { skipFor } from '../../fixtures/skip.js';
import { isInstalled, RealProxy, snippet } from './real-proxy.js';

/** A page of a login, without a redirect. */
const gate = (answer: string): string => `
location = /login { add_header Set-Cookie "gate=open; Path=/; HttpOnly"; return 302 /; }
location / {
    default_type text/html;
    if ($cookie_gate != "open") { ${answer} }
    proxy_pass http://127.0.0.1:9191;
    proxy_set_header Host $host;
}`;

describe('the page, where a proxy answers in place of the daemon', () => {
  let browser: Browser | undefined;
  let site: Site;
  let proxy: RealProxy;
  let page: Page;

  before(async function () {
    browser = await startBrowser();
    skipFor(this, browser === undefined && noBrowser);
  });
  beforeEach(async () => {
    site = await startSite({
      ups: [{ name: 'office', label: 'Office', local: true }],
      api: 'allowed_hosts = ["ups.example.org"]\n',
    });
  });
  afterEach(async () => {
    await page?.close();
    await proxy?.stop();
    await site?.stop();
  });
  after(() => browser?.close());

  async function open(kind: 'nginx' | 'caddy' | 'haproxy', text: string, path = '/'): Promise<void> {
    proxy = await RealProxy.start(kind, text, site.port);
    if (browser === undefined) throw new Error('the browser has not started');
    ({ page } = await openPage(browser, `${proxy.origin}${path}`, { ignoreHTTPSErrors: true }));
    await page.getByText('Live', { exact: true }).waitFor();
  }

  for (const [what, answer] of [
    ['403 and its page', 'return 403 "<h1>Sign in with OpenID</h1>";'],
    ['401 and its page', 'return 401 "<h1>Sign in</h1>";'],
    ['another origin', 'return 302 "https://auth.example.org/?rd=x";'],
  ] as const)
    it(`asks to be loaded again: ${what}`, async function () {
      skipFor(this, !isInstalled('nginx') && 'there is no nginx (Debian package nginx)');
      await open('nginx', gate(answer), '/login');
      await page.context().clearCookies();
      await page.evaluate("dispatchEvent(new Event('offline'))");
      await page.getByText('asks for its own login: reload this page').waitFor();
    });

  for (const [kind, heading] of [
    ['nginx', 'nginx, own name'],
    ['caddy', 'Caddy, own name'],
    ['haproxy', 'HAProxy, own name'],
  ] as const)
    it(`says that the daemon is lost, and of no login: ${heading}`, async function () {
      skipFor(this, !isInstalled(kind) && `there is no ${kind} (Debian package ${kind})`);
      await open(kind, snippet(heading, kind));
      await site.stop();
      await page.getByText('Connection to the daemon lost').waitFor();
      await page.getByText('systemctl status ridethrough').waitFor();
      expect(await page.getByText('asks for its own login').count()).to.equal(0);
    });
});
