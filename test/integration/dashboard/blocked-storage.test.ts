// A browser that keeps nothing for a site: with all cookies blocked the storage of a page throws too.
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { noBrowser, startBrowser } from '../../fixtures/browser.js';
import { signIn } from '../../fixtures/dashboard.js';
import type { Site } from '../../fixtures/dry-run-daemon.js';
import { startSite } from '../../fixtures/dry-run-daemon.js';
import { skipFor } from '../../fixtures/skip.js';

const block = `for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, { get() { throw new DOMException('Access is denied for this document.', 'SecurityError'); } });`;

describe('the page in a browser that blocks storage', () => {
  let browser: Browser | undefined;
  let site: Site;

  before(async function () {
    browser = await startBrowser();
    skipFor(this, browser === undefined && noBrowser);
    site = await startSite({
      ups: [{ name: 'office', label: 'Office', local: true }],
      auth: 'require_for_reads = true',
      user: 'alice',
    });
  });
  after(async () => {
    await browser?.close();
    await site?.stop();
  });

  it('takes a sign-in, which lasts as long as the page, and a sign-out', async () => {
    if (browser === undefined) return;
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    await page.addInitScript(block);
    await page.goto(`http://127.0.0.1:${String(site.port)}/`);
    await page.getByText('Sign in to see this daemon').waitFor();
    await signIn(page);
    await page.getByText('Office').first().waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Sign in to see this daemon').waitFor();
    expect(faults).to.deep.equal([]);
  });
});
