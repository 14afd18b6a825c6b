import { expect } from 'chai';
import type { Reading } from '../../../shared/domain/ups/reading.js';
import type { PollOutcome } from '../../../supervisor/policy/base/inputs.js';
import { reading, settingsOf } from '../policy/stream.js';
import { newlySeen } from '../../../supervisor/reserve/reserve.js';
import { failed, Site } from './site.js';

const one = (keys = '') => new Site(settingsOf(`ups a ${keys}\n`));
const full = { chargePercent: 100, runtimeSeconds: 3_000 };
const low = { chargePercent: 15, runtimeSeconds: 3_000 };

/** Down to just above the thresholds, in steps. */
const drained = (site: Site): Site =>
  site.reads('OL', full).reads('OB', { chargePercent: 22, runtimeSeconds: 3_000 }, 40);

describe('the reserve', () => {
  it('knows nothing of a UPS before its first reading', () => {
    const [noValues, noWord] = [
      { charge: null, runtime: null },
      { sinceMs: null, without: 0 },
    ];
    const clock = { atMs: 9, askedMs: 8, watchedMs: 7, lookingMs: 6 };
    expect(newlySeen(clock)).to.deep.equal({
      ...{ fsd: 'unseen', ownFsdMs: 0, ownTestMs: null, outageMs: null, isOnBattery: false, ob: -1 },
      ...{ lineReadings: 0, last: noValues, known: noValues, refused: { charge: false, runtime: false } },
      ...{ words: { TEST: noWord, CAL: noWord, LB: noWord }, readMs: null, flagMs: null, failed: 0, met: {} },
      ...{ bypassMs: null, inBypass: false, isDegraded: false, lows: null },
      sum: { ms: 0, atMs: 0, rate: 0, sinceMs: 0, full: null, fullMs: null, gauge: 'unproven' },
      ...{ goodMs: 7, replyMs: 7, staleMs: 0, ended: null },
    });
  });

  it('does not set back LB by readings on line power within the outage', () => {
    const site = one('delay=0s').reads('OL', {}).reads('OB LB', {}, 2).reads('OL', {});
    expect(site.reads('OB LB', {}, 2).decided).to.deep.equal(['a LOW_BATTERY_FLAG']);
    const without = one('delay=0s').reads('OL', {}).reads('OB LB', {}, 2).reads('OB', {});
    expect(without.reads('OB LB', {}, 2).decided).to.deep.equal([]);
  });

  it('does not doubt a value that came down in its usual steps, with a reading between that lacks it', () => {
    const site = one('delay=0s low=50')
      .reads('OL', full)
      .reads('OB', { ...full, chargePercent: 55 });
    site.reads('OB', {}).reads('OB', { ...full, chargePercent: 49 }, 2);
    expect(site.decided).to.deep.equal(['a LOW_BATTERY']);
  });

  it('counts an outage with OL and OB from the reading that ended the doubt', () => {
    const site = one('delay=30s').reads('OL OB', full, 90).reads('OL OVER', full);
    expect(site.reads('OL OB', low, 28).decided).to.deep.equal([]);
    expect(site.reads('OL OB', low, 30).decided).to.deep.equal(['a LOW_BATTERY']);
  });

  describe('on FSD', () => {
    it('decides at the reading that shows it', () => {
      expect(one().reads('OL', full).reads('OL FSD', full).decided).to.deep.equal(['a FSD']);
      expect(one().reads('OB FSD', full).decided).to.deep.equal(['a FSD']);
    });

    it('ignores a flag of before the boot until OB comes with it or it is set again', () => {
      expect(one().reads('OL FSD', full, 5).decided).to.deep.equal([]);
      expect(one().reads('OL FSD', full).reads('OB FSD', full).decided).to.deep.equal(['a FSD']);
      expect(one().reads('OL FSD', full).reads('OL', full).reads('OL FSD', full).decided).to.deep.equal([
        'a FSD',
      ]);
    });

    it('ignores one that this daemon has set, until it is gone half a minute later', () => {
      const site = one().reads('OB', full).tell({ kind: 'forcedShutdown', state: 'asked' });
      expect(site.reads('OB', full).reads('OB FSD', full, 40).decided).to.deep.equal([]);
      expect(site.reads('OL', full).reads('OB FSD', full).decided).to.deep.equal(['a FSD']);
      const refused = one().reads('OB', full).tell({ kind: 'forcedShutdown', state: 'asked' });
      refused.tell({ kind: 'forcedShutdown', state: 'refused' });
      expect(refused.reads('OB FSD', full).decided).to.deep.equal(['a FSD']);
    });
  });

  describe('on LB', () => {
    it('decides at the second reading, 5 s after the transfer', () => {
      expect(
        one()
          .reads('OL', full)
          .until('OB LB', { ...full, chargePercent: 20 }, 60),
      ).to.equal(6);
      expect(drained(one()).until('OB LB', { chargePercent: 20 }, 60)).to.equal(2);
      expect(drained(one('confirmations=3')).until('OB LB', { chargePercent: 20 }, 60)).to.equal(3);
    });

    it('waits for the hold of the status, at most 5 s, where neither charge nor runtime is near its threshold', () => {
      const until = (keys: string) =>
        one(`flag-delay=0s ${keys}`).reads('OL', full).reads('OB', full, 40).until('OB LB', full, 60);
      expect([until(''), until('status-hold=4s'), until('status-hold=0s')]).to.deep.equal([4, 6, 2]);
      expect(until('status-hold=90s')).to.equal(7);
    });

    it('waits as long as policy where charge and runtime contradict it', () => {
      expect(one().reads('OL', full).until('OB LB', full, 60)).to.equal(16);
    });

    it('does nothing without OB, or with the trigger off', () => {
      expect(one().until('OL LB', { chargePercent: 20 }, 120)).to.equal(null);
      expect(one('flag=off').until('OB LB', { chargePercent: 20 }, 120)).to.equal(null);
    });

    it('waits for a minute of LB in a calibration', () => {
      const site = one().reads('OL', full).reads('OB CAL', full, 40);
      expect(site.until('OB CAL LB', { chargePercent: 20 }, 120)).to.equal(61);
    });
  });

  describe('on charge and runtime', () => {
    it('decides at the second reading of a value that came down in steps', () => {
      expect(drained(one()).until('OB', low, 60)).to.equal(2);
      const runtime = one().reads('OL', full).reads('OB', { chargePercent: 80, runtimeSeconds: 700 }, 40);
      expect(runtime.until('OB', { chargePercent: 80, runtimeSeconds: 590 }, 60)).to.equal(2);
    });

    it('waits for the stabilization delay', () => {
      const site = one().reads('OL', { ...full, chargePercent: 22 });
      expect(site.until('OB', low, 60)).to.equal(31);
    });

    it('knows how long a driver holds values', () => {
      const site = one().reads('OL', full);
      const jumped = reading('OB', low) as Extract<PollOutcome, { kind: 'reading' }>;
      const variables = { 'driver.name': 'usbhid-ups' };
      const decided = Array.from(
        { length: 40 },
        () => site.wait(1).poll({ ...jumped, variables }).decided.length,
      );
      expect(decided.indexOf(1)).to.equal(33);
    });

    it('waits for the hold of the values for one that fell in a jump, unless it moves', () => {
      const fallen = (keys = '') =>
        one(keys)
          .reads('OL', full)
          .reads('OB', { ...full, chargePercent: 60 }, 40);
      expect(fallen().until('OB', low, 120)).to.equal(10);
      const holds = ['hold=90s', 'hold=5s', 'hold=0s'];
      expect(holds.map((key) => fallen(key).until('OB', low, 120))).to.deep.equal([92, 7, 2]);
      expect(
        fallen()
          .reads('OB', low, 5)
          .until('OB', { ...low, chargePercent: 14 }, 120),
      ).to.equal(1);
      expect(one('hold=60s').until('OB', low, 120)).to.equal(62);
      const onLine = one('hold=60s').reads('OL', full).reads('OL', low, 5);
      expect(onLine.until('OB', low, 120)).to.equal(57);
      const missing = { chargePercent: null, runtimeSeconds: null };
      expect(fallen().reads('OB', low, 5).until('OB', missing, 120)).to.equal(null);
    });

    it('counts readings in a row, without those that lack the value', () => {
      const site = drained(one())
        .reads('OB', low)
        .reads('OB', { ...low, chargePercent: 30 });
      expect(site.reads('OB', { ...low, chargePercent: 19 }).decided).to.deep.equal([]);
      expect(site.reads('OB', { ...low, chargePercent: null }).decided).to.deep.equal([]);
      expect(site.reads('OB', { ...low, chargePercent: 18 }).decided).to.deep.equal(['a LOW_BATTERY']);
    });

    it('takes a missing value for low only by the threshold of now', () => {
      const missing = { ...low, chargePercent: null };
      for (const [text, decided] of [
        ['low=20', ['a LOW_BATTERY']],
        ['low=19', []],
      ] as const) {
        const site = drained(one('low=20 delay=90s')).reads('OB', { ...low, chargePercent: 19 }, 2);
        site.watch.configure(settingsOf(`ups a ${text} runtime=0s extended=off delay=0s`));
        expect(site.reads('OB', missing).decided).to.deep.equal(decided);
      }
    });

    it('does nothing at a threshold of 0', () => {
      const site = one('low=0 runtime=0s extended=off').reads('OL', full);
      expect(site.until('OB', { chargePercent: 0, runtimeSeconds: 0 }, 120)).to.equal(null);
    });

    it('refuses on battery what was 0 on line power, until a value above 0', () => {
      const none = { chargePercent: 0, runtimeSeconds: 0 };
      expect(one('extended=off').reads('OL', none).until('OB', none, 300)).to.equal(null);
      const read = one('extended=off')
        .reads('OL', none)
        .reads('OB', { ...none, chargePercent: 9 }, 40);
      expect(read.until('OB', none, 300)).to.not.equal(null);
    });

    it('waits for a test or a calibration as long as policy does', () => {
      expect(drained(one('extended=off')).until('OB TEST', low, 1_000)).to.equal(901);
      expect(drained(one('extended=off')).until('OB CAL', low, 1_000)).to.equal(null);
      const own = drained(one('extended=off')).tell({ kind: 'tested', running: true });
      expect(own.until('OB', low, 100)).to.equal(null);
      expect(own.tell({ kind: 'tested', running: false }).until('OB', low, 100)).to.equal(1);
    });
  });

  describe('without readings', () => {
    it('decides after three failed polls and failsafe_delay, where the last source was OB', () => {
      const site = one().reads('OL', full).reads('OB', full, 3).fails(14);
      expect(site.decided).to.deep.equal([]);
      expect(site.fails(1).decided).to.deep.equal(['a FAILSAFE']);
    });

    describe('of a driver that is stale', () => {
      const stale: PollOutcome = { kind: 'failed', detail: 'DATA_STALE', message: 'stale' };
      /** The second without a reading at which the failsafe decides. */
      const decides = (site: Site, outcomes: (second: number) => PollOutcome | null = () => stale) => {
        for (let second = 1; second <= 120; second += 1) {
          const outcome = outcomes(second);
          site.wait(1);
          if (outcome !== null) site.poll(outcome);
          if (site.decided.length > 0) return second;
        }
        return null;
      };
      const onBattery = (words = 'OB', values: Partial<Reading> = full, key = '') =>
        one(key).reads(words, values, 3);

      it('waits as long as policy does on a good battery', () => {
        expect(decides(onBattery())).to.equal(60);
        expect(decides(onBattery('OB', { ...full, runtimeSeconds: 1_500 }))).to.equal(30);
        expect(decides(onBattery('OB', full, 'failsafe-share=0'))).to.equal(15);
      });

      it('does not on another, nor beside another failure', () => {
        for (const words of ['OB LB', 'OB RB'])
          expect(decides(onBattery(words, full, 'flag=off'))).to.equal(15);
        expect(decides(onBattery('OB', { ...full, chargePercent: 40 }))).to.equal(15);
        expect(decides(onBattery('OB', { ...full, runtimeSeconds: 1_200 }))).to.equal(15);
        expect(decides(onBattery('OB', full, 'low=0'))).to.equal(15);
        expect(decides(onBattery('OB', full, 'runtime=0s'))).to.equal(15);
        const between = (other: PollOutcome | null) => (second: number) => (second === 20 ? other : stale);
        expect(decides(onBattery(), between(failed))).to.equal(20);
        expect(decides(onBattery(), between(reading('WAIT'))), 'at the next input').to.equal(21);
        expect(
          decides(onBattery(), (second) => (second < 20 ? stale : null)),
          'a silent poller',
        ).to.equal(26);
      });
    });

    it('waits for the third failed poll of a slow poller', () => {
      const site = one('interval=8s').reads('OB', full, 3);
      expect(site.wait(8).poll(failed).wait(8).poll(failed).decided).to.deep.equal([]);
      expect(site.wait(8).poll(failed).decided).to.deep.equal(['a FAILSAFE']);
    });

    it('counts the silence of a poller, and words without a source and a value', () => {
      const site = one().reads('OB', full, 3);
      expect(site.wait(14).decided).to.deep.equal([]);
      expect(site.wait(2).decided).to.deep.equal(['a FAILSAFE']);
      expect(one().reads('OB', full, 3).until('DISCHRG', {}, 60)).to.equal(15);
    });

    it('does nothing after line power, and after a single OL', () => {
      for (const site of [one().reads('OL', full), one().reads('OB', full, 3).reads('OL', full)]) {
        expect(site.fails(60).decided).to.deep.equal([]);
      }
    });
  });

  describe('of a redundancy group', () => {
    const rack = () => new Site(settingsOf('ups a\nups b\ngroup rack members=a,b min=1 low=40\n'));
    const { redundancyGroups } = settingsOf('ups a\nups b\ngroup rack members=a,b\n');
    const name = redundancyGroups[0]?.groupId ?? '';

    it('decides two seconds after fewer than min_healthy members are left, by its thresholds too', () => {
      const site = rack().reads('OL', full).reads('OL', full, 1, 'b');
      for (let second = 0; second < 40; second += 1) {
        const values = { chargePercent: 45, runtimeSeconds: 3_000 };
        site.wait(1).poll(reading('OB', values)).poll(reading('OB', values), 'b');
      }
      for (let second = 0; second < 3; second += 1)
        site.wait(1).poll(reading('OB', { ...full, chargePercent: 38 - second }));
      expect(site.decided, 'one is left').to.deep.equal([]);
      for (let second = 0; second < 2; second += 1)
        site.wait(1).poll(reading('OB', { ...full, chargePercent: 38 - second }), 'b');
      expect(site.decided, 'not yet').to.deep.equal([]);
      expect(site.wait(2).decided).to.deep.equal([`${name} QUORUM_LOST`]);
    });

    it('has power with min_healthy members on line power, and none on battery or with FSD', () => {
      const site = rack().reads('OB', full, 3).reads('OB', full, 3, 'b');
      expect(site.watch.powerIsBack(name)).to.equal(false);
      expect(site.reads('OL', full, 3).watch.powerIsBack(name), 'the other is on battery').to.equal(false);
      expect(site.reads('OL', full, 1, 'b').watch.powerIsBack(name)).to.equal(true);
      expect(site.reads('OL FSD', full).watch.powerIsBack(name)).to.equal(false);
    });
  });
});
