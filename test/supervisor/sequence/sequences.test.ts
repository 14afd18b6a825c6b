import { expect } from 'chai';
import type { Plan } from '../../../shared/domain/plan.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import type { CommandOutcome } from '../../../supervisor/sequence/command.js';
import { Sequences } from '../../../supervisor/sequence/sequences.js';
import { planPhase, planStep, planWith } from '../../fixtures/plans.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';

const failure: CommandOutcome = { kind: 'exited', code: 1, output: 'no bus\n' };

function planOf(group: string, powersOff: boolean): Plan {
  const action = { kind: 'poweroff', command: ['poweroff', group], fallback: null } as const;
  const step = planStep('local_poweroff/host', { action, budgetSeconds: 30 });
  return planWith(powersOff ? [planPhase('local_poweroff', [step])] : [], group);
}

function rig() {
  const time = new FakeTime();
  const ran: string[] = [];
  const back = new Set<string>();
  const sequences = new Sequences({
    clock: time,
    log: loggerTo('supervisor', time, () => undefined),
    run: (command) => {
      ran.push(command.join(' '));
      return Promise.resolve(failure);
    },
    later: time.later,
    performers: { sync: () => Promise.resolve({ kind: 'done' }) },
    record: () => undefined,
    changed: () => undefined,
    ended: () => undefined,
    powerIsBack: (group) => back.has(group),
  });
  sequences.load([planOf('office', true), planOf('lab', true), planOf('rack', false)]);
  return { sequences, time, ran, back };
}

describe('the sequences of several groups', () => {
  it('leave a failing power-off to its tries when another group without one comes later', async () => {
    const { sequences, time, ran } = rig();
    sequences.start('office', 'LOW_BATTERY');
    await settled();
    sequences.start('rack', 'LOW_BATTERY');
    await time.pass(10_000);
    expect(ran).to.deep.equal(['poweroff office', 'poweroff office', 'poweroff office']);
  });

  it('have one power-off at a time: that of a later group takes over', async () => {
    const { sequences, time, ran } = rig();
    sequences.start('office', 'LOW_BATTERY');
    await settled();
    sequences.start('lab', 'LOW_BATTERY');
    await settled();
    await time.pass(10_000);
    expect(ran).to.deep.equal(['poweroff office', 'poweroff lab', 'poweroff lab', 'poweroff lab']);
  });

  it('try a failing power-off until every group that asked for it has its power back', async () => {
    const { sequences, time, ran, back } = rig();
    sequences.start('office', 'LOW_BATTERY');
    sequences.start('lab', 'LOW_BATTERY');
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
});
