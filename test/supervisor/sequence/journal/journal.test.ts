import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Logger } from '../../../../shared/runtime/log.js';
import type { JournalEntry } from '../../../../supervisor/sequence/journal/entries.js';
import { isPastPointOfNoReturn } from '../../../../supervisor/sequence/journal/fold.js';
import { JournalFiles } from '../../../../supervisor/sequence/journal/journal.js';
import type { Decision } from '../../../../supervisor/sequence/journal/record.js';
import { SequenceRecord } from '../../../../supervisor/sequence/journal/record.js';
import { previousShutdown } from '../../../../supervisor/sequence/journal/summary.js';
import { planPhase, planStep, planWith } from '../../../fixtures/plans.js';
import { temporaryFolder } from '../../../fixtures/temporary-folder.js';

const plan = planWith([
  planPhase('local_poweroff', [planStep('sync', { destructive: false }), planStep('off')]),
]);
const at = { group: 'office', atMs: 2000, unixSeconds: 1_700_000_001 };
const decided: Decision = {
  kind: 'decided',
  group: 'office',
  cause: { trigger: 'LOW_BATTERY', why: 'charge 5 %', firedAtUnixSeconds: 1_700_000_000.25 },
  plan,
  atMs: 1000,
  unixSeconds: 1_700_000_000,
};
const began = (step: string): JournalEntry => ({ kind: 'stepBegan', step, ...at });
const ended = (step: string): JournalEntry => ({ kind: 'stepEnded', step, outcome: { kind: 'done' }, ...at });

