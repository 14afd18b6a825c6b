import { expect } from 'chai';
import { Dashboard, signIn } from '../../fixtures/dashboard.js';
import { is, until } from '../../fixtures/until.js';

/** Ten times longer than a page of 200 rows. */
const stored = 2_200;

describe('the dashboard of a daemon that requires a session for reading', () => {
  const dashboard = new Dashboard({
    ups: [{ name: 'office', label: '<img src=x onerror="document.title=\'taken\'">', local: true }],
    auth: 'require_for_reads = true',
  });
  before(async () => {
    const { site } = dashboard;
    await site.createUser('alice');
    await site.addEvents(
      Array.from({ length: stored }, (_, index) => ({
        ts: 1_790_000_000 + index,
        detail: index % 500 === 0 ? '<script>document.title="taken"</script>' : `event ${String(index)}`,
      })),
    );
  });

  it('stays signed in when a request from before the sign-in is refused after it', async () => {
    const page = await dashboard.open();
    await page.getByText('Sign in to see this daemon').waitFor();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let isHeld = false;
    await page.route('**/api/v1/ups', async (route) => {
      if (route.request().headers()['x-ridethrough-session'] !== undefined) return route.continue();
      const response = await route.fetch();
      isHeld = true;
      await released;
      await route.fulfill({ response });
    });
    await until(() => isHeld, is(true));
    await signIn(page);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    release();
    await page.getByText('<img src=x').first().waitFor();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  });

  it('asks for a user first, then shows everything, and escapes all text', async () => {
    const page = await dashboard.open();
    await page.getByText('Sign in to see this daemon').waitFor();
    await signIn(page);
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
  });
});
