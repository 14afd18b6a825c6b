import { expect } from 'chai';
import type { UpsRow } from '../../../../shared/domain/status/status-model.js';
import { statusWords } from '../../../../shared/domain/ups/status-words.js';
import {
  flagsInWords,
  furtherFlagsInWords,
  headlineOf,
  forecastLines,
  inputInWords,
  quantity,
} from '../../../../shared/domain/status/wording.js';
import { phases } from '../../../fixtures/phases.js';
import { row } from '../../../workers/api/fixture.js';

const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

describe('the headline of a UPS', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['OL CHRG', 'good', 'On line power'],
    ['OL TEST', 'good', 'On line power'],
    ['OL RB', 'warning', 'On line power, replace the battery'],
    ['OL BYPASS', 'warning', 'On bypass, unprotected'],
    ['OL OVER', 'danger', 'Overloaded'],
    ['OB DISCHRG', 'warning', 'On battery'],
    ['OL OB', 'warning', 'On battery'],
    ['OB LB', 'danger', 'On battery, low'],
    ['OL CHRG LB', 'warning', 'On line power, battery low'],
    ['OB LB FSD', 'danger', 'Forced shutdown'],
    ['OL FSD', 'danger', 'Forced shutdown'],
    ['OFF', 'danger', 'Output off'],
    ['DISCHRG', 'unknown', 'State unclear'],
    ['', 'unknown', 'No status'],
  ];
  for (const [status, tone, text] of cases)
    it(`for ${JSON.stringify(status)} is "${text}"`, () =>
      expect(headlineOf(row({ status }))).to.deep.equal({ tone, text }));

  it('is never good for a UPS that is unseen', () => {
    for (const connectionState of ['UNKNOWN', 'GRACE_PERIOD', 'FAILED'] as const)
      expect(headlineOf(row({ status: 'OL', connectionState })).tone, connectionState).not.to.equal('good');
    expect(headlineOf(row({ status: 'OB', connectionState: 'FAILED' })).text).to.contain(
      'last seen on battery',
    );
  });
});

const quiet = { alarm: '', contradiction: '', valuesInDoubt: [], staleWait: null, phases: [] };

describe('status words', () => {
  it('are explained one by one, and unknown ones are unchanged', () => {
    expect(flagsInWords('OB LB ODD')).to.deep.equal(['on battery', 'battery low', 'ODD']);
    expect(furtherFlagsInWords({ ...quiet, status: 'OL CHRG ODD' })).to.deep.equal(['charging', 'ODD']);
    const alarmed = { ...quiet, status: 'OL ALARM RB', alarm: 'Replace battery!' };
    expect(furtherFlagsInWords(alarmed)).to.deep.equal(['alarm: Replace battery!', 'replace the battery']);
    expect(
      furtherFlagsInWords({ ...quiet, status: 'OB', valuesInDoubt: [{ value: 'charge', seconds: 32 }] }),
    ).to.deep.equal([
      'the charge has jumped: it counts once the device confirms it, after 32 s at the latest (value_hold)',
    ]);
    expect(furtherFlagsInWords({ ...quiet, status: 'OB', staleWait: 60 })).to.deep.equal([
      'the driver of the NUT server has lost the UPS (DATA-STALE), and the battery was good: the shutdown starts 60 s after the last reading (failsafe_share)',
    ]);
    expect(furtherFlagsInWords({ ...quiet, status: 'OL', phases })).to.deep.equal([
      'no mains voltage at L2 (PHASE_LOST): check its fuse and its supply',
    ]);
    expect(flagsInWords('constructor')).to.deep.equal(statusWords('constructor'));
  });
});

describe('the input', () => {
  const { powerQuality } = row();
  const words = (change: Partial<UpsRow>): string =>
    plain(Object.values(inputInWords(row(change))).join('; '));
  it('is the voltage, and whether it is outside the band', () => {
    expect(words({})).to.equal('229.8 V; ');
    expect(words({ powerQuality: { ...powerQuality, inputVoltage: '', voltageState: 'LOW' } })).to.equal(
      'unknown; too low',
    );
  });
  it('of three phases is the lowest to the highest, and which one is lost', () => {
    expect(words({ phases })).to.equal('0 to 231 V; L2 lost');
    expect(words({ phases: phases.map((one) => ({ ...one, inputVoltage: 231, lost: false })) })).to.equal(
      '231 V; ',
    );
    expect(headlineOf(row({ status: 'OL', phases }))).to.deep.equal({
      tone: 'warning',
      text: 'On line power, a phase is lost',
    });
  });
});

describe('the forecast lines of an explanation', () => {
  it('are those between the situation and the triggers', () =>
    expect(
      forecastLines('Office: on battery.\nNext: the shutdown starts.\nIt is armed.\n  FSD: none\n  X: y'),
    ).to.deep.equal(['Next: the shutdown starts.', 'It is armed.']));
  it('are all lines of a short one', () =>
    expect(forecastLines('Nothing threatens.')).to.deep.equal(['Nothing threatens.']));
});

describe('a quantity', () => {
  it('is never zero when it is missing', () => expect(quantity(null, '%')).to.equal('unknown'));
  it('is zero when it is zero', () => expect(plain(quantity(0, '%'))).to.equal('0 %'));
  it('is rounded to a readable precision', () => {
    expect(plain(quantity(23.456, '%'))).to.equal('23.5 %');
    expect(plain(quantity(229.83, 'V'))).to.equal('230 V');
    expect(plain(quantity(0.0364, 'kWh'))).to.equal('0.036 kWh');
  });
});
