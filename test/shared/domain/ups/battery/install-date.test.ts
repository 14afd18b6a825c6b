import { expect } from 'chai';
import { ageYears, reportedDate } from '../../../../../shared/domain/ups/battery/install-date.js';

const date = (text: string): string | undefined => reportedDate({ 'battery.date': text });

describe('the date of a battery', () => {
  for (const [text, expected] of [
    ['2009/10/11', '2009-10-11'],
    ['2024-02-29', '2024-02-29'],
    ['01/27/13', '2013-01-27'],
    ['08/08/2015', '2015-08-08'],
    ['27/01/13', '2013-01-27'],
    ['10/25/93', '1993-10-25'],
  ] as const)
    it(`${text} is ${expected}`, () => expect(date(text)).to.equal(expected));

  for (const text of [
    'not set',
    '?',
    'CPS',
    'CyberPower Systems',
    '',
    '2023/02/29',
    '2024/13/01',
    '00/00/00',
    '1e3/1/1',
  ])
    it(`"${text}" is none`, () => expect(date(text)).to.equal(undefined));

  it('is that of the replacement before that of the manufacture', () => {
    expect(reportedDate({ 'battery.date': '2024/05/01', 'battery.mfr.date': '2020/01/01' })).to.equal(
      '2024-05-01',
    );
    expect(reportedDate({ 'battery.date': 'not set', 'battery.mfr.date': '2020/01/01' })).to.equal(
      '2020-01-01',
    );
    expect(reportedDate({})).to.equal(undefined);
  });

  it('gives the age, and none for a date that no battery has', () => {
    const now = Date.UTC(2026, 0, 1) / 1000;
    expect(ageYears('2024-01-01', now)).to.be.closeTo(2, 0.01);
    expect(ageYears('2026-01-01', now)).to.equal(0);
    expect(ageYears('2001-09-25', now)).to.equal(null);
    expect(ageYears('2027-01-01', now)).to.equal(null);
    expect(ageYears('9999-99-99', now)).to.equal(null);
    expect(ageYears(null, now)).to.equal(null);
  });
});
