import { expect } from 'chai';
import { SimulatedJournals } from '../../../simulation/journals.js';
import type { JournalEntry } from '../../../../supervisor/sequence/journal/entries.js';
import { areServersDone } from '../../../../supervisor/sequence/journal/fold.js';
import type { Decision } from '../../../../supervisor/sequence/journal/record.js';
import { SequenceRecord } from '../../../../supervisor/sequence/journal/record.js';
import { settled } from '../../../fixtures/fake-time.js';
import { planOf, server } from '../several.js';

const at = { atMs: 2, unixSeconds: 2 };
const decided = (group: string, servers: readonly string[], powersOff = true): Decision => ({
  kind: 'decided',
  group,
  cause: { trigger: 'FSD', why: '', firedAtUnixSeconds: 1 },
  plan: planOf(
    group,
    servers.map((name) => server(name, group)),
    powersOff,
  ),
  ...at,
});
const began = (group: string, name: string, atMs = 2): JournalEntry => ({
  kind: 'stepBegan',
  group,
  step: `remote_servers/${name}`,
  atMs,
  unixSeconds: 2,
});
const ended = (group: string, name: string): JournalEntry => ({
  kind: 'stepEnded',
  group,
  step: `remote_servers/${name}`,
  outcome: { kind: 'done' },
  ...at,
});
const over = (group: string): JournalEntry => ({ kind: 'over', group, cancelled: null, ...at });
const asked = (group: string): JournalEntry => ({
  kind: 'powerOffAsked',
  group,
  step: planOf(group, [], true).phases[0]?.steps[0] as never,
});

