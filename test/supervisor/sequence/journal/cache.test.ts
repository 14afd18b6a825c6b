import { expect } from 'chai';
import { SimulatedJournals } from '../../../simulation/journals.js';
import { JournalCache } from '../../../../supervisor/sequence/journal/cache.js';
import { powerOffHistory, sequenceHistory } from '../../../../supervisor/sequence/journal/history.js';
import type { SequenceHeader, SequenceRecord } from '../../../../supervisor/sequence/journal/record.js';
import { planPhase, planStep, planWith } from '../../../fixtures/plans.js';

const step = planStep('off');
const header = (group: string, startedMs = 1): SequenceHeader => ({
  kind: 'sequence',
  group,
  cause: { trigger: 'FSD', why: '', firedAtUnixSeconds: 1 },
  company: 'one',
  plan: planWith([planPhase('local_poweroff', [step])], group),
  startedMs,
  startedUnixSeconds: 1,
});
const at = { atMs: 2, unixSeconds: 2 };
const began: SequenceRecord = { kind: 'stepBegan', step: 'off', ...at };
const over: SequenceRecord = { kind: 'over', cancelled: null, ...at };

describe('the journal cache', () => {
  let disk: SimulatedJournals;
  let journals: JournalCache;
  beforeEach(() => {
    disk = new SimulatedJournals(() => 'kept');
    journals = new JournalCache(disk);
  });
  const isAsOnDisk = () => {
    expect(journals.sequences).to.deep.equal(
      disk.read().flatMap((journal) => sequenceHistory(journal) ?? []),
    );
    expect(journals.powerOffs).to.deep.equal(
      disk.read().flatMap((journal) => powerOffHistory(journal) ?? []),
    );
  };

  it('equals the journals on disk after each record', () => {
    const sequence = journals.begin('sequence-a', header('a'));
    isAsOnDisk();
    sequence.write(began);
    isAsOnDisk();
    const powerOff = journals.begin('power-off', { kind: 'powerOff', company: 'one', step });
    powerOff.write({ kind: 'tryBegan', number: 1 });
    isAsOnDisk();
    sequence.write(over);
    isAsOnDisk();
    expect(journals.sequences[0]?.over).to.deep.equal({ cancelled: null });
  });

  it('contains the journals of a previous daemon that are resumed', () => {
    journals.begin('sequence-a', header('a')).write(began);
    disk.writerDied();
    journals = new JournalCache(disk);
    const [found] = journals.read();
    if (found === undefined) throw new Error('no journal');
    isAsOnDisk();
    journals.resume(found).write(over);
    isAsOnDisk();
    expect(journals.sequences[0]?.steps.size).to.equal(1);
  });

  it('keeps new records when the journals are read again meanwhile', () => {
    const journal = journals.begin('sequence-a', header('a'));
    journals.read();
    journal.write(began);
    isAsOnDisk();
    expect(journals.sequences[0]?.steps.size).to.equal(1);
  });

  it('replaces a journal by one of the same name, also while a late record of the old one is written', () => {
    const former = journals.begin('sequence-a', header('a'));
    journals.begin('sequence-a', header('a', 9));
    former.write(began);
    isAsOnDisk();
    expect(journals.sequences[0]?.header.startedMs).to.equal(9);
  });

  it('evicts a journal without removing its file', () => {
    journals.begin('sequence-a', header('a'));
    journals.begin('sequence-b', header('b'));
    for (const sequence of journals.sequences) if (sequence.header.group === 'a') journals.evict(sequence);
    expect(journals.sequences.map(({ header: { group } }) => group)).to.deep.equal(['b']);
    expect(disk.read()).to.have.length(2);
  });

  it('contains no journal of another boot, and removes those on request', () => {
    journals.begin('sequence-a', header('a'));
    disk.anotherBoot(true);
    journals = new JournalCache(disk);
    expect(journals.read()).to.deep.equal([]);
    expect(journals.readPreviousBoots()).to.have.length(1);
    journals.removePreviousBoots();
    expect(disk.readPreviousBoots()).to.deep.equal([]);
  });
});
