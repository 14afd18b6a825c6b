// A browser that is too old for the page, imitated in Chromium: it leaves modules alone, knows less syntax, or lacks a function.
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { noBrowser, startBrowser } from '../../fixtures/browser.js';
import { skipFor } from '../../fixtures/skip.js';
import type { ApiUnderTest } from '../../workers/api/fixture.js';
import { startedApi } from '../../workers/api/fixture.js';

/** Replaces text of an answer of the daemon. */
async function altered(page: Page, path: string, from: string, to: string): Promise<void> {
  await page.route(path, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(from, to) });
  });
}

const oldBrowsers: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'that runs no module': (page) => altered(page, '**/', 'type="module"', 'type="text/none"'),
  'that cannot read the program': (page) => altered(page, '**/app.js', '', 'syntax of later;'),
  'without a function that the page needs': (page) =>
    page.addInitScript('delete AbortSignal.timeout').then(() => undefined),
};

describe('a browser', () => {
  let browser: Browser | undefined;
  let api: ApiUnderTest;
  let page: Page;

  before(async function () {
    browser = await startBrowser();
    skipFor(this, browser === undefined && noBrowser);
  });
  after(() => browser?.close());
  beforeEach(async () => {
    api = await startedApi();
    await api.publish();
    if (browser !== undefined) page = await browser.newPage();
  });
  afterEach(async () => {
    await page.close();
    await api.end();
  });

  const url = (): string => `http://127.0.0.1:${String(api.port)}/`;

  for (const [what, imitate] of Object.entries(oldBrowsers))
    it(`${what} shows what the page needs and where the data are`, async () => {
      await imitate(page);
      await page.goto(url());
      const notice = page.locator('#old-browser');
      await notice.getByText('This page does not run in this browser.').waitFor();
      expect(await notice.innerText()).to.include('Safari 16 (iOS 16)');
      expect(await page.locator('#loading').count()).to.equal(
        what.startsWith('without') ? 0 : 1,
        'the page of a browser that runs app.js goes on',
      );
      expect(await page.getByText('Loading.').isVisible()).to.equal(false);
      for (const name of ['api/v1/ups', 'ready'])
        expect(await page.getByRole('link', { name, exact: true }).getAttribute('href')).to.equal(name);
    });

  it('that is new enough sees nothing of this', async () => {
    await page.goto(url());
    await page.getByText('Office: on line power').waitFor();
    expect(await page.locator('#old-browser').isVisible()).to.equal(false);
  });
});
