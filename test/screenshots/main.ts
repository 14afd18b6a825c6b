// Takes pictures of the dashboard: every view in both themes and on a phone, of the real daemon on simulated UPSes.
// usage: node dist/test/screenshots/main.js [FOLDER]   default dist/pictures; copy those of the documents to
// docs/pictures by hand
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { noBrowser, openPage, startBrowser } from '../fixtures/browser.js';
import type { Site } from '../fixtures/dry-run-daemon.js';
import { userPassword } from '../fixtures/auth-database.js';
import { shrink } from './shrink.js';
import { startPicturedSite } from './pictured-site.js';

const looks = [
  { look: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { look: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { look: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const;

const folder = process.argv[2] ?? fileURLToPath(new URL('../../pictures/', import.meta.url));
mkdirSync(folder, { recursive: true });

const browser = await startBrowser();
if (browser === undefined) throw new Error(noBrowser);
const site = await startPicturedSite();
try {
  await takeAll(browser, site);
} finally {
  await browser.close();
  await site.stop();
}

async function takeAll(chromium: Browser, pictured: Site): Promise<void> {
  const pages = await Promise.all(
    looks.map(async ({ look, ...options }) => {
      const { page, complaints } = await openPage(chromium, pictured.url, options);
      return { look, page, complaints };
    }),
  );
  /** `part`: the selector of a part of the page. */
  const each = async (
    name: string,
    hash: string,
    ready: (page: Page) => Promise<unknown>,
    part?: string,
  ): Promise<void> => {
    for (const { look, page } of pages) {
      await page.goto(`${pictured.url}#/${hash}`);
      await ready(page);
      await page.waitForTimeout(400);
      const picture =
        part === undefined
          ? await page.screenshot({ fullPage: true })
          : await page.locator(part).first().screenshot();
      writeFileSync(`${folder}/${name}-${look}.png`, shrink(picture));
    }
  };
  const ups = `ups/office-127.0.0.1-${String(pictured.upsd.port)}`;
  const seen = (text: string) => (page: Page) => page.getByText(text).first().waitFor();
  await each('overview', '', seen('Quorum holds'));
  await each('ups', ups, async (page) => {
    await page.getByRole('button', { name: '24 h' }).click();
    await page.getByText('Input frequency').last().waitFor();
    await page.waitForTimeout(1500);
  });
  await each('timeline', ups, seen('If the power failed now'), '.timeline');
  const panel = (text: string): string => `section.panel:has(h2:text-is("${text}"))`;
  await each(
    'energy',
    ups,
    (page) => page.getByRole('img', { name: /^Energy by day/ }).waitFor(),
    panel('Energy'),
  );
  await each(
    'energy-months',
    ups,
    async (page) => {
      await page.getByRole('button', { name: 'Months' }).click();
      await page.getByRole('img', { name: /^Energy by month/ }).waitFor();
    },
    panel('Energy'),
  );
  await each('battery-tests', ups, seen('Next test by the schedule'), panel('Battery tests'));
  await each('battery', ups, seen('Score and forecast'), 'section:has(> .battery-parts)');
  await each('report', 'reports/week', seen('of the time'));
  await each('events', 'events', seen('On battery'));
  await each('plan', 'plan', seen('Shut down remote servers'));
  await each('configuration', 'configuration', seen('Local shutdown'));
  await each('sign-in', 'sign-in', seen('Password'));
  for (const { page } of pages) await signIn(page);
  await each('control', 'control', seen('test.battery.start.quick'));

  pictured.upsd.ups('office').set({ mainsVolts: 0 });
  pictured.upsd.ups('rack-a').set({ mainsVolts: 0 });
  await each('outage', '', async (page) => {
    await page.getByText('are on battery').first().waitFor();
    await page.locator('.timeline-summary', { hasText: 'battery' }).first().waitFor();
    await page.waitForTimeout(9_000);
  });
  pictured.upsd.ups('office').set({ chargePercent: 15 });
  await each('dry-run', '', async (page) => {
    await page.getByText('Dry run ended').first().waitFor();
    await page.waitForTimeout(1_000);
  });
  pictured.upsd.ups('office').set({ mainsVolts: 230, chargePercent: 100 });
  pictured.upsd.ups('rack-a').set({ mainsVolts: 230, chargePercent: 100 });
  const office = { name: /^Office, / };
  await each(
    'outages',
    'outages',
    async (page) => {
      await page.getByRole('link', office).first().click();
      await page.getByRole('region', { name: 'Timeline' }).waitFor();
      await page.getByText('Power restored', { exact: true }).waitFor();
    },
    '.outages-view',
  );
  for (const { look, complaints } of pages)
    for (const complaint of complaints) console.error(`${look}: ${complaint}`);
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('alice');
  await page.getByLabel('Password').fill(userPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}
