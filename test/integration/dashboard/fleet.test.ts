import { expect } from 'chai';
import { get } from 'node:http';
import { SharedBrowser } from '../../fixtures/dashboard.js';
import type { ApiUnderTest } from '../../workers/api/fixture.js';
import { publishedUps, redundancyGroup, startedApi } from '../../workers/api/fixture.js';

/** A hundred fresh UPSes: one on battery, one not connected. */
function fleet(count: number, troubled: boolean) {
  return Array.from({ length: count }, (_, index) => {
    const name = `rack-${String(index)}@127.0.0.1`;
    const trouble =
      troubled && index === 57
        ? ({ status: 'OB DISCHRG', timeOnBattery: 12 } as const)
        : troubled && index === 91
          ? ({
              connectionState: 'FAILED',
              connectionDetail: 'SERVER_DOWN',
              staleSince: 1_790_000_000,
            } as const)
          : {};
    const ups = publishedUps({
      name,
      label: `Rack ${String(index)}`,
      groupId: `rack-${String(index)}`,
      ...trouble,
    });
    return { ...ups, telemetry: { ...ups.telemetry, lastUpdateTime: Date.now() / 1000 } };
  });
}

describe('the dashboard of a fleet', () => {
  const browser = new SharedBrowser();
  let api: ApiUnderTest;
  let url: string;

  before(async () => {
    api = await startedApi();
    url = `http://127.0.0.1:${String(api.port)}/`;
  });
  after(() => api?.end());

  it('states in one sentence that all UPSes are on line power, and fits on one screen', async () => {
    await api.publish({ ups: fleet(100, false), redundancyGroups: [] });
    const page = await browser.open(url, { viewport: { width: 1920, height: 1200 } });
    await page.getByText('All 100 UPSes are on line power').waitFor();
    expect(await page.locator('.card').count()).to.equal(100);
    expect(
      await page.evaluate('document.querySelector(".small").getBoundingClientRect().top'),
    ).to.be.lessThan(300);
    await page.close();
  });

  it('shows what needs attention first, and loads explanations for few UPSes', async () => {
    await api.publish({ ups: fleet(100, true), redundancyGroups: [] });
    const asked = api.asked.length;
    const page = await browser.open(url);
    await page.getByText('1 on battery, 1 not connected; 98 of 100 on line power').waitFor();
    const first = page.locator('.cards:not(.small) .card');
    expect(await first.count()).to.equal(2);
    expect(await first.first().innerText()).to.match(/^Rack 91\s+Connection lost\s/);
    expect(await page.locator('.card.stale').count()).to.equal(1);
    await page.waitForTimeout(1_500);
    expect(api.asked.length - asked).to.be.lessThan(50);
    await page.close();
  });

  for (const width of [360, 3840])
    it(`fits a screen ${String(width)} pixels wide in every view`, async () => {
      await api.publish({ ups: fleet(3, false) });
      const page = await browser.open(url, { viewport: { width, height: 900 } });
      await page.getByText('All 3 UPSes are on line power').waitFor();
      for (const hash of [
        '',
        'ups/rack-1',
        'events',
        'outages',
        'plan',
        'configuration',
        'sign-in',
        'control',
      ]) {
        await page.goto(`${url}#/${hash}`);
        await page.locator('#view h1').waitFor();
        await page.waitForTimeout(150);
        const [content, screen] = await page.evaluate<number[]>(
          '[document.documentElement.scrollWidth, innerWidth]',
        );
        expect(content, hash).to.be.at.most(screen ?? 0);
      }
      await page.close();
    });

  it('draws what the plan of a group shuts down: this machine without is_local, and drained servers', async () => {
    const nas = {
      server: 'nas',
      host: '192.0.2.9',
      status: 'HEALTHY',
      consecutiveFailures: 0,
      lastError: null,
    } as const;
    const ups = fleet(2, false).map(({ row, ...rest }, index) => ({
      ...rest,
      row: { ...row, remoteHealth: index === 1 ? [nas] : [] },
    }));
    const shutsDown = { host: true, servers: ['nas', 'db'] };
    await api.publish({ ups, redundancyGroups: [{ ...redundancyGroup, shutsDown }] });
    const page = await browser.open(url);
    await page.locator('.feed-loads').getByText('This machine').waitFor();
    expect(await page.locator('.feed-loads').innerText()).to.match(
      /^This machine\s+runs the daemon\s+nas\s+reachable\s+192\.0\.2\.9\s+db\s+not probed\s*$/,
    );
    await page.close();
  });

  it('does not show a late answer about another UPS', async () => {
    await api.publish({ ups: fleet(3, false), redundancyGroups: [] });
    const page = await browser.open(`${url}#/ups/rack-0`);
    const none = page.getByText('This UPS has no health score, self test or energy values.');
    await none.waitFor();
    const answers: (() => void)[] = [];
    const windows = { todayKwh: 7, monthKwh: 7, yearKwh: 7, totalKwh: 7, currency: 'EUR' };
    const energy = { ...windows, estimated: false, powerFactor: null, partial: false };
    const json = { energy, batteryHealth: null, selfTest: null };
    let asked = (): void => undefined;
    const held = new Promise<void>((resolve) => (asked = resolve));
    await page.route('**/ups/rack-1/{energy,battery-health,self-test}', (route) => {
      answers.push(() => void route.fulfill({ json }));
      if (route.request().url().endsWith('/self-test')) asked();
    });
    await page.goto(`${url}#/ups/rack-1`);
    await held;
    await page.goto(`${url}#/ups/rack-2`);
    await page.getByRole('heading', { name: 'Rack 2' }).waitFor();
    const late = page.waitForResponse('**/ups/rack-1/energy');
    for (const answer of answers) answer();
    await (await late).finished();
    // What the page draws next is drawn after that answer.
    const renamed = fleet(3, false).map(({ row, ...rest }) => ({
      ...rest,
      row: { ...row, label: `New ${row.label}` },
    }));
    await api.publish({ ups: renamed });
    await page.getByRole('heading', { name: 'New Rack 2' }).waitFor();
    expect(await page.getByText('Energy today').count()).to.equal(0);
    await page.close();
  });

  it('polls every second without a stream, and follows the stream again', async () => {
    await api.publish({ ups: fleet(1, false) });
    const page = await browser.open(url);
    await page.route('**/api/v1/stream', (route) => route.abort());
    await page.reload();
    await page.getByText('Live, by polling').waitFor();
    await api.publish({ ups: fleet(2, false), redundancyGroups: [] });
    await page.getByText('All 2 UPSes are on line power').waitFor();
    await page.unroute('**/api/v1/stream');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.close();
  });

  it('switches the theme from system to light, dark and back, and stores it', async () => {
    const page = await browser.open(url, { colorScheme: 'light' });
    const paper = (): Promise<unknown> =>
      page.evaluate("getComputedStyle(document.body).getPropertyValue('background-color')");
    const light = await paper();
    await page.getByRole('button', { name: 'Theme: System' }).click();
    await page.getByRole('button', { name: 'Theme: Light' }).click();
    expect(await paper()).not.to.equal(light);
    await page.reload();
    await page.getByRole('button', { name: 'Theme: Dark' }).click();
    expect(await paper()).to.equal(light);
    await page.close();
  });

  it('transfers less than 120 kB in total', async () => {
    const weights = await Promise.all(
      ['', 'app.js', 'old-browser.js', 'style.css', 'icon.svg'].map((path) => weightOf(`${url}${path}`)),
    );
    expect(weights.reduce((sum, weight) => sum + weight, 0)).to.be.lessThan(120_000);
  });
});

/** Bytes of the body as transferred. */
function weightOf(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'Accept-Encoding': 'gzip, br' } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => resolve(bytes));
    }).once('error', reject);
  });
}
