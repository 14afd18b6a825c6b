import { expect } from 'chai';
import { parseArgs } from 'node:util';
import type { Command, CommandEntry } from '../../../scripts/commands/usage.js';
import { dispatch } from '../../../scripts/commands/dispatch.js';
import { config, UsageError } from '../../../scripts/commands/usage.js';

let loaded: string[] = [];

const entry = (name: string, command: Command): CommandEntry => ({
  name,
  summary: `what ${name} does`,
  text: [[config]],
  exitCodes: [[0, 'success']],
  load: () => {
    loaded.push(name);
    return Promise.resolve(command);
  },
});

const catalogue: readonly CommandEntry[] = [
  entry('status', (args) => {
    parseArgs({ args: [...args], options: { json: { type: 'boolean' } } });
    return Promise.resolve(args.length);
  }),
  entry('validate', () => Promise.reject(new UsageError('--config takes one file'))),
  entry('version', () => Promise.resolve(0)),
  entry('broken', () => Promise.reject(new TypeError('x is not a function'))),
];

async function called(...args: string[]) {
  let out = '';
  let err = '';
  loaded = [];
  const code = await dispatch(args, catalogue, {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
  });
  return { code, out, err };
}

describe('the command line', () => {
  it('runs the named command with its arguments and returns its exit code', async () => {
    expect(await called('status', '--json')).to.deep.equal({ code: 1, out: '', err: '' });
    expect(loaded).to.deep.equal(['status']);
  });

  it('leaves what stands after -- to the command', async () => {
    expect(await called('version', '--', '--help')).to.deep.equal({ code: 0, out: '', err: '' });
    expect(loaded).to.deep.equal(['version']);
  });

  it('lists all commands without a command, as wrong usage', async () => {
    const { code, out, err } = await called();
    expect({ code, out }).to.deep.equal({ code: 2, out: '' });
    for (const { name } of catalogue) expect(err).to.match(new RegExp(`^  ${name} +what ${name} does$`, 'm'));
  });

  for (const args of [['--help'], ['-h'], ['help']]) {
    it(`lists the commands for ${args.join(' ')}`, async () => {
      const { code, out, err } = await called(...args);
      expect({ code, err }).to.deep.equal({ code: 0, err: '' });
      expect(out).to.contain('Usage: ridethrough COMMAND');
    });
  }

  for (const args of [
    ['help', 'status'],
    ['status', '--help'],
    ['status', '--json', '-h'],
  ]) {
    it(`explains a command for "${args.join(' ')}" without loading it`, async () => {
      expect(await called(...args)).to.deep.equal({
        code: 0,
        out: `ridethrough status [--config FILE]

  --config FILE    the configuration; default /etc/ridethrough/config.toml

Exit codes: 0 success.
`,
        err: '',
      });
      expect(loaded).to.deep.equal([]);
    });
  }

  it('suggests a command for a typing error', async () => {
    const { code, err } = await called('validat');
    expect(code).to.equal(2);
    expect(err).to.contain('"validat": there is no such command. Did you mean "validate"?');
  });

  it('lists the commands without a suggestion', async () => {
    const { code, err } = await called('help', 'reboot-now');
    expect(code).to.equal(2);
    expect(err).to.contain('The commands are: status, validate, version, broken.');
  });

  it('reports that the command comes before its options', async () => {
    const { code, err } = await called('--json', 'status');
    expect(code).to.equal(2);
    expect(err).to.contain('"--json": the command comes before its options.');
  });

  it('escapes control characters in an argument', async () => {
    expect((await called('\x1b[31m\nroot')).err).to.contain('"\\u001b[31m\\nroot": there is no such command');
  });

  it('prints an error of parseArgs as one sentence with the help command', async () => {
    expect(await called('status', '--jsn')).to.deep.equal({
      code: 2,
      out: '',
      err: "ridethrough status: Unknown option '--jsn'.\nSee: ridethrough status --help\n",
    });
  });

  it('prints a usage error of a command the same way', async () => {
    expect(await called('validate')).to.deep.equal({
      code: 2,
      out: '',
      err: 'ridethrough validate: --config takes one file.\nSee: ridethrough validate --help\n',
    });
  });

  it('accepts --version as the command', async () => {
    expect((await called('--version')).code).to.equal(0);
    expect(loaded).to.deep.equal(['version']);
  });

  it('rethrows a bug of a command', async () => {
    const bug = await called('broken').catch((error: unknown) => error);
    expect(bug).to.be.instanceOf(TypeError);
  });
});
