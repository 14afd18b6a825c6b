import { expect } from 'chai';
import { mainsVoltageOf } from '../../../../shared/domain/ups/mains-voltage.js';
import type { Variables } from '../../../../shared/domain/ups/reading.js';
import { readingOf } from '../../../../workers/poller/reading/reading.js';

const of = (variables: Variables, knownVolts: number | null = null) =>
  mainsVoltageOf(readingOf(variables), variables, knownVolts);
/** The voltages of the phases by their names. */
const shown = (kind: 'neutral' | 'between' | 'plain', values: readonly string[]): Variables => {
  const names = {
    neutral: ['L1-N', 'L2-N', 'L3-N'],
    between: ['L1-L2', 'L2-L3', 'L3-L1'],
    plain: ['L1', 'L2', 'L3'],
  }[kind];
  return Object.fromEntries(values.map((value, at) => [`input.${String(names[at])}.voltage`, value]));
};

describe('the input voltage as it is judged', () => {
  it('is the highest and the lowest phase, under each kind of name', () => {
    for (const kind of ['neutral', 'between', 'plain'] as const)
      expect(of(shown(kind, ['231.0', '196.5', '233.7'])), kind).to.include({
        highestVolts: 233.7,
        lowestVolts: 196.5,
      });
    expect(of(shown('neutral', ['231', 'n/a', '229'])).phases).to.deep.equal([
      { phase: 'L1-N', volts: 231 },
      { phase: 'L3-N', volts: 229 },
    ]);
  });

  it('leaves a phase without voltage out of the lowest, and none where all have lost it', () => {
    expect(of(shown('neutral', ['231', '0', '229']))).to.include({ highestVolts: 231, lowestVolts: 229 });
    expect(of(shown('neutral', ['0', '0', '0']))).to.include({ highestVolts: 0, lowestVolts: 0 });
  });

  it('is input.voltage where no phase is shown, or none as a number', () => {
    const one = { 'input.voltage': '228', 'input.voltage.nominal': '230' };
    const judged = { highestVolts: 228, lowestVolts: 228, nominalVolts: 230, phases: [] };
    expect(of(one)).to.deep.equal(judged);
    expect(of({ ...one, ...shown('neutral', ['', '', '']) })).to.deep.equal(judged);
    expect(of({ ...one, 'input.L1.current': '3' })).to.deep.equal(judged);
  });

  /** The voltages, the nominal voltage that the UPS reports, and the one to compare with. */
  const kinds: readonly [kind: 'neutral' | 'between' | 'plain', volts: string, reported: string, number][] = [
    ['neutral', '231', '399', 230.4],
    ['neutral', '231', '230', 230],
    ['plain', '231', '400', 230.9],
    ['neutral', '120', '208', 120.1],
    ['neutral', '127', '220', 127],
    ['neutral', '277', '480', 277.1],
    ['neutral', '120', '120', 120],
    ['between', '399', '230', 398.4],
    ['between', '399', '400', 400],
    ['between', '208', '120', 207.8],
    ['between', '208', '208', 208],
    ['between', '231', '230', 230],
    ['between', '480', '277', 479.8],
  ];
  for (const [kind, volts, reported, nominal] of kinds) {
    it(`compares ${volts} V of ${kind} phases with ${String(nominal)} V where ${reported} V are nominal`, () => {
      const variables = { ...shown(kind, [volts, volts, volts]), 'input.voltage.nominal': reported };
      expect(of(variables).nominalVolts).to.equal(nominal);
    });
  }

  it('compares an input.voltage between phases with such a nominal voltage', () => {
    const between = { 'input.phases': '3.00', 'input.voltage': '399', 'input.voltage.nominal': '230' };
    expect(of(between).nominalVolts).to.equal(398.4);
    expect(of({ ...between, 'input.voltage': '231' }).nominalVolts).to.equal(230);
    expect(of({ ...between, 'input.phases': '1' }).nominalVolts).to.equal(230);
  });

  it('keeps the nominal voltage in an outage and a brownout', () => {
    const at = (volts: string) => ({
      ...shown('neutral', [volts, volts, volts]),
      'input.voltage.nominal': '208',
    });
    expect(of(at('0'), 120.1).nominalVolts).to.equal(120.1);
    const european = { ...shown('neutral', ['140', '140', '140']), 'input.voltage.nominal': '230' };
    expect(of(european, 230).nominalVolts).to.equal(230);
  });
});
