import { join } from 'node:path';
import { expect } from 'chai';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { writeBatteryHistory } from '../../fixtures/battery-history.js';
import { Dashboard, violations } from '../../fixtures/dashboard.js';
import { until } from '../../fixtures/until.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

describe('the battery on the dashboard', () => {
  const dashboard = new Dashboard(async () => {
    const upsd = await startSimulatedUpsd({
      ups: ['office', 'new'].map((name) => ({ name, noise: 0 as const })),
    });
    const directory = temporaryFolder();
    await writeBatteryHistory(join(directory, 'lib'), `office-127.0.0.1-${String(upsd.port)}`);
    return {
      ups: [
        { name: 'office', label: 'Office', local: true },
        { name: 'new', label: 'New' },
      ],
      toml: '[remote_health]\nenabled = false\n',
      upsd,
      directory,
    };
  });
  before(async () => {
    // The page asks once a minute.
    const health = dashboard.ups('office').replace('#', 'api/v1') + '/battery-health';
    await until(async () => (await (await fetch(health)).text()).includes('"confidence":1,'));
  });

  for (const [look, viewport] of [
    ['a screen', { width: 1280, height: 900 }],
    ['a phone', { width: 390, height: 844 }],
  ] as const)
    it(`shows score, terms, forecast and curves on ${look}`, async () => {
      const page = await dashboard.open({ viewport });
      await page.goto(dashboard.ups('office'));
      const battery = page
        .locator('section', { has: page.getByRole('heading', { name: 'Battery', exact: true }) })
        .last();
      await battery.getByText(/^Health \d+ of 100 \(confidence 100 %\)$/).waitFor();
      await battery
        .getByText(/^Replacement: about \d{4}-\d\d-\d\d, between \d{4}-\d\d-\d\d and \d{4}-\d\d-\d\d\.$/)
        .waitFor();
      await battery.getByText(/^By its discharges a full battery lasts \d+\smin/).waitFor();
      const terms = battery.locator('.battery-terms li');
      expect(await terms.locator('.term-name').allTextContents()).to.deep.equal([
        'Capacity',
        'Runtime',
        'Self test',
        'Anomalies',
        'Age',
      ]);
      expect(await terms.first().locator('.term-value').textContent()).to.match(/^\d\d of 100$/);
      expect(await battery.locator('canvas').count()).to.equal(2);
      await battery.getByRole('img', { name: 'The curves of 12 discharges' }).waitFor();
      const rows = battery.getByRole('region', { name: 'Discharges, newest first' }).locator('tbody tr');
      expect(await rows.count()).to.equal(12);
      expect(await rows.first().textContent()).to.match(/power failure.*100 to \d+.%.*Wh.*\d\d.%$/);
      // Something is drawn: both charts have pixels of their lines.
      const drawn = await page.evaluate(
        `[...document.querySelectorAll('.battery-parts canvas')].map((node) =>
           node.getContext('2d').getImageData(0, 0, node.width, node.height).data.some((part) => part > 0))`,
      );
      expect(drawn).to.deep.equal([true, true]);
      const wide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
      expect(await page.evaluate(wide)).to.equal(false);
      expect(await violations(page)).to.deep.equal([]);
      await page.close();
    });

  it('says what is missing for a battery that it does not know yet', async () => {
    const page = await dashboard.open();
    await page.goto(dashboard.ups('new'));
    const battery = page
      .locator('section', { has: page.getByRole('heading', { name: 'Battery', exact: true }) })
      .last();
    await battery.getByText(/^Health unknown \(confidence \d+ %\)$/).waitFor();
    await battery.getByText('no discharge of 10 points of charge yet', { exact: false }).waitFor();
    await battery.getByText('No discharge yet.', { exact: false }).waitFor();
    expect(await battery.locator('canvas').count()).to.equal(0);
    await page.close();
  });
});
