// The time until the dashboard shows the state of the UPSes, and its size: Chromium with a cold cache, the real daemon.
import { get } from 'node:http';
import type { Browser } from 'playwright-core';
import { noBrowser, startBrowser } from '../fixtures/browser.js';
import { startSite } from '../fixtures/dry-run-daemon.js';
import type { Figure } from './table.js';
import { spread } from './table.js';

const rounds = 15;

export async function page(): Promise<readonly Figure[]> {
  const browser = await startBrowser();
  if (browser === undefined) return [{ what: 'the page', value: 'skipped', against: noBrowser }];
  const site = await startSite({ ups: [{ name: 'office', label: 'Office', local: true }] });
  try {
    const slow = await paints(browser, site.url, true);
    return [
      {
        what: 'weight, compressed',
        value: `${((await weight(site.url)) / 1000).toFixed(1)} kB`,
        against: 'goal: below 120 kB',
      },
      { what: 'first useful paint', value: spread(await paints(browser, site.url, false), 'ms', 0) },
      { what: 'the same at 750 kbit/s, 150 ms', value: spread(slow, 'ms', 0) },
    ];
  } finally {
    await browser.close();
    await site.stop();
  }
}

/** Milliseconds from the navigation to the state of the first UPS, with an empty cache. */
async function paints(browser: Browser, url: string, slowLink: boolean): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < (slowLink ? 5 : rounds); round++) {
    const context = await browser.newContext();
    const opened = await context.newPage();
    if (slowLink) {
      const session = await context.newCDPSession(opened);
      await session.send('Network.enable');
      await session.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 150,
        downloadThroughput: 750_000 / 8,
        uploadThroughput: 250_000 / 8,
      });
    }
    const started = performance.now();
    await opened.goto(url, { waitUntil: 'commit' });
    await opened.getByText('Office: on line power').waitFor();
    times.push(performance.now() - started);
    await context.close();
  }
  return times;
}

async function weight(url: string): Promise<number> {
  const parts = await Promise.all(
    ['', 'app.js', 'old-browser.js', 'style.css', 'icon.svg'].map((path) => bytesOf(`${url}${path}`)),
  );
  return parts.reduce((sum, bytes) => sum + bytes, 0);
}

function bytesOf(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'Accept-Encoding': 'gzip, deflate, br' } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => resolve(bytes));
    }).once('error', reject);
  });
}
