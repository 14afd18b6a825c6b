// Rule (e) of the reserve: how many polls fail, for how long, and how good the battery of a stale driver is.
import { expect } from 'chai';
import { noBatteryTime } from '../../../supervisor/policy/power/battery-time.js';
import type { Line } from '../../../supervisor/policy/power/power-source.js';
import { newlySeen } from '../../../supervisor/reserve/reserve.js';
import { staleMsOf } from '../../../supervisor/reserve/silence.js';
import { triggersFrom } from '../../transcript/trigger-words.js';
import { settingsOf } from '../policy/stream.js';
import { failed, Site } from './site.js';

const full = { chargePercent: 100, runtimeSeconds: 3_000 };

/** On battery. */
const one = (keys = '') => new Site(settingsOf(`ups a ${keys}\n`)).reads('OB', full, 3);
const byFailsafe = ['a FAILSAFE'];

describe('the reserve on silence', () => {
  it('counts a poll for each deadline of a silent poller, three at least', () => {
    const site = one('failsafe=8s').wait(14.75);
    expect(site.decided).to.deep.equal([]);
    expect(site.wait(0.25).decided).to.deep.equal(byFailsafe);
  });

  it('counts no silence between polls that fail slowly', () => {
    const site = one().wait(6).poll(failed).wait(6).poll(failed);
    expect(site.wait(3).decided).to.deep.equal([]);
    expect(site.wait(3).poll(failed).decided).to.deep.equal(byFailsafe);
  });

  it('waits for as many failed polls as `max_stale_data_tolerance`, three at least', () => {
    const decidesAt = (keys: string, seconds: number) => {
      const site = one(keys);
      for (let poll = 1; poll <= 10; poll += 1)
        if (site.wait(seconds).poll(failed).decided.length > 0) return poll;
      return null;
    };
    expect(decidesAt('tolerance=5 interval=4s', 4)).to.equal(5);
    expect(decidesAt('tolerance=1 interval=8s', 8)).to.equal(3);
  });

  it('begins its delay again after an absence of more than 15 s, and has none with failsafe_delay 0', () => {
    const after = (keys: string) => one(keys).wait(14).stall(20).wait(0.25);
    expect(after('failsafe=0s').decided).to.deep.equal(byFailsafe);
    const usual = after('').wait(14.75);
    expect(usual.decided).to.deep.equal([]);
    expect(usual.wait(0.25).decided).to.deep.equal(byFailsafe);
  });

  it('shuts nothing down for a UPS that was never read', () => {
    expect(new Site(settingsOf('ups a\n')).fails(60).decided).to.deep.equal([]);
  });

  it('counts the failed polls of an outage that policy alone knows from the first', () => {
    const line: Line = {
      kind: 'outage',
      clock: { startedMs: 1_000_000, beganMs: null },
      lineReadings: 0,
      onBattery: true,
      bypass: null,
      obReadings: null,
      lows: null,
    };
    const site = new Site(settingsOf('ups a interval=8s\n')).wait(1);
    site.watch.follow('a', { line, batteryTime: noBatteryTime, met: null });
    site.reads('LB').wait(8).poll(failed).wait(8).poll(failed);
    expect(site.decided).to.deep.equal([]);
    expect(site.wait(8).poll(failed).decided).to.deep.equal(byFailsafe);
  });
});

describe('the wait of the reserve for a stale driver', () => {
  const clock = { atMs: 0, askedMs: 0, watchedMs: 0, lookingMs: 0 };
  const wait = (charge: number | null, runtime: number | null, status = 'OB', low = 20, critical = 600) => {
    const set = { ...triggersFrom(new Map()), lowBatteryPercent: low, criticalRuntimeSeconds: critical };
    return staleMsOf({ ...newlySeen(clock), last: { charge, runtime } }, status.split(' '), set);
  };

  it('is a fiftieth of the runtime, at most a minute', () => {
    expect([wait(100, 1_500), wait(100, 4_000)]).to.deep.equal([30_000, 60_000]);
  });

  it('needs a charge and a runtime above twice their thresholds', () => {
    expect(wait(41, 1_250)).to.equal(25_000);
    expect(wait(100, 1_201)).to.be.closeTo(24_020, 0.1);
    expect([wait(40, 1_250), wait(41, 1_200), wait(null, 1_250), wait(41, null)]).to.deep.equal([0, 0, 0, 0]);
    expect([wait(null, 1_250, 'OB', 0.4), wait(41, null, 'OB', 20, 0.4)], 'however low').to.deep.equal([
      0, 0,
    ]);
  });

  it('is none with LB or RB, nor where a threshold is off', () => {
    expect([wait(100, 3_000, 'OB LB'), wait(100, 3_000, 'OB RB')]).to.deep.equal([0, 0]);
    expect([wait(100, 3_000, 'OB', 0), wait(100, 3_000, 'OB', 20, 0)]).to.deep.equal([0, 0]);
  });

  it('is that of the runtime of the UPS where policy estimates one, since policy waits for the shorter of them', () => {
    const set = { ...triggersFrom(new Map()), runtimeSource: 'estimated' } as const;
    const seen = { ...newlySeen(clock), last: { charge: 100, runtime: 1_500 } };
    expect(staleMsOf(seen, ['OB'], set)).to.equal(30_000);
  });
});
