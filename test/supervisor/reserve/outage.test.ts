// When an outage begins, goes on and ends for the reserve, and how long it has lasted.
import { expect } from 'chai';
import { settingsOf } from '../policy/stream.js';
import { Site } from './site.js';

const one = (keys = '') => new Site(settingsOf(`ups a ${keys}\n`));
const full = { chargePercent: 100, runtimeSeconds: 3_000 };
const near = { ...full, chargePercent: 22 };
const low = { ...full, chargePercent: 15 };

/** Whether an outage stands after one reading of each of these statuses: then failed polls shut down. */
const stands = (...statuses: readonly string[]): boolean => {
  const site = one();
  for (const status of statuses) site.reads(status, full);
  return site.fails(20).decided.includes('a FAILSAFE');
};

describe('an outage of the reserve', () => {
  it('is ended by two readings without a source, unless two readings with OB have confirmed it', () => {
    expect(stands('OB', 'CHRG')).to.equal(true);
    expect(stands('OB', 'CHRG', 'CHRG')).to.equal(false);
    expect(stands('OB', 'OB', 'CHRG', 'CHRG')).to.equal(true);
    expect(stands('OB', 'OFF', 'CHRG', 'CHRG'), 'OFF confirms no OB').to.equal(false);
    expect(stands('OB', 'OB', 'OFF', 'CHRG', 'CHRG'), 'nor takes it back').to.equal(true);
  });

  it('is confirmed by one DISCHRG or LB where no word names the source', () => {
    expect(stands('OB', 'DISCHRG', 'CHRG', 'CHRG')).to.equal(true);
    expect(stands('OB', 'LB', 'CHRG', 'CHRG')).to.equal(true);
    expect(stands('OB', 'OL LB', 'CHRG'), 'LB beside OL').to.equal(false);
    expect(stands('CHRG', 'DISCHRG', 'DISCHRG'), 'without an outage').to.equal(false);
  });

  it('is confirmed by readings with OB in a row only, and then stays so until its end', () => {
    expect(stands('OB', 'OL', 'OB', 'CHRG', 'CHRG')).to.equal(false);
    expect(stands('OB', 'CHRG', 'OB', 'CHRG', 'CHRG')).to.equal(false);
    expect(stands('OB', 'OB', 'OL', 'CHRG', 'CHRG')).to.equal(true);
    expect(stands('OB', 'OB', 'OL', 'OL', 'OB', 'CHRG', 'CHRG')).to.equal(false);
  });

  it('is confirmed and ended by as many readings as `confirmations` says', () => {
    const after = (onLine: number) =>
      one('delay=0s confirmations=3').reads('OL', near).reads('OB', low, 20).reads('OL', near, onLine);
    expect(after(2).decided).to.deep.equal(['a LOW_BATTERY']);
    expect(after(3).decided).to.deep.equal([]);
    const ended = one('delay=0s confirmations=1').reads('OL', near).reads('OB', low, 20).reads('OL', near);
    expect(ended.decided).to.deep.equal([]);
  });

  it('counts OFF and any other word as OB, and not BYPASS', () => {
    const until = (words: string) => one().reads('OL', full).reads('OB', near, 40).until(words, low, 60);
    expect([until('OFF'), until('CHRG'), until('BYPASS')]).to.deep.equal([2, 2, null]);
  });

  it('is begun by OB alone', () => {
    for (const words of ['OFF', 'CHRG', 'DISCHRG', 'LB', 'BYPASS'])
      expect(one('delay=0s').reads('OL', near).until(words, low, 60), words).to.equal(null);
    const ended = one().reads('OL', full).reads('OB', near, 40).reads('OL', near, 2);
    expect(ended.until('OFF', low, 60), 'after its end').to.equal(null);
    const unconfirmed = one('delay=0s').reads('OL', near).reads('OB', near);
    expect(unconfirmed.until('CHRG', low, 60), 'unless confirmed').to.equal(null);
  });

  it('is not over after a single OL, nor is what has been decided in it', () => {
    const site = one().reads('OL', full).reads('OB', near, 40).reads('OB', low, 2);
    expect(site.reads('OL', low).decided).to.deep.equal(['a LOW_BATTERY']);
    expect(site.reads('OL', low).decided).to.deep.equal([]);
  });

  it('keeps what was decided while words count as OB, whatever the charge does then', () => {
    const site = one('delay=0s').reads('OL', near).reads('OB', near).reads('CHRG', near);
    expect(site.reads('OFF', low, 2).decided).to.deep.equal(['a LOW_BATTERY']);
    expect(site.reads('OFF', full).decided).to.deep.equal(['a LOW_BATTERY']);
  });

  it('decides on time by words that count as OB before OB is confirmed', () => {
    const used = { ...full, chargePercent: 97 };
    const site = one('delay=0s threshold=60s').reads('OL', full).reads('OB', used, 70).reads('OL', used, 2);
    expect(site.reads('OB', used).reads('CHRG', used).until('OFF', used, 60)).to.equal(2);
  });
});

