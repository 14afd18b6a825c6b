import { expect } from 'chai';
import { failed } from '../../../supervisor/sequence/outcome.js';
import { settled } from '../../fixtures/fake-time.js';
import { planPhase, planWith } from '../../fixtures/plans.js';
import { plan, rig, step } from './one-sequence.js';

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
    expect(told).to.include('failed hung: not done within its budget of 30 s; abandoned');
    expect(told).to.include('begin next');
    await end('next');
    expect(time.pendingTimers).to.equal(0);
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

  it('runs lanes side by side, and in each one rank after the other, equal ranks together', async () => {
    const lanes = [step('a1', true), step('a2', true), step('a3', true), step('b1', true)].map((one) => ({
      ...one,
      lane: one.id.slice(0, 1),
      rank: one.id === 'a3' ? 7 : 2,
    }));
    const { sequence, begun, end } = rig(plan(lanes, [step('c', true)]));
    sequence.start();
    expect(begun()).to.deep.equal(['a1', 'a2', 'b1']);
    await end('a1');
    await end('b1');
    expect(begun()).to.have.length(3);
    await end('a2');
    expect(begun()).to.deep.equal(['a1', 'a2', 'b1', 'a3']);
    await end('a3');
    expect(begun().at(-1)).to.equal('c');
  });

  it('begins beside the first phase what begins with the sequence, and joins it in its own', async () => {
    const early = { ...step('early', true), begins: 'with_sequence' as const };
    const { sequence, begun, end } = rig(
      plan([step('a', true)], [early, step('b', true)], [step('c', true)]),
    );
    sequence.start();
    expect(begun()).to.deep.equal(['early', 'a']);
    await end('a');
    await end('b');
    expect(begun()).to.deep.equal(['early', 'a', 'b']);
    await end('early');
    expect(begun().at(-1)).to.equal('c');
  });

  it('lets a hundred targets run their own time: the hung ones cost the phase its budget and no more', async () => {
    const targets = Array.from({ length: 100 }, (_, place) => step(`t${String(place)}`, true, 20));
    const { sequence, begun, end, time, aborted } = rig(plan(targets, [step('off', true)]));
    sequence.start();
    expect(begun()).to.have.length(100);
    for (const { id } of targets.slice(25)) await end(id);
    await time.pass(19_999);
    expect(begun()).to.have.length(100);
    await time.pass(1);
    expect(aborted).to.have.length(25);
    expect(begun().at(-1)).to.equal('off');
  });

  it('waits at a gate outside of any budget, and looks at the power behind it', async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let back = false;
    const { sequence, begun, time, told } = rig(
      plan([step('off', true)]),
      () => back,
      undefined,
      () => gate,
    );
    sequence.start();
    await time.pass(600_000);
    expect(begun()).to.deep.equal([]);
    back = true;
    open();
    await settled();
    expect(begun()).to.deep.equal([]);
    expect(told.at(-1)).to.equal('finished');
  });

  it('writes every step down before it begins and after it has ended', async () => {
    const { sequence, written, told, end } = rig(plan([step('a', true)], [step('b', true)]));
    sequence.start();
    expect([written[0], told[0]]).to.deep.equal(['stepBegan a', 'begin a']);
    await end('a', failed('exit status 1'));
    await end('b');
    expect(written).to.deep.equal([
      'stepBegan a',
      'stepEnded a',
      'phaseEnded local_poweroff',
      'stepBegan b',
      'stepEnded b',
      'phaseEnded local_poweroff',
      'over',
    ]);
  });

  it('tells when its servers have had their turn', async () => {
    const phases = [
      planPhase('remote_servers', [step('nas', true)]),
      planPhase('local_poweroff', [step('off', true)]),
    ];
    const { sequence, end } = rig(planWith(phases));
    let over = false;
    void sequence.serversDone()?.then(() => (over = true));
    sequence.start();
    await settled();
    expect(over).to.equal(false);
    await end('nas');
    expect(over).to.equal(true);
  });
});
