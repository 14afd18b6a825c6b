// A server that a person has shut down, in the record: from one moment to the next.
import { expect } from 'chai';
import type { RecordedGuest } from '../../../shared/domain/recovery/guest.js';
import type { RecordedTarget } from '../../../shared/domain/recovery/record.js';
import type { Look, TargetFacts } from '../../../supervisor/recovery/target-record.js';
import { afterBoot, newTarget, targetAfter } from '../../../supervisor/recovery/target-record.js';
import { Machine, noAnswer, passes, plan, up } from './recording-machine.js';

const byHandAt = 1_000;
const haltSeconds = 60;

/** The server at this date, and the look at it, which has this date if it has none. */
function after(
  target: RecordedTarget,
  date: number,
  answers: Look['answers'],
  more: Partial<TargetFacts> = {},
): RecordedTarget {
  return targetAfter(target, {
    look: { before: answers === true ? 'up' : 'unknown', answers, unixSeconds: date },
    ...{ command: 'none', commandedForMs: null, isFoundOff: false, isDryRun: false, inOutage: false },
    ...{
      isLookedAt: true,
      haltTimeoutMs: haltSeconds * 1_000,
      nowUnixSeconds: date,
      byHandUnixSeconds: null,
    },
    guests: { found: [], endOf: () => null },
    ...more,
  });
}

const shutDown = (more: Partial<TargetFacts> = {}, before = newTarget('nas')): RecordedTarget =>
  after({ ...before, before: 'up' }, byHandAt, true, { byHandUnixSeconds: byHandAt, ...more });

