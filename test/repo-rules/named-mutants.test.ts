import { expect } from 'chai';
import { namedMutants } from '../mutation/named-mutants.js';

describe('the lists of named mutants', () => {
  it('find the place of each exactly once: code that changes takes its mutants with it', () =>
    expect(namedMutants()).to.have.length.at.least(300));
});
