import { expect } from 'chai';
import { RedundancyRow, UpsRow } from '../../../shared/domain/status/status-model.js';
import { restored, snapshotOf } from '../../../supervisor/policy/snapshot.js';
import { redundancyRow, upsRow } from '../../../supervisor/policy/view/view.js';
import { reading, settingsOf, Stepper } from './stream.js';

const one = settingsOf('ups a');
const rack = settingsOf('ups a\nups b\ngroup rack members=a,b unknown=healthy');

describe('the row of a UPS', () => {
  it('is unknown and empty before the first poll', () => {
    const row = upsRow(new Stepper(one).state, 'a');
    expect(UpsRow.is(row)).to.equal(true);
    expect(row).to.deep.include({
      status: '',
      alarm: '',
      connectionState: 'UNKNOWN',
      connectionDetail: 'NEVER_POLLED',
      batteryCharge: null,
      timeOnBattery: 0,
      depletionRate: 0,
      triggerActive: false,
      triggerReason: '',
      contradiction: '',
      valuesInDoubt: [],
      staleWait: null,
      unavailableTriggers: [],
      phases: [],
      runtimeEstimate: null,
      staleSince: null,
    });
    expect(row.powerQuality).to.include({ inputVoltage: '', voltageState: 'UNKNOWN', nominalVoltage: null });
    expect(row.powerQuality).to.include({ warningLow: null, warningHigh: null });
  });

  it('shows raw variables unchanged and readings as numbers', () => {
    const stepper = new Stepper(one);
    const outcome = reading('OL BOOST', {
      chargePercent: 97.5,
      inputVolts: 210,
      nominalVolts: 230,
      loadPercent: 12,
      realPowerWatts: 140,
    });
    if (outcome.kind !== 'reading') throw new Error('not a reading');
    const variables = { 'input.voltage': '210.0', 'battery.temperature': '31', 'output.frequency': '50.1' };
    stepper.poll('a', { ...outcome, variables });
    const row = upsRow(stepper.state, 'a');
    expect(row).to.include({ status: 'OL BOOST', batteryCharge: 97.5, load: 12, realPower: 140 });
    expect(row.connectionState).to.equal('OK');
    expect(row.powerQuality).to.deep.equal({
      inputVoltage: '210.0',
      outputVoltage: '',
      batteryVoltage: '',
      temperature: '31',
      inputFrequency: '',
      outputFrequency: '50.1',
      voltageState: 'NORMAL',
      avrState: 'BOOST',
      bypassState: 'INACTIVE',
      overloadState: 'INACTIVE',
      nominalVoltage: 230,
      warningLow: 207,
      warningHigh: 253,
    });
  });

  it('is published when it changes, and not only because time passes on line power', () => {
    const stepper = new Stepper(one);
    const calm = reading('OL', { chargePercent: 100 });
    const published = () => stepper.effects.filter(({ kind }) => kind === 'publish').length;
    stepper.poll('a', calm);
    const before = published();
    stepper.polls('a', calm, 100);
    expect(published()).to.equal(before);
    stepper.polls('a', reading('OL', { chargePercent: 99 }), 1);
    expect(published()).to.equal(before + 1);
  });

  it('is published for a voltage alone, and prefers the temperature of the UPS to that of its battery', () => {
    const stepper = new Stepper(one);
    const saying = (variables: Record<string, string>) => ({ ...reading('OL'), variables });
    stepper.polls('a', saying({ 'input.voltage': '230.0', 'battery.temperature': '31' }), 2);
    expect(upsRow(stepper.state, 'a').powerQuality.temperature).to.equal('31');
    stepper.effects.length = 0;
    stepper.polls('a', saying({ 'input.voltage': '230.1', 'battery.temperature': '31' }), 1);
    expect(stepper.effects).to.deep.equal([{ kind: 'publish', groupId: 'a' }]);
    stepper.polls('a', saying({ 'ups.temperature': '27', 'battery.temperature': '31' }), 1);
    expect(upsRow(stepper.state, 'a').powerQuality.temperature).to.equal('27');
  });

  it('counts seconds on battery and the depletion, and shows 0 again on line power', () => {
    const stepper = new Stepper(one);
    for (let charge = 100; charge > 60; charge -= 1) {
      stepper.polls('a', reading('OB', { chargePercent: charge, runtimeSeconds: 3_000 }), 1);
    }
    expect(upsRow(stepper.state, 'a')).to.include({ timeOnBattery: 39, depletionRate: 60 });
    stepper.polls('a', reading('OL', { chargePercent: 61 }), 2);
    expect(upsRow(stepper.state, 'a')).to.include({ timeOnBattery: 0, depletionRate: 0 });
  });

  it('continues to count while the UPS is unseen', () => {
    const stepper = new Stepper(one).polls('a', reading('OB', { chargePercent: 90 }), 1);
    stepper.effects.length = 0;
    stepper.wait(5_000);
    expect(stepper.effects, 'the next reading may still come').to.deep.equal([]);
    stepper.wait(5_000);
    expect(upsRow(stepper.state, 'a')).to.include({ timeOnBattery: 10, connectionDetail: 'TIMEOUT' });
    const published = stepper.effects.filter(({ kind }) => kind === 'publish').length;
    stepper.wait(5_000);
    expect(stepper.effects.filter(({ kind }) => kind === 'publish')).to.have.length(published + 5);
  });

  it('has no depletion rate of the previous outage', () => {
    const stepper = new Stepper(one);
    for (let charge = 100; charge > 60; charge -= 1) {
      stepper.polls('a', reading('OB', { chargePercent: charge }), 1);
    }
    expect(upsRow(stepper.state, 'a').depletionRate).to.equal(60);
    stepper.polls('a', reading('OL', { chargePercent: 60 }), 70);
    stepper.polls('a', reading('OB', { chargePercent: 60 }), 1);
    expect(upsRow(stepper.state, 'a').depletionRate).to.equal(null);
  });

  it('has no depletion rate before the charge has fallen twice', () => {
    const stepper = new Stepper(one).polls('a', reading('OB', { chargePercent: 50 }), 30);
    stepper.polls('a', reading('OB', { chargePercent: 49 }), 60);
    expect(upsRow(stepper.state, 'a').depletionRate).to.equal(null);
    stepper.polls('a', reading('OB', { chargePercent: 48 }), 1);
    expect(upsRow(stepper.state, 'a').depletionRate).to.equal(1);
  });

  it('keeps the trigger from the reading that met it until the end of the outage is confirmed', () => {
    const stepper = new Stepper(one).polls('a', reading('OB', { chargePercent: 10 }), 40);
    const shown = () => upsRow(stepper.state, 'a');
    expect(shown()).to.include({ triggerActive: true, triggerReason: 'LOW_BATTERY' });
    stepper
      .polls('a', reading('OB', { chargePercent: 90 }), 10)
      .polls('a', reading('OL', { chargePercent: 90 }), 1);
    expect(shown().triggerActive).to.equal(true);
    stepper.polls('a', reading('OL', { chargePercent: 90 }), 1);
    expect(shown()).to.include({ triggerActive: false, triggerReason: '' });
  });

  it('shows FSD until a good reading without it on line power', () => {
    const stepper = new Stepper(one).polls('a', reading('OL'), 1).polls('a', reading('FSD OL'), 1);
    expect(upsRow(stepper.state, 'a').triggerReason).to.equal('FSD');
    stepper.polls('a', reading('OFF'), 1);
    expect(upsRow(stepper.state, 'a').triggerReason).to.equal('FSD');
    stepper.polls('a', reading('OL'), 1);
    expect(upsRow(stepper.state, 'a').triggerReason).to.equal('');
  });

  it('shows the time of the last good reading while it is stale', () => {
    const stepper = new Stepper(one).polls('a', reading('OL'), 1);
    const lastGood = stepper.nowMs / 1000;
    stepper.polls('a', { kind: 'failed', detail: 'SERVER_DOWN', message: '' }, 3);
    expect(upsRow(stepper.state, 'a')).to.include({
      connectionState: 'GRACE_PERIOD',
      connectionDetail: 'SERVER_DOWN',
      staleSince: lastGood,
    });
    stepper.polls('a', reading('OL'), 1);
    expect(upsRow(stepper.state, 'a')).to.include({
      connectionState: 'OK',
      connectionDetail: 'OK',
      staleSince: null,
    });
  });

  const lost = { kind: 'failed', detail: 'SERVER_DOWN', message: '' } as const;

  it('is FAILED on battery once the tolerated polls have failed, and OK again at the next good reading', () => {
    const stepper = new Stepper(settingsOf('ups a tolerance=4')).polls('a', reading('OB'), 1);
    const lastGood = stepper.nowMs / 1000;
    stepper.polls('a', lost, 3);
    const shown = () => upsRow(stepper.state, 'a');
    expect(shown()).to.include({
      connectionState: 'OK',
      connectionDetail: 'SERVER_DOWN',
      staleSince: null,
    });
    stepper.effects.length = 0;
    stepper.polls('a', lost, 1);
    expect(shown()).to.include({
      connectionState: 'FAILED',
      connectionDetail: 'SERVER_DOWN',
      staleSince: lastGood,
    });
    expect(stepper.effects).to.deep.include({ kind: 'publish', groupId: 'a' });
    stepper.polls('a', reading('OB'), 1);
    expect(shown()).to.include({ connectionState: 'OK', connectionDetail: 'OK', staleSince: null });
    expect(stepper.events, 'nothing was lost, so nothing is restored').to.deep.equal([]);
  });

  it('is FAILED on battery also when the poller is dead, or when the last status was OFF', () => {
    const silent = new Stepper(one).polls('a', reading('OB'), 1).wait(14_500);
    expect(upsRow(silent.state, 'a')).to.include({ connectionState: 'OK', connectionDetail: 'TIMEOUT' });
    silent.wait(500);
    expect(upsRow(silent.state, 'a')).to.include({ connectionState: 'FAILED' });
    const off = new Stepper(one).polls('a', reading('OB'), 1).polls('a', reading('OFF'), 1);
    expect(upsRow(off.polls('a', lost, 3).state, 'a')).to.include({ connectionState: 'FAILED' });
  });

  it('is in its grace period when the last reading had OL, also before the end of the outage is confirmed', () => {
    const stepper = new Stepper(one).polls('a', reading('OB'), 2).polls('a', reading('OL'), 1);
    stepper.polls('a', lost, 10);
    expect(upsRow(stepper.state, 'a')).to.include({ connectionState: 'GRACE_PERIOD' });
  });

  it('is still FAILED after a restart of the daemon in an outage without readings', () => {
    const stepper = new Stepper(one).polls('a', reading('OB'), 1).polls('a', lost, 3);
    const kept: unknown = JSON.parse(JSON.stringify(snapshotOf(stepper.state)));
    const back = restored(kept, one, stepper.at);
    if (!back.ok) throw new Error('the snapshot cannot be read');
    const { connectionState, staleSince } = upsRow(stepper.state, 'a');
    expect(connectionState).to.equal('FAILED');
    expect(upsRow(back.value, 'a')).to.include({ connectionState, staleSince });
  });

  it('shows WAIT and keeps the earlier readings', () => {
    const stepper = new Stepper(one)
      .polls('a', reading('OL', { chargePercent: 80 }), 1)
      .polls('a', reading('WAIT'), 1);
    expect(upsRow(stepper.state, 'a')).to.include({
      status: 'WAIT',
      batteryCharge: 80,
      connectionState: 'OK',
    });
  });

  it('does not exist for a name that is not configured', () => {
    expect(() => upsRow(new Stepper(one).state, 'x')).to.throw('no UPS is configured as x');
    expect(() => redundancyRow(new Stepper(one).state, 'x')).to.throw(
      'no redundancy group is configured as x',
    );
  });
});

