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
import { isCommitted, sequenceHistory } from '../../../../supervisor/sequence/journal/history.js';
import { JournalFiles } from '../../../../supervisor/sequence/journal/journal.js';
import type { SequenceHeader, SequenceRecord } from '../../../../supervisor/sequence/journal/record.js';
import { previousShutdown } from '../../../../supervisor/sequence/recovery/recovery.js';
import { planPhase, planStep, planWith } from '../../../fixtures/plans.js';
import { temporaryFolder } from '../../../fixtures/temporary-folder.js';

const plan = planWith([
  planPhase('local_poweroff', [planStep('sync', { destructive: false }), planStep('off')]),
]);
const header: SequenceHeader = {
  kind: 'sequence',
  group: 'office',
  cause: { trigger: 'LOW_BATTERY', why: 'charge 5 %', firedAtUnixSeconds: 1_700_000_000.25 },
  company: 'one',
  plan,
  startedMs: 1000,
  startedUnixSeconds: 1_700_000_000,
};
const at = { atMs: 2000, unixSeconds: 1_700_000_001 };
const began = (step: string): SequenceRecord => ({ kind: 'stepBegan', step, ...at });
const ended = (step: string): SequenceRecord => ({
  kind: 'stepEnded',
  step,
  outcome: { kind: 'done' },
  ...at,
});

