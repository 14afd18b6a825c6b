// The topologies of docs/topologies.md: `node dist/test/transcript/write-topologies.js` writes test/topologies/ again.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { fedTargets } from '../../../supervisor/config/derive/feeds.js';
import { joinNames } from '../../../shared/domain/outage/feed.js';
import type { Topology } from '../../transcript/topology.js';
import { failures, fileOf, page, playFailure, topologies, transcriptOf } from '../../transcript/topology.js';

const folder = join(import.meta.dirname, '../../../../test/topologies');
const rows = page.split('\n').map((line) =>
  line
    .split('|')
    .map((cell) => cell.trim())
    .slice(1, -1),
);

/** `this host, nas` and when, as the first table says it. */
function goesDown({ configuration }: Topology): readonly string[] {
  const targets = fedTargets(configuration);
  const whens = [...new Set(targets.map(({ goesDownWhen }) => goesDownWhen.join(', or ')))];
  return whens.map((when) => {
    const names = targets
      .filter((target) => target.goesDownWhen.join(', or ') === when)
      .map(({ name }) => name);
    return `${names.join(', ')} | ${when}`;
  });
}

describe('a topology', () => {
  it('is there for every transcript', () => {
    expect(topologies.map(fileOf).sort()).to.deep.equal(readdirSync(folder).sort());
    expect(topologies).to.have.length(6);
  });

  for (const topology of topologies) {
    const { name, configuration } = topology;

    it(`loses what the transcript says: ${name}`, () => {
      expect(transcriptOf(topology)).to.equal(readFileSync(join(folder, fileOf(topology)), 'utf8'));
    });

    it(`shuts down what the page says, under its conditions: ${name}`, () => {
      const from = rows.findIndex(([first = '']) => first.startsWith(`[${name}]`));
      const own = rows.slice(from).slice(0, 1 + rows.slice(from + 1).findIndex(([first]) => first !== ''));
      expect(own.map(([, what, when]) => `${what ?? ''} | ${when ?? ''}`)).to.deep.equal(goesDown(topology));
    });

    it(`loses what the table says: ${name}`, () => {
      const heading = rows.find(([, second]) => second === 'A fails') ?? [];
      const cells = rows.find(([first]) => first === name) ?? [];
      const columns = Object.keys(failures).slice(0, -1);
      expect(heading.slice(1)).to.deep.equal(columns);
      expect(cells.slice(1)).to.deep.equal(
        columns.map((failure) => playFailure(topology, failure)?.down ?? ''),
      );
    });

    it(`is armed again when all are back: ${name}`, () => {
      expect(playFailure(topology, 'A and B fail, and return')?.isArmed).to.equal(true);
    });

    it(`leaves no server behind: ${name}`, () => {
      const warnings = configuration.warnings.filter((warning) => warning.includes('nothing is then left'));
      expect(joinNames(warnings, 'and')).to.equal('');
    });
  }
});
