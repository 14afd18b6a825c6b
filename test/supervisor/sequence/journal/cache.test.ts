import { expect } from 'chai';
import { SimulatedJournals } from '../../../simulation/journals.js';
import { JournalCache } from '../../../../supervisor/sequence/journal/cache.js';
import { powerOffHistory, sequenceHistory } from '../../../../supervisor/sequence/journal/summary.js';
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

describe('journals that stay at hand', () => {
  let disk: SimulatedJournals;
  let journals: JournalCache;
  beforeEach(() => {
    disk = new SimulatedJournals(() => 'kept');
    journals = new JournalCache(disk);
  });
  const isAsOnDisk = () => {
    expect(journals.sequences).to.deep.equal(disk.read().flatMap((one) => sequenceHistory(one) ?? []));
    expect(journals.powerOffs).to.deep.equal(disk.read().flatMap((one) => powerOffHistory(one) ?? []));
  };

  it('are what would be found, after each record', () => {
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

  it('are those of the daemon before this one, which this one goes on with', () => {
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

  it('go on with what is written, when they are read again meanwhile', () => {
    const journal = journals.begin('sequence-a', header('a'));
    journals.read();
    journal.write(began);
    isAsOnDisk();
    expect(journals.sequences[0]?.steps.size).to.equal(1);
  });

  it('give their place to one of the same name, whatever is left behind of them', () => {
    const former = journals.begin('sequence-a', header('a'));
    journals.begin('sequence-a', header('a', 9));
    former.write(began);
    isAsOnDisk();
    expect(journals.sequences[0]?.header.startedMs).to.equal(9);
  });

  it('stay on disk when they are not needed at hand any more', () => {
    journals.begin('sequence-a', header('a'));
    journals.begin('sequence-b', header('b'));
    for (const one of journals.sequences) if (one.header.group === 'a') journals.evict(one);
    expect(journals.sequences.map(({ header: { group } }) => group)).to.deep.equal(['b']);
    expect(disk.read()).to.have.length(2);
  });

  it('of another boot are not among them, and are removed by order', () => {
    journals.begin('sequence-a', header('a'));
    disk.anotherBoot(true);
    journals = new JournalCache(disk);
    expect(journals.read()).to.deep.equal([]);
    expect(journals.readPreviousBoots()).to.have.length(1);
    journals.removePreviousBoots();
    expect(disk.readPreviousBoots()).to.deep.equal([]);
  });
});
