import { expect } from 'chai';
import { SimulatedJournals } from '../../../scripts/simulation/journals.js';
import type { Plan, PlanStep } from '../../../shared/domain/plan.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import type { CommandOutcome } from '../../../supervisor/sequence/command.js';
import { powerOffHistory, sequenceHistory } from '../../../supervisor/sequence/history.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import { Sequences } from '../../../supervisor/sequence/sequences.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { planPhase, planStep, planWith } from '../../fixtures/plans.js';

const failure: CommandOutcome = { kind: 'exited', code: 1, output: 'no bus\n' };
const success: CommandOutcome = { kind: 'exited', code: 0, output: '' };
const cause = { trigger: 'LOW_BATTERY', why: 'charge 5 %', firedAtUnixSeconds: 1 } as const;

function poweroff(group: string): PlanStep {
  const action = { kind: 'poweroff', command: ['poweroff', group], fallback: null } as const;
  return planStep('local_poweroff/host', { action, budgetSeconds: 30 });
}

function server(name: string, lane: string, rank = 1): PlanStep {
  const work = {
    server: name,
    host: `${name}.test`,
    port: 22,
    user: 'root',
    useSudo: false,
    connectTimeoutSeconds: 10,
    actions: [],
    final: 'poweroff',
    commandTimeoutSeconds: 30,
  };
  const action = { kind: 'remote', work } as const;
  return planStep(`remote_servers/${name}`, { target: name, lane, rank, action, budgetSeconds: 100 });
}

function planOf(group: string, servers: readonly PlanStep[], powersOff: boolean): Plan {
  const phases = [
    ...(servers.length > 0 ? [planPhase('remote_servers', servers)] : []),
    ...(powersOff ? [planPhase('local_poweroff', [poweroff(group)])] : []),
  ];
  return planWith(phases, group);
}

/** Each rig with the same journals is one more daemon on the same boot. Servers end when the test says so. */
function rig(
  plans: readonly Plan[],
  commandOutcome = failure,
  journals = new SimulatedJournals(() => 'kept'),
) {
  const time = new FakeTime();
  const ran: string[] = [];
  const events: string[] = [];
  const back = new Set<string>();
  const ends = new Map<string, (outcome: StepOutcome) => void>();
  const done = () => Promise.resolve({ kind: 'done' } as const);
  const sequences = new Sequences({
    clock: time,
    log: loggerTo('supervisor', time, () => undefined),
    journals,
    run: (command) => {
      ran.push(command.join(' '));
      return Promise.resolve(commandOutcome);
    },
    later: time.later,
    performers: {
      sync: done,
      stopVirtualMachines: done,
      stopCompose: done,
      stopContainers: done,
      unmount: done,
      upsOutputOff: ({ ups }) => {
        ran.push(`output of ${ups}`);
        return done();
      },
      poweroffDelegate: done,
      remote: ({ work }) => {
        ran.push(work.server);
        return new Promise((resolve) => ends.set(work.server, resolve));
      },
    },
    record: (group, type, detail) => events.push(`${group} ${type} ${detail}`),
    changed: () => undefined,
    ended: () => undefined,
    powerIsBack: (group) => back.has(group),
    isSeenOnBattery: (group) => !back.has(group),
  });
  sequences.load(plans);
  const end = async (name: string, outcome: StepOutcome = { kind: 'done' }) => {
    ends.get(name)?.(outcome);
    await settled();
  };
  return { sequences, time, ran, back, events, end, journals };
}

/** The daemon is killed; the next one takes up what it finds. */
function restarted(
  plans: readonly Plan[],
  journals: SimulatedJournals,
  commandOutcome = failure,
  meanwhile: readonly string[] = [],
) {
  const next = rig(plans, commandOutcome, journals);
  const found = journals.read();
  const histories = found.flatMap((one) => sequenceHistory(one) ?? []);
  const open = histories.flatMap(({ over, header: { group } }) => (over === null ? [group] : []));
  next.sequences.remember(histories, found.flatMap((one) => powerOffHistory(one) ?? [])[0], open);
  for (const group of meanwhile) next.sequences.start(group, cause);
  for (const history of histories) if (history.over === null) next.sequences.resume(history);
  return next;
}