describe('a server that was shut down by hand', () => {
  it('is down by hand until a look finds it up again, however long it is off', () => {
    let nas = shutDown();
    expect(nas).to.include({ byHandUnixSeconds: byHandAt, command: 'none', isOff: false });
    nas = after(nas, byHandAt + 20, true);
    expect(nas, 'it halts').to.include({ byHandUnixSeconds: byHandAt, isOff: false });
    nas = after(nas, byHandAt + 40, null);
    expect(nas, 'a silence without a witness').to.include({ byHandUnixSeconds: byHandAt, isOff: false });
    nas = after(nas, byHandAt + 90, false);
    expect(nas).to.include({ byHandUnixSeconds: byHandAt, isOff: true });
    nas = after(nas, byHandAt + 1e6, null);
    expect(nas).to.include({ byHandUnixSeconds: byHandAt, isOff: true });
    nas = after(nas, byHandAt + 2e6, true);
    expect(nas).to.include({ byHandUnixSeconds: null, isOff: false, before: 'up', provenUnixSeconds: null });
  });

  it('counts as up again at once when it was off and answers, also within its time to halt', () => {
    const off = after(shutDown(), byHandAt + 10, false);
    expect(after(off, byHandAt + 20, true).byHandUnixSeconds).to.equal(null);
  });

  it('is forgotten where it was not shut down: it still answers after its time to halt', () => {
    const nas = after(shutDown(), byHandAt + haltSeconds, true);
    expect(nas.byHandUnixSeconds).to.equal(byHandAt);
    expect(after(nas, byHandAt + haltSeconds + 1, true).byHandUnixSeconds).to.equal(null);
  });

  it('is not up by a look from before it was shut down', () => {
    const look: Look = { before: 'up', answers: true, unixSeconds: byHandAt - 1 };
    const nas = after(shutDown(), byHandAt + 500, true, { look });
    expect(nas.byHandUnixSeconds).to.equal(byHandAt);
    const silent: Look = { before: 'unknown', answers: false, unixSeconds: byHandAt - 1 };
    expect(after(shutDown(), byHandAt + 5, false, { look: silent }).isOff).to.equal(false);
  });

  it('is up by an answer where the clock was set back since', () => {
    expect(after(shutDown(), 10, true).byHandUnixSeconds).to.equal(null);
    expect(after(shutDown(), 10, false).byHandUnixSeconds).to.equal(byHandAt);
  });

  it('stays so in an outage, until it answers a command of the sequence that came later', () => {
    const inOutage = { inOutage: true };
    const off = after(shutDown(), byHandAt + 90, false);
    expect(after(off, byHandAt + 100, true, inOutage).byHandUnixSeconds).to.equal(byHandAt);
    const maybe = { ...inOutage, command: 'maybe', commandedForMs: 1_000 } as const;
    expect(after(off, byHandAt + 100, null, maybe).byHandUnixSeconds).to.equal(byHandAt);
    const earlier = { ...inOutage, command: 'given', commandedForMs: 200_000 } as const;
    expect(after(off, byHandAt + 100, null, earlier).byHandUnixSeconds).to.equal(byHandAt);
    const given = { ...inOutage, command: 'given', commandedForMs: 1_000 } as const;
    expect(after(off, byHandAt + 100, null, given)).to.include({
      ...{ byHandUnixSeconds: null, command: 'given', isOff: false },
    });
  });

  it('was up, whatever the record had of it', () => {
    const gone: RecordedTarget = { ...newTarget('nas'), command: 'given', isOff: true, provenUnixSeconds: 7 };
    expect(shutDown({}, gone)).to.include({ command: 'none', isOff: false, provenUnixSeconds: 7 });
  });

  it('has none of its guests to be started, by hand or in an earlier outage stopped', () => {
    const guest = { engine: 'docker', id: 'a', name: 'a', user: null } as const;
    const stopped: RecordedGuest = {
      ...guest,
      foundMs: 5,
      foundUnixSeconds: 5,
      state: 'stopped',
      reason: '',
    };
    const guests = [stopped];
    expect(shutDown({}, { ...newTarget('nas'), guests }).guests).to.deep.equal([]);
    const found = [{ guest, atMs: 5, unixSeconds: 5 }];
    const known = shutDown({ guests: { found, endOf: () => null } }, { ...newTarget('nas'), guests });
    expect(
      known.guests.map(({ state }) => state),
      'the journal still has it',
    ).to.deep.equal(['over']);
  });

  it('has none of them from the begin of that shutdown on, and else nothing of it', () => {
    const guests = [5, byHandAt + 1].map((foundUnixSeconds): RecordedGuest => {
      const of = { engine: 'libvirt', id: String(foundUnixSeconds), name: 'a', user: null } as const;
      return { ...of, foundMs: foundUnixSeconds, foundUnixSeconds, state: 'stopped', reason: 'no pool' };
    });
    const found = guests.map((guest) => ({ guest, atMs: guest.foundMs ?? 0, unixSeconds: 5 }));
    const before: RecordedTarget = {
      ...newTarget('nas'),
      command: 'given',
      before: 'up',
      isOff: true,
      guests,
    };
    const begun = { begunUnixSeconds: byHandAt, guests: { found, endOf: () => null } };
    const nas = after(before, byHandAt, false, begun);
    expect(nas).to.include({ command: 'given', isOff: true, byHandUnixSeconds: null });
    expect(
      nas.guests.map(({ state }) => state),
      'the later stop is of an outage since',
    ).to.deep.equal(['over', 'stopped']);
  });

  it('without a look at it stays so until a command of a sequence is answered', () => {
    const nas = after(shutDown({ isLookedAt: false }), byHandAt + 1e6, null, { isLookedAt: false });
    expect(nas.byHandUnixSeconds).to.equal(byHandAt);
  });

  it('is by hand after a boot in an outage too, and not "maybe commanded"', () => {
    expect(afterBoot(shutDown(), true)).to.include({ byHandUnixSeconds: byHandAt, command: 'none' });
  });

  it('is in the record before the update returns, and after a restart and a boot', async () => {
    const machine = new Machine();
    const nasOf = (recovery: ReturnType<Machine['starts']>) =>
      recovery.records.get(plan?.group ?? '')?.targets[0];
    const recovery = machine.starts();
    await passes(machine, recovery);
    const date = machine.time.wallSeconds();
    recovery.shutDownByHand(new Map([['nas', date]]));
    expect(JSON.stringify(machine.copy)).to.contain(`"byHandUnixSeconds":${String(date)}`);
    machine.look = { ...noAnswer, unixSeconds: date + 1 };
    await passes(machine, recovery);
    const restarted = machine.starts();
    expect(nasOf(restarted)).to.include({ byHandUnixSeconds: date, isOff: true });
    machine.onBattery = true;
    await passes(machine, restarted);
    const booted = machine.boots();
    await passes(machine, booted);
    expect(nasOf(booted)).to.include({ byHandUnixSeconds: date, isOff: true, command: 'none' });
    machine.look = { ...up, unixSeconds: date + 100 };
    await passes(machine, booted);
    expect(nasOf(booted)).to.include({ byHandUnixSeconds: null, isOff: false, before: 'up' });
  });
});
