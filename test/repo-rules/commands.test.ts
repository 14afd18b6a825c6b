// Every `ridethrough ...` in the documents is a command that exists, with options that it takes. What can run here is run by tests
// of its page (docs/verification.md#commands-of-the-documents).
import { expect } from 'chai';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalogue } from '../../scripts/commands/catalogue.js';
import { commandTree, spellings } from '../../scripts/manual/completions/tree.js';

const project = fileURLToPath(new URL('../../../', import.meta.url));
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...readdirSync(join(project, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const tree = commandTree(catalogue);

/** The words after each `ridethrough` in code. */
function commandsOf(markdown: string): readonly string[] {
  const fences = [...markdown.matchAll(/^ *```[^\n]*\n([^]*?)^ *```/gm)].map(([, text = '']) => text);
  const prose = markdown.replace(/^ *```[^\n]*\n[^]*?^ *```/gm, '');
  const inline = [...prose.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.replaceAll('\n', ' '));
  return [...fences.flatMap((text) => text.split('\n')), ...inline].flatMap((line) =>
    [...line.matchAll(/(?:^|[\s|;&(])ridethrough ((?:--)?[a-z][^|;&>#)]*)/g)].map(([, words = '']) =>
      words.trim(),
    ),
  );
}

/** What is wrong with it; undefined for a command as it is. */
function faultOf(command: string): string | undefined {
  const words = command.replace(/[[\]]/g, '').split(/\s+/);
  const [first = ''] = words;
  if (['--version', '--help'].includes(first)) return undefined;
  const isPlace = (path: readonly string[]): boolean =>
    tree.some((one) => one.path.join(' ') === path.join(' '));
  let path: readonly string[] = [];
  for (const word of words) {
    const next = [...path, word.replace(/[:,.]$/, '')];
    if (isPlace(next)) path = next;
    else break;
  }
  if (path.length === 0) return `there is no command ${first}`;
  const place = tree.filter((one) => path.every((word, i) => one.path[i] === word));
  const taken = place.flatMap(({ options }) => options.flatMap(spellings));
  const unknown = words
    .filter((word) => /^--?[a-z]/.test(word))
    .find((word) => !taken.includes(word.replace(/[=,.:].*$/, '')));
  return unknown === undefined ? undefined : `${path.join(' ')} takes no ${unknown}`;
}

describe('the commands of the documents', () => {
  const found = documents.flatMap((name) =>
    commandsOf(readFileSync(join(project, name), 'utf8')).map((command) => ({ name, command })),
  );

  it('exist, with their options', () => {
    expect(found).to.have.length.above(150);
    const faults = found.flatMap(({ name, command }) => {
      const fault = faultOf(command);
      return fault === undefined ? [] : [`${name}: ${command}: ${fault}`];
    });
    expect(faults).to.deep.equal([]);
  });

  it('are all in the specification', () => {
    const text = readFileSync(join(project, 'docs/specification/command-line.md'), 'utf8');
    const [table = ''] = text.split('## Options');
    const missing = catalogue.filter(({ name }) => !new RegExp(`\\x60${name}\\b`).test(table));
    expect(missing.map(({ name }) => name)).to.deep.equal([]);
  });

  it('would be found wrong with another word or option', () => {
    expect(faultOf('status --json')).to.equal(undefined);
    expect(faultOf('statsu --json')).to.equal('there is no command statsu');
    expect(faultOf('apikey create x --roles read')).to.equal('apikey create takes no --roles');
  });
});