describe('the row of a redundancy group', () => {
  it('is deferred until every member has reported', () => {
    const stepper = new Stepper(rack);
    stepper.wait(2_000);
    const row = redundancyRow(stepper.state, 'redundancy-rack');
    expect(RedundancyRow.is(row)).to.equal(true);
    expect(row).to.include({ quorumDeferred: true, quorumLost: false, minHealthy: 1 });
    expect(row.members[0]).to.deep.equal({ name: 'a', health: 'UNKNOWN', effectiveHealth: 'HEALTHY' });
    for (const ups of ['a', 'b']) stepper.poll(ups, reading('OL'));
    stepper.wait(1_000);
    expect(redundancyRow(stepper.state, 'redundancy-rack')).to.include({
      quorumDeferred: false,
      healthyCount: 2,
    });
  });

  it('is published when the health of a member changes', () => {
    const stepper = new Stepper(rack);
    for (const ups of ['a', 'b']) stepper.poll(ups, reading('OL'));
    stepper.wait(2_000);
    stepper.effects.length = 0;
    stepper.poll('a', reading('OB', { chargePercent: 90 }));
    stepper.wait(1_000);
    expect(stepper.effects).to.deep.include({ kind: 'publish', groupId: 'redundancy-rack' });
    expect(redundancyRow(stepper.state, 'redundancy-rack').members[0]?.health).to.equal('DEGRADED');
  });

  it('is not published when nothing has changed', () => {
    const stepper = new Stepper(rack);
    const everySecond = (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        for (const ups of ['a', 'b']) stepper.poll(ups, reading('OL'));
        stepper.wait(1_000);
      }
    };
    everySecond(3);
    stepper.effects.length = 0;
    everySecond(3);
    expect(stepper.effects).to.not.deep.include({ kind: 'publish', groupId: 'redundancy-rack' });
  });

  it('has the names of its UPSes', () => {
    const [a, ...others] = rack.ups;
    if (a === undefined) throw new Error('no UPS');
    const named = { ...rack, ups: [{ ...a, name: 'feed-a@localhost' }, ...others] };
    expect(redundancyRow(new Stepper(named).state, 'redundancy-rack').upsSources).to.deep.equal([
      'feed-a@localhost',
      'b',
    ]);
  });
});
