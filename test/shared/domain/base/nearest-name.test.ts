import { expect } from 'chai';
import { nearest } from '../../../../shared/domain/base/nearest-name.js';

describe('the nearest name', () => {
  for (const [key, expected] of [
    ['low_batery_threshold', 'low_battery_threshold'],
    ['NAME', 'name'],
    ['nmae', 'name'],
    ['something_else', undefined],
    ['x'.repeat(10_000), undefined],
  ] as const) {
    it(`to ${key.slice(0, 30)} is ${expected ?? 'none'}`, () => {
      expect(nearest(key, ['name', 'low_battery_threshold'])).to.equal(expected);
    });
  }
});
