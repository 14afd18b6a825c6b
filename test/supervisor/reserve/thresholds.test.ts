// The rules of the reserve at the exact values and moments at which they begin to act.
import { expect } from 'chai';
import { reading, settingsOf } from '../policy/stream.js';
import { Site } from './site.js';

const one = (keys = '') => new Site(settingsOf(`ups a extended=off ${keys}\n`));
const full = { chargePercent: 100, runtimeSeconds: 3_000 };
const near = { ...full, chargePercent: 22 };
const low = { ...full, chargePercent: 15 };
const flagged = { chargePercent: 20 };

const drained = (keys = ''): Site => one(keys).reads('OL', full).reads('OB', near, 40);

describe('the reserve at its thresholds', () => {
  describe('on LB', () => {
    it('takes charge and runtime for high above twice their thresholds', () => {
      const waits = (chargePercent: number, runtimeSeconds: number) =>
        one('status-hold=0s').reads('OL', full).until('OB LB', { chargePercent, runtimeSeconds }, 60);
      expect([waits(41, 1_201), waits(40, 1_201), waits(41, 1_200)]).to.deep.equal([16, 6, 6]);
      expect(one('low=0').reads('OL').until('OB LB', { runtimeSeconds: 3_000 }, 60), 'no charge').to.equal(6);
      expect(one('runtime=0s').reads('OL').until('OB LB', { chargePercent: 90 }, 60), 'no runtime').to.equal(
        6,
      );
    });

    it('holds LB only where neither is at its threshold or below', () => {
      const holds = (chargePercent: number, runtimeSeconds: number) =>
        one('flag-delay=0s status-hold=4s')
          .reads('OL', full)
          .reads('OB', full, 40)
          .until('OB LB', { chargePercent, runtimeSeconds }, 60);
      expect([holds(21, 601), holds(20, 601), holds(21, 600)]).to.deep.equal([6, 2, 2]);
    });

    it('holds LB for at most 5 s, and begins again in the next outage', () => {
      const shown = reading('OB LB', full);
      const site = one('flag-delay=0s status-hold=90s').reads('OL', full).reads('OB', full, 40);
      expect(site.poll(shown).wait(5).poll(shown).decided).to.deep.equal([]);
      expect(site.wait(0.001).poll(shown).decided).to.deep.equal(['a LOW_BATTERY_FLAG']);
      const again = one('delay=0s flag-delay=0s status-hold=4s').reads('OL', full).reads('OB LB', full);
      expect(again.reads('OL', full, 2).until('OB LB', full, 60)).to.equal(6);
    });

    it('holds LB until its last answer was asked for, which may be handled late', () => {
      const late = (ms: number) => {
        const site = one('flag-delay=0s status-hold=4s').reads('OL', full).reads('OB', full, 40);
        return site.poll(reading('OB LB', full)).stall(30).poll(reading('OB LB', full), 'a', ms).decided;
      };
      expect([late(26_000), late(25_999)]).to.deep.equal([[], ['a LOW_BATTERY_FLAG']]);
    });

    it('needs two readings, however soon the second comes, and as many as `confirmations`', () => {
      const shown = reading('OB LB', flagged);
      const site = one('delay=0s').reads('OL').poll(shown);
      expect(site.decided).to.deep.equal([]);
      expect(site.wait(0.001).poll(shown).decided).to.deep.equal(['a LOW_BATTERY_FLAG']);
      expect(one('delay=0s confirmations=3').reads('OL').until('OB LB', flagged, 60)).to.equal(3);
      expect(one('delay=0s confirmations=3').until('OB LB', flagged, 60), 'in the first readings').to.equal(
        3,
      );
    });

    it('waits for a minute of LB in a row in a calibration', () => {
      const site = one().reads('OL', full).reads('OB CAL', full, 40).reads('OB CAL LB', flagged, 59);
      expect(site.reads('OB CAL', flagged).until('OB CAL LB', flagged, 120)).to.equal(61);
    });
  });

  describe('on charge and runtime', () => {
    it('doubts a fall of more than 10 points, or of more than a third', () => {
      const charge = (from: number) =>
        one()
          .reads('OL', full)
          .reads('OB', { ...full, chargePercent: from }, 40)
          .until('OB', { ...full, chargePercent: 19 }, 60);
      expect([charge(29), charge(29.5)]).to.deep.equal([2, 10]);
      const runtime = (from: number) =>
        one()
          .reads('OL', full)
          .reads('OB', { ...full, runtimeSeconds: from }, 40)
          .until('OB', { ...full, runtimeSeconds: 580 }, 60);
      expect([runtime(870), runtime(872)]).to.deep.equal([2, 10]);
    });

    it('counts no reading on line power', () => {
      expect(one('delay=0s').reads('OL', near).reads('OL', low).until('OB', low, 60)).to.equal(2);
    });

    it('believes a 0 in the first reading on battery', () => {
      expect(one().until('OB', { chargePercent: 0 }, 60)).to.equal(31);
      expect(one().until('OB', { runtimeSeconds: 0 }, 60)).to.equal(31);
    });

    it('has no rule for a runtime of the estimate of policy', () => {
      const site = one('delay=0s runtime-source=estimated').reads('OL', full);
      expect(site.until('OB', { ...full, runtimeSeconds: 0 }, 60)).to.equal(null);
    });
  });

  describe('in a test', () => {
    it('acts at the last of `confirmations` readings in a row without the word', () => {
      const after = (keys: string) => drained(keys).reads('OB TEST', low, 5).until('OB', low, 60);
      expect([after(''), after('confirmations=3')]).to.deep.equal([2, 3]);
      const again = drained().reads('OB TEST', low).reads('OB', low).reads('OB TEST', low);
      expect(again.reads('OB', low).decided).to.deep.equal([]);
      expect(again.reads('OB', low).decided).to.deep.equal(['a LOW_BATTERY']);
    });

    it('waits for 15 minutes of a test, also of this daemon, and for 4 hours of a calibration', () => {
      const waits = (site: Site, words: string, minutes: number) => {
        site.stall(minutes * 60 - 2).reads(words, low);
        return [site.decided.length, site.reads(words, low).decided.length];
      };
      expect(waits(drained().reads('OB TEST', low), 'OB TEST', 15)).to.deep.equal([0, 1]);
      expect(waits(drained().reads('OB CAL', low), 'OB CAL', 240)).to.deep.equal([0, 1]);
      const own = drained().reads('OB', near).tell({ kind: 'tested', running: true });
      expect(waits(own, 'OB', 15)).to.deep.equal([0, 1]);
    });
  });

  describe('on FSD', () => {
    it('keeps the flag of this daemon for 30 s without it in the status', () => {
      const after = (seconds: number) =>
        one()
          .reads('OB', full)
          .tell({ kind: 'forcedShutdown', state: 'asked' })
          .reads('OB', full, seconds)
          .reads('OB FSD', full).decided;
      expect([after(30), after(31)]).to.deep.equal([[], ['a FSD']]);
    });

    it('goes on without the flag until line power', () => {
      const site = one().reads('OL', full).reads('OB FSD', full);
      for (const words of ['OB', 'BYPASS', 'OL FSD'])
        expect(site.reads(words, full).decided, words).to.deep.equal(['a FSD']);
      expect(site.reads('OL', full).decided).to.deep.equal([]);
    });
  });
});
