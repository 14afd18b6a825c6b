import { expect } from 'chai';
import { singleLine } from '../../../../shared/domain/base/single-line.js';

describe('text on a single line', () => {
  it('has a question mark for each line break, control and format character', () =>
    expect(singleLine('a\nb\u001bc\u2028d\u2029e\u202ef\u00e9')).to.equal('a?b?c?d?e?f\u00e9'));
});