describe('the record of a shutdown', () => {
  let disk: SimulatedJournals;
  let record: SequenceRecord;
  beforeEach(() => {
    disk = new SimulatedJournals(() => 'kept');
    record = new SequenceRecord(disk);
  });
  const decide = (...decisions: readonly Decision[]) => record.decide(decisions, () => true);
  const write = (...entries: readonly JournalEntry[]) => {
    for (const entry of entries) record.write(entry);
  };
  const seen = ({ groups, shared, powerOff }: SequenceRecord) => ({
    groups,
    shared: [...shared],
    powerOff,
  });

  it('is the same for a restarted daemon after each entry', () => {
    decide(decided('a', ['nas']), decided('b', ['nas', 'db']));
    const entries = [
      began('a', 'nas'),
      ended('a', 'nas'),
      began('b', 'db'),
      asked('a'),
      { kind: 'tryBegan', number: 1 },
      over('a'),
      over('b'),
    ] as const;
    for (const entry of entries) {
      write(entry);
      expect(seen(new SequenceRecord(disk))).to.deep.equal(seen(record));
    }
    decide(decided('b', []));
    expect(seen(new SequenceRecord(disk))).to.deep.equal(seen(record));
  });

  it('begins again with the first group that falls when no sequence is open', () => {
    decide(decided('a', ['nas']));
    write(began('a', 'nas'), ended('a', 'nas'), over('a'));
    decide(decided('b', ['nas']));
    expect(record.groups.map(({ group }) => group)).to.deep.equal(['b']);
    expect(record.shared.size).to.equal(0);
    expect(disk.read()).to.have.length(1);
  });

  it('keeps a group whose outage is not over, and shares nothing of it', () => {
    decide(decided('a', ['nas']));
    write(began('a', 'nas'), over('a'));
    record.decide([decided('b', [])], (group) => group !== 'a');
    expect(record.groups.map(({ group }) => group)).to.deep.equal(['a', 'b']);
    expect(record.of('a')?.steps.size).to.equal(1);
    expect(record.open.map(({ group }) => group)).to.deep.equal(['b']);
    expect(record.shared.size).to.equal(0);
  });

  it('keeps the first start of a server for all that name it, and its outcome', () => {
    decide(decided('a', ['nas']), decided('b', ['nas']));
    write(began('a', 'nas', 5), began('b', 'nas', 9));
    expect(record.shared.get('server nas')).to.deep.include({ beganMs: 5, ended: null });
    write(ended('a', 'nas'), began('b', 'nas', 11));
    expect(record.shared.get('server nas')?.ended?.outcome).to.deep.equal({ kind: 'done' });
  });

  it('commands a server again in a new outage of its group, unless an open sequence has it', () => {
    decide(decided('a', ['nas', 'db']), decided('b', ['db']));
    write(began('a', 'nas'), ended('a', 'nas'), began('a', 'db'), ended('a', 'db'), over('a'));
    decide(decided('a', ['nas', 'db']));
    expect([...record.shared.keys()]).to.deep.equal(['server db']);
    expect(record.of('a')?.steps.size).to.equal(0);
  });

  it('commands no server again for a group that was shut down before all that runs now', () => {
    decide(decided('c', ['nas']));
    write(began('c', 'nas'), ended('c', 'nas'), over('c'));
    // Power has returned to its quorum, not to all of its members.
    record.decide([decided('a', []), decided('b', ['nas'])], (group) => group !== 'c');
    write(began('b', 'nas', 7), ended('b', 'nas'), over('b'));
    decide(decided('c', ['nas']));
    expect(record.shared.get('server nas')).to.deep.include({ beganMs: 7 });
    expect(seen(new SequenceRecord(disk))).to.deep.equal(seen(record));
  });

  it('has no command of a dry run', () => {
    const dry = decided('a', ['nas']);
    decide({ ...dry, plan: { ...dry.plan, dryRun: true } });
    write(began('a', 'nas'));
    expect(record.shared.size).to.equal(0);
  });

  it('has another power-off for a decision with one, unless an open sequence asked for it', () => {
    const failed: JournalEntry = {
      kind: 'tryEnded',
      number: 1,
      outcome: { kind: 'failed', how: 'failed', reason: '' },
    };
    decide(decided('a', []), decided('b', ['nas'], false));
    write(asked('a'), { kind: 'tryBegan', number: 1 }, failed);
    decide(decided('c', []));
    expect(record.powerOff.attempts).to.equal(1);
    write(over('a'), over('c'));
    decide(decided('d', [], false));
    expect([record.powerOff.attempts, [...record.powerOff.askedBy]]).to.deep.equal([1, ['a']]);
    decide(decided('e', []));
    expect(record.powerOff).to.deep.include({ attempts: 0, last: null, step: null });
  });

  it('keeps the attempts of a power-off for the next journal, and no request that was never attempted', () => {
    decide(decided('a', []));
    write(asked('a'), over('a'));
    decide(decided('b', [], false));
    expect(record.powerOff).to.deep.include({ askedBy: new Set(), attempts: 0 });
    write(over('b'));
    decide(decided('a', []));
    write(asked('a'), { kind: 'tryBegan', number: 1 }, over('a'));
    decide(decided('b', [], false));
    expect(record.groups.map(({ group }) => group)).to.deep.equal(['b']);
    expect(record.powerOff).to.deep.include({ askedBy: new Set(['a']), attempts: 1 });
  });

  it('releases a wait with the entry that ends it, and with no entry before', async () => {
    decide(decided('a', ['nas']));
    const isDone = () => record.open.every(areServersDone);
    let released = false;
    void record.until(isDone)?.then(() => (released = true));
    write(began('a', 'nas'));
    await settled();
    expect(released).to.equal(false);
    write(ended('a', 'nas'));
    await settled();
    expect(released).to.equal(true);
    expect(record.until(isDone)).to.equal(null);
  });

  it('says nothing for an entry without its decision, or of a plan of another group', () => {
    write(began('x', 'nas'), over('x'));
    decide({ ...decided('a', ['nas']), group: 'b' });
    expect(record.groups).to.deep.equal([]);
    expect(record.shared.size).to.equal(0);
  });
});