describe('a journal on tmpfs', () => {
  let directory: string;
  let logged: string[];
  const log = (): Logger => {
    const log = (message: string) => logged.push(message);
    return { debug: log, info: log, warning: log, error: log };
  };
  const files = (bootId = 'boot-a') => new JournalFiles(directory, bootId, log());
  const file = () => join(directory, 'sequence-office.journal');
  const history = (store = files()) => {
    const [found] = store.read();
    return found === undefined ? undefined : sequenceHistory(found);
  };

  beforeEach(() => {
    directory = temporaryFolder();
    logged = [];
  });

  it('returns what was written, in a file that only root can read', () => {
    const journal = files().begin('sequence-office', header);
    journal.write(began('sync'));
    journal.write(ended('sync'));
    journal.write(began('off'));
    expect(statSync(file()).mode & 0o777).to.equal(0o600);
    const found = history();
    expect(found?.header).to.deep.equal(header);
    expect(found?.steps.get('sync')?.ended?.outcome).to.deep.equal({ kind: 'done' });
    expect(found?.steps.get('off')?.ended).to.equal(null);
    expect(found?.over).to.equal(null);
  });

  it('shows the point of no return by the start of the first destructive step', () => {
    const journal = files().begin('sequence-office', header);
    journal.write(began('sync'));
    expect(history()).to.satisfy((one: NonNullable<ReturnType<typeof history>>) => !isCommitted(one));
    journal.write(began('off'));
    expect(history()).to.satisfy(isCommitted);
  });

  it('loses only a partial line', () => {
    const journal = files().begin('sequence-office', header);
    journal.write(began('sync'));
    journal.write(ended('sync'));
    truncateSync(file(), statSync(file()).size - 5);
    expect(history()?.steps.get('sync')).to.deep.include({ ended: null });
  });

  it('continues with complete lines after a partial one', () => {
    files().begin('sequence-office', header).write(began('sync'));
    appendFileSync(file(), '{"kind":"stepEnded","st');
    const [found] = files().read();
    if (found === undefined) throw new Error('no journal');
    files().resume(found).write(ended('sync'));
    expect(history()?.steps.get('sync')?.ended?.outcome).to.deep.equal({ kind: 'done' });
  });

  it('is read without invalid lines, and is ignored when its first line is invalid', () => {
    const journal = files().begin('sequence-office', header);
    appendFileSync(file(), '\0\0\0\n[]\n{"kind":"launch"}\n"stepEnded"\n');
    journal.write(began('off'));
    expect(history()).to.satisfy(isCommitted);
    writeFileSync(file(), 'not ours\n');
    expect(files().read()).to.deep.equal([]);
  });

  it('is not written any more after another journal took its name', () => {
    const store = files();
    const former = store.begin('sequence-office', header);
    former.write(began('sync'));
    former.write({ kind: 'over', cancelled: 'power is back', ...at });
    const next = store.begin('sequence-office', { ...header, startedMs: 9000 });
    next.write(began('off'));
    former.write(ended('sync'));
    next.write(ended('off'));
    expect(history()?.header.startedMs).to.equal(9000);
    expect(history()?.over).to.equal(null);
    expect([...(history()?.steps.keys() ?? [])]).to.deep.equal(['off']);
  });

  it('of another boot is recognised, summarized and removed', () => {
    const journal = files('boot-a').begin('sequence-office', header);
    journal.write(began('off'));
    files('boot-b').begin('sequence-lab', { ...header, group: 'lab' });
    const now = files('boot-b');
    expect(now.read().map(({ name }) => name)).to.deep.equal(['sequence-lab']);
    expect(previousShutdown(now)).to.equal('office: off running');
    now.removePreviousBoots();
    expect(previousShutdown(now)).to.equal(undefined);
    expect(readdirSync(directory)).to.deep.equal(['sequence-lab.journal']);
  });

  it('of another boot shows the power-off when a cancelled sequence has replaced the one before', () => {
    const store = files('boot-a');
    const step = plan.phases.flatMap(({ steps }) => steps).at(-1);
    if (step === undefined) throw new Error('no step');
    const powerOff = store.begin('power-off', { kind: 'powerOff', company: 'office at 1', step });
    store.begin('sequence-office', header).write({ kind: 'over', cancelled: 'power is back', ...at });
    expect(previousShutdown(files('boot-b'))).to.equal(undefined);
    powerOff.write({ kind: 'tryBegan', number: 1 });
    expect(previousShutdown(files('boot-b'))).to.equal('power-off of this host running');
  });

  it('of a dry run on another boot gives no summary', () => {
    files('boot-a')
      .begin('sequence-office', { ...header, plan: { ...plan, dryRun: true } })
      .write(began('off'));
    expect(previousShutdown(files('boot-b'))).to.equal(undefined);
  });

  it('replaces a FIFO or a link of its name without opening it, also when the temporary file is a directory', () => {
    execFileSync('mkfifo', [file(), `${file()}.next`]);
    symlinkSync('/dev/zero', join(directory, 'link.journal'));
    mkdirSync(join(directory, 'folder.journal'));
    expect(files().read()).to.deep.equal([]);
    expect(logged.filter((text) => text.includes('cannot be used'))).to.have.length(3);
    files().begin('sequence-office', header).write(began('off'));
    expect(history()).to.satisfy(isCommitted);
  });

  it('is not read when it is too large', () => {
    files().begin('sequence-office', header);
    truncateSync(file(), 33 * 1024 * 1024);
    expect(files().read()).to.deep.equal([]);
    expect(logged.at(-1)).to.match(/too large for a journal/);
  });

  it('has a file name of valid length for any name of its group', () => {
    for (const end of ['a', 'b']) {
      const name = `sequence-${'x'.repeat(255)}${end}`;
      files().begin(name, header);
    }
    expect(files().read()).to.have.length(2);
  });

  it('logs a failed write once, and is complete again after the next successful write', () => {
    const gone = join(directory, 'sub');
    const store = new JournalFiles(gone, 'boot-a', log());
    writeFileSync(gone, 'a file where the directory should be');
    const journal = store.begin('sequence-office', header);
    journal.write(began('sync'));
    journal.write(ended('sync'));
    expect(logged).to.have.length(1);
    expect(logged[0]).to.match(/cannot be written .*the shutdown continues/);
    rmSync(gone);
    journal.write(began('off'));
    const found = history(store);
    expect(found?.steps.get('sync')?.ended?.outcome).to.deep.equal({ kind: 'done' });
    expect(found).to.satisfy(isCommitted);
  });

  it('writes its last record with a flush when the write had failed', () => {
    const gone = join(directory, 'sub');
    const store = new JournalFiles(gone, 'boot-a', log());
    const journal = store.begin('sequence-office', header);
    rmSync(gone, { recursive: true });
    writeFileSync(gone, 'a file where the directory should be');
    const next = store.begin('sequence-office', { ...header, startedMs: 9000 });
    journal.write(began('sync'));
    next.write({ kind: 'over', cancelled: null, ...at });
    store.flush();
    expect(history(store)).to.equal(undefined);
    expect(logged).to.have.length(1);
    rmSync(gone);
    store.flush();
    expect(history(store)?.header.startedMs).to.equal(9000);
    expect(history(store)?.over).to.deep.equal({ cancelled: null });
  });

  it('is not rewritten by a flush when it is complete', () => {
    const store = files();
    store.begin('sequence-office', header).write(began('sync'));
    const { size } = statSync(file());
    store.flush();
    expect(statSync(file()).size).to.equal(size);
  });
});
