import { expect } from 'chai';
import { failureOf } from '../../../supervisor/sequence/outcome.js';
import { settled } from '../../fixtures/fake-time.js';
import { planWith } from '../../fixtures/plans.js';
import { plan, rig, step } from './one-sequence.js';
import { planOf, rig as severalRig, server } from './several.js';

describe('a shutdown sequence with exceptions', () => {
  it('starts a step when its gate throws', async () => {
    for (const gate of [
      () => {
        throw new Error('no gate');
      },
      () => Promise.reject(new Error('the gate falls')),
    ]) {
      const { sequence, end, begun } = rig(plan([step('poweroff', true)]), undefined, undefined, gate);
      sequence.start();
      await settled();
      expect(begun()).to.deep.equal(['poweroff']);
      await end('poweroff');
      expect(sequence.state.kind).to.equal('ended');
    }
  });

  it('continues when nobody can say whether power is back', async () => {
    const powerIsBack = (): never => {
      throw new Error('no policy');
    };
    const { sequence, end, begun } = rig(plan([step('wall', false)], [step('poweroff', true)]), powerIsBack);
    sequence.start();
    await end('wall');
    expect(begun()).to.deep.equal(['wall', 'poweroff']);
    await end('poweroff');
    expect(sequence.state.kind).to.equal('ended');
  });

  it('continues with the next phase when a phase throws', async () => {
    const [broken, last] = plan([step('a', true)], [step('off', true)]).phases;
    if (broken === undefined || last === undefined) throw new Error('two phases');
    let isBroken = false;
    const unreadable = {
      ...broken,
      get steps() {
        if (isBroken) throw new Error('no steps');
        return broken.steps;
      },
    };
    const { sequence, end, begun } = rig(planWith([unreadable, last]));
    isBroken = true;
    sequence.start();
    await settled();
    expect(begun()).to.deep.equal(['off']);
    await end('off');
    expect(sequence.state.kind).to.equal('ended');
  });

  it('ignores exceptions of its observer', async () => {
    const fails = (): never => {
      throw new Error('no ears');
    };
    const calls: string[] = [];
    const { sequence, end, begun } = rig(
      plan([step('a', true)], [step('off', true)]),
      undefined,
      undefined,
      undefined,
      {
        phaseStarted: fails,
        phaseFinished: fails,
        stepFailed: fails,
        changed: fails,
        finished: () => {
          calls.push('finished');
          fails();
        },
      },
    );
    sequence.start();
    await end('a', failureOf('no'));
    await end('off');
    expect(begun()).to.deep.equal(['a', 'off']);
    expect(calls).to.deep.equal(['finished']);
  });

  it('runs to its end when the record of its steps throws', async () => {
    const { sequence, end, begun, record } = rig(plan([step('a', true)], [step('off', true)]));
    record.add = () => {
      throw new Error('no record');
    };
    sequence.start();
    await end('a');
    await end('off');
    expect(begun()).to.deep.equal(['a', 'off']);
    expect(sequence.state.kind).to.equal('ended');
  });

  it('is over for the others when its last event throws', async () => {
    const { start, end, events, over } = severalRig([planOf('lab', [server('nas', 'lab')], false)]);
    start('lab');
    await settled();
    events.push = () => {
      throw new Error('no event');
    };
    await end('nas');
    expect(over).to.deep.equal(['lab']);
  });

  it('runs a command once when reading its outcome throws', async () => {
    const { sequence, begun, end } = rig(plan([step('off', true)]));
    sequence.start();
    await end('off', { kind: 'failed' } as never);
    expect(begun()).to.deep.equal(['off']);
    expect(sequence.state.kind).to.equal('ended');
  });
});
