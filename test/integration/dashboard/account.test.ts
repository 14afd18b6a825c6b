import { expect } from 'chai';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { addUser, administer } from '../../fixtures/auth-database.js';
import { Dashboard, signIn } from '../../fixtures/dashboard.js';
import type { Site } from '../../fixtures/dry-run-daemon.js';
import { is, until } from '../../fixtures/until.js';

const control = `
[nut_control]
enabled = true
username = "admin"
password = "simulated"
allowed_commands = ["beeper.disable", "beeper.enable"]
allowed_variables = ["battery.charge.low"]
`;

describe('the dashboard with a session', () => {
  let site: Site;
  let page: Page;

  const dashboard = new Dashboard({
    ups: [{ name: 'office', label: 'Office', local: true }],
    toml: control,
    user: 'alice',
  });
  before(async () => {
    ({ site } = dashboard);
    page = await dashboard.open();
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name });

  it('offers no command without a session', async () => {
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('link', { name: 'Control' }).isVisible()).to.equal(false);
    await page.goto(`${site.url}#/control`);
    await page.getByText('Sign in to run commands.').waitFor();
  });

  it('rejects a wrong password and accepts the right one', async () => {
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, 'alice', 'wrong');
    await page.getByText('The name or the password is wrong.').waitFor();
    await signIn(page);
    await button('Sign out').waitFor();
    expect(await page.evaluate('[localStorage.length, sessionStorage.length]')).to.deep.equal([0, 1]);
  });

  it('runs a command only after a confirmation that names it and the UPS', async () => {
    await page.getByRole('link', { name: 'Control' }).click();
    await button('Run beeper.disable').waitFor();
    expect(await button(/^Run /).count()).to.equal(2);
    await button('Run beeper.disable').click();
    const dialog = page.getByRole('dialog', { name: 'Run beeper.disable?' });
    await dialog.getByText(/On Office \(office@127\.0\.0\.1:\d+\)/).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Cancel');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(site.upsd.ups('office').value('ups.beeper.status')).to.equal('enabled');
    await button('Run beeper.disable').click();
    await dialog.getByRole('button', { name: 'Run beeper.disable' }).click();
    await page.getByText(/beeper\.disable on Office: /).waitFor();
    await until(() => site.upsd.ups('office').value('ups.beeper.status'), is('disabled'));
  });

  it('writes a setting within its range, and shows the result', async () => {
    await page.getByRole('spinbutton', { name: 'battery.charge.low' }).fill('30');
    await button('Set battery.charge.low').click();
    const dialog = page.getByRole('dialog', { name: 'Set battery.charge.low?' });
    await dialog.getByText(/from "10" to "30"/).waitFor();
    await dialog.getByRole('button', { name: 'Set battery.charge.low' }).click();
    await page.getByText('now 30; 5 to 60').waitFor();
    expect(site.upsd.ups('office').value('battery.charge.low')).to.equal('30');
  });

  it('reloads the configuration and reports', async () => {
    await page.getByRole('link', { name: 'Configuration' }).click();
    await page.getByText('All settings except secrets.').waitFor();
    await button('Reload the configuration').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reload' }).click();
    await page.getByText('Reloaded: nothing has changed.').waitFor();
    expect(await page.locator('main').innerText()).not.to.contain('simulated"');
  });

  it('deletes only the selected events', async () => {
    for (const volts of [0, 230]) {
      site.upsd.ups('office').set({ mainsVolts: volts });
      await page
        .getByText(volts === 0 ? /Office is on battery/ : /./)
        .first()
        .waitFor();
    }
    await page.getByRole('link', { name: 'Events' }).click();
    const rows = page.locator('tbody tr');
    await rows.filter({ hasText: 'Power restored' }).waitFor();
    await page.getByRole('checkbox', { name: /^Select On battery of Office/ }).check();
    await button('Delete 1').click();
    const dialog = page.getByRole('dialog', { name: 'Delete 1 event?' });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('1 event deleted.').waitFor();
    await rows.filter({ hasText: 'On battery' }).waitFor({ state: 'detached' });
    expect(await rows.filter({ hasText: 'Power restored' }).count()).to.equal(1);
    await page.getByRole('combobox', { name: 'Show' }).selectOption('everything');
    await rows.filter({ hasText: 'Events deleted' }).waitFor();
    expect(await rows.filter({ hasText: 'Events deleted' }).getByRole('checkbox').isDisabled()).to.equal(
      true,
    );
  });

  it('offers a user of the role read no button that the daemon would refuse, and says why', async () => {
    await addUser(join(site.daemon.directory, 'auth.db'), 'viewer', 'read');
    await button('Sign out').click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, 'viewer');
    await page.getByText('viewer (read only)').waitFor();
    const refused: string[] = [];
    page.on('response', (answer) => {
      if (answer.status() === 403) refused.push(answer.url());
    });
    await page.getByRole('link', { name: 'Control' }).click();
    await page.getByText('viewer may look at everything and change nothing (role read).').waitFor();
    expect(await button(/^(Run|Set) /).count()).to.equal(0);
    await page.getByRole('link', { name: 'Configuration' }).click();
    await page.getByText('All settings except secrets.').waitFor();
    expect(await button('Reload the configuration').isVisible()).to.equal(false);
    await page.getByRole('link', { name: 'Events' }).click();
    await page.locator('tbody tr').first().waitFor();
    expect(await button(/^Delete/).isVisible()).to.equal(false);
    expect(await page.locator('tbody input[type=checkbox]:visible').count()).to.equal(0);
    await page.goto(dashboard.ups('office'));
    await page.getByRole('heading', { name: 'Office' }).waitFor();
    expect(await button('Start a test').isVisible()).to.equal(false);
    expect(refused).to.deep.equal([]);
    // A new role shows without a new login.
    await administer(join(site.daemon.directory, 'auth.db'), (db) => db.setRole('viewer', 'control'));
    await page.goto(`${site.url}#/control`);
    await page.reload();
    await button('Run beeper.disable').waitFor();
  });

  it('is signed out when the daemon rejects the token', async () => {
    await page.evaluate(
      `sessionStorage.setItem('ridethrough.session/', JSON.stringify({ token: 'rs_of_another_life', user: 'alice' }))`,
    );
    await page.goto(`${site.url}#/control`);
    await page.reload();
    await page.getByText(/You were signed out/).waitFor();
    expect(await page.evaluate('sessionStorage.length')).to.equal(0);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page
      .getByRole('alert')
      .getByText(/You were signed out/)
      .waitFor();
  });
});
