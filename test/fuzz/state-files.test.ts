import { expect } from 'chai';
import fc from 'fast-check';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../shared/runtime/log.js';
import { initialState } from '../../supervisor/policy/state/state.js';
import type { PolicyState } from '../../supervisor/policy/state/state.js';
import { restored, snapshotOf } from '../../supervisor/policy/snapshot.js';
import { JournalFiles } from '../../supervisor/sequence/journal/journal.js';
import { snapshotFile } from '../../supervisor/engine/snapshot-file.js';
import { SequenceRecord } from '../../supervisor/sequence/journal/record.js';
import { previousShutdown } from '../../supervisor/sequence/journal/summary.js';
import { findUnfinished } from '../../supervisor/sequence/open-sequences.js';
import { planPhase, planStep, planWith } from '../fixtures/plans.js';
import { Stepper, reading, settingsOf } from '../supervisor/policy/stream.js';
import { tried } from './runs.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const settings = settingsOf('ups office delay=0s low=20');
const boot = 'boot-a';
const quiet: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warning: () => undefined,
  error: () => undefined,
};
const at = { atMs: 2_000, unixSeconds: 1_700_000_001 };

/** A real file with a few bytes changed, doubled, removed or truncated; or any bytes. */
interface Mutation {
  readonly at: number;
  readonly cut: number;
  readonly bytes: Uint8Array;
}
const anyMutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(),
  cut: fc.oneof(fc.nat({ max: 6 }), fc.nat({ max: 2_000 })),
  bytes: fc.oneof(
    fc.uint8Array({ maxLength: 8 }),
    fc
      .constantFrom('null', '{}', '[]', '-1', '1e999', '""', '"__proto__":{}', '\n', '\u0000', '}', '"fired"')
      .map((text) => Buffer.from(text)),
  ),
});
const anyLeftover = (real: Buffer): fc.Arbitrary<Buffer> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.array(anyMutation, { minLength: 1, maxLength: 4 }).map((mutations) =>
        mutations.reduce((bytes, { at: place, cut, bytes: put }) => {
          const from = bytes.length === 0 ? 0 : place % bytes.length;
          return Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(from + cut)]);
        }, real),
      ),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 4_000 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 5 }).map((text) => Buffer.from(text)) },
  );

describe('damaged files of an earlier daemon', () => {
  let directory: string;
  const snapshotPath = (): string => join(directory, 'outage.json');
  const files = () => new JournalFiles(directory, boot, quiet);
  beforeEach(() => {
    directory = temporaryFolder();
  });

  /** The groups whose sequence a daemon resumes from these files. */
  function resumedGroups(): readonly string[] {
    const content = snapshotFile({ path: snapshotPath(), bootId: boot, log: quiet }).read();
    const found = restored(content, settings, { monotonicMs: 2_000_000, unixSeconds: 1_700_000_100 });
    if (!found.ok) expect(found.problems.length).to.be.greaterThan(0);
    const state: PolicyState = found.ok ? found.value : initialState;
    const told = previousShutdown(files());
    if (told !== undefined) expect(told.length).to.be.at.most(3_000);
    // Policy continues with the restored state: line power shuts nothing down.
    if (found.ok)
      expect(new Stepper(settings, state, 2_000_000).polls('office', reading('OL'), 3).starts).to.deep.equal(
        [],
      );
    const { fired, unknownToPolicy } = findUnfinished(new SequenceRecord(files()), state);
    return [...fired, ...unknownToPolicy].map(({ group }) => group);
  }

  const stepped = (words: string): Stepper => {
    const stepper = new Stepper(settings);
    stepper.polls('office', reading('OL', { chargePercent: 100 }), 5);
    stepper.polls('office', reading(words, { chargePercent: 90 }), 5);
    return stepper;
  };
  const written = (stepper: Stepper): Buffer => {
    snapshotFile({ path: snapshotPath(), bootId: boot, log: quiet }).write(snapshotOf(stepper.state));
    return readFileSync(snapshotPath());
  };

  for (const [words, what] of [
    ['OL', 'on line power'],
    ['OB', 'of an outage before any trigger'],
  ] as const) {
    it(`start no sequence, from a snapshot ${what}`, () => {
      const stepper = stepped(words);
      expect(stepper.starts).to.deep.equal([]);
      const real = written(stepper);
      expect(resumedGroups()).to.deep.equal([]);
      fc.assert(
        fc.property(anyLeftover(real), (bytes) => {
          writeFileSync(snapshotPath(), bytes);
          expect(resumedGroups()).to.deep.equal([]);
        }),
        tried(300),
      );
    });
  }

  it('start only the requested sequence, from a snapshot of one', () => {
    const stepper = stepped('OB LB');
    expect(stepper.starts).to.deep.equal(['office']);
    const real = written(stepper);
    expect(resumedGroups()).to.deep.equal(['office']);
    fc.assert(
      fc.property(anyLeftover(real), (bytes) => {
        writeFileSync(snapshotPath(), bytes);
        expect(resumedGroups()).to.satisfy((groups: string[]) => groups.every((group) => group === 'office'));
      }),
      tried(300),
    );
  });

  it('start no other sequence from a damaged journal, and none from arbitrary bytes', () => {
    const plan = planWith([
      planPhase('local_poweroff', [planStep('sync', { destructive: false }), planStep('off')]),
    ]);
    const cause = {
      trigger: 'LOW_BATTERY' as const,
      why: 'charge 5 %',
      firedAtUnixSeconds: 1_700_000_000.25,
    };
    const journal = files();
    const group = 'office';
    journal.begin([{ kind: 'decided', group, cause, plan, atMs: 1_000, unixSeconds: 1_700_000_000 }]);
    journal.write({ kind: 'stepBegan', group, step: 'sync', ...at });
    journal.write({ kind: 'stepEnded', group, step: 'sync', outcome: { kind: 'done' }, ...at });
    const [name = ''] = readdirSync(directory).filter((file) => file.endsWith('.journal'));
    const path = join(directory, name);
    const real = readFileSync(path);
    expect(resumedGroups()).to.deep.equal(['office']);
    fc.assert(
      fc.property(anyLeftover(real), (bytes) => {
        writeFileSync(path, bytes);
        expect(resumedGroups().filter((group) => group !== 'office')).to.deep.equal([]);
      }),
      tried(300),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4_000 }), (bytes) => {
        writeFileSync(path, bytes);
        expect(resumedGroups()).to.deep.equal([]);
      }),
      tried(200),
    );
  });

  it('may be folders instead of files', () => {
    mkdirSync(snapshotPath());
    mkdirSync(join(directory, 'sequence-office.journal'));
    expect(resumedGroups()).to.deep.equal([]);
  });
});
