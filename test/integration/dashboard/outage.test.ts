import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { Dashboard } from '../../fixtures/dashboard.js';
import type { Site } from '../../fixtures/dry-run-daemon.js';
import { officeAndRack } from '../../fixtures/dry-run-daemon.js';

describe('the dashboard in an outage', () => {
  let site: Site;
  let page: Page;

  const dashboard = new Dashboard({
    ...officeAndRack,
    toml: '[remote_health]\nenabled = false\n',
    speed: 5,
  });
  before(async () => {
    ({ site } = dashboard);
    page = await dashboard.open({ viewport: { width: 1280, height: 900 } });
  });

  const seen = (text: string | RegExp) => page.getByText(text).first().waitFor();

  it('shows only that all UPSes are on line power before the outage', async () => {
    await seen('All 3 UPSes are on line power');
    await seen('Quorum holds');
    await seen('storage-1');
    await seen('Its loads go down when Feed A and Feed B fail');
    expect(await page.locator('#banner').isVisible()).to.equal(false);
    await page.locator('#connection', { hasText: /^Live$/ }).waitFor();
    expect(await page.title()).to.equal('Overview · Ridethrough');
  });

  it('shows on line power what an outage would do, and whether the plan fits', async () => {
    await page.getByRole('link', { name: 'Office' }).click();
    await seen('If the power failed now');
    await seen(/the shutdown would start after .+ by short runtime; .+ It fits\./);
    expect(await page.locator('.timeline canvas').count()).to.equal(3);
    expect(await page.locator('.plan-bars .segment.planned').count()).to.be.at.least(1);
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Office');
  });

  it('follows the outage from the transfer through the dry run to the return of power', async () => {
    await page.getByRole('link', { name: 'All UPSes' }).click();
    await seen('All 3 UPSes');
    site.upsd.ups('office').set({ mainsVolts: 0 });
    await seen('Office is on battery');
    await seen(/Next: the shutdown starts in about .+ by (short runtime|low charge|long outage|fast drain)/);
    await seen('Office: this outage');
    expect(await page.title()).to.match(/^! /);
    site.upsd.ups('office').set({ chargePercent: 15 });
    await seen('Dry run ended: a real shutdown would have stopped everything in the plan');
    await seen(/The dry run has ended after/);
    expect(site.daemon.powerOffs()).to.deep.equal([]);
    await page.getByRole('link', { name: 'Plan', exact: true }).click();
    await page.locator('.plans').getByText('done (dry run)').first().waitFor();
    site.upsd.ups('office').set({ mainsVolts: 230 });
    await page.locator('#banner').waitFor({ state: 'hidden' });
    expect(await page.title()).to.equal('Plan · Ridethrough');
  });

  it('lists the events of the outage, from the stream and from the history', async () => {
    await page.getByRole('link', { name: 'Events' }).click();
    for (const text of ['On battery', 'Shutdown triggered', 'Shutdown sequence complete', 'Power restored'])
      await page.locator('tbody').getByText(text, { exact: true }).first().waitFor();
    const rows = page.locator('tbody tr');
    const before = await rows.count();
    site.upsd.ups('rack-a').set({ mainsVolts: 0 });
    await page.locator('tbody tr', { hasText: 'Feed A' }).first().waitFor();
    await page
      .locator('#banner')
      .getByText(/At this pace .+ its group is notified in/)
      .waitFor();
    await rows.nth(before).waitFor();
    await page.getByLabel('Find').fill('feed a');
    expect(await rows.count()).to.be.lessThan(before);
  });

  it('shows the outage as one object, and saves it as a page', async () => {
    await page.getByRole('link', { name: 'Outages' }).click();
    await page.getByRole('link', { name: /^Office, / }).click();
    await seen('Shutdown of Office (dry run)');
    await page
      .getByRole('region', { name: 'Timeline' })
      .getByText('Power restored', { exact: true })
      .waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as a page' }).click();
    expect((await saved).suggestedFilename()).to.match(/^outage-\d+\.html$/);
  });

  it('shows a quorum that holds on one feed, and a quorum that is lost', async () => {
    await page.getByRole('link', { name: 'Overview' }).click();
    await seen('degraded, counts as healthy');
    site.upsd.ups('rack-b').set({ mainsVolts: 0, chargePercent: 15 });
    site.upsd.ups('rack-a').set({ chargePercent: 15 });
    await seen('Quorum lost');
    await seen('0 of 2 healthy, 1 needed');
    await seen(/rack-1: the quorum is lost/);
    expect(await page.locator('.feed-box.danger').count()).to.equal(2);
  });

  it('shows the history with the outage, and a reading as text with the arrow keys', async () => {
    await page.goto(dashboard.ups('office'));
    const chart = page.getByRole('img', { name: /^Charge, the last hour: / });
    await chart.waitFor();
    await chart.focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('img', { name: /^Charge: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/ }).waitFor();
    await page.getByRole('button', { name: '5 y' }).click();
    await page.getByRole('img', { name: /^Charge, the last 5 years: / }).waitFor();
  });
});
