import { expect } from 'chai';
import type { Plan, PlanStep } from '../../../shared/domain/plan.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import { failed } from '../../../supervisor/sequence/outcome.js';
import { Sequence } from '../../../supervisor/sequence/run.js';
import { planPhase, planStep, planWith } from '../../fixtures/plans.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';

function step(id: string, destructive: boolean, budgetSeconds = 10): PlanStep {
  return planStep(id, { destructive, budgetSeconds, action: { kind: 'wall', message: id } });
}

function plan(...lists: PlanStep[][]): Plan {
  return planWith(lists.map((list) => planPhase('local_poweroff', list)));
}

/** A sequence whose steps end when the test says so. */
function rig(thePlan: Plan, powerIsBack = () => false) {
  const time = new FakeTime();
  const told: string[] = [];
  const ends = new Map<string, (outcome: StepOutcome) => void>();
  const aborted: string[] = [];
  const sequence = new Sequence(thePlan, {
    clock: time,
    later: time.later,
    powerIsBack,
    actuator: {
      perform: ({ id }, signal) => {
        told.push(`begin ${id}`);
        signal.addEventListener('abort', () => aborted.push(id));
        return new Promise((resolve) => ends.set(id, resolve));
      },
    },
    observer: {
      phaseStarted: () => told.push('phase'),
      phaseFinished: (_, failed) => told.push(`phase done, ${String(failed)} failed`),
      stepFailed: ({ id }, reason) => told.push(`failed ${id}: ${reason}`),
      changed: () => undefined,
      finished: () => told.push('finished'),
    },
  });
  const end = async (id: string, outcome: StepOutcome = { kind: 'done' }) => {
    ends.get(id)?.(outcome);
    await settled();
  };
  return { sequence, time, told, aborted, end };
}

describe('a shutdown sequence', () => {
  it('begins its first step before start returns, ahead of anything it tells', () => {
    const { sequence, told } = rig(plan([step('a', true)]));
    sequence.start();
    expect(told).to.deep.equal(['begin a', 'phase']);
    expect(sequence.state.kind).to.equal('committed');
  });

  it('runs the phases in order, each after the last step of the one before', async () => {
    const { sequence, told, end } = rig(plan([step('a', true), step('b', true)], [step('c', true)]));
    sequence.start();
    await end('a');
    expect(told).not.to.include('begin c');
    await end('b');
    expect(told).to.include('begin c');
    await end('c');
    expect(told.at(-1)).to.equal('finished');
    expect(sequence.state.kind).to.equal('ended');
  });

  it('abandons a step past its budget, records it, and goes on', async () => {
    const { sequence, told, aborted, time, end } = rig(plan([step('hung', true, 30)], [step('next', true)]));
    sequence.start();
    await time.pass(29_999);
    expect(told).not.to.include('begin next');
    await time.pass(1);
    expect(aborted).to.deep.equal(['hung']);
    expect(told).to.include('failed hung: not done within its 30 s; left behind');
    expect(told).to.include('begin next');
    await end('next');
    expect(time.appointments).to.equal(0);
  });

  it('can be called off until its first destructive step', async () => {
    const { sequence, told, end } = rig(plan([step('wall', false)], [step('poweroff', true)]));
    sequence.start();
    expect(sequence.cancel('cancelled by local')).to.equal(true);
    await end('wall');
    expect(told).not.to.include('begin poweroff');
    expect(sequence.state.kind).to.equal('cancelled');
    expect(told.filter((line) => line === 'finished')).to.have.length(1);
  });

  it('cannot be called off past the point of no return, not even by the return of power', async () => {
    const { sequence, end, told } = rig(plan([step('a', true)], [step('b', true)]));
    sequence.start();
    expect(sequence.cancel('cancelled by local')).to.equal(false);
    sequence.powerReturned();
    await end('a');
    await end('b');
    expect(told).to.include('begin b');
    expect(sequence.model()).to.include({ powerBack: true, pointOfNoReturn: true, active: false });
  });

  it('looks at the power once more right before the first destructive step', async () => {
    let back = false;
    const { sequence, told, end } = rig(plan([step('wall', false)], [step('poweroff', true)]), () => back);
    sequence.start();
    back = true;
    await end('wall');
    expect(told).not.to.include('begin poweroff');
    expect(sequence.state).to.deep.equal({ kind: 'cancelled', reason: 'power is back' });
    expect(told.at(-1)).to.equal('finished');
  });

  it('survives an actuator that throws: the step has failed, the next one begins', async () => {
    const { sequence, told, end } = rig(plan([step('a', true)], [step('b', true)]));
    sequence.start();
    await end('a', failed('exit status 1'));
    expect(told).to.include('failed a: exit status 1');
    expect(told).to.include('begin b');
  });

  it('shows every step with its state, times and error', async () => {
    const { sequence, end } = rig(plan([step('a', true)], [step('b', true)]));
    sequence.start();
    await end('a', failed('exit status 1'));
    const model = sequence.model();
    const steps = 'steps' in model ? model.steps : [];
    expect(steps.map(({ id, state, error }) => [id, state, error])).to.deep.equal([
      ['a', 'failed', 'exit status 1'],
      ['b', 'running', null],
    ]);
    expect(steps[0]?.endedAt).to.be.a('number');
  });

  it('ends at once when there is nothing to bring down', async () => {
    const { sequence, told } = rig(plan());
    sequence.start();
    await settled();
    expect(told).to.deep.equal(['finished']);
  });
});
