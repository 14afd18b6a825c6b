import { expect } from 'chai';
import { SimulatedJournals } from '../../simulation/journals.js';
import { powerOffHistory, sequenceHistory } from '../../../supervisor/sequence/journal/history.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { planPhase, planWith } from '../../fixtures/plans.js';
import { cause, outputOff, planOf, restarted, rig, server, success } from './several.js';

describe('sequences after a restart of the daemon', () => {
  it('shut down no server that one of them had shut down', async () => {
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

  it('share the work of a group whose sequence ended before the only open one is resumed', async () => {
    const drain = planOf('office', [server('nas', 'office'), server('db', 'lab', 5)], true);
    const { sequences, ran, end } = rig([drain, planOf('lab', [server('db', 'lab')], false)], success);
    sequences.restore([], undefined, ['office']);
    sequences.start('lab', cause);
    await end('db');
    sequences.start('office', cause);
    await end('nas');
    expect(ran).to.deep.equal(['db', 'nas', 'poweroff office']);
  });

  it('of another outage have a separate power-off, even when their journals could not be written', async () => {
    const plans = [planOf('office', [], true), planOf('lab', [], true)];
    const first = rig(plans, success);
    first.sequences.start('office', cause);
    await settled();
    expect(first.ran).to.deep.equal(['poweroff office']);
    const { sequences, ran } = rig(plans, success, first.journals);
    const found = first.journals.read();
    const [powerOff] = found.flatMap((journal) => powerOffHistory(journal) ?? []);
    sequences.restore(
      found.flatMap((journal) => sequenceHistory(journal) ?? []),
      powerOff,
      ['lab'],
    );
    sequences.start('lab', cause);
    await settled();
    expect(ran).to.deep.equal(['poweroff lab']);
  });

  it('share a shutdown with a group that fires before they are resumed', async () => {
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

  it('give a shared server the rest of its budget since the first of them started with it', async () => {
    const servers = [server('db', 'lab', 1), server('store', 'lab', 2)];
    const plans = [planOf('office', servers, true), planOf('lab', servers, false)];
    const first = rig(plans, success);
    first.sequences.start('lab', cause);
    const time = new FakeTime();
    await time.pass(90_000);
    // The office reaches the server first and did not start with it.
    const { ran, events } = restarted(plans, first.journals, success, ['office'], time);
    const failures = () => events.filter((event) => event.includes('SHUTDOWN_STEP_FAILED'));
    await time.pass(39_999);
    expect([ran, failures()]).to.deep.equal([['db'], []]);
    await time.pass(1);
    expect(ran).to.deep.equal(['db', 'store']);
    expect(failures()).to.have.length(2);
  });

  it('do not power this host off while a requested group is not settled', async () => {
    const first = [planOf('rack', [server('nas', 'rack')], false), planOf('office', [], true)];
    const { sequences, ran, end } = rig(first, success);
    // As after a restart: the rack was requested and waits for a reading.
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

  it('do not wait for a pending group that the step takes no power from', () => {
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

  it('wait only for groups that the step takes power from, also for a plan that only a journal has', async () => {
    const racks = ['one', 'two'].map((rack) => planOf(rack, [server(`nas-${rack}`, rack)], false));
    const office = planWith([planPhase('ups_output_off', [outputOff('office')])], 'office');
    const pair = { ...planOf('pair', [server('db', 'pair')], false), fedBy: ['office', 'other'] };
    const first = rig([pair], success);
    first.sequences.start('pair', cause);
    await settled();
    const { sequences, ran, end } = rig([...racks, office], success, first.journals);
    const histories = first.journals.read().flatMap((journal) => sequenceHistory(journal) ?? []);
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

  it('power this host off when a pending group is dismissed, at the latest when its wait is over', async () => {
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

  it('power this host off immediately when a pending group is dropped', async () => {
    const journals = new SimulatedJournals(() => 'kept');
    const plans = [planOf('rack', [server('nas', 'rack')], false), planOf('office', [], true)];
    rig(plans, success, journals).sequences.start('rack', cause);
    await settled();
    const next = rig(plans, success, journals);
    const [history] = journals.read().flatMap((journal) => sequenceHistory(journal) ?? []);
    if (history === undefined) throw new Error('there is no journal');
    next.sequences.restore([history], undefined, ['rack']);
    next.sequences.start('office', cause);
    await settled();
    expect(next.ran).to.deep.equal([]);
    next.sequences.drop(history, 'power is back');
    await settled();
    expect(next.ran).to.deep.equal(['poweroff office']);
  });

  it('do not power off again after a success that the journal of the sequence lacks', async () => {
    const plans = [planOf('office', [], true)];
    const first = rig(plans, success);
    first.sequences.start('office', cause);
    await settled();
    // The journal of the sequence lacks the end that the journal of the power-off has.
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

  it('continue the attempts of a power-off whose sequence has ended', async () => {
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

  it('continue a power-off whose first attempt has no recorded end when its sequence has ended', async () => {
    const plans = [planOf('office', [], true)];
    const first = rig(plans);
    first.sequences.start('office', cause);
    await settled();
    // Killed after the last record of the sequence and before the end of the attempt.
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
