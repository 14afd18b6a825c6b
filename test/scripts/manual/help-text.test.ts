import { expect } from 'chai';
import { readFileSync, readdirSync } from 'node:fs';
import { catalogue } from '../../../scripts/commands/catalogue.js';
import { commandTree } from '../../../scripts/manual/completions/tree.js';
import { helpText } from '../../../scripts/manual/help-text.js';
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
const usages = catalogue.flatMap((entry) => helpText(entry).usages);
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
      const described = options.map(({ name }) => name).filter((name) => name !== '--help');
      // drills refuse the option of the other one by themselves, and a command of several kinds those of another kind.
      const elsewhere = usages
        .filter((other) => other.words[0] === words[0])
        .flatMap((other) => other.options);
      const allowed = [...described, ...elsewhere.map(({ name }) => name)];
      expect(taken).to.include.members(described);
      expect(allowed).to.include.members(taken);
    });

  it('has both codes of a configuration that is not had, where the command reads one', () => {
    const codes = catalogue.map((entry) => ({ name: entry.name, text: helpText(entry) }));
    const reading = codes.filter(
      ({ name, text }) =>
        // `init` writes one.
        name !== 'init' && text.usages.some(({ options }) => options.some((one) => one.name === '--config')),
    );
    expect(reading).to.have.length.above(10);
    for (const { name, text } of reading)
      expect(
        text.exitCodes.map(({ term }) => term),
        name,
      ).to.include.members(['75', '78']);
  });

  it('is read with its exit codes, except where there are none', () => {
    for (const entry of catalogue) {
      const codes = helpText(entry).exitCodes.map(({ term }) => term);
      expect(codes, entry.name).to.include.members(['0', '2']);
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
