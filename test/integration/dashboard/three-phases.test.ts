import { expect } from 'chai';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { Dashboard, violations } from '../../fixtures/dashboard.js';

describe('a UPS of three phases on the dashboard', () => {
  const dashboard = new Dashboard(async () => ({
    ups: [{ name: 'hall', label: 'Hall', local: true }],
    toml: '[remote_health]\nenabled = false\n',
    upsd: await startSimulatedUpsd({ ups: [{ name: 'hall', noise: 0, behaviours: ['three-phases'] }] }),
  }));

  it('shows its phases, and says which one is lost, on a phone and in a wide window of light colours', async () => {
    const page = await dashboard.open({ viewport: { width: 360, height: 800 }, colorScheme: 'dark' });
    await page.goto(dashboard.ups('hall'));
    const phases = page.getByRole('region', { name: 'Phases' });
    const row = (place: number) => phases.locator('tbody tr').nth(place);
    await row(2).waitFor();
    expect(await row(1).locator('td').allTextContents()).to.deep.equal([
      ...['L2', '230\u00a0V', '230\u00a0V', '45\u00a0%', '135\u00a0W'],
    ]);
    await page.getByText('Normal at 230\u00a0V').waitFor();
    dashboard.site.upsd.ups('hall').set({ variables: { 'input.L2-N.voltage': '0.0' } });
    await page.getByText('On line power, a phase is lost').waitFor();
    await page.getByText('no mains voltage at L2 (PHASE_LOST): check its fuse and its supply').waitFor();
    await page.getByText('A phase is lost at 0 to 230\u00a0V').waitFor();
    expect(await row(1).locator('td').first().textContent()).to.equal('L2, lost');
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0);
    expect(await violations(page, 'colours')).to.deep.equal([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await violations(page, 'colours')).to.deep.equal([]);
    const heights = await page.evaluate<readonly number[]>(
      "[...document.querySelectorAll('.phases tbody tr')].map((row) => row.offsetHeight)",
    );
    expect(new Set(heights).size, 'heights of rows of one line').to.equal(1);
    await page.getByRole('link', { name: 'All UPSes' }).click();
    await page.getByText('L2 lost').first().waitFor();
    await page.close();
  });
});
