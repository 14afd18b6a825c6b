import { expect } from 'chai';
import {
  durationInWords,
  formatPlanTime,
  formatSeconds,
  formatSetting,
} from '../../../../shared/domain/base/duration.js';

const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

describe('a duration in words', () => {
  const cases: readonly (readonly [number, string])[] = [
    [0, '0 s'],
    [-3, '0 s'],
    [59.4, '59 s'],
    [59.6, '1 min'],
    [65, '1 min 05 s'],
    [3599.7, '1 h'],
    [3660, '1 h 01 min'],
    [172_799, '47 h 59 min'],
    [172_800, '2 days'],
  ];
  for (const [seconds, text] of cases)
    it(`of ${String(seconds)} s is ${text}`, () => expect(plain(durationInWords(seconds))).to.equal(text));
});

describe('a configured time', () => {
  for (const [seconds, text] of [
    [0.5, '0.5 s'],
    [90, '90 s'],
    [119, '119 s'],
    [120, '2 min'],
    [150, '150 s'],
    [3600, '60 min'],
    [7200, '2 h'],
    [7260, '121 min'],
  ] as const)
    it(`of ${String(seconds)} s is "${text}"`, () => expect(formatSetting(seconds)).to.equal(text));
});

describe('the time of a plan', () => {
  for (const [seconds, text] of [
    [0.4, '0 s'],
    [90, '90 s'],
    [275, '4 min 35 s'],
    [299.6, '5 min'],
    [7200, '2 h'],
    [7261, '121 min 1 s'],
  ] as const)
    it(`of ${String(seconds)} s is "${text}"`, () => expect(formatPlanTime(seconds)).to.equal(text));
});

describe('a timeout', () => {
  for (const [seconds, text] of [
    [0.05, '0.1 s'],
    [0.32, '0.3 s'],
    [30, '30 s'],
    [1234.56, '1234.6 s'],
  ] as const)
    it(`of ${String(seconds)} s is "${text}"`, () => expect(formatSeconds(seconds)).to.equal(text));
});
