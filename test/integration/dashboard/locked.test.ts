import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { openPage, startBrowser } from '../../fixtures/browser.js';
import type { Site } from '../../fixtures/dry-run-daemon.js';
import { userPassword } from '../../fixtures/auth-database.js';
import { startSite } from '../../fixtures/dry-run-daemon.js';

/** Ten times longer than a page of 200 rows. */
const stored = 2_200;

describe('the dashboard of a daemon that requires a session for reading', () => {
  let browser: Browser;
  let site: Site;

  before(async function () {
    const started = await startBrowser();
    if (started === undefined) return this.skip();
    browser = started;
    site = await startSite({
      ups: [{ name: 'office', label: '<img src=x onerror="document.title=\'taken\'">', local: true }],
      auth: 'require_for_reads = true',
    });
    await site.createUser('alice');
    await site.addEvents(
      Array.from({ length: stored }, (_, index) => ({
        ts: 1_790_000_000 + index,
        detail: index % 500 === 0 ? '<script>document.title="taken"</script>' : `event ${String(index)}`,
      })),
    );
  });
  after(async () => {
    await browser?.close();
    await site?.stop();
  });

  it('asks for a user first, then shows everything, and escapes all text', async () => {
    const { page, complaints } = await openPage(browser, site.url);
    await page.getByText('Sign in to see this daemon').waitFor();
    await page.getByLabel('Name').fill('alice');
    await page.getByLabel('Password').fill(userPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('<img src=x onerror="document.title=\'taken\'">').first().waitFor();
    expect(await page.locator('main img').count()).to.equal(0);

    await page.getByRole('link', { name: 'Events' }).click();
    await page.getByRole('combobox', { name: 'Show' }).selectOption('everything');
    await page.getByRole('combobox', { name: 'Last' }).selectOption('everything');
    const rows = page.locator('tbody tr');
    for (let loaded = 200; loaded <= stored; loaded += 200) {
      await rows.nth(loaded - 1).waitFor();
      await page.getByRole('button', { name: 'Load older' }).click();
    }
    await rows.nth(stored - 1).waitFor();
    await page.getByRole('button', { name: 'Load older' }).waitFor({ state: 'hidden' });
    await page.getByLabel('Find').fill('script');
    expect(await rows.count()).to.equal(5);
    expect(await rows.first().locator('.detail').innerText()).to.contain('<script>document.title');
    expect(await page.title()).to.equal('Events · Ridethrough');
    expect(complaints).to.deep.equal([]);
  });
});