describe('the sequences of several groups', () => {
  const powerOffs = [planOf('office', [], true), planOf('lab', [], true), planOf('rack', [], false)];

  it('leave a failing power-off to its tries when another group without one comes later', async () => {
    const { sequences, time, ran } = rig(powerOffs);
    sequences.start('office', cause);
    await settled();
    sequences.start('rack', cause);
    await time.pass(10_000);
    expect(ran).to.deep.equal(['poweroff office', 'poweroff office', 'poweroff office']);
  });

  it('have one power-off at a time: that of a later group takes over', async () => {
    const { sequences, time, ran } = rig(powerOffs);
    sequences.start('office', cause);
    await settled();
    sequences.start('lab', cause);
    await settled();
    await time.pass(10_000);
    expect(ran).to.deep.equal(['poweroff office', 'poweroff lab', 'poweroff lab', 'poweroff lab']);
  });

  it('try a failing power-off until every group that asked for it has its power back', async () => {
    const { sequences, time, ran, back } = rig(powerOffs);
    sequences.start('office', cause);
    sequences.start('lab', cause);
    await settled();
    await time.pass(5_000);
    expect(ran).to.have.length(2);
    back.add('office');
    await time.pass(5_000);
    expect(ran).to.have.length(3);
    back.add('lab');
    await time.pass(60_000);
    expect(ran).to.have.length(3);
  });

  it('power this host off only when the servers of all of them have had their turn', async () => {
    const plans = [
      planOf('office', [server('nas', 'office')], true),
      planOf('lab', [server('db', 'lab')], false),
    ];
    const { sequences, ran, end } = rig(plans, success);
    sequences.start('office', cause);
    sequences.start('lab', cause);
    await end('nas');
    expect(ran).to.deep.equal(['nas', 'db']);
    await end('db', { kind: 'failed', how: 'unreachable', reason: 'no answer' });
    expect(ran).to.deep.equal(['nas', 'db', 'poweroff office']);
  });

  it('wait for no server longer than its budget', async () => {
    const plans = [planOf('office', [], true), planOf('lab', [server('db', 'lab')], false)];
    const { sequences, ran, time } = rig(plans, success);
    sequences.start('lab', cause);
    sequences.start('office', cause);
    await time.pass(99_999);
    expect(ran).to.deep.equal(['db']);
    await time.pass(1);
    expect(ran).to.deep.equal(['db', 'poweroff office']);
  });

  it('command a server once, though a drain names it too, and have its one outcome', async () => {
    const drain = planOf('office', [server('nas', 'office'), server('db', 'lab')], true);
    const { sequences, ran, end, events } = rig(
      [drain, planOf('lab', [server('db', 'lab')], false)],
      success,
    );
    sequences.start('office', cause);
    sequences.start('lab', cause);
    await settled();
    expect(ran).to.deep.equal(['nas', 'db']);
    await end('nas');
    await end('db', { kind: 'failed', how: 'timeout', reason: 'sudo hangs' });
    expect(ran).to.deep.equal(['nas', 'db', 'poweroff office']);
    const summaries = events.filter((event) => event.includes('REMOTE_SHUTDOWN_SUMMARY'));
    expect(summaries).to.deep.equal([
      'office REMOTE_SHUTDOWN_SUMMARY office: 1 of 2 ok: db timeout (sudo hangs), nas ok',
      'lab REMOTE_SHUTDOWN_SUMMARY lab: 0 of 1 ok: db timeout (sudo hangs)',
    ]);
  });

  it('have for a member of a redundancy group the plan of its group', () => {
    const pair = { ...planOf('redundancy-pair', [], false), fedBy: ['office', 'other'] };
    const { sequences } = rig([pair, planOf('lab', [], false)]);
    expect(sequences.planOf('other')).to.equal(pair);
    expect(sequences.planOf('nobody')).to.equal(undefined);
  });

  it('cut the output of a UPS only when every sequence it feeds has done with its servers', async () => {
    const output = planStep('ups_output_off/office', {
      action: { kind: 'upsOutputOff', ups: 'office', command: 'shutdown.return', offDelaySeconds: 120 },
    });
    const office = planWith([planPhase('ups_output_off', [output])], 'office');
    const pair = { ...planOf('redundancy-pair', [server('db', 'pair')], false), fedBy: ['office', 'other'] };
    const { sequences, ran, end } = rig([office, pair, planOf('lab', [server('nas', 'lab')], false)]);
    sequences.start('redundancy-pair', cause);
    sequences.start('lab', cause);
    sequences.start('office', cause);
    await settled();
    expect(ran).to.deep.equal(['db', 'nas']);
    await end('db');
    expect(ran).to.deep.equal(['db', 'nas', 'output of office']);
  });
});

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

  it('do not power this host off under a group that is asked for and not settled yet', async () => {
    const first = [planOf('rack', [server('nas', 'rack')], false), planOf('office', [], true)];
    const { sequences, ran, end } = rig(first, success);
    // As after a restart: the rack was asked for, and its power is being looked at.
    sequences.remember([], undefined, ['rack']);
    sequences.start('office', cause);
    await settled();
    expect(ran).to.deep.equal([]);
    sequences.start('rack', cause);
    await settled();
    expect(ran).to.deep.equal(['nas']);
    await end('nas');
    expect(ran).to.deep.equal(['nas', 'poweroff office']);
  });

  it('power this host off when such a group is dismissed, and never wait longer than a look may take', async () => {
    const plans = [planOf('rack', [server('nas', 'rack')], false), planOf('office', [], true)];
    const dismissed = rig(plans, success);
    dismissed.sequences.remember([], undefined, ['rack']);
    dismissed.sequences.start('office', cause);
    dismissed.sequences.dismiss('rack');
    await settled();
    expect(dismissed.ran).to.deep.equal(['poweroff office']);
    const forgotten = rig(plans, success);
    forgotten.sequences.remember([], undefined, ['rack']);
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
    next.sequences.remember([history], undefined, ['rack']);
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
});
