import { expect } from 'chai';
import type { JournalEntry } from '../../../supervisor/sequence/journal/entries.js';
import { entriesOf } from '../../../supervisor/sequence/journal/record.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { SimulatedJournals } from '../../simulation/journals.js';
import type { Host } from './restarting.js';
import { hostWith, offAsToday, planOfHost } from './restarting.js';
import { failure, success } from './several.js';

/** What a daemon on this boot finds, and what has been run by then. */
interface Killed {
  readonly entries: readonly JournalEntry[];
  readonly ran: readonly string[];
  readonly count: number | null;
}

/** A daemon killed directly after each of its journal records. `isBack`: power is back at the last steps. */
async function killedAfterEach(isBack: boolean, outcome = success): Promise<readonly Killed[]> {
  const journals = new SimulatedJournals(() => 'kept');
  const host: Host = hostWith([planOfHost('office')], { journals, outcome });
  const found: Killed[] = [];
  const write = host.journal.write.bind(host.journal);
  const watched = (entry: JournalEntry): void => {
    write(entry);
    found.push({ entries: entriesOf(journals.read()), ran: [...host.ran], count: host.known.count });
  };
  Object.assign(host.journal, { write: watched });
  host.start('office');
  if (isBack) host.back.add('office');
  await host.time.pass(40_000);
  await settled();
  return found;
}

interface Next {
  /** Seconds until power is read: back, or out; null: never. */
  readonly seenAfter: number | null;
  readonly isBack: boolean;
  readonly downMs?: number;
  /** From the reading on. */
  readonly forMs?: number;
  /** UPSes that are never read. */
  readonly unseen?: readonly string[];
  /** Of every command of the next. */
  readonly outcome?: typeof success;
}

async function nextAfter(killed: Killed, given: Next) {
  const { seenAfter, isBack, downMs = 1_000, forMs = 400_000, unseen = [], outcome = success } = given;
  const journals = new SimulatedJournals(() => 'kept');
  journals.begin(killed.entries);
  const time = new FakeTime(1_040_000 + downMs);
  const known = { count: killed.count };
  const next = hostWith([planOfHost('office')], { journals, time, known, outcome });
  for (const name of ['office', ...unseen]) next.unseen.add(name);
  next.sequences.resumePowerOff();
  for (const { group } of next.journal.open) next.sequences.resume(group);
  if (seenAfter !== null) {
    await time.pass(seenAfter * 1_000);
    if (isBack) next.back.add('office');
    next.unseen.delete('office');
  }
  await time.pass(forMs);
  await settled();
  return { ...next, all: [...killed.ran, ...next.ran] };
}

const kindOfLast = ({ entries }: Killed): string => entries.at(-1)?.kind ?? '';
const restartsIn = (ran: readonly string[]) => ran.filter((text) => text.startsWith('restart'));
const powerOffsIn = (ran: readonly string[]) => ran.filter((text) => text.startsWith('poweroff'));

