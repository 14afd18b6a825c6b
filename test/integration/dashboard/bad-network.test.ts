import { expect } from 'chai';
import { createServer, request } from 'node:http';
import type { Page } from 'playwright-core';
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import { SharedBrowser } from '../../fixtures/dashboard.js';
import type { LoopbackServer } from '../../fixtures/loopback-server.js';
import { onLoopback } from '../../fixtures/loopback-server.js';
import { is, until } from '../../fixtures/until.js';
import type { ApiUnderTest } from '../../workers/api/fixture.js';
import { publishedUps, startedApi } from '../../workers/api/fixture.js';

describe('the dashboard behind a bad network', () => {
  const browser = new SharedBrowser();
  let api: ApiUnderTest;
  let network: LoopbackServer;
  /** Sends what the stream has withheld; null while the stream flows. */
  let withheld: (() => void)[] | null;
  /** For each answer. */
  let delayMs: number;
  let polls: number;

  beforeEach(async () => {
    withheld = null;
    delayMs = 0;
    polls = 0;
    api = await startedApi();
    await publish();
    network = await onLoopback(
      createServer((incoming, outgoing) => {
        const { url = '', method, headers } = incoming;
        const stream = url.includes('/stream');
        if (url.includes('format=csv')) {
          outgoing
            .writeHead(200, { 'Content-Length': 1000 })
            .write('the beginning', () => outgoing.destroy());
          return;
        }
        if (url.includes('/ready')) polls += 1;
        const sent = request({ port: api.port, path: url, method, headers }, (answer) => {
          const pass = (act: () => void): void => {
            if (stream && withheld !== null) withheld.push(act);
            else if (stream) act();
            else setTimeout(act, delayMs);
          };
          outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
          answer.on('data', (chunk: Buffer) => pass(() => outgoing.write(chunk)));
          answer.on('end', () => pass(() => outgoing.end()));
        });
        sent.on('error', () => outgoing.destroy());
        outgoing.on('close', () => sent.destroy());
        incoming.pipe(sent);
      }),
    );
  });
  afterEach(async () => {
    await network.close();
    await api.end();
  });

  async function publish(change: Partial<UpsRow> = {}): Promise<void> {
    const { row, telemetry } = publishedUps(change);
    const lastUpdateTime = Date.now() / 1000;
    await api.publish({ ups: [{ row, telemetry: { ...telemetry, lastUpdateTime } }], redundancyGroups: [] });
  }

  async function openLive(): Promise<Page> {
    const page = await browser.open(`http://127.0.0.1:${String(network.port)}/`);
    await page.locator('#connection', { hasText: /^Live$/ }).waitFor();
    await page.getByText('Office: on line power').waitFor();
    return page;
  }

  it('shows an outage within two polls although the stream carries nothing any more', async () => {
    const page = await openLive();
    // Counted by the page, which polls on until this process has noticed.
    const seen = await page.evaluateHandle(`(() => {
      const polls = () => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/ready')).length;
      const before = polls();
      const seen = {};
      new MutationObserver(() => {
        if (document.body.textContent.includes('Office: on battery')) seen.polls ??= polls() - before;
      }).observe(document.body, { childList: true, subtree: true, characterData: true });
      return seen;
    })()`);
    withheld = [];
    await publish({ status: 'OB DISCHRG', timeOnBattery: 1 });
    await page.getByText('Office: on battery').waitFor();
    expect(await seen.jsonValue())
      .to.have.property('polls')
      .that.is.within(0, 3);
  });

  it('does not go back to what the stream brings late', async () => {
    const page = await openLive();
    const late: (() => void)[] = (withheld = []);
    await publish({ status: 'OB DISCHRG', timeOnBattery: 1 });
    await until(() => late.length > 0, is(true));
    await publish({ load: 31 });
    await page.locator('.card').getByText('31 %').waitFor();
    const seen = await page.evaluateHandle(`(() => {
      const seen = [];
      const h1 = document.querySelector('h1');
      new MutationObserver(() => seen.push(h1.textContent)).observe(h1, { childList: true, subtree: true });
      return seen;
    })()`);
    withheld = null;
    for (const act of late) act();
    const before = polls;
    await until(() => polls > before + 1, is(true));
    expect(await seen.jsonValue()).to.deep.equal([]);
  });

  it('says once at most that the connection is lost while each answer takes seconds', async () => {
    const page = await openLive();
    const seen = await page.evaluateHandle(`(() => {
      const seen = [];
      const state = document.querySelector('#connection-state');
      new MutationObserver(() => seen.push(state.textContent)).observe(state, { childList: true });
      return seen;
    })()`);
    delayMs = 3_500;
    const before = polls;
    let seconds = 0;
    await until(async () => {
      await publish({ status: 'OB DISCHRG', timeOnBattery: ++seconds });
      return polls >= before + 8;
    }, is(true));
    await page.locator('#connection', { hasText: /^Live$/ }).waitFor();
    const losses = ((await seen.jsonValue()) as string[]).filter((text) => text === 'No connection');
    expect(losses.length).to.be.at.most(1);
  });

  it('says that a file was not saved whose connection broke', async () => {
    const page = await openLive();
    const start = 1_790_000_000;
    const times = { start, end: start + 60, endSeen: true, durationSeconds: 60, interruptions: 0 };
    const lists = { shutdowns: [], events: [], readings: [], changes: [] };
    const unknown = { lowestCharge: null, lowestRuntimeSeconds: null, energyWh: null, powerFactor: null };
    await page.route('**/api/v1/outages/7', (route) =>
      route.fulfill({ json: { id: 7, label: 'Rack', cause: 'outage', ...times, ...lists, ...unknown } }),
    );
    await page.goto(`http://127.0.0.1:${String(network.port)}/#/outages/7`);
    await page.getByRole('button', { name: 'CSV' }).click();
    await page.getByText(/^The file cannot be saved: /).waitFor();
    expect(await page.locator('#fault').isVisible()).to.equal(false);
  });

  it('counts the time of sleep in the age of what it shows', async () => {
    const page = await openLive();
    // Asleep, the wall clock of a machine goes on and the one of performance.now() does not.
    await page.evaluate('(() => { const now = Date.now; Date.now = () => now() + 8 * 3_600_000; })()');
    await network.close();
    await page.getByText(/Everything below is 8.h old/).waitFor();
  });
});
