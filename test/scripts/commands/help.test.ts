import { expect } from 'chai';
import { readFileSync, readdirSync } from 'node:fs';
import { catalogue } from '../../../scripts/commands/catalogue.js';
import { helpOf, optionsOf, partsOf, usagesOf, wordsOf } from '../../../scripts/commands/help.js';
import { commandTree } from '../../../scripts/manual/completions/tree.js';
import { dispatched } from '../../fixtures/dispatched-command.js';

const folder = 'scripts/commands';
/** Every option that any command takes, from the sources: `name: { type: 'boolean'`. */
const inSources = new Set(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [
      ...readFileSync(`${folder}/${name}`, 'utf8').matchAll(/'?([\w-]+)'?: \{ type: '(?:string|boolean)'/g),
    ])
    .map(([, option = '']) => `--${option}`)
    .concat('--i-really-want-to-shut-down'),
);
const usages = catalogue.flatMap((entry) =>
  usagesOf(entry).map((usage) => ({
    words: wordsOf(entry, usage),
    parts: partsOf(entry, usage),
    options: optionsOf(entry, usage),
  })),
);
const inHelp = new Set(usages.flatMap(({ options }) => options.map(({ name }) => name)));

describe('the help of the commands', () => {
  it('names every option of the sources', () => {
    expect([...inSources].filter((option) => !inHelp.has(option))).to.deep.equal([]);
  });

  for (const { words, options } of usages)
    it(`names the options that ${words.join(' ')} takes, and no other`, async () => {
      const taken: string[] = [];
      for (const option of inSources) {
        // The second option ends the command in any case, before it does anything.
        const { code, err } = await dispatched([...words, option, '--no-such-option']);
        expect(code, err).to.equal(2);
        if (!err.includes(`Unknown option '${option}'`)) taken.push(option);
      }
      const described = options.map(({ name }) => name);
      // drills refuse the option of the other one by themselves, and a command of several kinds those of another kind.
      const elsewhere = usages
        .filter((other) => other.words[0] === words[0])
        .flatMap((other) => other.options);
      const allowed = [...described, ...elsewhere.map(({ name }) => name)];
      expect(taken).to.include.members(described);
      expect(allowed).to.include.members(taken);
    });

  it('has both codes of a configuration that is not had, where the command reads one', () => {
    const reading = catalogue.filter(
      (entry) =>
        // `init` writes one.
        entry.name !== 'init' &&
        usagesOf(entry).some((usage) => optionsOf(entry, usage).some(({ name }) => name === '--config')),
    );
    expect(reading).to.have.length.above(10);
    for (const { name, exitCodes } of reading)
      expect(
        exitCodes.map(([code]) => code),
        name,
      ).to.include.members([75, 78]);
  });

  for (const entry of catalogue)
    it(`has the usages, options and exit codes of ${entry.name}`, () => {
      const text = helpOf(entry);
      const flat = text.replace(/\s+/g, ' ');
      for (const usage of usagesOf(entry))
        expect(flat).to.contain(
          [
            'ridethrough',
            ...wordsOf(entry, usage),
            ...partsOf(entry, usage).filter((part) => part !== '\n'),
          ].join(' '),
        );
      for (const { name, text: meaning } of usagesOf(entry).flatMap((usage) => optionsOf(entry, usage)))
        expect(flat)
          .to.match(new RegExp(` ${name}(?: [A-Z]\\S*)? `))
          .and.contain(meaning.replace(/\s+/g, ' '));
      const codes = entry.exitCodes.map(([code]) => code);
      expect(codes).to.include.members([0, 2]);
      for (const [code, meaning] of entry.exitCodes)
        expect(flat).to.contain(`${String(code)} ${meaning.replace(/\s+/g, ' ').trim()}`);
      expect(text.split('\n').at(-2)).to.match(/\.$/);
    });

  it('is in lines that fit a terminal of 150 columns, and ends with one line break', () => {
    for (const entry of catalogue) {
      expect(helpOf(entry)).to.match(/[^\n]\n$/);
      for (const line of helpOf(entry).split('\n')) expect(line.length, line).to.be.below(150);
    }
  });
});

describe('the places of a command line', () => {
  const tree = commandTree(catalogue);
  it('are every command and every word below it', () => {
    const paths = tree.map(({ path }) => path.join(' '));
    expect(new Set(paths).size).to.equal(paths.length);
    expect(paths).to.include.members(['', 'help', ...usages.map(({ words }) => words.join(' '))]);
  });

  it('offer the values of an option that has a list of them', () => {
    const report = tree.find(({ path }) => path.join(' ') === 'report');
    expect(report?.options.find(({ name }) => name === '--period')?.choices).to.deep.equal([
      'day',
      'week',
      'month',
    ]);
  });
});
