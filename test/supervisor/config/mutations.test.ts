import { expect } from 'chai';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { loadText } from '../../../supervisor/config/load/load.js';
import { processorMs } from '../../fixtures/in-time.js';
import { tried } from '../../fuzz/runs.js';

const reference = readFileSync('docs/config.reference.toml', 'utf8');
/** Without the keys that name files of another machine. */
const small = reference.replace(/^(?:username|password|ca_file|cert_file|key_file|urls) = .*$/gm, '');
const lines = small.split('\n');

/** The reader is killed after as long; a load takes a few milliseconds. */
const readerLimitMs = 10_000;

function survives(text: string): void {
  let loaded = loadText('', {});
  const tookMs = processorMs(() => (loaded = loadText(text, {})));
  if (!loaded.ok) {
    expect(loaded.problems.length).to.be.greaterThan(0);
    for (const { path, message } of loaded.problems) {
      expect(path.length).to.be.lessThan(1000);
      expect(message).to.match(/^.{3,1500}$/u);
    }
  } else expect(JSON.parse(JSON.stringify(loaded.configuration))).to.deep.equal(loaded.configuration);
  expect(tookMs).to.be.lessThan(readerLimitMs);
}

const position = fc.nat({ max: lines.length - 1 });
const value = fc.oneof(
  fc.constantFrom(
    'nan',
    'inf',
    '-0',
    '[]',
    '{}',
    '""',
    '[[1]]',
    '1979-05-27',
    '07:32:00',
    '{ file = "/dev/null" }',
  ),
  fc.constantFrom('9007199254740991', '-1e308', '"\\u0000"', '"\\U0001F50B"', '{ a = { b = [1] } }', 'true'),
  fc.double().map(String),
  fc.string().map((text) => JSON.stringify(text)),
);
const mutation = fc.oneof(
  fc.tuple(position, value).map(([at, to]) => (all: string[]): void => {
    all[at] = (all[at] ?? '').replace(/=.*/, `= ${to}`);
  }),
  position.map((at) => (all: string[]): void => {
    all.splice(at, 1);
  }),
  fc.tuple(position, position).map(([from, to]) => (all: string[]): void => {
    all.splice(to, 0, all[from] ?? '');
  }),
  fc.tuple(position, fc.string()).map(([at, junk]) => (all: string[]): void => {
    all.splice(at, 0, junk);
  }),
  fc
    .tuple(position, fc.nat({ max: 40 }), fc.string({ maxLength: 3 }))
    .map(([at, column, junk]) => (all: string[]): void => {
      const line = all[at] ?? '';
      all[at] = line.slice(0, column) + junk + line.slice(column + 1);
    }),
);

describe('a configuration file with random faults', () => {
  it('is valid without faults', () => {
    const loaded = loadText(small, {});
    expect(loaded.ok ? [] : loaded.problems).to.deep.equal([]);
  });

  it('is accepted or refused with a message, and never throws or hangs', () => {
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
        const all = [...lines];
        for (const mutate of mutations) mutate(all);
        survives(all.join('\n'));
      }),
      tried(150),
    );
  });

  it('may be any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (text) => {
        survives(text);
      }),
      tried(150),
    );
  });

  it('may have the largest allowed size and is still checked in time', () => {
    const upses = Array.from({ length: 200 }, (_, i) => `[[ups]]\nname = "u${String(i)}@nut"`).join('\n');
    const sources = JSON.stringify(Array.from({ length: 100 }, (_, i) => `u${String(i)}@nut`));
    const groups = Array.from(
      { length: 100 },
      (_, i) => `[[redundancy_groups]]\nname = "g${String(i)}"\nups_sources = ${sources}`,
    );
    survives([upses, ...groups].join('\n'));
    const server = (i: number): string =>
      `[[ups.remote_servers]]\nname = "s${String(i)}"\nhost = "h${String(i)}"\nuser = "root"`;
    survives(`${upses}\n${Array.from({ length: 100 }, (_, i) => server(i)).join('\n')}`);
  });
});
