import { expect } from 'chai';
import { failureOf } from '../../../supervisor/sequence/outcome.js';
import { settled } from '../../fixtures/fake-time.js';
import { plan, rig, step } from './one-sequence.js';

describe('a shutdown sequence', () => {
  it('starts its first step before start returns and before it reports anything', () => {
    const { sequence, calls } = rig(plan([step('a', true)]));
    sequence.start();
    expect(calls).to.deep.equal(['begin a', 'phase']);
    expect(sequence.state.kind).to.equal('pastPointOfNoReturn');
  });

  it('runs the phases in order, each after the last step of the previous one', async () => {
    const { sequence, calls, end } = rig(plan([step('a', true), step('b', true)], [step('c', true)]));
    sequence.start();
    await end('a');
    expect(calls).not.to.include('begin c');
    await end('b');
    expect(calls).to.include('begin c');
    await end('c');
    expect(calls.at(-1)).to.equal('finished');
    expect(sequence.state.kind).to.equal('ended');
  });

  it('abandons a step past its budget, records it, and continues', async () => {
    const { sequence, calls, aborted, time, end } = rig(plan([step('hung', true, 30)], [step('next', true)]));
    sequence.start();
    await time.pass(29_999);
    expect(calls).not.to.include('begin next');
    await time.pass(1);
    expect(aborted).to.deep.equal(['hung']);
    expect(calls).to.include('failed hung: not done within its budget of 30 s; abandoned');
    expect(calls).to.include('begin next');
    await end('next');
    expect(time.pendingTimers).to.equal(0);
  });

  it('can be cancelled until its first destructive step', async () => {
    const { sequence, calls, end } = rig(plan([step('wall', false)], [step('poweroff', true)]));
    sequence.start();
    expect(sequence.cancel('cancelled by local')).to.equal(true);
    await end('wall');
    expect(calls).not.to.include('begin poweroff');
    expect(sequence.state.kind).to.equal('cancelled');
    expect(calls.filter((line) => line === 'finished')).to.have.length(1);
  });

  it('cannot be cancelled past the point of no return, not even by the return of power', async () => {
    const { sequence, end, calls } = rig(plan([step('a', true)], [step('b', true)]));
    sequence.start();
    expect(sequence.cancel('cancelled by local')).to.equal(false);
    sequence.powerReturned();
    await end('a');
    await end('b');
    expect(calls).to.include('begin b');
    expect(sequence.model()).to.include({ powerBack: true, pointOfNoReturn: true, active: false });
  });

  it('checks the power again directly before the first destructive step', async () => {
    let back = false;
    const { sequence, calls, end } = rig(plan([step('wall', false)], [step('poweroff', true)]), () => back);
    sequence.start();
    back = true;
    await end('wall');
    expect(calls).not.to.include('begin poweroff');
    expect(sequence.state).to.deep.equal({ kind: 'cancelled', reason: 'power is back' });
    expect(calls.at(-1)).to.equal('finished');
  });

  it('fails the step of an actuator that throws, and starts the next one', async () => {
    const { sequence, calls, end } = rig(plan([step('a', true)], [step('b', true)]));
    sequence.start();
    await end('a', failureOf('exit status 1'));
    expect(calls).to.include('failed a: exit status 1');
    expect(calls).to.include('begin b');
  });

  it('shows every step with its state, times and error', async () => {
    const { sequence, steps, end } = rig(plan([step('a', true), step('b', true)]));
    sequence.start();
    await end('a', failureOf('exit status 1'));
    expect(steps().map(({ id, state, error }) => [id, state, error])).to.deep.equal([
      ['a', 'failed', 'exit status 1'],
      ['b', 'running', null],
    ]);
    expect(steps()[0]?.endedAt).to.be.a('number');
  });

  it('ends immediately with an empty plan', async () => {
    const { sequence, calls } = rig(plan());
    sequence.start();
    await settled();
    expect(calls).to.deep.equal(['finished']);
  });

  it('runs lanes concurrently, and in each lane the ranks in order, equal ranks together', async () => {
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

  it('starts steps that begin with the sequence before the first phase, and waits for them in their own phase', async () => {
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

  it('runs a lane with the sequence up to the first step that begins with its phase', async () => {
    const soon = { lane: 'office', begins: 'with_sequence' as const };
    const lane = [
      { ...step('early', true), ...soon, rank: 2 },
      { ...step('early2', true), ...soon, rank: 4 },
      { ...step('beside', true), lane: 'office', rank: 4 },
      { ...step('last', true), ...soon, rank: 6 },
    ];
    const { sequence, begun, end } = rig(plan([step('a', true)], lane));
    sequence.start();
    expect(begun()).to.deep.equal(['early', 'a']);
    await end('early');
    await end('early2');
    expect(begun()).to.deep.equal(['early', 'a', 'early2']);
    await end('a');
    expect(begun().at(-1)).to.equal('beside');
    await end('beside');
    expect(begun().at(-1)).to.equal('last');
  });

  it('runs a hundred targets concurrently: hung ones cost the phase one budget', async () => {
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

  it('waits at a gate outside any budget, and checks the power after it', async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let back = false;
    const { sequence, begun, time, calls } = rig(
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
    expect(calls.at(-1)).to.equal('finished');
  });

  it('records every step in the journal before it starts and after it ends', async () => {
    const { sequence, written, calls, end } = rig(plan([step('a', true)], [step('b', true)]));
    sequence.start();
    expect([written[0], calls[0]]).to.deep.equal(['stepBegan a', 'begin a']);
    await end('a', failureOf('exit status 1'));
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
});
