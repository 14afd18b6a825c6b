import { expect } from 'chai';
import { SimulatedJournals } from '../../simulation/journals.js';
import { powerOffHistory, sequenceHistory } from '../../../supervisor/sequence/journal/summary.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { planPhase, planWith } from '../../fixtures/plans.js';
import { cause, outputOff, planOf, restarted, rig, server, success } from './several.js';

describe('sequences after a restart of the daemon', () => {
  it('do not command a server again that any of them had commanded', async () => {
    const drain = planOf('office', [server('nas', 'office'), server('db', 'lab', 5)], true);
    const plans = [drain, planOf('lab', [server('db', 'lab')], false)];
    const first = rig(plans, success);
    first.sequences.start('office', cause);
    first.sequences.start('lab', cause);
    await first.end('db');
    expect(first.ran).to.have.members(['nas', 'db']);
    const { ran, end } = restarted(plans, first.journals, success);
    await settled();
    expect(ran).to.deep.equal(['nas']);
    await end('nas');
    expect(ran).to.deep.equal(['nas', 'poweroff office']);
  });

  it('take over what a group has done that fell and ended before the only one left open begins', async () => {
    const drain = planOf('office', [server('nas', 'office'), server('db', 'lab', 5)], true);
    const { sequences, ran, end } = rig([drain, planOf('lab', [server('db', 'lab')], false)], success);
    sequences.restore([], undefined, ['office']);
    sequences.start('lab', cause);
    await end('db');
    sequences.start('office', cause);
    await end('nas');
    expect(ran).to.deep.equal(['db', 'nas', 'poweroff office']);
  });

  it('of another outage have a power-off of their own, though nothing of them was written', async () => {
    const plans = [planOf('office', [], true), planOf('lab', [], true)];
    const first = rig(plans, success);
    first.sequences.start('office', cause);
    await settled();
    expect(first.ran).to.deep.equal(['poweroff office']);
    const { sequences, ran } = rig(plans, success, first.journals);
    const found = first.journals.read();
    const [powerOff] = found.flatMap((one) => powerOffHistory(one) ?? []);
    sequences.restore(
      found.flatMap((one) => sequenceHistory(one) ?? []),
      powerOff,
      ['lab'],
    );
    sequences.start('lab', cause);
    await settled();
    expect(ran).to.deep.equal(['poweroff lab']);
  });

  it('have a group beside them that falls before they are taken up again', async () => {
    const drain = planOf('office', [server('nas', 'office'), server('db', 'lab', 5)], true);
    const plans = [drain, planOf('lab', [server('db', 'lab')], false)];
    const first = rig(plans, success);
    first.sequences.start('office', cause);
    await first.end('db');
    const { ran, end } = restarted(plans, first.journals, success, ['lab']);
    await settled();
    expect(ran).to.deep.equal(['nas']);
    await end('nas');
    expect(ran).to.deep.equal(['nas', 'poweroff office']);
  });

  it('give a server that several name what is left of its time since the first of them began with it', async () => {
    const servers = [server('db', 'lab', 1), server('store', 'lab', 2)];
    const plans = [planOf('office', servers, true), planOf('lab', servers, false)];
    const first = rig(plans, success);
    first.sequences.start('lab', cause);
    const time = new FakeTime();
    await time.pass(90_000);
    // The office comes first to the server, and has never begun with it.
    const { ran, events } = restarted(plans, first.journals, success, ['office'], time);
    const failures = () => events.filter((event) => event.includes('SHUTDOWN_STEP_FAILED'));
    await time.pass(39_999);
    expect([ran, failures()]).to.deep.equal([['db'], []]);
    await time.pass(1);
    expect(ran).to.deep.equal(['db', 'store']);
    expect(failures()).to.have.length(2);
  });

  it('do not power this host off under a group that is asked for and not settled yet', async () => {
    const first = [planOf('rack', [server('nas', 'rack')], false), planOf('office', [], true)];
    const { sequences, ran, end } = rig(first, success);
    // As after a restart: the rack was asked for, and its power is being looked at.
    sequences.restore([], undefined, ['rack']);
    sequences.start('office', cause);
    await settled();
    expect(ran).to.deep.equal([]);
    sequences.start('rack', cause);
    await settled();
    expect(ran).to.deep.equal(['nas']);
    await end('nas');
    expect(ran).to.deep.equal(['nas', 'poweroff office']);
  });

  it('wait for no group that is not settled yet where the step takes nothing from it', () => {
    const office = planWith([planPhase('ups_output_off', [outputOff('office')])], 'office');
    const cut = rig([planOf('rack', [server('nas', 'rack')], false), office], success);
    cut.sequences.restore([], undefined, ['rack']);
    cut.sequences.start('office', cause);
    expect(cut.ran).to.deep.equal(['output of office']);
    const off = rig([planOf('rack', [], true), planOf('office', [], true)], success);
    off.sequences.restore([], undefined, ['rack']);
    off.sequences.start('office', cause);
    expect(off.ran).to.deep.equal(['poweroff office']);
  });

  it('wait only for those groups that the step takes power from, and for a plan that only a journal has', async () => {
    const racks = ['one', 'two'].map((rack) => planOf(rack, [server(`nas-${rack}`, rack)], false));
    const office = planWith([planPhase('ups_output_off', [outputOff('office')])], 'office');
    const pair = { ...planOf('pair', [server('db', 'pair')], false), fedBy: ['office', 'other'] };
    const first = rig([pair], success);
    first.sequences.start('pair', cause);
    await settled();
    const { sequences, ran, end } = rig([...racks, office], success, first.journals);
    const histories = first.journals.read().flatMap((one) => sequenceHistory(one) ?? []);
    sequences.restore(histories, undefined, ['one', 'pair', 'two']);
    sequences.start('office', cause);
    await settled();
    expect(ran).to.deep.equal([]);
    for (const history of histories) sequences.resume(history);
    await settled();
    expect(ran).to.deep.equal(['db']);
    await end('db');
    expect(ran).to.deep.equal(['db', 'output of office']);
  });

  it('power this host off when such a group is dismissed, and never wait longer than a look may take', async () => {
    const plans = [planOf('rack', [server('nas', 'rack')], false), planOf('office', [], true)];
    const dismissed = rig(plans, success);
    dismissed.sequences.restore([], undefined, ['rack']);
    dismissed.sequences.start('office', cause);
    dismissed.sequences.dismiss('rack');
    await settled();
    expect(dismissed.ran).to.deep.equal(['poweroff office']);
    const forgotten = rig(plans, success);
    forgotten.sequences.restore([], undefined, ['rack']);
    forgotten.sequences.start('office', cause);
    await settled();
    expect(forgotten.ran).to.deep.equal([]);
    await forgotten.time.pass(16_000);
    await settled();
    expect(forgotten.ran).to.deep.equal(['poweroff office']);
  });

  it('power this host off at once when the group that was looked at is dropped', async () => {
    const journals = new SimulatedJournals(() => 'kept');
    const plans = [planOf('rack', [server('nas', 'rack')], false), planOf('office', [], true)];
    rig(plans, success, journals).sequences.start('rack', cause);
    await settled();
    const next = rig(plans, success, journals);
    const [history] = journals.read().flatMap((one) => sequenceHistory(one) ?? []);
    if (history === undefined) throw new Error('there is no journal');
    next.sequences.restore([history], undefined, ['rack']);
    next.sequences.start('office', cause);
    await settled();
    expect(next.ran).to.deep.equal([]);
    next.sequences.drop(history, 'power is back');
    await settled();
    expect(next.ran).to.deep.equal(['poweroff office']);
  });

  it('do not power off again once that has ended well, though the sequence has not been told', async () => {
    const plans = [planOf('office', [], true)];
    const first = rig(plans, success);
    first.sequences.start('office', cause);
    await settled();
    // The journal of the sequence ends one record before that of the power-off.
    const cut = new SimulatedJournals(() => 'kept');
    for (const found of first.journals.read()) {
      const kept = found.name === 'power-off' ? found.records : found.records.slice(0, 1);
      cut.resume({ ...found, records: kept.slice(0, -1) }).write(kept.at(-1) as never);
    }
    const { ran, events, time } = restarted(plans, cut, success);
    await time.pass(600_000);
    expect(ran).to.deep.equal([]);
    expect(events.some((event) => event.includes('SHUTDOWN_SEQUENCE_COMPLETE'))).to.equal(true);
  });

  it('go on with the tries of a power-off whose sequence is over', async () => {
    const plans = [planOf('office', [], true)];
    const first = rig(plans);
    first.sequences.start('office', cause);
    await settled();
    await first.time.pass(5_000);
    expect(first.ran).to.have.length(2);
    const { ran, time, sequences } = restarted(plans, first.journals, success);
    expect(sequences.active).to.equal(false);
    await time.pass(5_000);
    expect(ran).to.deep.equal(['poweroff office']);
  });

  it('go on with a power-off whose first try is not known to have ended, though its sequence is over', async () => {
    const plans = [planOf('office', [], true)];
    const first = rig(plans);
    first.sequences.start('office', cause);
    await settled();
    // Killed after the last record of the sequence, and before the end of the try.
    const cut = new SimulatedJournals(() => 'kept');
    for (const found of first.journals.read()) {
      const kept = found.name === 'power-off' ? found.records.slice(0, 2) : found.records;
      cut.resume({ ...found, records: kept.slice(0, -1) }).write(kept.at(-1) as never);
    }
    const { ran, sequences } = restarted(plans, cut, success);
    await settled();
    expect(sequences.active).to.equal(false);
    expect(ran).to.deep.equal(['poweroff office']);
  });
});
