import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { categoryOf, eventTypes, tierOf } from '../../shared/domain/status/events.js';

const page = readFileSync(
  fileURLToPath(new URL('../../../docs/specification/events.md', import.meta.url)),
  'utf8',
);

describe('the table of event types in the specification', () => {
  it('is the closed list of the program, with tier and category', () => {
    const rows = [...page.matchAll(/^\| ([012]) \| (\w+) \| ([A-Z_, ]+) \|$/gm)];
    const stated = rows.flatMap(([, tier, category, types = '']) =>
      types.split(', ').map((type) => [type, category, Number(tier)]),
    );
    expect(stated).to.deep.equal(
      eventTypes.map((type) => [type, categoryOf(type), tierOf(categoryOf(type))]),
    );
  });
});
