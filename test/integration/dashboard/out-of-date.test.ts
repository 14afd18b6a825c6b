import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { EventRow } from '../../../shared/http/bodies.js';
import { SharedBrowser } from '../../fixtures/dashboard.js';
import { is, until } from '../../fixtures/until.js';
import type { ApiUnderTest } from '../../workers/api/fixture.js';
import { answers, plan, publishedUps, startedApi } from '../../workers/api/fixture.js';

const isJson = (wanted: unknown) => (value: unknown) => JSON.stringify(value) === JSON.stringify(wanted);

function event(id: number, change: Partial<EventRow> = {}): EventRow {
  return {
    source: 'rack',
    id,
    ts: 1_790_000_000 + id,
    eventType: 'ON_BATTERY',
    detail: `event ${String(id)}`,
    category: 'power_event',
    ups: 'rack@127.0.0.1',
    label: 'Rack',
    ...change,
  };
}

describe('the dashboard after a change that it was not sent', () => {
  const browser = new SharedBrowser();
  let api: ApiUnderTest;
  let url: string;
  let dryRun = true;

  before(async () => {
    api = await startedApi({
      ask: (name, group, params) =>
        name === 'plan.get'
          ? Promise.resolve({ ok: true, value: { plan: { ...plan(group), dryRun } } })
          : answers(name, group, params),
    });
    await api.publish({ ups: [publishedUps()], redundancyGroups: [] });
    url = `http://127.0.0.1:${String(api.port)}/`;
  });
  after(() => api?.end());

  async function openedEvents(rows: () => readonly EventRow[]): Promise<Page> {
    const page = await browser.open(url);
    await page.route('**/api/v1/events?*', (route) =>
      route.fulfill({ json: { generatedAt: 0, events: rows() } }),
    );
    await page.goto(`${url}#/events`);
    return page;
  }

  /** The list of events after a time without a stream, in which it became `rows`. */
  async function missed(rows: readonly EventRow[]): Promise<Page> {
    let served: readonly EventRow[] = [event(1)];
    const page = await openedEvents(() => served);
    await page.getByText('event 1', { exact: true }).waitFor();
    await page.locator('#connection', { hasText: /^Live$/ }).waitFor();
    served = rows;
    // As a proxy or a sleeping phone ends the stream; the page polls on and opens another one.
    await page.evaluate("dispatchEvent(new Event('offline'))");
    return page;
  }

  it('says that it is a dry run until a reload ends it, on a view without a plan', async () => {
    const page = await openedEvents(() => []);
    const badge = page.locator('#dry-run');
    await badge.waitFor();
    dryRun = false;
    await badge.waitFor({ state: 'hidden' });
    await page.close();
  });

  it('lists the events of a time without a stream', async () => {
    const page = await missed([event(1), event(2)]);
    await page.getByText('event 2', { exact: true }).waitFor();
    await page.close();
  });

  it('lists no gap when more events than one page has were missed', async () => {
    const page = await missed(Array.from({ length: 200 }, (_, index) => event(index + 100)));
    await page.getByText('event 299', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Load older' }).waitFor();
    expect(await page.getByText('event 1', { exact: true }).count()).to.equal(0);
    await page.close();
  });

  it('shows nothing of a UPS that a reload has removed', async () => {
    await api.publish({
      ups: [publishedUps({ status: 'OB DISCHRG', timeOnBattery: 12 })],
      redundancyGroups: [],
    });
    const page = await browser.open(`${url}#/ups/office-127.0.0.1`);
    const top = page.locator('.ups > .glance');
    await top.getByText('On battery').waitFor();
    await api.publish({ ups: [], redundancyGroups: [] });
    await page.getByText('There is no UPS with this name.').waitFor();
    expect((await top.innerText()).trim()).to.equal('office-127.0.0.1');
    expect(await page.locator('.ups').getAttribute('class')).to.equal('ups unknown');
    await api.publish({ ups: [publishedUps()], redundancyGroups: [] });
    await top.getByText('Office', { exact: true }).waitFor();
    await page.close();
  });

  it('shows the plans of the UPSes that a reload has put in the place of the chosen one', async () => {
    const other = { name: 'other@127.0.0.1', groupId: 'other-127.0.0.1' };
    const rack = publishedUps({ name: 'rack@127.0.0.1', groupId: 'rack-127.0.0.1', label: 'Rack' });
    await api.publish({ ups: [publishedUps(), rack], redundancyGroups: [] });
    const page = await openedEvents(() => []);
    await page.goto(`${url}#/plan`);
    const choice = page.getByLabel('Plan of');
    await choice.selectOption('Office');
    const heads = page.locator('.plan h2');
    await until(() => heads.allTextContents(), isJson(['Office']));
    await api.publish({ ups: [publishedUps(other), rack], redundancyGroups: [] });
    await until(() => heads.allTextContents(), isJson(['Office', 'Rack']));
    await choice.selectOption('Office');
    await until(() => heads.allTextContents(), isJson(['Office']));
    await api.publish({ ups: [publishedUps()], redundancyGroups: [] });
    await page.close();
  });

  it('does not rebuild a choice that is open because a name has two spaces', async () => {
    await api.publish({ ups: [publishedUps({ label: 'Rack  2' })], redundancyGroups: [] });
    const page = await openedEvents(() => []);
    await page.getByText('Rack  2').first().waitFor({ state: 'attached' });
    const changes = await page.evaluateHandle(`(() => {
      const changes = [];
      for (const one of document.querySelectorAll('select'))
        new MutationObserver(() => changes.push(one.id)).observe(one, { childList: true });
      return changes;
    })()`);
    await page.waitForResponse('**/ready');
    await page.waitForResponse('**/ready');
    expect(await changes.jsonValue()).to.deep.equal([]);
    await api.publish({ ups: [publishedUps()], redundancyGroups: [] });
    await page.close();
  });

  it('says from when on it marks the events of a chart', async () => {
    const now = Math.floor(Date.now() / 1000);
    let rows = Array.from({ length: 1000 }, (_, index) => event(index, { ts: now - 1000 + index }));
    const page = await openedEvents(() => rows);
    const data = [{ ts: now - 60, value: 90, min: 90, max: 90 }];
    await page.route('**/history?*', (route) =>
      route.fulfill({ json: { from: now - 3600, to: now, stepSeconds: 10, tier: 'raw', data } }),
    );
    await page.goto(`${url}#/ups/office-127.0.0.1`);
    const cut = page.getByText(/^Outages and events before \d{4}-\d\d-\d\d .+ are not marked\.$/);
    await cut.waitFor();
    rows = rows.slice(1);
    await page.getByRole('button', { name: '6 h' }).click();
    await cut.waitFor({ state: 'hidden' });
    await page.close();
  });

  it('loads again soon what could not be loaded', async () => {
    const page = await openedEvents(() => []);
    let refusals = 0;
    await page.route(/\/api\/v1\/(reports|ups\/[^/]+\/history)/, (route) => {
      refusals += 1;
      return route.fulfill({ status: 503, json: { error: { code: 'STATS_UNAVAILABLE', message: 'busy' } } });
    });
    await page.goto(`${url}#/ups/office-127.0.0.1`);
    await page.getByRole('button', { name: '5 y' }).click();
    await page.getByText('The history cannot be shown: busy').waitFor();
    const before = refusals;
    await until(() => refusals > before, is(true));
    await page.goto(`${url}#/reports`);
    await page.getByText('The report cannot be shown: busy').waitFor();
    const seen = refusals;
    await until(() => refusals > seen, is(true));
    await page.close();
  });

  it('keeps the focus in the list of outages while nothing in it changes', async () => {
    const page = await openedEvents(() => []);
    let answers = 0;
    const start = 1_790_000_000;
    const outage = { id: 7, source: 'rack', label: 'Rack', cause: 'outage', start, shutdowns: [] };
    await page.route('**/api/v1/outages?*', (route) => {
      answers += 1;
      const end = { end: start + 60, durationSeconds: 60, lowestCharge: 90 };
      return route.fulfill({ json: { generatedAt: answers, outages: [{ ...outage, ...end }] } });
    });
    await page.goto(`${url}#/outages`);
    await page.getByRole('link', { name: /^Rack, / }).focus();
    const before = answers;
    await until(() => answers > before + 1, is(true));
    expect(await page.evaluate('document.activeElement.textContent')).to.match(/^Rack, /);
    await page.close();
  });

  it('shows no score of a battery that is not assessed any more, and no unknown charge as empty', async () => {
    const page = await openedEvents(() => []);
    let assessed = true;
    const term = { available: false, weight: 0.2, value: null, detail: 'missing' };
    const names = ['capacity', 'runtime', 'selfTest', 'anomalies', 'age'];
    const terms = Object.fromEntries(names.map((name) => [name, term]));
    const health = {
      score: 87,
      confidence: 0.5,
      ageYears: null,
      terms,
      runtimeEstimate: null,
      replacement: { state: 'unknown', date: null, earliest: null, latest: null, thresholdScore: 50 },
      series: { number: 1, since: 1_790_000_000 },
    };
    const curve = { seconds: [], charge: [], volts: [], load: [], wh: [] };
    const discharge = { id: 1, series: 1, cause: 'outage', start: 1_790_000_000, seconds: 60, curve };
    const rest = { load: 20, fromCharge: 95, toCharge: null, wh: null, capacity: null };
    await page.route(/battery-health/, (route) =>
      route.fulfill({
        json: route.request().url().endsWith('history')
          ? {
              days: { day: [], series: [], score: [], runtimeRatio: [] },
              discharges: [{ ...discharge, ...rest }],
            }
          : { batteryHealth: assessed ? health : null },
      }),
    );
    await page.clock.install();
    await page.goto(`${url}#/ups/office-127.0.0.1`);
    await page.reload();
    await page.getByText('95 to unknown').waitFor();
    const score = page.getByText(/^Health 87/);
    await score.waitFor();
    assessed = false;
    await page.clock.fastForward('01:00:00');
    await score.waitFor({ state: 'hidden' });
    await page.close();
  });
});
