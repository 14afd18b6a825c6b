import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { inTimeZone, zoneAtNoon } from '../../fixtures/time-zone.js';
import { Dashboard, signIn } from '../../fixtures/dashboard.js';

const toml = `
[nut_control]
enabled = true
username = "admin"
password = "simulated"
allowed_commands = ["test.battery.start.quick"]
[self_test]
enabled = true
schedule = "monthly"
result_poll_after = 5
[energy]
cost_per_kwh = 1000.0
`;

describe('the dashboard with tests, energy and reports', () => {
  inTimeZone(zoneAtNoon());
  let page: Page;

  const dashboard = new Dashboard({
    ups: [{ name: 'office', label: 'Office', local: true }],
    toml,
    user: 'alice',
  });
  before(async () => {
    page = await dashboard.open({ viewport: { width: 390, height: 844 } });
    await page.evaluate(`window.drawn = new Set();
      const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
        window.drawn.add(text);
        return fillText.call(this, text, ...rest);
      };`);
  });

  const isWide = (): Promise<unknown> =>
    page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

  it('shows the energy of today as a bar with its cost, and of the month', async () => {
    await page.goto(dashboard.ups('office'));
    const chart = page.getByRole('img', { name: /^Energy by day, .* kWh in all/ });
    await chart.waitFor();
    await page.getByText(/^\d{4}-\d\d-\d\d {2}[\d.]+\u00a0kWh, [\d.]+ EUR/).waitFor();
    const drawn = await page.evaluate<readonly string[]>('[...window.drawn]');
    expect(drawn.filter((text) => /^[\d.]+\u00a0kWh$/.test(text))).not.to.deep.equal([]);
    await chart.focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('img', { name: /^Energy: \d{4}-\d\d-\d\d [\d.]+/ }).waitFor();
    await page.getByRole('button', { name: 'Months' }).click();
    await page.getByText(/^\d{4}-\d\d {2}[\d.]+\u00a0kWh/).waitFor();
    expect(await isWide()).to.equal(false);
  });

  it('shows when the next test is, and offers no test without a session', async () => {
    await page.getByText(/Next test by the schedule: \d{4}-\d\d-01 03:00/).waitFor();
    await page.getByText('No test was recorded yet.').waitFor();
    expect(await page.getByRole('button', { name: 'Start a test' }).isVisible()).to.equal(false);
  });

  it('starts a test after a confirmation, and shows its result', async () => {
    await page.goto(`${dashboard.site.url}#/sign-in`);
    await signIn(page);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.goto(dashboard.ups('office'));
    await page.getByRole('button', { name: 'Start a test' }).click();
    const dialog = page.getByRole('dialog', { name: 'Start a battery test?' });
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Cancel');
    await dialog.getByRole('button', { name: 'Start the test' }).click();
    await page.getByText('test.battery.start.quick has started.').waitFor();
    const tests = page.getByRole('region', { name: 'Battery tests, newest first' });
    await tests.getByText('running').waitFor();
    await tests.getByText('passed', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Start a test' }).click();
    await dialog.getByRole('button', { name: 'Start the test' }).click();
    await page.getByText(/has started|Condition that is not met/).waitFor();
    expect(await isWide()).to.equal(false);
  });

  it('shows reports by day, week and month, earlier ones too, and saves one as a page', async () => {
    await page.goto(`${dashboard.site.url}#/reports/day/current`);
    await page.getByRole('heading', { name: /^Daily report, \w+day \d{4}-\d\d-\d\d/, level: 1 }).waitFor();
    await page.getByText(/^1 UPS, no outage.*the period is not over/).waitFor();
    await page.getByText(/^read [\d.]+ % of the time/).waitFor();
    await page.getByRole('link', { name: 'Month', exact: true }).click();
    await page.getByRole('heading', { name: /^Monthly report, \d{4}-\d\d$/, level: 1 }).waitFor();
    // Nothing was read in the last month.
    await page.getByText(/^1 UPS, no outage.*the period is not over/).waitFor();
    const { hash } = new URL(page.url());
    await page.getByRole('link', { name: 'Earlier' }).click();
    await page.waitForURL((url) => url.hash !== hash);
    await page.getByRole('link', { name: 'Later' }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as a page' }).click();
    expect((await saved).suggestedFilename()).to.match(/^report-\d{4}-\d\d\.html$/);
    expect(await isWide()).to.equal(false);
  });
});
