// A charge or a runtime of 0: the value of an empty battery, or of a device without a gauge.
import { expect } from 'chai';
import type { Reading, Variables } from '../../../../shared/domain/ups/reading.js';
import type { Readings } from '../../../../supervisor/policy/power/readings.js';
import {
  acceptReading,
  noReadings,
  tellsNothing,
  withRecalled,
} from '../../../../supervisor/policy/power/readings.js';
import { emptyReading } from '../../../simulation/empty-reading.js';
import { at } from '../source-readings.js';

const hours = 3_600_000;

interface Read {
  readonly atMs?: number;
  readonly charge?: number | null;
  readonly runtime?: number | null;
  readonly variables?: Variables;
}

function readingOf(words: string, { charge = null, runtime = null }: Read): Reading {
  return { ...emptyReading, status: words.split(' '), chargePercent: charge, runtimeSeconds: runtime };
}

const after = (before: Readings, words: string, read: Read) =>
  acceptReading(before, readingOf(words, read), read.variables ?? {}, { ...at(read.atMs ?? 0), askedMs: 0 });

/** Charge and runtime that are left of a reading. */
function accepted(before: Readings, words: string, read: Read): readonly (number | null)[] {
  const { reading } = after(before, words, read).last;
  return [reading.chargePercent, reading.runtimeSeconds];
}

const none = { charge: 0, runtime: 0 };
const without = () => after(noReadings, 'OL', none);
/** After an hour. */
const emptied = () =>
  after(after(noReadings, 'OL', { charge: 90, runtime: 900 }), 'OL', { ...none, atMs: hours });

describe('a charge and a runtime of 0', () => {
  it('are missing on line power, each for itself, and count on battery', () => {
    expect(accepted(noReadings, 'OL', none)).to.deep.equal([null, null]);
    expect(accepted(noReadings, 'OL', { charge: 0, runtime: 900 })).to.deep.equal([null, 900]);
    expect(accepted(noReadings, 'OL', { charge: 90, runtime: 0 })).to.deep.equal([90, null]);
    expect(accepted(noReadings, 'OB', none)).to.deep.equal([0, 0]);
    expect(accepted(after(noReadings, 'OB', none), 'OB', none)).to.deep.equal([0, 0]);
    expect(accepted(after(noReadings, 'OL', {}), 'OB', none)).to.deep.equal([0, 0]);
  });

  it('stay missing on battery after line power, until a value above 0 is read', () => {
    expect(accepted(without(), 'OB', none)).to.deep.equal([null, null]);
    const read = after(without(), 'OB', { charge: 1, runtime: 1 });
    expect(accepted(read, 'OB', none)).to.deep.equal([0, 0]);
  });

  it('count for less than 4 hours where a value above 0 was read before', () => {
    expect(accepted(emptied(), 'OB', { ...none, atMs: 5 * hours - 1 })).to.deep.equal([0, 0]);
    expect(accepted(emptied(), 'OB', { ...none, atMs: 5 * hours })).to.deep.equal([null, null]);
    // The time runs from the first 0.
    const later = after(emptied(), 'OL', { ...none, atMs: 3 * hours });
    expect(accepted(later, 'OB', { ...none, atMs: 5 * hours })).to.deep.equal([null, null]);
  });

  it('count where an earlier boot has read one', () => {
    const recalled = (before: Readings, charge: boolean, runtime: boolean) =>
      accepted({ ...before, gauges: withRecalled(before.gauges, { charge, runtime }) }, 'OB', none);
    expect(recalled(without(), true, false)).to.deep.equal([0, null]);
    expect(recalled(without(), false, true)).to.deep.equal([null, 0]);
    expect(recalled(emptied(), false, false)).to.deep.equal([0, 0]);
  });

  it('are missing beside OL with OB where no value above 0 was read, each for itself', () => {
    const both = (unproven: { readonly charge: boolean; readonly runtime: boolean }) => {
      const { reading } = acceptReading(
        noReadings,
        readingOf('OL OB', none),
        {},
        { ...at(0), askedMs: 0 },
        unproven,
      ).last;
      return [reading.chargePercent, reading.runtimeSeconds];
    };
    expect(both({ charge: true, runtime: false })).to.deep.equal([null, 0]);
    expect(both({ charge: false, runtime: true })).to.deep.equal([0, null]);
  });

  it('count with LB, and with a battery voltage below nominal and at least 0.7 of it', () => {
    const read = (volts: string, nominal = '20') =>
      accepted(without(), 'OB', {
        ...none,
        variables: { 'battery.voltage': volts, 'battery.voltage.nominal': nominal },
      });
    expect(accepted(without(), 'OB LB', none)).to.deep.equal([0, 0]);
    expect([read('20'), read('19.9')]).to.deep.equal([
      [null, null],
      [0, 0],
    ]);
    expect([read('14'), read('13.9')]).to.deep.equal([
      [0, 0],
      [null, null],
    ]);
    expect(accepted(without(), 'OB', { ...none, variables: { 'battery.voltage': '19' } })).to.deep.equal([
      null,
      null,
    ]);
  });

  it('say why they are missing', () => {
    expect(after(noReadings, 'OL', none).last.refused).to.deep.equal([
      { quantity: 'charge', why: 'a charge of 0 % on line power is no reading' },
      { quantity: 'runtime', why: 'a runtime of 0 s on line power is no reading' },
    ]);
    expect(after(without(), 'OB', none).last.refused.map(({ why }) => why)).to.deep.equal([
      'the charge was 0 % on line power too, and no value above 0 has come since',
      'the runtime was 0 s on line power too, and no value above 0 has come since',
    ]);
  });
});

describe('a reading that shows neither a source nor a value', () => {
  it('has no word of a source, no charge and no runtime', () => {
    const isNothing = (words: string, read: Read = {}) => tellsNothing(after(noReadings, words, read).last);
    expect([isNothing('ALARM'), isNothing('OB'), isNothing('OL')]).to.deep.equal([true, false, false]);
    expect([isNothing('ALARM', { charge: 50 }), isNothing('ALARM', { runtime: 60 })]).to.deep.equal([
      false,
      false,
    ]);
  });
});