describe('a supervisor killed after the choice of a restart', () => {
  const killedAfter = async (kind: JournalEntry['kind'], outcome = success) => {
    const killed = (await killedAfterEach(true, outcome)).find((one) => kindOfLast(one) === kind);
    if (killed === undefined) throw new Error(`no ${kind} in the journal`);
    return killed;
  };

  it('restarts: never neither, once its own reading says that power is back', async () => {
    const killed = await killedAfter('restartChosen');
    expect(killed.ran, 'the choice comes before the command').to.deep.equal([]);
    for (const seenAfter of [0, 5, 12]) {
      const next = await nextAfter(killed, { seenAfter, isBack: true });
      expect(next.all).to.deep.equal(['restart office']);
    }
  });

  it('waits up to 15 s for a reading of each UPS that feeds it', async () => {
    const killed = await killedAfter('restartChosen');
    const next = await nextAfter(killed, { seenAfter: 4, isBack: true, unseen: ['rack'] });
    expect(powerOffsIn(next.all).length, 'one is not read').to.be.greaterThan(0);
    expect(next.all.join()).to.not.include('restart').and.not.include('output');
  });

  it('restarts also after it was down for longer than a restart takes', async () => {
    const killed = await killedAfter('restartChosen');
    const next = await nextAfter(killed, { seenAfter: 2, isBack: true, downMs: 300_000 });
    expect(next.all).to.deep.equal(['restart office']);
    expect(next.events.filter((text) => text.includes('still up 120 s')).length).to.equal(1);
  });

  it('takes one that is refused the second time for given within 120 s: the first may be under way', async () => {
    const killed = await killedAfter('restartChosen');
    const given = { seenAfter: 2, isBack: true, forMs: 20_000, outcome: failure };
    const early = await nextAfter(killed, given);
    expect([early.ran, early.journal.powerOff.givenUp]).to.deep.equal([['restart office'], false]);
    early.back.delete('office');
    await early.time.pass(200_000);
    expect(powerOffsIn(early.ran).length, 'it did not come, and power is out').to.be.greaterThan(0);
    expect(early.ran).to.not.include('output of rack');
    const late = await nextAfter(killed, { ...given, downMs: 300_000 });
    expect([late.ran, late.journal.powerOff.givenUp]).to.deep.equal([['restart office'], true]);
  });

  it('powers off without a cut where power is out, or nothing is read for 15 s', async () => {
    const killed = await killedAfter('restartChosen');
    for (const seenAfter of [3, null]) {
      const next = await nextAfter(killed, { seenAfter, isBack: false });
      expect(powerOffsIn(next.all).length).to.be.greaterThan(0);
      expect(next.all.join()).to.not.include('output').and.not.include('restart');
    }
  });

  it('cuts nothing in a new outage either until 120 s have passed', async () => {
    const killed = await killedAfter('restartChosen');
    for (const { forMs, ran } of [
      { forMs: 30_000, ran: ['poweroff office'] },
      { forMs: 150_000, ran: offAsToday },
    ]) {
      const next = await nextAfter(killed, { seenAfter: 3, isBack: false, forMs });
      const before = next.ran.length;
      next.start('office');
      await next.time.pass(10_000);
      expect(next.ran.slice(before)).to.deep.equal(ran);
    }
  });

  it('runs neither again where the restart was given and power is back', async () => {
    const next = await nextAfter(await killedAfter('restartEnded'), { seenAfter: 5, isBack: true });
    expect(next.all).to.deep.equal(['restart office']);
    expect(next.events.filter((text) => text.includes('still up 120 s')).length).to.equal(1);
  });

  it('powers off after a restart that was given where power is out, without a cut', async () => {
    const next = await nextAfter(await killedAfter('restartEnded'), { seenAfter: 5, isBack: false });
    expect(next.all[0]).to.equal('restart office');
    expect(powerOffsIn(next.all).length).to.be.greaterThan(0);
    expect(next.all.join()).to.not.include('output');
  });

  it('says that it did not come also where no daemon ran at the time, and powers off where power is out', async () => {
    const killed = await killedAfter('over');
    const next = await nextAfter(killed, { seenAfter: 5, isBack: true, downMs: 300_000 });
    expect(next.all).to.deep.equal(['restart office']);
    expect(next.events.filter((text) => text.includes('still up 120 s')).length).to.equal(1);
    expect(next.journal.powerOff.givenUp).to.equal(true);
    const other = await nextAfter(killed, { seenAfter: 5, isBack: false, downMs: 300_000 });
    expect(other.all.slice(0, 2)).to.deep.equal(['restart office', 'poweroff office']);
  });

  it('stays up where the previous daemon gave up', async () => {
    const killed = await killedAfter('givenUp', failure);
    const next = await nextAfter(killed, { seenAfter: 5, isBack: true });
    expect(next.all).to.deep.equal(['restart office']);
  });

  it('cuts and powers off where the restart was refused and power is out for the next', async () => {
    for (const kind of ['restartEnded', 'givenUp'] as const) {
      const next = await nextAfter(await killedAfter(kind, failure), { seenAfter: 5, isBack: false });
      expect(next.all.slice(0, 3)).to.deep.equal(['restart office', 'output of rack', 'poweroff office']);
      expect(next.journal.powerOff.givenUp).to.equal(false);
    }
  });
});

describe('a supervisor killed after any record of a sequence', () => {
  it('whose power is back restarts this host, or powers it off: never both, never neither, never into a cut', async () => {
    for (const killed of await killedAfterEach(true)) {
      const next = await nextAfter(killed, { seenAfter: 3, isBack: true });
      const place = `${kindOfLast(killed)} ${String(killed.entries.length)}: ${next.all.join(', ')}`;
      const open = next.journal.of('office')?.over?.cancelled ?? null;
      const [restarts, powerOffs] = [restartsIn(next.all), powerOffsIn(next.all)];
      if (open === null) expect(restarts.length + powerOffs.length, place).to.be.greaterThan(0);
      expect(restarts.length > 0 && powerOffs.length > 0, place).to.equal(false);
      if (restarts.length > 0) expect(next.all, place).to.not.include('output of rack');
    }
  });

  it('whose power is out cuts and powers off, as always', async () => {
    for (const killed of await killedAfterEach(false)) {
      const next = await nextAfter(killed, { seenAfter: 3, isBack: false });
      const place = `${kindOfLast(killed)} ${String(killed.entries.length)}: ${next.all.join(', ')}`;
      expect(next.all, place).to.include('output of rack').and.include('poweroff office');
      expect(restartsIn(next.all), place).to.deep.equal([]);
    }
  });

  it('whose power was out, and is back for the next, is never restarted after the cut was sent', async () => {
    for (const killed of await killedAfterEach(false)) {
      const next = await nextAfter(killed, { seenAfter: 0, isBack: true });
      if (restartsIn(next.all).length > 0) expect(next.all).to.not.include('output of rack');
    }
  });
});
