import { expect } from 'chai';
import { Guard } from '../../../supervisor/guard/guard.js';
import { Loop } from '../../../supervisor/engine/loop.js';
import type { LoopDependencies } from '../../../supervisor/engine/loop.js';
import type { Effect } from '../../../supervisor/policy/base/effects.js';
import type { Input } from '../../../supervisor/policy/base/inputs.js';
import { initialState } from '../../../supervisor/policy/state/state.js';
import { idleLog } from '../../fixtures/idle-parts.js';
import { reading, settingsOf } from '../policy/stream.js';

const settings = settingsOf('ups office\n');
const [{ groupId } = { groupId: '' }] = settings.ups;

function rig(
  perform: (effects: readonly Effect[]) => void = () => undefined,
  lost: LoopDependencies['afterLost'] = (state) => state,
  configured = settings,
) {
  const errors: string[] = [];
  const performed: string[] = [];
  let stepped = 0;
  let nowMs = 1_000_000;
  const log = { ...idleLog, error: (message: string) => errors.push(message) };
  const loop = new Loop(initialState, {
    perform: (effects) => {
      performed.push(...effects.map(({ kind }) => kind));
      perform(effects);
    },
    stepped: () => (stepped += 1),
    received: () => undefined,
    afterLost: lost,
    handled: () => undefined,
    guard: new Guard(log),
  });
  const at = () => {
    nowMs += 1_000;
    return { monotonicMs: nowMs, unixSeconds: nowMs / 1000 };
  };
  const poll = (words: string): void =>
    loop.post({ kind: 'polled', at: at(), groupId, outcome: reading(words), tookMs: 1 });
  loop.post({ kind: 'configured', at: at(), settings: configured });
  return { loop, poll, at, errors, performed, stepped: () => stepped };
}

describe('the policy loop', () => {
  it('keeps the state when policy throws for an input, and handles the next input', () => {
    const { loop, poll, at, errors, stepped } = rig();
    poll('OL');
    const before = loop.state;
    const steps = stepped();
    const damaged = { kind: 'polled', at: at(), groupId, outcome: null, tookMs: 1 } as unknown as Input;
    loop.post(damaged);
    expect(loop.state).to.equal(before);
    expect(errors.join()).to.match(/^bug: policy, a polled input, which is lost, failed/);
    expect(stepped(), 'the watchdog is not fed by it').to.equal(steps);
    poll('OB');
    expect(loop.state.ups[0]?.row.status).to.equal('OB');
    expect(stepped()).to.equal(steps + 1);
  });

  it('handles the next input when reading the kind of an input throws', () => {
    const { loop, poll } = rig();
    const unreadable = {
      get kind(): string {
        throw new Error('unreadable');
      },
    } as unknown as Input;
    loop.post(unreadable);
    expect(loop.isHandling).to.equal(false);
    poll('OB');
    expect(loop.state.ups[0]?.row.status).to.equal('OB');
  });

  it('goes on from what is made up for where one group alone has lost a poll', () => {
    const two = settingsOf('ups office\nups hall\ngroup rack members=office,hall min=1\n');
    const [group] = two.redundancyGroups;
    if (group === undefined) throw new Error('no group');
    let isBroken = false;
    const unreadable = Object.defineProperty({ ...group }, 'triggers', {
      get: () => {
        if (isBroken) throw new Error('unreadable');
        return group.triggers;
      },
    });
    const lost: unknown[] = [];
    const { loop, poll } = rig(
      undefined,
      (state, { kind }, partly) => {
        lost.push([kind, partly]);
        return { ...state, groups: [] };
      },
      { ...two, redundancyGroups: [unreadable] },
    );
    isBroken = true;
    poll('OB');
    expect(lost).to.deep.equal([['polled', new Set([group.groupId])]]);
    expect(loop.state.groups).to.deep.equal([]);
    expect(loop.state.ups[0]?.row.status).to.equal('OB');
  });

  it('keeps the new state when an effect throws, and sends the keep-alive', () => {
    const { loop, poll, errors, stepped } = rig(() => {
      throw new Error('no hands');
    });
    const steps = stepped();
    poll('OB');
    expect(loop.state.ups[0]?.row.status).to.equal('OB');
    expect(stepped()).to.equal(steps + 1);
    expect(errors.join()).to.include('the effects of a');
    expect(loop.isHandling).to.equal(false);
  });

  it('handles an input that an effect posts directly after the input of that effect', () => {
    const order: string[] = [];
    const { loop, poll, at } = rig((effects) => {
      if (!effects.some((effect) => effect.kind === 'recordEvent' && effect.type === 'ON_BATTERY')) return;
      order.push('effects of the first');
      loop.post({ kind: 'ticked', at: at() });
      order.push(`turning: ${String(loop.isHandling)}`);
    });
    poll('OL');
    poll('OB');
    expect(order).to.deep.equal(['effects of the first', 'turning: true']);
    expect(loop.isHandling).to.equal(false);
  });
});
