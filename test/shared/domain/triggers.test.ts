// The consequences of the trigger table, and the rules of the specification for it.
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { triggers } from '../../../shared/domain/triggers/table.js';
import { plainTriggers, triggerInWords } from '../../../shared/domain/wording.js';

describe('the triggers', () => {
  it('are those of the specification, in its order', () => {
    const policy = readFileSync('docs/specification/policy.md', 'utf8');
    const rows = [...policy.matchAll(/^\| (\d+) \| ([A-Z_]+) \|/gm)].map(([, , name]) => name);
    expect(triggers.map(({ name }) => name)).to.deep.equal(rows);
  });

  it('have words that replace their names on a page, except for FSD', () => {
    expect(triggerInWords('LOW_BATTERY_FLAG')).to.equal('low-battery flag');
    expect(plainTriggers('in 5 s by LOW_BATTERY, LOW_BATTERY_FLAG or FAILSAFE; FSD acts, OB stays')).to.equal(
      'in 5 s by low charge, low-battery flag or connection lost on battery; FSD acts, OB stays',
    );
  });
});
