import { expect } from 'chai';
import { ReserveWatch } from '../../../supervisor/engine/reserve-watch.js';
import type { PollOutcome } from '../../../supervisor/policy/base/inputs.js';
import { noBatteryTime } from '../../../supervisor/policy/power/battery-time.js';
import { reading, settingsOf } from '../policy/stream.js';
import { ThrowingSite } from '../throwing-engine.js';
import { Bug, done, full, hostOf, low, nearlyLow, siteWith } from './unreadable-settings.js';

const outageFrom = (second: number) => ({
  kind: 'outage' as const,
  clock: { startedMs: second * 1_000, beganMs: second * 1_000 },
  ...{ onBattery: true, lineReadings: 0, obReadings: null, bypass: null, lows: null },
});

describe('policy and the reserve', () => {
  it('does not start again what policy knows to be over, by a bypass', async () => {
    const bug = new Bug();
    const site = siteWith(bug, hostOf('[behavior]\ndry_run = true\n'));
    await site.pass(2, 'OL', full);
    await site.pass(4, 'OB', nearlyLow);
    await site.pass(8, 'OB', low);
    await site.pass(70, 'BYPASS', low);
    bug.isBroken = true;
    await site.pass(8, 'BYPASS', low);
    expect(site.events.filter((type) => type === 'SHUTDOWN_TRIGGERED')).to.have.length(1);
  });

  it('takes OL with OB for mains again where policy does', async () => {
    const bug = new Bug();
    const site = siteWith(bug, hostOf('[triggers.extended_time]\nthreshold = 60\n'));
    await site.pass(2, 'OL OB', full);
    await site.pass(4, 'OB', full);
    await site.pass(320, 'OL OB', full);
    expect(site.decisions.state.ups[0]?.line.kind).to.equal('unknown');
    bug.isBroken = true;
    await site.pass(2, 'OL OB', full);
    expect(site.decisions.state.ups[0]?.line.kind, 'by the reserve').to.equal('unknown');
    bug.isBroken = false;
    await site.pass(30, 'OL OB', full);
    expect(site.decisions.state.ups[0]?.line.kind).to.equal('unknown');
  });

  it('takes OL with OB for mains again after 5 minutes, where policy throws from before one OB, and in no other outage', async () => {
    const after = async (...words: readonly string[]) => {
      const bug = new Bug();
      const site = siteWith(bug, hostOf('[triggers.extended_time]\nthreshold = 600\n'));
      await site.pass(2, words[0] ?? '', full);
      bug.isBroken = true;
      for (const word of words) await site.pass(2, word, full);
      await site.pass(700, 'OL OB', full);
      return site.events.filter((type) => type === 'SHUTDOWN_TRIGGERED').length;
    };
    expect(await after('OL OB', 'OB')).to.equal(0);
    expect(await after('OL', 'OB')).to.equal(1);
    expect(await after('OL OB', 'OB', 'OL', 'OB'), 'an outage after mains').to.equal(1);
  });

  it('goes on from what the reserve knows where a restart has cost policy its memory', async () => {
    const none = { chargePercent: 0, runtimeSeconds: 3_000 };
    const bug = new Bug();
    const site = siteWith(bug, hostOf(), 'groupId');
    await site.pass(3, 'OL', none);
    await site.pass(4, 'OB', none);
    bug.isBroken = true;
    site.restart();
    await site.pass(1, 'OB', none);
    bug.isBroken = false;
    await site.pass(120, 'OB', none);
    expect(site.decisions.state.ups[0]?.line).to.deep.include({ kind: 'outage', obReadings: null });
    expect(done(site), 'a charge that is 0 on line power too').to.deep.equal([]);
  });

  it('starts no second sequence after a restart with a snapshot from before the first', async () => {
    let isFrozen = false;
    const site = new ThrowingSite(
      hostOf('[behavior]\ndry_run = true\n'),
      'before',
      (_, name) => isFrozen && name === 'snapshot.write',
    );
    await site.pass(2, 'OL', full);
    await site.pass(4, 'OB', nearlyLow);
    isFrozen = true;
    await site.pass(30, 'OB', low);
    site.restart();
    await site.pass(30, 'OB', low);
    expect(site.events.filter((type) => type === 'SHUTDOWN_TRIGGERED')).to.have.length(1);
  });

  it('keeps an outage of OL with OB open by what met a trigger before a restart whose snapshot is older', async () => {
    let isFrozen = false;
    const site = new ThrowingSite(
      hostOf('[behavior]\ndry_run = true\n'),
      'before',
      (_, name) => isFrozen && name === 'snapshot.write',
    );
    await site.pass(2, 'OL OB', full);
    await site.pass(4, 'OB', nearlyLow);
    isFrozen = true;
    await site.pass(30, 'OB', low);
    site.restart();
    await site.pass(2, 'OL OB', { chargePercent: null, runtimeSeconds: null });
    await site.pass(310, '', full, 'nobody');
    await site.pass(4, 'OL OB', { chargePercent: null, runtimeSeconds: null });
    expect(site.events).not.to.include('POWER_RESTORED');
    expect(site.events.filter((type) => type === 'SHUTDOWN_TRIGGERED')).to.have.length(1);
  });

  it('announces nothing that has ended, at the first reading after a restart, and starts in the next outage', async () => {
    let isFrozen = false;
    const site = new ThrowingSite(
      hostOf('[behavior]\ndry_run = true\n'),
      'before',
      (_, name) => isFrozen && name === 'snapshot.write',
    );
    const told = () => site.events.filter((type) => type === 'SHUTDOWN_TRIGGERED').length;
    await site.pass(2, 'OL', full);
    await site.pass(4, 'OB', nearlyLow);
    await site.pass(1, 'OB', low);
    isFrozen = true;
    await site.pass(3, 'OB', low);
    expect([told(), site.starts.length]).to.deep.equal([1, 1]);
    for (let restarts = 0; restarts < 2; restarts += 1) {
      site.restart();
      site.report(site.decisions.state.ups[0]?.policy.groupId ?? '', 'OB', low);
    }
    await site.pass(3, 'OB', low);
    expect([told(), site.starts.length]).to.deep.equal([1, 1]);
    isFrozen = false;
    await site.pass(4, 'OL', full);
    await site.pass(70, 'OB', low);
    expect([told(), site.starts.length]).to.deep.equal([2, 2]);
  });

  it('goes on from the newer outage where the snapshot has an older one', async () => {
    let isFrozen = false;
    const site = new ThrowingSite(hostOf(), 'before', (_, name) => isFrozen && name === 'snapshot.write');
    await site.pass(2, 'OL', full);
    await site.pass(10, 'OB', full);
    isFrozen = true;
    await site.pass(8, 'OL', full);
    await site.pass(30, 'OB', full);
    const begun = () => {
      const line = site.decisions.state.ups[0]?.line;
      return line?.kind === 'outage' ? line.clock.startedMs : null;
    };
    const before = begun();
    site.restart();
    await site.pass(1, 'OB', full);
    expect(begun()).to.equal(before);
  });

  it('keeps the clock of an outage standing in bypass, over a restart whose snapshot is older', async () => {
    let isFrozen = false;
    const site = new ThrowingSite(hostOf(), 'before', (_, name) => isFrozen && name === 'snapshot.write');
    const line = () => site.decisions.state.ups[0]?.line;
    await site.pass(2, 'OL', full);
    await site.pass(10, 'OB', full);
    await site.pass(6, 'BYPASS', full);
    isFrozen = true;
    await site.pass(20, 'BYPASS', full);
    const given = () => {
      const outage = line();
      return outage?.kind === 'outage' && outage.bypass !== null
        ? outage.bypass.sinceMs - outage.clock.startedMs
        : null;
    };
    const before = given();
    site.restart();
    await site.pass(1, 'BYPASS', full);
    expect(given(), 'bypass in both memories').to.equal(before);
    await site.pass(12, 'OB', full);
    await site.pass(30, 'BYPASS', full);
    const inBypass = given();
    site.restart();
    await site.pass(1, 'BYPASS', full);
    expect(given(), 'bypass in the newer one alone').to.equal(inBypass);
  });

  it('does not act by a silence that policy knows to be none', () => {
    const watch = new ReserveWatch();
    const settings = settingsOf('ups a delay=0s');
    watch.configure(settings);
    const at = (second: number) => ({ monotonicMs: second * 1_000, unixSeconds: second });
    const poll = (second: number, outcome: PollOutcome) =>
      watch.see({ kind: 'polled', groupId: 'a', at: at(second), outcome });
    const decided = () => watch.decided([...watch.groups.values()]).length;
    const line = outageFrom(1);
    poll(1, reading('OB', full));
    for (let second = 2; second < 40; second += 1)
      poll(second, { kind: 'failed', detail: 'SERVER_DOWN', message: 'down' });
    expect(decided()).to.equal(1);
    poll(40, reading('OB', full));
    const met = { trigger: 'FAILSAFE', why: '', sinceUnixSeconds: 0 } as const;
    watch.follow('a', { line, batteryTime: noBatteryTime, met });
    expect(decided()).to.equal(1);
    watch.follow('a', { line, batteryTime: noBatteryTime, met: null });
    expect(decided()).to.equal(0);
  });

  for (const { what, status, line, use } of [
    { what: 'a newer outage', status: 'OB', line: outageFrom(40), use: 'gives' },
    { what: 'the end of the outage', status: 'OL', line: { kind: 'mains', ended: null }, use: 'charges' },
  ] as const)
    it(`counts the time of the battery as policy does where the memory of policy has ${what}`, () => {
      const before = new ReserveWatch();
      const at = (second: number) => ({ monotonicMs: second * 1_000, unixSeconds: second });
      const poll = (watch: ReserveWatch, second: number, words: string) =>
        watch.see({ kind: 'polled', groupId: 'a', at: at(second), outcome: reading(words, full) });
      before.configure(settingsOf('ups a'));
      poll(before, 1, 'OB');
      poll(before, 15, 'OB');
      const after = new ReserveWatch();
      after.configure(settingsOf('ups a'));
      after.restore(before.known);
      poll(after, 50, status);
      expect(after.of('a').sum.ms, 'as if it had been on battery meanwhile').to.equal(49_000);
      const batteryTime = { ...noBatteryTime, sumMs: 12_000, sinceMs: 50_000, use };
      after.follow('a', { line, batteryTime, met: null });
      expect(after.of('a').sum).to.deep.include({ ms: 12_000, atMs: 50_000 });
      poll(after, 51, status);
      expect(after.of('a').sum.ms).to.equal(use === 'gives' ? 13_000 : 11_900);
    });

  it('takes power for back after a restart by what is read since', () => {
    const settings = settingsOf('ups a');
    const at = (second: number) => ({ monotonicMs: second * 1_000, unixSeconds: second });
    const reads = (watch: ReserveWatch, second: number) =>
      watch.see({ kind: 'polled', groupId: 'a', at: at(second), outcome: reading('OL', full) });
    const [before, after] = [new ReserveWatch(), new ReserveWatch()];
    before.configure(settings);
    for (const second of [1, 2, 3]) reads(before, second);
    expect(before.powerIsBack('a')).to.equal(true);
    after.restore(before.known);
    after.configure(settings);
    reads(after, 4);
    expect(after.powerIsBack('a')).to.equal(false);
    reads(after, 5);
    expect(after.powerIsBack('a')).to.equal(true);
  });

  it('counts OL with OB as an outage from the fall by which policy knows it', async () => {
    const bug = new Bug();
    const site = siteWith(bug, hostOf('[triggers.extended_time]\nthreshold = 300\n'));
    const used = { ...full, chargePercent: 90, runtimeSeconds: 2_700 };
    await site.pass(70, 'OL OB', full);
    await site.pass(80, 'OL OB', used);
    expect(site.decisions.state.ups[0]?.line.kind).to.equal('outage');
    bug.isBroken = true;
    await site.pass(150, 'OL OB', used);
    expect(done(site)).to.deep.equal([]);
    await site.pass(200, 'OL OB', { ...used, chargePercent: 88 });
    expect(done(site)).to.include('off');
  });

  it('ends an outage that only values showed once they stand still, so that its time is none of the next one', async () => {
    const bug = new Bug();
    const site = siteWith(bug, hostOf('[triggers.extended_time]\nthreshold = 400\n'));
    const used = { chargePercent: 90, runtimeSeconds: 2_700 };
    await site.pass(70, 'OL OB', full);
    await site.pass(80, 'OL OB', used);
    bug.isBroken = true;
    await site.pass(320, 'OL OB', used);
    expect(site.decisions.state.ups[0]?.line.kind).to.equal('unknown');
    bug.isBroken = false;
    await site.pass(1, 'OL OB', used);
    await site.pass(100, 'OL OB', { ...used, chargePercent: 80 });
    expect(site.decisions.state.ups[0]?.line.kind).to.equal('outage');
    expect(done(site)).to.deep.equal([]);
  });

  it('knows an outage as over by a policy whose memory is newer', async () => {
    const bug = new Bug();
    const site = siteWith(bug);
    await site.pass(2, 'OL', full);
    await site.pass(14, 'OB', full);
    await site.pass(3, 'OL', full);
    site.restart();
    await site.pass(1, 'OL', full);
    bug.isBroken = true;
    await site.pass(60, 'ALARM', {});
    expect(done(site)).to.deep.equal([]);
  });
});
