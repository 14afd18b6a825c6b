// The timelines of docs/triggers.md: `node dist/test/transcript/write-timelines.js` writes them again.
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { triggers } from '../../../shared/domain/triggers/table.js';
import { page, timeline, withTimelines } from '../../transcript/timeline.js';

describe('the timelines of the triggers', () => {
  const text = readFileSync(page, 'utf8');
  const shown = [...text.matchAll(/^```timeline ([\w-]+)$/gm)].map(([, name = '']) => name);

  it('match the events of policy', () => {
    expect(shown).to.have.length.at.least(10);
    expect(text).to.equal(withTimelines(text));
  });

  it('show every trigger once it fires', () => {
    const fired = new Set(shown.flatMap((name) => /starts by (\w+):/.exec(timeline(name))?.[1] ?? []));
    expect([...fired]).to.have.members(triggers.map(({ name }) => name));
  });
});