describe('a journal on tmpfs', () => {
  let directory: string;
  let logged: string[];
  const log = (): Logger => {
    const log = (message: string) => logged.push(message);
    return { debug: log, info: log, warning: log, error: log };
  };
  const files = (bootId = 'boot-a') => new JournalFiles(directory, bootId, log());
  const names = () => readdirSync(directory).filter((name) => name.endsWith('.journal'));
  const file = () => join(directory, names()[0] ?? '');
  const office = (store = files()) => new SequenceRecord(store).of('office');
  /** A journal with these entries. */
  const written = (...entries: readonly JournalEntry[]) => {
    const store = files();
    store.begin([decided]);
    for (const entry of entries) store.write(entry);
    return store;
  };

  beforeEach(() => {
    directory = temporaryFolder();
    logged = [];
  });

  it('returns what was written, in a file that only root can read', () => {
    written(began('sync'), ended('sync'), began('off'));
    expect(statSync(file()).mode & 0o777).to.equal(0o600);
    expect(files().read()).to.deep.equal([decided, began('sync'), ended('sync'), began('off')]);
    const found = office();
    expect(found?.plan).to.deep.equal(plan);
    expect(found?.steps.get('sync')?.ended?.outcome).to.deep.equal({ kind: 'done' });
    expect(found?.steps.get('off')?.ended).to.equal(null);
    expect(found?.over).to.equal(null);
  });

  it('shows the point of no return by the start of the first destructive step', () => {
    const store = written(began('sync'));
    expect(office()).to.satisfy((one: NonNullable<ReturnType<typeof office>>) => !isPastPointOfNoReturn(one));
    store.write(began('off'));
    expect(office()).to.satisfy(isPastPointOfNoReturn);
  });

  it('loses only a partial line', () => {
    written(began('sync'), ended('sync'));
    truncateSync(file(), statSync(file()).size - 5);
    expect(office()?.steps.get('sync')).to.deep.include({ ended: null });
  });

  it('continues with complete lines after a partial one', () => {
    written(began('sync'));
    appendFileSync(file(), '{"kind":"stepEnded","st');
    const store = files();
    store.read();
    store.write(ended('sync'));
    expect(office()?.steps.get('sync')?.ended?.outcome).to.deep.equal({ kind: 'done' });
  });

  it('is read without invalid lines, and is ignored when its first line is invalid', () => {
    const store = written();
    appendFileSync(file(), '\0\0\0\n[]\n{"kind":"launch"}\n"stepEnded"\n');
    store.write(began('off'));
    expect(office()).to.satisfy(isPastPointOfNoReturn);
    writeFileSync(file(), 'not ours\n');
    expect(files().read()).to.deep.equal([]);
  });

  it('of another boot stays beside that of this boot until it is removed', () => {
    written(began('off'));
    const now = files('boot-b');
    now.begin([{ ...decided, group: 'lab', plan: { ...plan, group: 'lab' } }]);
    expect(new SequenceRecord(now).groups.map(({ group }) => group)).to.deep.equal(['lab']);
    expect(previousShutdown(now)).to.equal('office: off running');
    now.removePreviousBoots();
    expect(previousShutdown(now)).to.equal(undefined);
    expect(new SequenceRecord(files('boot-b')).groups).to.have.length(1);
    expect(names()).to.have.length(1);
  });

  it('of another boot shows the power-off when a cancelled sequence has replaced the one before', () => {
    const over: JournalEntry = { kind: 'over', cancelled: 'power is back', ...at };
    const store = written(over);
    expect(previousShutdown(files('boot-b'))).to.equal(undefined);
    store.write({ kind: 'tryBegan', number: 1 });
    expect(previousShutdown(files('boot-b'))).to.equal('power-off of this host running');
  });

  it('of a dry run on another boot gives no summary', () => {
    const store = files();
    store.begin([{ ...decided, plan: { ...plan, dryRun: true } }]);
    store.write(began('off'));
    expect(previousShutdown(files('boot-b'))).to.equal(undefined);
  });

  it('replaces a FIFO of its name without opening it, also when the temporary file is a FIFO', () => {
    written();
    const path = file();
    rmSync(path);
    execFileSync('mkfifo', [path, `${path}.next`]);
    symlinkSync('/dev/zero', join(directory, 'link.journal'));
    mkdirSync(join(directory, 'folder.journal'));
    expect(files().read()).to.deep.equal([]);
    expect(logged.filter((text) => text.includes('cannot be used'))).to.have.length(3);
    written(began('off'));
    expect(office()).to.satisfy(isPastPointOfNoReturn);
  });

  it('is not read when it is too large', () => {
    written();
    truncateSync(file(), 33 * 1024 * 1024);
    expect(files().read()).to.deep.equal([]);
    expect(logged.at(-1)).to.match(/too large for a journal/);
  });

  it('logs a failed write once, and is complete again after the next successful write', () => {
    const gone = join(directory, 'sub');
    const store = new JournalFiles(gone, 'boot-a', log());
    writeFileSync(gone, 'a file where the directory should be');
    store.begin([decided]);
    store.write(began('sync'));
    store.write(ended('sync'));
    expect(logged).to.have.length(1);
    expect(logged[0]).to.match(/cannot be written .*the shutdown continues/);
    rmSync(gone);
    store.write(began('off'));
    const found = office(store);
    expect(found?.steps.get('sync')?.ended?.outcome).to.deep.equal({ kind: 'done' });
    expect(found).to.satisfy(isPastPointOfNoReturn);
  });

  it('writes its last entry with a flush when the write had failed, and rewrites nothing else', () => {
    const gone = join(directory, 'sub');
    const store = new JournalFiles(gone, 'boot-a', log());
    writeFileSync(gone, 'a file where the directory should be');
    store.begin([decided]);
    store.write({ kind: 'over', cancelled: null, ...at });
    store.flush();
    expect(logged).to.have.length(1);
    rmSync(gone);
    store.flush();
    const { ino } = statSync(join(gone, readdirSync(gone)[0] ?? ''));
    store.flush();
    expect(statSync(join(gone, readdirSync(gone)[0] ?? '')).ino).to.equal(ino);
    expect(office(store)?.over).to.deep.equal({ cancelled: null });
  });
});
