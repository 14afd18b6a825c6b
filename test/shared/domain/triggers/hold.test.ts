import { expect } from 'chai';
import type { Variables } from '../../../../shared/domain/ups/reading.js';
import { holdsOf, lastingStatusHoldMs, longestHoldMs } from '../../../../shared/domain/triggers/hold.js';

const unset = { valueMs: null, statusMs: null };

/** Seconds of values and status. */
function held(driver: Variables, critical = 600): readonly number[] {
  const variables = Object.fromEntries(
    Object.entries(driver).map(([name, value]) => [
      name === 'name' ? 'driver.name' : `driver.parameter.${name}`,
      value,
    ]),
  );
  const { valueMs, statusMs } = holdsOf(variables, unset, critical);
  return [valueMs / 1000, statusMs / 1000];
}

describe('the hold of a NUT driver', () => {
  it('of values is pollfreq and pollinterval where they are shown', () => {
    expect(held({ name: 'usbhid-ups', pollfreq: '15', pollinterval: '5' })).to.deep.equal([20, 5]);
    expect(held({ name: 'blazer_usb', pollfreq: '30', pollinterval: '2' })).to.deep.equal([32, 2]);
    expect(held({ name: 'other', pollfreq: '4.5' })).to.deep.equal([6.5, 2]);
  });

  it('is 32 s for the drivers that read their values every half minute and do not show it', () => {
    for (const name of ['usbhid-ups', 'newhidups', 'nutdrv_qx'])
      expect(held({ name })).to.deep.equal([32, 2]);
    expect(held({ name: 'usbhid-ups', pollinterval: '5' })).to.deep.equal([35, 5]);
  });

  it('is 32 s for a driver that copies another, and shows its own interval alone', () => {
    for (const name of ['clone', 'clone-outlet', 'failover'])
      expect(held({ name, pollinterval: '2' })).to.deep.equal([32, 2]);
    expect(held({ name: 'dummy-ups', port: 'ups@nas', pollinterval: '2' })).to.deep.equal([32, 2]);
    expect(held({ name: 'dummy-ups', port: 'device.dev', pollinterval: '2' })).to.deep.equal([2, 2]);
  });

  it('of the status is that of the values for snmp-ups, which reads all at once', () => {
    expect(held({ name: 'snmp-ups', pollinterval: '2' })).to.deep.equal([32, 32]);
    expect(held({ name: 'snmp-ups', pollinterval: '2', pollfreq: '15' })).to.deep.equal([17, 17]);
  });

  it('is pollinterval for any other driver, and 8 s of values where nothing is shown', () => {
    expect(held({ name: 'apcsmart', pollinterval: '3' })).to.deep.equal([3, 3]);
    expect(held({})).to.deep.equal([8, 2]);
  });

  it('ignores what is no number above 0', () => {
    for (const pollfreq of ['', 'soon', '0', '-1', 'Infinity', '1e9'])
      expect(held({ name: 'apcsmart', pollfreq }), pollfreq).to.deep.equal([8, 2]);
  });

  it('is 1 to 60 s, and a quarter of critical_runtime_threshold at most, whatever a server says', () => {
    expect(held({ pollinterval: '0.5' })).to.deep.equal([1, 1]);
    expect(held({ pollfreq: '3600', pollinterval: '600' })).to.deep.equal([60, 60]);
    expect(held({ name: 'snmp-ups' }, 100)).to.deep.equal([25, 25]);
    expect(held({ name: 'snmp-ups' }, 1)).to.deep.equal([0.25, 0.25]);
    expect(held({ name: 'snmp-ups' }, 0)).to.deep.equal([32, 32]);
  });

  it('is what the configuration sets, without bounds', () => {
    const set = { valueMs: 90_000, statusMs: 0 };
    expect(holdsOf({ 'driver.name': 'snmp-ups' }, set, 100)).to.deep.equal(set);
  });
});

describe('the hold of a status that decides for good', () => {
  const lasting = (statusMs: number | null, variables: Variables) =>
    lastingStatusHoldMs(variables, { valueMs: null, statusMs });

  it('is never shorter than what the driver shows', () => {
    const every5 = { 'driver.name': 'apcsmart', 'driver.parameter.pollinterval': '5' };
    expect([null, 0, 1_000, 5_001].map((set) => lasting(set, every5))).to.deep.equal([
      5_000, 5_000, 5_000, 5_001,
    ]);
    expect([null, 0, 300_000].map((set) => lasting(set, {}))).to.deep.equal([2_000, 2_000, 300_000]);
    expect(lasting(1_000, { 'driver.name': 'snmp-ups' })).to.equal(32_000);
  });
});

describe('the longest hold of a NUT driver', () => {
  const longest = (variables: Variables, valueMs: number | null = null) =>
    longestHoldMs(variables, { valueMs, statusMs: null });

  it('is that of the values, without the share of critical_runtime_threshold', () => {
    expect(longest({ 'driver.name': 'snmp-ups' })).to.equal(32_000);
    expect(longest({ 'driver.name': 'apcsmart', 'driver.parameter.pollinterval': '3' })).to.equal(3000);
    expect(longest({ 'driver.name': 'apcsmart', 'driver.parameter.pollfreq': '15' })).to.equal(17_000);
    expect(longest({ 'driver.parameter.pollfreq': '3600' })).to.equal(60_000);
  });

  it('is 60 s of a driver of which nothing is known', () => {
    expect(longest({ 'driver.name': 'apcsmart' })).to.equal(60_000);
    expect(longest({})).to.equal(60_000);
  });

  it('is value_hold where it is set', () => {
    expect(longest({}, 5000)).to.equal(5000);
    expect(longest({}, 0)).to.equal(0);
  });
});
