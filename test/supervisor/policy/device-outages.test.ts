import { expect } from 'chai';
import { golden } from '../../device-outages/golden.js';
import { testOutagesOf } from '../../device-outages/promises.js';
import { kindsOfDevices } from '../../fixtures/device-dumps.js';

describe('the outages of one device of each kind', () => {
  const kinds = kindsOfDevices();

  it('are all in the table', () => {
    const known = golden();
    expect(kinds).to.have.length.above(10);
    expect(kinds.filter(({ file }) => !known.has(file))).to.deep.equal([]);
  });

  testOutagesOf(kinds);
});
