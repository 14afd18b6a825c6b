import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tierOf } from '../../shared/domain/status/event-names.js';
import {
  categoryOf,
  eventTypes,
  isSafetyEvent,
  isSent,
  meaningOf,
} from '../../shared/domain/status/events.js';

const page = readFileSync(
  fileURLToPath(new URL('../../../docs/specification/events.md', import.meta.url)),
  'utf8',
);

describe('the table of event types in the specification', () => {
  it('has the rows of the program', () => {
    const rows = eventTypes.map((type) => {
      const category = categoryOf(type);
      const sent = !isSent(type) ? 'no' : isSafetyEvent(type) ? 'always' : 'yes';
      return `| ${type} | ${String(tierOf(category))} | ${category} | ${sent} | ${meaningOf(type)} |`;
    });
    expect(page.split('\n').filter((line) => /^\| [A-Z][A-Z_]+ \| \d/.test(line))).to.deep.equal(rows);
  });
});
