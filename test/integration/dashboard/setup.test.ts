import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { loadText } from '../../../supervisor/config/load/load.js';
import { Dashboard } from '../../fixtures/dashboard.js';

/** What a device may have as its name. */
const label = 'Off"ice\\ <img src=x onerror=alert(1)>';

describe('the page that composes a configuration', () => {
  let page: Page;
  const asked: string[] = [];

  const dashboard = new Dashboard({
    ups: [
      { name: 'office', label, local: true },
      { name: 'rack', label: 'Rack' },
    ],
    toml: '[remote_health]\nenabled = false\n',
  });
  before(async () => {
    page = await dashboard.open();
    page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.getByRole('link', { name: 'Configuration' }).click();
    await page.getByRole('link', { name: 'Set up' }).click();
    await page.getByRole('heading', { name: 'Set up', level: 1 }).waitFor();
  });

  const text = async (title: string): Promise<string> =>
    (await page.getByRole('region', { name: title, exact: true }).textContent()) ?? '';
  const add = async (name: string, host: string, user: string, owner: string): Promise<void> => {
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Host').fill(host);
    await page.getByLabel('User').fill(user);
    await page.getByLabel('Powered by').selectOption({ label: owner });
    await page.getByRole('button', { name: 'Add the machine' }).click();
  };
  const owners = (toml: string) => {
    const loaded = loadText(toml, {}, undefined, false);
    expect(loaded.ok ? [] : loaded.problems, toml).to.deep.equal([]);
    if (!loaded.ok) throw new Error('not valid');
    const { ups, redundancyGroups } = loaded.configuration;
    expect(loaded.configuration.dryRun).to.equal(true);
    return {
      ups: ups.map(({ policy, resources }) => [
        policy.label,
        policy.isLocal,
        resources.remoteServers.map(({ name }) => name),
      ]),
      groups: redundancyGroups.map(({ policy, resources }) => [
        policy.isLocal,
        resources.remoteServers.map(({ name }) => name),
      ]),
    };
  };

  it('hands out a valid file of the UPSes that the daemon sees', async () => {
    await page.getByText('It reports what these triggers need: low charge, short runtime').first().waitFor();
    expect(owners(await text('A complete new file'))).to.deep.equal({
      ups: [
        [label, true, []],
        ['Rack', false, []],
      ],
      groups: [],
    });
  });

  it('adds machines below what powers them, alone and in the complete file, with a drill of each', async () => {
    await add("nas 'one'", '192.0.2.30', 'admin', 'what powers the machine of the daemon');
    await add('switch', '2001:db8::1', 'root', 'Rack');
    const complete = owners(await text('A complete new file'));
    expect(complete.ups.map(([, , servers]) => servers)).to.deep.equal([["nas 'one'"], ['switch']]);
    expect(await text('A drill of each')).to.equal(
      `ridethrough shutdown remote --server 'nas '\\''one'\\'''\nridethrough shutdown remote --server switch\n`,
    );
    const [first = '', second = ''] = (await text('Only the machines')).split(/^(?=# Below .*rack)/m);
    const name = (ups: string): string => `${ups}@127.0.0.1:${String(dashboard.site.upsd.port)}`;
    expect(first).to.contain(`# Below [[ups]] name = "${name('office')}":`);
    const inUse = `[behavior]\ndry_run = true\n[[ups]]\nname = "${name('office')}"\nis_local = true\n${first}[[ups]]\nname = "${name('rack')}"\n${second}`;
    expect(owners(inUse).ups.map(([, , servers]) => servers)).to.deep.equal([["nas 'one'"], ['switch']]);
  });

  it('makes a group of several UPSes that power the machine', async () => {
    await page.getByLabel('Rack powers the machine of the daemon').check();
    expect(owners(await text('A complete new file'))).to.deep.equal({
      ups: [
        [label, false, []],
        ['Rack', false, ['switch']],
      ],
      groups: [[true, ["nas 'one'"]]],
    });
    await page.getByRole('button', { name: 'Remove switch' }).click();
    await page.getByLabel(`${label} (`).uncheck();
    const { ups } = owners(await text('A complete new file'));
    expect(ups).to.deep.equal([['Rack', true, ["nas 'one'"]]]);
  });

  it('refuses a second machine of the same name, and sends nothing to the daemon', async () => {
    await add("nas 'one'", '192.0.2.31', 'admin', 'Rack');
    await page.getByText("There is a machine nas 'one' already.").waitFor();
    expect(asked.filter((line) => !/^(?:GET|HEAD) /.test(line))).to.deep.equal([]);
  });
});
