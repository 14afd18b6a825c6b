// The effects of one step, in the order in which they are performed, and those of a part that throws.
import { expect } from 'chai';
import type { Effect } from '../../../../supervisor/policy/base/effects.js';
import type { Part } from '../../../../supervisor/policy/effects/part.js';
import { inOrder, parts, reported } from '../../../../supervisor/policy/effects/part.js';
import type { Report } from '../../../../supervisor/policy/view/events.js';
import type { UpsState } from '../../../../supervisor/policy/state/ups-state.js';
import { settingsOf, Stepper } from '../stream.js';

const event: Effect = { kind: 'recordEvent', source: 'a', type: 'FSD_DETECTED', detail: 'detail' };
const start: Effect = { kind: 'startSequence', groupId: 'a', trigger: 'FSD', why: 'why' };
const publish: Effect = { kind: 'publish', groupId: 'a' };
const prepare: Effect = { kind: 'prepare', groupId: 'a' };
const save = (first: boolean): Effect => ({ kind: 'saveSnapshot', first });

describe('the effects of a step', () => {
  it('are commands, then events, then the snapshot, then the rows', () => {
    const all = [publish, event, save(false), prepare, start];
    expect(inOrder(all)).to.deep.equal([start, event, prepare, save(false), publish]);
    const returned: Effect = { kind: 'powerReturned', groupId: 'b' };
    expect(inOrder([event, returned, start])).to.deep.equal([returned, start, event]);
  });

  it('save a change of the power source before all else, and only that', () => {
    expect(inOrder([save(false), save(true), save(false)])).to.deep.equal([save(true)]);
    expect(inOrder([save(false), save(false)])).to.deep.equal([save(false)]);
    expect(inOrder([])).to.deep.equal([]);
  });
});

describe('a part of a step', () => {
  const [ups] = new Stepper(settingsOf('ups a')).state.ups;
  if (ups === undefined) throw new Error('a UPS is configured');

  it('has no effect and no change where it throws', () => {
    const bug = new Error('a bug');
    const other = { ...ups, policy: { ...ups.policy, groupId: 'b' } };
    const { state, effects, lost } = parts('a tick', [ups, other], (one): Part<UpsState> => {
      if (one === ups) throw bug;
      return { state: { ...one }, effects: [publish], lost: [] };
    });
    expect(state).to.deep.equal([ups, other]);
    expect(state[0]).to.equal(ups);
    expect(effects).to.deep.equal([publish]);
    expect(lost).to.deep.equal([{ place: 'a tick of a', error: bug, undecided: 'a' }]);
  });

  it('keeps the states where nothing changes', () => {
    const all = [ups];
    expect(parts('a tick', all, () => null)).to.deep.equal({ state: all, effects: [], lost: [] });
    expect(parts('a tick', all, () => null).state).to.equal(all);
  });

  it('loses a report that throws alone, and its words too', () => {
    const bug = new Error('a bug');
    const reports: readonly Report<null>[] = [
      { place: 'the first', factsOf: () => [{ type: 'UPS_ON' }] },
      {
        place: 'the second',
        factsOf: () => {
          throw bug;
        },
      },
      { place: 'the third', factsOf: () => [{ type: 'ECO_MODE_ACTIVE' }] },
    ];
    const { value, lost } = reported(null, reports, ups.policy);
    expect(value.map(({ kind }) => kind)).to.deep.equal(['recordEvent', 'notify', 'recordEvent']);
    expect(lost).to.deep.equal([{ place: 'the second', error: bug, undecided: null }]);
    const unnamed = Object.defineProperty({ ...ups.policy }, 'label', {
      get: () => {
        throw bug;
      },
    });
    expect(reported(null, reports.slice(0, 1), unnamed)).to.deep.equal({
      value: [],
      lost: [{ place: 'the first', error: bug, undecided: null }],
    });
  });
});
