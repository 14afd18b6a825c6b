import { expect } from 'chai';
import { SimulatedJournals } from '../../simulation/journals.js';
import type { JournalEntry } from '../../../supervisor/sequence/journal/entries.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { planPhase, planStep, planWith, remoteWork } from '../../fixtures/plans.js';
import { offWait, outputOff, planOf, restarted, rig, server, success } from './several.js';

describe('sequences after a restart of the daemon', () => {
  it('shut down no server that one of them had shut down', async () => {
    const drain = planOf('office', [server('nas', 'office'), server('db', 'lab', 5)], true);
    const plans = [drain, planOf('lab', [server('db', 'lab')], false)];
    const first = rig(plans, success);
    first.start('office');
    first.start('lab');
    await first.end('db');
    expect(first.ran).to.have.members(['nas', 'db']);
    const { ran, end } = restarted(plans, first.journals, success);
    await settled();
    expect(ran).to.deep.equal(['nas']);
    await end('nas');
    expect(ran).to.deep.equal(['nas', 'poweroff office']);
  });

  it('run a sync again that has not ended, whatever became of the one that a cancelled sequence has left', async () => {
    const work = { ...remoteWork('delegate'), final: null };
    const about = { action: { kind: 'remote', work }, destructive: false, budgetSeconds: 30 } as const;
    const sync = planPhase('filesystem_sync', [planStep('filesystem_sync/host', about)]);
    const plans = [planWith([sync, planPhase('remote_servers', [server('nas', 'office')])], 'office')];
    const first = rig(plans, success);
    const ended = () => first.journal.of('office')?.steps.get('filesystem_sync/host')?.ended?.outcome.kind;
    first.start('office');
    await first.time.pass(20_000);
    expect(first.sequences.cancel('root')).to.deep.equal(['office']);
    first.start('office');
    await first.time.pass(15_000);
    expect([first.ran, ended()]).to.deep.equal([['delegate', 'delegate'], undefined]);
    const next = restarted(plans, first.journals, success, [], first.time);
    await settled();
    expect(next.ran).to.deep.equal(['delegate']);
    await next.end('delegate');
    expect(next.ran).to.deep.equal(['delegate', 'nas']);
    await first.end('delegate');
    expect([first.ran.at(-1), ended()]).to.deep.equal(['nas', 'done']);
    const alone = rig(plans, success);
    alone.start('office');
    alone.sequences.cancel('root');
    await alone.end('delegate');
    const left = alone.journal.of('office')?.steps.get('filesystem_sync/host');
    expect(left?.ended?.outcome.kind).to.equal('done');
  });

  it('share the work of a group whose sequence ended before the only open one is resumed', async () => {
    const drain = planOf('office', [server('nas', 'office'), server('db', 'lab', 5)], true);
    const { decide, start, ran, end } = rig([drain, planOf('lab', [server('db', 'lab')], false)], success);
    decide('office');
    start('lab');
    await end('db');
    start('office');
    await end('nas');
    expect(ran).to.deep.equal(['db', 'nas', 'poweroff office']);
  });

  it('do not command a server again that another try has reached', async () => {
    const plan = planOf('office', [server('nas', 'office')], false);
    const work = { kind: 'commandAgain', works: [remoteWork('nas')] } as const;
    const again = (phase: string) => planStep(`${phase}/again`, { action: work, lane: 'again' });
    const sync = planPhase('final_sync', [server('db', 'lab'), again('final_sync')]);
    const last = planPhase('local_poweroff', [again('local_poweroff')]);
    const plans = [planWith([...plan.phases, sync, last], 'office')];
    const first = rig(plans, success);
    first.start('office');
    await first.end('nas', { kind: 'failed', how: 'unreachable', reason: 'no route', neverSent: true });
    await first.end('nas');
    expect(first.ran).to.deep.equal(['nas', 'db', 'nas']);
    const { ran, journal, end, over } = restarted(plans, first.journals, success);
    expect(journal.of('office')?.steps.get('remote_servers/nas')?.ended?.outcome).to.deep.equal({
      kind: 'done',
    });
    await settled();
    await end('db');
    expect([ran, over]).to.deep.equal([['db'], ['office']]);
  });

  it('wait for a server that a lost supervisor may have commanded, also when another names it first', async () => {
    const servers = [server('nas', 'lab'), offWait('nas', 'lab'), server('web', 'lab', 3)];
    const plans = [planOf('office', servers, false), planOf('lab', [server('nas', 'lab')], false)];
    const first = rig(plans, success);
    first.start('office');
    const { end, ran } = restarted(plans, first.journals, success, ['lab']);
    await settled();
    await end('nas', { kind: 'failed', how: 'unreachable', reason: 'no route', neverSent: true });
    expect(ran).to.deep.equal(['nas']);
    await end('nas off');
    expect(ran).to.deep.equal(['nas', 'web']);
  });

  it('report the start of a phase once, however its steps begin', async () => {
    const soon = { begins: 'with_sequence' as const };
    const early = planPhase('remote_servers', [
      { ...server('db', 'office', 2), ...soon },
      server('nas', 'office', 4),
    ]);
    const onlyEarly = planPhase('remote_servers', [{ ...server('db', 'office'), ...soon }]);
    const last = planPhase('ups_output_off', [outputOff('silent')]);
    const started = (events: readonly string[]) => events.filter((text) => text.includes('PHASE_STARTED'));
    for (const [phase, ended] of [
      [early, []],
      [onlyEarly, ['db']],
    ] as const) {
      const plans = [planWith([phase, last], 'office')];
      const first = rig(plans, success);
      first.start('office');
      for (const name of ended) await first.end(name);
      await settled();
      const { end, events } = restarted(plans, first.journals, success);
      await settled();
      for (const name of ['db', 'nas']) await end(name);
      expect(started([...first.events, ...events])).to.deep.equal([
        'office SHUTDOWN_PHASE_STARTED remote_servers of office',
        'office SHUTDOWN_PHASE_STARTED ups_output_off of office',
      ]);
    }
  });

  it('of another outage have a separate power-off', async () => {
    const plans = [planOf('office', [], true), planOf('lab', [], true)];
    const first = rig(plans, success);
    first.start('office');
    await settled();
    expect(first.ran).to.deep.equal(['poweroff office']);
    const { sequences, start, ran } = rig(plans, success, first.journals);
    sequences.resumePowerOff();
    start('lab');
    await settled();
    expect(ran).to.deep.equal(['poweroff lab']);
  });

  it('share a shutdown with a group that fires before they are resumed', async () => {
    const drain = planOf('office', [server('nas', 'office'), server('db', 'lab', 5)], true);
    const plans = [drain, planOf('lab', [server('db', 'lab')], false)];
    const first = rig(plans, success);
    first.start('office');
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
    first.start('lab');
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
    const { decide, start, ran, end } = rig(first, success);
    // As after a restart: the rack was requested and waits for a reading.
    decide('rack');
    start('office');
    await settled();
    expect(ran).to.deep.equal([]);
    start('rack');
    await settled();
    expect(ran).to.deep.equal(['nas']);
    await end('nas');
    expect(ran).to.deep.equal(['nas', 'poweroff office']);
  });

  it('do not wait for a pending group that the step takes no power from', () => {
    const office = planWith([planPhase('ups_output_off', [outputOff('office')])], 'office');
    const cut = rig([planOf('rack', [server('nas', 'rack')], false), office], success);
    cut.decide('rack');
    cut.start('office');
    expect(cut.ran).to.deep.equal(['output of office']);
    const off = rig([planOf('rack', [], true), planOf('office', [], true)], success);
    off.decide('rack');
    off.start('office');
    expect(off.ran).to.deep.equal(['poweroff office']);
  });

  it('wait only for groups that the step takes power from, also for a plan that only a journal has', async () => {
    const racks = ['one', 'two'].map((rack) => planOf(rack, [server(`nas-${rack}`, rack)], false));
    const office = planWith([planPhase('ups_output_off', [outputOff('office')])], 'office');
    const pair = { ...planOf('pair', [server('db', 'pair')], false), fedBy: ['office', 'other'] };
    const first = rig([pair], success);
    first.start('pair');
    await settled();
    const { sequences, decide, start, ran, end } = rig([...racks, office], success, first.journals);
    decide('one', 'two');
    start('office');
    await settled();
    expect(ran).to.deep.equal([]);
    sequences.resume('pair');
    await settled();
    expect(ran).to.deep.equal(['db']);
    await end('db');
    expect(ran).to.deep.equal(['db', 'output of office']);
  });

  it('power this host off immediately when a pending group is dropped', async () => {
    const journals = new SimulatedJournals(() => 'kept');
    const plans = [planOf('rack', [server('nas', 'rack')], false), planOf('office', [], true)];
    rig(plans, success, journals).start('rack');
    await settled();
    const next = rig(plans, success, journals);
    next.start('office');
    await settled();
    expect(next.ran).to.deep.equal([]);
    next.sequences.drop('rack', 'power is back');
    await settled();
    expect(next.ran).to.deep.equal(['poweroff office']);
  });

  /** The journal without its entries from the first one of `kinds` on, but for those of `kept`. */
  const cutBefore = (
    journals: SimulatedJournals,
    kind: JournalEntry['kind'],
    ...kept: JournalEntry['kind'][]
  ) => {
    const entries = journals.read() as readonly JournalEntry[];
    const place = entries.findIndex((entry) => entry.kind === kind);
    const cut = new SimulatedJournals(() => 'kept');
    cut.begin(entries.filter((entry, index) => index < place || kept.includes(entry.kind)));
    return cut;
  };

  it('do not power off again after a success, when the daemon was killed before the end of the step', async () => {
    const plans = [planOf('office', [], true)];
    const first = rig(plans, success);
    first.start('office');
    await settled();
    const cut = cutBefore(first.journals, 'stepEnded');
    const { ran, events, time } = restarted(plans, cut, success);
    await time.pass(600_000);
    expect(ran).to.deep.equal([]);
    expect(events.some((event) => event.includes('SHUTDOWN_SEQUENCE_COMPLETE'))).to.equal(true);
  });

  it('continue the attempts of a power-off whose sequence has ended', async () => {
    const plans = [planOf('office', [], true)];
    const first = rig(plans);
    first.start('office');
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
    first.start('office');
    await settled();
    // The step was abandoned: its attempt may still end.
    const cut = cutBefore(first.journals, 'tryEnded', 'stepEnded', 'phaseEnded', 'over');
    const { ran, sequences } = restarted(plans, cut, success);
    await settled();
    expect(sequences.active).to.equal(false);
    expect(ran).to.deep.equal(['poweroff office']);
  });
});
