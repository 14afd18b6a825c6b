import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { Dashboard, violations } from '../../fixtures/dashboard.js';
import { program } from '../../fixtures/ridethrough.js';
import { until } from '../../fixtures/until.js';

/** What the second UPS waits, beside the defaults that the first one has. */
const own = `value_hold = 70
status_hold = 3
[ups.triggers]
failsafe_share = 0.015
[ups.triggers.depletion]
runtime_hold = 300
[ups.triggers.extended_time]
threshold = 1200
`;

describe('the waits of two UPSes on the dashboard', () => {
  const names = ['office', 'rack'] as const;
  type Name = (typeof names)[number];
  const dashboard = new Dashboard(async () => ({
    ups: [
      { name: 'office', label: 'Office', local: true, doubts: true },
      { name: 'rack', label: 'Rack', doubts: true, more: own },
    ],
    stabilizationDelay: 0,
    toml: '[triggers.depletion]\nwindow = 4\ngrace_period = 0\ncritical_rate = 1\n[remote_health]\nenabled = false\n',
    upsd: await startSimulatedUpsd({ ups: names.map((name) => ({ name, noise: 0, behaviours: ['held'] })) }),
  }));
  const pages = {} as Record<Name, Page>;

  before(async () => {
    set({ variables: { 'battery.runtime': '3000' } });
    // A page asks for an explanation on line power only every 20 s.
    await until(
      () => dashboard.site.daemon.status(),
      ({ ups }) => ups.every(({ runtime }) => runtime === 3000),
    );
    pages.office = await dashboard.open({ viewport: { width: 360, height: 800 }, colorScheme: 'dark' });
    pages.rack = await dashboard.open({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
    for (const name of names) await pages[name].goto(dashboard.ups(name));
  });

  const set = (change: Parameters<ReturnType<typeof dashboard.site.upsd.ups>['set']>[0]): void => {
    for (const name of names) dashboard.site.upsd.ups(name).set(change);
  };
  const shows = async (name: Name, ...texts: readonly (string | RegExp)[]): Promise<void> => {
    const view = pages[name].locator('.ups');
    for (const text of texts) await view.getByText(text).first().waitFor();
  };
  const ran = (...args: readonly string[]): string => {
    const file = join(dashboard.site.daemon.directory, 'config.toml');
    const { stdout, stderr } = spawnSync(process.execPath, [program, ...args, '--config', file], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    return stdout + stderr;
  };

  const atRest = {
    office: [
      'may show a value for 32 s before it reads it again (value_hold), and a status for 2 s (status_hold)',
      'two falls alone 2 min later, where the runtime contradicts them (depletion.runtime_hold)',
      'it fires above 900 s (extended_time.threshold)',
      '(1 min while the server answers DATA-STALE: failsafe_share 0.02 of the last runtime',
    ],
    rack: [
      'may show a value for 1 min 10 s before it reads it again (value_hold), and a status for 3 s (status_hold)',
      'two falls alone 5 min later, where the runtime contradicts them (depletion.runtime_hold)',
      'it fires above 1200 s (extended_time.threshold)',
      '(45 s while the server answers DATA-STALE: failsafe_share 0.015 of the last runtime',
    ],
  };

  it('names each with its seconds and its key, as explain does, for each UPS its own', async () => {
    for (const name of names) {
      await shows(name, ...atRest[name]);
      const told = ran('explain', `${name}@127.0.0.1:${String(dashboard.site.upsd.port)}`);
      for (const text of atRest[name]) expect(told).to.include(text);
    }
  });

  it('has the same in validate', () => {
    const [office = '', rack = ''] = ran('validate').split('\nRack (');
    for (const text of [
      'as long as its NUT driver may show one sample, 60 s at most (value_hold)',
      'as long as its NUT driver may show a status, 60 s at most, LB for 5 s at most (status_hold)',
      'two falls alone 2 min later, where the runtime contradicts them (depletion.runtime_hold)',
      'more than 15 min, with that of outages before (extended_time.threshold)',
      'good battery 0.02 of the last runtime, up to 60 s (failsafe_share)',
    ])
      expect(office).to.include(text);
    for (const text of [
      'a value that jumps for 70 s (value_hold)',
      'what decides in a group for 3 s (status_hold)',
      'two falls alone 5 min later, where the runtime contradicts them (depletion.runtime_hold)',
      'more than 20 min, with that of outages before (extended_time.threshold)',
      'good battery 0.015 of the last runtime, up to 60 s (failsafe_share)',
    ])
      expect(rack).to.include(text);
  });

  it('shows how long a coarse gauge and a value in doubt still wait', async () => {
    set({ mainsVolts: 0 });
    for (const name of names) await shows(name, 'no rate yet: it needs two falls of the charge');
    set({ variables: { 'battery.charge': '90' } });
    for (const name of names) await shows(name, 'charge 90 %, it fires below 20 %');
    set({ variables: { 'battery.charge': '80', 'battery.runtime': '2900' } });
    await shows(
      'office',
      /waits for (1 min )?\d+ s in which the device can contradict it \(depletion\.runtime_hold\)/,
    );
    await shows(
      'rack',
      /waits for 4 min (\d+ s )?in which the device can contradict it \(depletion\.runtime_hold\)/,
    );
    set({ variables: { 'battery.charge': '5' } });
    await shows(
      'office',
      'the charge has jumped: it counts once the device confirms it, after 32 s at the latest (value_hold)',
      /waits for \d+ s in which the device can contradict it \(value_hold\)/,
    );
    await shows(
      'rack',
      'the charge has jumped: it counts once the device confirms it, after 70 s at the latest (value_hold)',
      /waits for (1 min )?\d+ s in which the device can contradict it \(value_hold\)/,
    );
    set({ variables: { 'battery.charge': '80' } });
    for (const name of names) await shows(name, 'charge 80 %, it fires below 20 %');
  });

  it('shows how long the shutdown waits for a stale driver, on the card too', async () => {
    set({ link: 'stale' });
    const waits = (seconds: number): string =>
      `the shutdown starts ${String(seconds)} s after the last reading (failsafe_share)`;
    await shows('office', waits(58), /unseen for \d+ s of 58 s/);
    await shows('rack', waits(43), /unseen for \d+ s of 43\.5 s/);
    for (const name of names) {
      const page = pages[name];
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0);
      await page.getByRole('link', { name: 'All UPSes' }).click();
      await page.getByText(waits(43)).waitFor();
    }
    // Last: on a slow machine it takes longer than what is shown stays.
    for (const name of names) {
      await pages[name].goBack();
      await pages[name].locator('.ups').first().waitFor();
      expect(await violations(pages[name], 'colours')).to.deep.equal([]);
    }
  });
});
