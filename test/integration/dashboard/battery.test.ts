import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { writeBatteryHistory } from '../../fixtures/battery-history.js';
import { openPage, startBrowser } from '../../fixtures/browser.js';
import type { Site } from '../../fixtures/dry-run-daemon.js';
import { startSite } from '../../fixtures/dry-run-daemon.js';
import { until } from '../../fixtures/until.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe('the battery on the dashboard', function () {
  this.timeout(120_000);
  let browser: Browser;
  let site: Site;

  before(async function () {
    const started = await startBrowser();
    if (started === undefined) return this.skip();
    browser = started;
    const upsd = await startSimulatedUpsd({
      ups: ['office', 'new'].map((name) => ({ name, noise: 0 as const })),
    });
    const directory = temporaryFolder();
    await writeBatteryHistory(join(directory, 'lib'), `office-127.0.0.1-${String(upsd.port)}`);
    site = await startSite({
      ups: [
        { name: 'office', label: 'Office', local: true },
        { name: 'new', label: 'New' },
      ],
      toml: '[remote_health]\nenabled = false\n',
      upsd,
      directory,
    });
    // The page asks once a minute.
    const health = `${site.url}api/v1/ups/office-127.0.0.1-${String(upsd.port)}/battery-health`;
    await until(async () => (await (await fetch(health)).text()).includes('"confidence":1,'));
  });
  after(async () => {
    await browser?.close();
    await site?.stop();
  });

  const address = (name: string): string => `${site.url}#/ups/${name}-127.0.0.1-${String(site.upsd.port)}`;

  for (const [look, viewport] of [
    ['a screen', { width: 1280, height: 900 }],
    ['a phone', { width: 390, height: 844 }],
  ] as const)
    it(`shows score, terms, forecast and curves on ${look}`, async () => {
      const { page, complaints } = await openPage(browser, site.url, { viewport });
      await page.goto(address('office'));
      const battery = page
        .locator('section', { has: page.getByRole('heading', { name: 'Battery', exact: true }) })
        .last();
      await battery.getByText(/^Health \d+ of 100 \(confidence 100 %\)$/).waitFor({ timeout: 60_000 });
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
      await page.evaluate(axe);
      const found = await page.evaluate(
        "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))",
      );
      expect(found).to.deep.equal([]);
      expect(complaints).to.deep.equal([]);
      await page.close();
    });

  it('says what is missing for a battery that it does not know yet', async () => {
    const { page, complaints } = await openPage(browser, site.url);
    await page.goto(address('new'));
    const battery = page
      .locator('section', { has: page.getByRole('heading', { name: 'Battery', exact: true }) })
      .last();
    await battery.getByText(/^Health unknown \(confidence \d+ %\)$/).waitFor({ timeout: 60_000 });
    await battery.getByText('no discharge of 10 points of charge yet', { exact: false }).waitFor();
    await battery.getByText('No discharge yet.', { exact: false }).waitFor();
    expect(await battery.locator('canvas').count()).to.equal(0);
    expect(complaints).to.deep.equal([]);
    await page.close();
  });
});
