// Takes the pictures of the dashboard: light, dark and phone, of whatever answers at the given address.
// usage: node dist/scripts/screenshots.js BASE_URL [NAME]   writes docs/pictures/NAME-{light,dark,phone}.png
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

/** Debian's browser; playwright-core brings none. Background networking would knock at hosts nobody asked for. */
const launch = {
  executablePath: '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-dev-shm-usage',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
  ],
};

const views = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1100, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1100, height: 800 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const;

const [baseUrl, name = 'dashboard'] = process.argv.slice(2);
if (baseUrl === undefined) {
  console.error('usage: screenshots BASE_URL [NAME]');
  process.exit(2);
}
const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch(launch);
for (const { name: view, colorScheme, viewport } of views) {
  const page = await browser.newPage({ colorScheme, viewport });
  page.on('pageerror', (error) => console.error(`the page failed: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') console.error(`the page complains: ${message.text()}`);
  });
  await page.goto(baseUrl);
  await page.waitForSelector('.card');
  await page.waitForSelector('.plan');
  const path = `${folder}${name}-${view}.png`;
  await page.screenshot({ path, fullPage: true });
  console.log(path);
}
await browser.close();
