import { expect } from 'chai';
import { Dashboard, signIn, violations } from '../../fixtures/dashboard.js';
import { officeAndRack } from '../../fixtures/dry-run-daemon.js';

describe('the accessibility of the dashboard', () => {
  const dashboard = new Dashboard({
    ...officeAndRack,
    toml: '[remote_health]\nenabled = false\n[nut_control]\nenabled = true\nusername = "admin"\npassword = "simulated"\n',
    user: 'alice',
  });

  for (const [colorScheme, rules] of [
    ['light', 'all'],
    ['dark', 'colours'],
  ] as const)
    it(`has no axe violation in any view, ${colorScheme}`, async () => {
      const page = await dashboard.open({
        colorScheme,
        viewport: { width: 1280, height: 900 },
      });
      const { site } = dashboard;
      const found: string[] = [];
      const look = async (hash: string, text: string | RegExp): Promise<void> => {
        await page.goto(`${site.url}#/${hash}`);
        await page.getByText(text).first().waitFor();
        found.push(...(await violations(page, rules)).map((line) => `${hash}: ${line}`));
      };
      await look('', 'Quorum holds');
      await look(`ups/office-127.0.0.1-${String(site.upsd.port)}`, 'If the power failed now');
      await look('events', 'Events');
      await look('outages', /No outage yet|^\d+ outages?$/);
      await look('reports/day/current', /UPSes, (?:no|\d+) outage/);
      await look('plan', 'Shut down remote servers');
      await look('configuration', 'Local shutdown');
      await look('setup', 'A complete new file');
      await page.getByLabel('Name').fill('nas');
      await page.getByLabel('Host').fill('192.0.2.30');
      await page.getByLabel('User').fill('admin');
      await page.getByRole('button', { name: 'Add the machine' }).click();
      await look('setup', 'A drill of each');
      await look('sign-in', 'Password');
      await signIn(page);
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      await look('control', 'test.battery.start.quick');
      await page.getByRole('button', { name: 'Run test.battery.start.quick' }).click();
      found.push(...(await violations(page, rules)));
      await page.keyboard.press('Escape');
      site.upsd.ups('rack-b').set({ link: 'gone' });
      site.upsd.ups('office').set({ mainsVolts: 0, chargePercent: 80 });
      await page.goto(site.url);
      await page.locator('.card.stale').waitFor();
      await look('', 'Office is on battery');
      site.upsd.ups('rack-b').set({ link: 'ok' });
      site.upsd.ups('office').set({ mainsVolts: 230, chargePercent: 100 });
      await page.locator('#banner').waitFor({ state: 'hidden' });
      expect(found).to.deep.equal([]);
      await page.close();
    });

  it('allows use without a mouse', async () => {
    const page = await dashboard.open();
    await page.getByText('Quorum holds').waitFor();
    const focused = (): Promise<unknown> => page.evaluate('document.activeElement.textContent.trim()');
    await page.keyboard.press('Tab');
    expect(await focused()).to.equal('Skip to the content');
    for (const name of ['Ridethrough', 'Overview', 'Events']) {
      await page.keyboard.press('Tab');
      expect(await focused()).to.equal(name);
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    expect(await focused()).to.equal('Events');
    await page.close();
  });
});
