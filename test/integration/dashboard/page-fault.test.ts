import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { skipFor } from '../../fixtures/skip.js';
import { noBrowser, openPage, startBrowser } from '../../fixtures/browser.js';
import { violations } from '../../fixtures/dashboard.js';
import type { ApiUnderTest } from '../../workers/api/fixture.js';
import { publishedUps, redundancyGroup, startedApi } from '../../workers/api/fixture.js';

describe('a dashboard that the daemon has outgrown', () => {
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
    if (browser === undefined) return;
    // Not through the fixture that fails a test when a page complains.
    ({ page } = await openPage(browser, `http://127.0.0.1:${String(api.port)}/`));
    await page.locator('#connection', { hasText: /^Live$/ }).waitFor();
    await page.getByText('Office: on line power').waitFor();
  });
  afterEach(async () => {
    await page.close();
    await api.end();
  });

  it('says that it fails, and keeps the banner up to date', async () => {
    const notice = page.locator('#fault');
    expect(await notice.isVisible()).to.equal(false);
    const [member] = redundancyGroup.members;
    const members = [{ ...member, health: 'OF A LATER VERSION' }];
    const later = { ...redundancyGroup, members } as unknown as typeof redundancyGroup;
    await api.publish({ redundancyGroups: [later] });
    await notice.getByText('This page fails').waitFor();
    await api.publish({
      ups: [publishedUps({ status: 'OB DISCHRG', timeOnBattery: 5 })],
      redundancyGroups: [later],
    });
    await page.locator('.banner-title').getByText('Office is on battery').waitFor();
  });

  it('says after an upgrade that it is the page of another version', async () => {
    const notice = page.locator('#fault');
    await page.route('**/app.js', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), etag: '"later"' } });
    });
    await page.evaluate("dispatchEvent(new Event('offline'))");
    await notice.getByText('The daemon was upgraded').waitFor();
    expect(await violations(page)).to.deep.equal([]);
    await page.unroute('**/app.js');
    await page.getByRole('link', { name: 'Reload the page' }).click();
    await page.getByText('Office: on line power').waitFor();
    expect(await notice.isVisible()).to.equal(false);
  });
});
