// What a reading says of the power source besides its words.
import { expect } from 'chai';
import { mainsVoltageOf } from '../../../../shared/domain/ups/mains-voltage.js';
import { powerSource } from '../../../../shared/domain/ups/status-words.js';
import { nothingConfirmed } from '../../../../supervisor/policy/trigger/trigger-confirmations.js';
import {
  mayBeDischarging,
  sourceReadingOf,
  withOutage,
} from '../../../../supervisor/policy/decision/source-reading.js';
import type { UpsState } from '../../../../supervisor/policy/state/ups-state.js';
import { upsRow } from '../../../../supervisor/policy/view/view.js';
import { reading, settingsOf, Stepper } from '../stream.js';

const none = { chargePercent: 0, runtimeSeconds: 0 };
const some = { chargePercent: 9, runtimeSeconds: 90 };

describe('a charge and a runtime of 0', () => {
  /** The row after these readings. */
  const shown = (...readings: readonly (readonly [words: string, values: object])[]) => {
    const stepper = new Stepper(settingsOf('ups a'));
    for (const [words, values] of readings) stepper.polls('a', reading(words, values), 1);
    const { batteryCharge, runtime } = upsRow(stepper.state, 'a');
    return [batteryCharge, runtime];
  };

  it('are missing with OL and OB since the first reading, until a value above 0 was read', () => {
    expect(shown(['OL OB', none])).to.deep.equal([null, null]);
    expect(shown(['OL OB', {}], ['OL OB', none])).to.deep.equal([null, null]);
    expect(shown(['OL OB', some], ['OL OB', none])).to.deep.equal([0, 0]);
    expect(shown(['OL OB', { ...none, chargePercent: 9 }], ['OL OB', none])).to.deep.equal([0, null]);
  });

  it('are read with OB alone, and after any other reading', () => {
    expect(shown(['OB', none])).to.deep.equal([0, 0]);
    expect(shown(['OL OB', {}], ['OB', none])).to.deep.equal([0, 0]);
    expect(shown(['OL', {}], ['OL OB', none])).to.deep.equal([0, 0]);
  });
});

describe('a trigger that is met', () => {
  const of = (words: string) => {
    const stepper = new Stepper(settingsOf('ups a')).polls('a', reading(words, some), 3);
    const [ups] = stepper.state.ups;
    if (ups === undefined) throw new Error('no UPS');
    return (trigger: 'FSD' | 'LOW_BATTERY' | null) =>
      withOutage(ups, trigger && { trigger, why: 'charge 9 %' }, { ...stepper.state.clock });
  };

  it('shows an outage only where the source is unknown, and FSD shows none', () => {
    const isNew = (words: string, trigger: 'FSD' | 'LOW_BATTERY' | null) =>
      of(words)(trigger) !== of(words)(null) && of(words)(trigger).line.kind === 'outage';
    expect(of('OL OB')('LOW_BATTERY').line.kind).to.equal('outage');
    expect(of('OL OB')('FSD').line.kind).to.equal('unknown');
    expect(of('OL OB')(null).line.kind).to.equal('unknown');
    for (const words of ['OL', 'OB'])
      expect(of(words)('LOW_BATTERY').batteryTime).to.deep.equal(of(words)(null).batteryTime);
    expect(isNew('OL', 'LOW_BATTERY')).to.equal(false);
  });
});

describe('an outage that values alone show', () => {
  const [ups] = new Stepper(settingsOf('ups a')).polls('a', reading('OL OB', some), 1).state.ups;
  const of = (changes: Partial<UpsState>) => {
    const last = ups?.readings.last ?? null;
    if (ups === undefined || last === null) throw new Error('not read');
    const mains = mainsVoltageOf(last.reading, {}, null);
    return sourceReadingOf({ ...ups, ...changes }, last, {}, mains);
  };

  it('goes on while the last reading met a trigger of charge, runtime or LB, once', () => {
    const met = (name: keyof typeof nothingConfirmed) =>
      of({ confirmed: { ...nothingConfirmed, [name]: 1 } }).isLow;
    expect(of({ confirmed: nothingConfirmed }).isLow).to.equal(false);
    const names = [
      'LOW_BATTERY',
      'CRITICAL_RUNTIME',
      'LOW_BATTERY_FLAG',
      'DEPLETION',
      'EXTENDED_TIME',
    ] as const;
    expect(names.map(met)).to.deep.equal([true, true, true, false, false]);
  });

  it('goes on while a sequence of the UPS runs', () => {
    const fired = { kind: 'fired', trigger: 'FSD', why: '', sinceUnixSeconds: 1, outageOver: false } as const;
    const has = (shutdown: UpsState['shutdown']) => of({ shutdown }).hasSequence;
    expect(has({ kind: 'armed' })).to.equal(false);
    expect([false, true].map((sequenceOver) => has({ ...fired, sequenceOver }))).to.deep.equal([true, false]);
  });
});

describe('words of a battery that gives', () => {
  const lineAfter = (...statuses: readonly string[]) => {
    const stepper = new Stepper(settingsOf('ups a'));
    for (const words of statuses) stepper.polls('a', reading(words, some), 1);
    return stepper.state.ups[0]?.line ?? { kind: 'unseen' as const };
  };

  it('are DISCHRG and LB, in an outage, where no word names the source', () => {
    const line = lineAfter('OL', 'OB');
    const may = (status: string, before = line) => {
      const words = status.split(' ');
      return mayBeDischarging(before, powerSource(words), words);
    };
    expect(['DISCHRG', 'LB', 'OB', 'OFF'].map((words) => may(words))).to.deep.equal([true, true, true, true]);
    for (const words of ['CHRG', 'OL LB', 'OL DISCHRG', 'BYPASS LB'])
      expect(may(words), words).to.equal(false);
    const mains = lineAfter('OL');
    expect(['DISCHRG', 'LB', 'OB'].map((words) => may(words, mains))).to.deep.equal([false, false, true]);
  });
});

describe('a trigger that is met', () => {
  const low = { chargePercent: 15 };
  const keys = 'ups a delay=0s confirmations=1 hold=0s';

  it('begins an outage while the source is unknown, unless it is FSD', () => {
    const lineOf = (words: string, values: object) =>
      new Stepper(settingsOf(keys))
        .polls('a', reading('OL OB', { chargePercent: 22 }), 2)
        .polls('a', reading(words, values), 1).state.ups[0]?.line.kind;
    expect(lineOf('OL OB', low)).to.equal('outage');
    expect(lineOf('OL OB FSD', { chargePercent: 22 })).to.equal('unknown');
  });

  it('reports the transfer to battery once, also in the first reading of the outage', () => {
    for (const first of ['OL', 'OL OB']) {
      const stepper = new Stepper(settingsOf(keys)).polls('a', reading(first, { chargePercent: 22 }), 1);
      stepper.polls('a', reading(first === 'OL' ? 'OB' : 'OL OB', low), 1);
      expect(stepper.starts, first).to.deep.equal(['a']);
      expect(
        stepper.events.filter((event) => event === 'a ON_BATTERY'),
        first,
      ).to.have.length(1);
    }
  });
});
