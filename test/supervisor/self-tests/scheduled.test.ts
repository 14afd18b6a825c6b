import { expect } from 'chai';
import type { SelfTestRecord } from '../../../shared/domain/ups/self-test.js';
import type { RecalledTests } from '../../../shared/protocol/self-tests.js';
import { inTimeZone } from '../../fixtures/time-zone.js';
import { a, b, control, gone, office, scheduled, Site, why } from './three-upses.js';

describe('battery tests by schedule', () => {
  // Local time decides which dates come within the hours of a test.
  inTimeZone('UTC');
  const day = 86_400;
  const missed = (site: Site, more: Partial<RecalledTests> = {}): void => {
    for (const groupId of [office, a, b])
      site.recalled.set(groupId, { sinceTs: site.time.wallSeconds() - 10 * day, ...more });
  };
  const siteOf = (more?: Partial<RecalledTests>): Site => {
    const site = new Site(`${control}${scheduled}`);
    missed(site, more);
    return site;
  };

  it('make up for missed dates once', async () => {
    const site = siteOf();
    await site.pass(120);
    expect(site.sent).to.include(`start ${office}`);
    await site.pass(1_200);
    expect(site.sent.filter((one) => one === `start ${office}`)).to.have.length(1);
  });

  for (const [name, sinceDays, setDays] of [
    ['whose schedule began when the clock was ahead', 100, 0],
    ['when the clock is set back', 0, -400],
  ] as const)
    it(`begin with the next date for a daemon ${name}`, async () => {
      const site = new Site(`${control}${scheduled}`);
      site.recalled.set(office, { sinceTs: site.time.wallSeconds() + sinceDays * day });
      await site.pass(30);
      site.time.step(setDays * day);
      await site.pass(120);
      expect(site.sent).to.deep.equal([]);
      await site.pass(day, {}, 20);
      expect(site.sent).to.include(`start ${office}`);
    });

  it('run for the members of a group one after the other', async () => {
    const site = siteOf();
    await site.pass(50);
    expect(site.sent).to.deep.equal([`start ${office}`, `start ${a}`]);
    await site.pass(60);
    expect(site.sent).to.deep.equal([`start ${office}`, `start ${a}`, `start ${b}`]);
  });

  for (const [name, more, shown] of [
    ['the UPS shows RB', {}, { words: ['OL', 'RB'] }],
    ['its charge is below 90 %', {}, { charge: 50 }],
  ] as const)
    it(`wait while ${name}`, async () => {
      const site = siteOf(more);
      await site.pass(100, { [office]: shown });
      expect(site.sent).not.to.include(`start ${office}`);
      await site.pass(100);
      expect(site.sent).to.include(`start ${office}`);
    });

  it('wait after a failed test and while the score is critical, and can be started manually', async () => {
    const verdict: SelfTestRecord = {
      startedTs: 1,
      endedTs: 2,
      command: null,
      source: 'device',
      result: 'FAILED',
      raw: 'Done and error',
      date: null,
    };
    const site = siteOf({ verdict, last: verdict });
    await site.pass(100);
    expect(site.sent).to.deep.equal([]);
    expect(why(await site.tests.request(office))).to.equal('started');
    const critical = siteOf();
    critical.isCritical = true;
    await critical.pass(100);
    expect(critical.sent).to.deep.equal([]);
  });

  it('are made up for once when an objection comes while they are stored', async () => {
    const site = siteOf();
    await site.pass(10, { [office]: { charge: 50 } });
    site.stores = () => void (site.isSequenceRunning = true);
    await site.pass(20);
    expect(site.tests.of(office)).to.include({ raw: 'not started: no sequence: a shutdown sequence runs' });
    expect(site.sent).not.to.include(`start ${office}`);
    Object.assign(site, { isSequenceRunning: false, stores: () => undefined });
    await site.pass(1_200);
    expect(site.sent.filter((one) => one === `start ${office}`)).to.have.length(1);
  });

  for (const [code, seconds, count] of [
    ['NOT_ALLOWED', 3_700, 2],
    ['NUT_REFUSED', 3_700, 2],
    // Not offered, and no answer: the date is spent.
    ['UNSUPPORTED', 8_000, 1],
    ['NUT_ERROR', 8_000, 1],
  ] as const)
    it(`are tried ${String(count)} times within ${String(seconds)} s after ${code}`, async () => {
      const site = siteOf();
      site.answer = () => Promise.resolve(gone(code));
      const starts = () => site.sent.filter((one) => one === `start ${office}`).length;
      await site.pass(3_500, {}, 5);
      expect(starts()).to.equal(1);
      site.answer = () => Promise.resolve({ ok: true, value: { output: '' } });
      await site.pass(seconds - 3_500, {}, 5);
      expect(starts()).to.equal(count);
      await site.pass(8_000, {}, 5);
      expect(starts()).to.equal(count);
    });

  it('do not start while they cannot be stored: after a crash they would start again', async () => {
    const site = siteOf();
    await site.pass(1);
    site.isStorageDown = true;
    await site.pass(100);
    expect(site.sent).to.deep.equal([]);
    site.isStorageDown = false;
    await site.pass(100);
    expect(site.sent).to.include(`start ${office}`);
  });
});
