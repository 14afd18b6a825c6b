import { expect } from 'chai';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { SharedBrowser } from '../../fixtures/dashboard.js';
import type { ModelChange, PublishedUps } from '../../../shared/protocol/api.js';
import type { ApiUnderTest } from '../../workers/api/fixture.js';
import { isAtLeast, until } from '../../fixtures/until.js';
import { answers, plan, publishedUps, startedApi } from '../../workers/api/fixture.js';

function fresh(change: Parameters<typeof publishedUps>[0] = {}): PublishedUps {
  const ups = publishedUps(change);
  return { ...ups, telemetry: { ...ups.telemetry, lastUpdateTime: Date.now() / 1000 } };
}

describe('the page', () => {
  const browser = new SharedBrowser();
  let page: Page;
  let api: ApiUnderTest;
  let explained: string;
  /** How long the daemon takes for an explanation, and how many it gave. */
  let explainsWithinMs: number;
  let explanations: number;

  beforeEach(async () => {
    explained = 'Shutdown below 20 %, in about 6 min.';
    explainsWithinMs = 0;
    explanations = 0;
    api = await startedApi({
      ask: async (name, group, params) => {
        if (name !== 'explain.get') return answers(name, group, params);
        await pause(explainsWithinMs);
        explanations += 1;
        return { ok: true, value: { triggers: [], text: explained } };
      },
    });
  });
  afterEach(async () => {
    await page?.close();
    await api?.end();
  });

  const show = async (change: Partial<ModelChange>): Promise<void> => {
    await api.publish(change);
    const viewport = { width: 360, height: 740 };
    page = await browser.open(`http://127.0.0.1:${String(api.port)}/`, { viewport });
    await page.waitForSelector('.card');
  };
  const seen = (text: string) => page.getByText(text, { exact: false }).first().waitFor();

  it('shows line power, runs under its own policy, and fits a phone', async () => {
    await show({ ups: [fresh()] });
    await seen('On line power');
    await seen('Charge 87');
    const widths = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]');
    expect(widths).to.deep.equal([360, 360]);
  });

  it('renders a name as text, even when it looks like HTML', async () => {
    const name = '<img src=x onerror="document.title=\'taken\'">';
    await show({ ups: [fresh({ label: name, name })] });
    await seen(name);
    expect(await page.title()).to.equal('Overview · Ridethrough');
    expect(await page.locator('main img').count()).to.equal(0);
  });

  it('follows an outage into the dry run of the plan', async () => {
    await show({ ups: [fresh()] });
    await api.publish({ ups: [fresh({ status: 'OB DISCHRG', timeOnBattery: 65 })] });
    await seen('Office is on battery');
    await seen('Shutdown below 20 %, in about 6 min.');
    const run = {
      active: true,
      group: 'office-127.0.0.1',
      startedAt: Date.now() / 1000,
      phase: 'local_poweroff',
      pointOfNoReturn: false,
      powerBack: false,
      dryRun: true,
      steps: [
        {
          id: plan('x').phases[0]?.steps[0]?.id ?? '',
          phase: 'local_poweroff',
          target: 'this host',
          state: 'running',
          startedAt: Date.now() / 1000,
          endedAt: null,
          budgetSeconds: 30,
          error: null,
          detail: null,
        },
      ],
    } as const;
    const onBattery = {
      status: 'OB LB',
      timeOnBattery: 70,
      triggerActive: true,
      triggerReason: 'LOW_BATTERY',
    } as const;
    const met = fresh(onBattery);
    await api.publish({ ups: [met], sequence: { ...run, others: [] } });
    await seen('Dry run in progress: nothing is shut down');
    expect(await page.locator('.progress ul .running').count()).to.equal(1);
    expect(await page.locator('.banner h3').isHidden()).to.equal(true);
    const lab = { ...run, group: 'lab-127.0.0.1' };
    await api.publish({
      ups: [met, fresh({ ...onBattery, groupId: lab.group, name: 'lab@127.0.0.1', label: 'Lab' })],
      sequence: { ...run, others: [lab] },
    });
    await seen('Its dry run is in progress');
    // The rows may come after the sequence.
    await page.locator('.banner h3', { hasText: /^Lab$/ }).waitFor();
    expect(await page.locator('.banner h3').allTextContents()).to.deep.equal(['Office', 'Lab']);
    expect(await page.locator('.progress ul .running').count()).to.equal(2);
  });

  it('does not show an explanation from before the outage', async () => {
    explained = 'Nothing while there is no outage.';
    // Longer than the API gives the same answer again.
    explainsWithinMs = 500;
    await show({ ups: [fresh()] });
    await until(() => explanations, isAtLeast(1));
    explainsWithinMs = 0;
    explained = 'Shutdown below 20 %, in about 6 min.';
    await api.publish({ ups: [fresh({ status: 'OB DISCHRG', timeOnBattery: 1 })] });
    await seen('Office is on battery');
    expect(await page.locator('#banner').innerText()).not.to.include('Nothing while');
    await seen(explained);
  });

  it('shows an unknown value as unknown', async () => {
    await show({ ups: [fresh({ batteryCharge: null, runtime: null, load: null })] });
    await seen('Charge unknown');
    expect(await page.getByRole('meter').count()).to.equal(0);
    await page.getByRole('img', { name: 'Charge unknown' }).waitFor();
    expect(await page.locator('.bar.missing').count()).to.equal(1);
  });

  it('greys old values and shows their age', async () => {
    await show({ ups: [publishedUps({ connectionState: 'FAILED', connectionDetail: 'SERVER_DOWN' })] });
    await seen('Office: connection lost');
    await seen('Old: last reading');
    expect(await page.locator('.card.stale').count()).to.equal(1);
  });

  it('reports immediately that the daemon is gone, and that it is back', async () => {
    await show({ ups: [fresh()] });
    await seen('Live');
    const again = api.nextListening();
    api.body.reconfigure({ ...api.settings, listen: null });
    await seen('Connection to the daemon lost');
    api.body.reconfigure({ ...api.settings, listen: { bind: '127.0.0.1', port: api.port } });
    await again;
    await seen('Live');
  });
});