describe('the clock of an outage of the reserve', () => {
  /** The second at which rule (c) decides, with the delay of 30 s from the first OB. */
  const decides = (site: Site): number | null => site.until('OB', low, 60);

  it('stands from the first reading with BYPASS to the first without', () => {
    const site = one().reads('OL', near).reads('OB', near, 10).reads('BYPASS', near, 20);
    expect(decides(site)).to.equal(21);
  });

  it('goes on from where it stood in an outage at most 60 s after the end of the last', () => {
    const after = (onLine: number) => one().reads('OL', near).reads('OB', near, 20).reads('OL', near, onLine);
    expect(decides(after(61))).to.equal(10);
    expect(decides(after(62))).to.equal(31);
    const short = one().reads('OL', near).reads('OB', near).reads('OL', near, 2);
    expect(decides(short), 'an outage of one reading').to.equal(29);
  });

  it('goes on over a reading without a source before OB is confirmed', () => {
    expect(decides(one().reads('OL', near).reads('OB', near).reads('CHRG', near))).to.equal(29);
  });
});

describe('OL with OB for the reserve', () => {
  it('is no outage in every reading since the first, and one after any other', () => {
    expect(stands('OL OB', 'OL OB', 'OL OB')).to.equal(false);
    expect(stands('OL OB', 'CHRG', 'OL OB', 'OL OB'), 'a word without a source says nothing').to.equal(false);
    expect(stands('OL', 'OL OB', 'OL OB')).to.equal(true);
    expect(stands('CHRG', 'OL OB', 'OL OB')).to.equal(true);
  });

  it('counts for charge, runtime and LB from the first of these readings, while they are met', () => {
    const site = one().reads('OL OB', near, 5);
    expect(site.until('OL OB', low, 60)).to.equal(26);
    expect(site.reads('OL OB', full).decided).to.deep.equal([]);
    expect(site.until('OL OB', low, 60), 'anew').to.be.a('number');
    expect(site.reads('OL', low).decided, 'one OL').to.deep.equal(['a LOW_BATTERY']);
    expect(site.reads('OL OB', full).decided, 'an outage as any other').to.deep.equal(['a LOW_BATTERY']);
    expect(site.reads('OL', full, 2).decided).to.deep.equal([]);
  });

  it('decides by no reading without OB while each other one has OL with OB', () => {
    for (const words of ['OFF', 'DISCHRG', 'CHRG']) {
      const site = one('delay=0s').reads('OL OB', full, 5);
      expect(site.until(words, low, 60), words).to.equal(null);
      expect(site.until('OL OB', low, 60), words).to.be.a('number');
    }
  });

  it('has shown LB when OB comes alone', () => {
    const values = { chargePercent: 20 };
    expect(one('delay=0s').reads('OL OB LB', values).until('OB LB', values, 60)).to.equal(1);
  });

  it('shows no charge of 0 before a value above 0 was read, and any after OL alone', () => {
    const none = { chargePercent: 0 };
    expect(one('delay=0s').until('OL OB', none, 60)).to.equal(null);
    expect(one('delay=0s').reads('OL OB', near).until('OL OB', none, 60)).to.equal(10);
    expect(one('delay=0s').reads('OL').until('OL OB', none, 60)).to.equal(10);
  });
});

describe('the power of a UPS for the reserve', () => {
  it('is back after as many readings of line power as `confirmations` says, in a row', () => {
    const isBack = (...statuses: readonly string[]) => {
      const site = one();
      for (const status of statuses) site.reads(status, full);
      return site.watch.powerIsBack('a');
    };
    expect([isBack(), isBack('OL'), isBack('OL', 'OL')]).to.deep.equal([false, false, true]);
    expect([isBack('OL', 'CHRG', 'OL'), isBack('CHRG', 'CHRG', 'CHRG')]).to.deep.equal([false, false]);
  });

  it('is back for a group that degraded members do not carry once none of them is', () => {
    const settings = settingsOf('ups a\nups b\ngroup rack members=a,b degraded=critical\n');
    const isBack = (words: string) =>
      new Site(settings).reads(words, full, 3).watch.powerIsBack('redundancy-rack');
    expect(isBack('OL')).to.equal(true);
    for (const word of ['OVER', 'BYPASS', 'BOOST', 'TRIM'])
      expect(isBack(`OL ${word}`), word).to.equal(false);
  });
});
