import { expect } from 'chai';
import { readsOfState } from '../../../supervisor/engine/policy-queries.js';
import { reading, settingsOf, Stepper } from '../policy/stream.js';
import { at, standbyWith } from './bare-standby.js';

const rack = 'redundancy-rack';
const full = { chargePercent: 100, runtimeSeconds: 3_000 };

describe('a redundancy group whose evaluation policy has lost', () => {
  it('has had its sequence until enough members are on mains, and nothing degrades them', () => {
    const settings = settingsOf('ups a\nups b\ngroup rack members=a,b min=1 degraded=critical');
    const cause = { trigger: 'QUORUM_LOST', why: '', firedAtUnixSeconds: 1 } as const;
    const { state } = new Stepper(settings);
    const over = { outageOver: false, sequenceOver: true };
    const shutdown = {
      kind: 'fired',
      trigger: 'QUORUM_LOST',
      why: '',
      sinceUnixSeconds: 1,
      ...over,
    } as const;
    const fired = { ...state, groups: state.groups.map((group) => ({ ...group, shutdown })) };
    const after = (isSound: boolean) => {
      const standby = standbyWith([], isSound);
      standby.configure(settings);
      standby.started([{ group: rack, cause }]);
      standby.ended(rack);
      for (const second of [1, 2, 3]) {
        const poll = { kind: 'polled', groupId: 'a', outcome: reading('OL', full), at: at(second) } as const;
        standby.received(poll);
      }
      const tick = { kind: 'ticked', at: at(4) } as const;
      standby.received(tick);
      standby.handled(tick, [], true);
      return [null, new Set([rack]), new Set<string>()].map(
        (partly) => standby.afterLost(fired, tick, partly).groups[0]?.shutdown.kind,
      );
    };
    expect(after(true)).to.deep.equal(['armed', 'armed', 'fired']);
    expect(after(false)).to.deep.equal(['fired', 'fired', 'fired']);
  });

  it('is degraded by what counts as critical in it', () => {
    const isSound = (words: string, keys = 'degraded=critical', inputVolts = 230) => {
      const policy = new Stepper(settingsOf(`ups a\nups b\ngroup rack members=a,b min=2 ${keys}`));
      for (let second = 0; second < 90; second += 1) {
        policy.wait(1_000);
        const volts = { nominalVolts: 230, inputVolts: second < 80 ? 230 : inputVolts };
        for (const groupId of ['a', 'b']) {
          const outcome = groupId === 'a' ? reading(words, { ...full, ...volts }) : reading('OL', full);
          policy.input({ kind: 'polled', groupId, outcome, at: policy.at });
        }
      }
      return readsOfState(() => policy.state).isSound(rack);
    };
    expect(isSound('OL')).to.equal(true);
    for (const words of ['OL OVER', 'OL BOOST', 'OB', 'OL BYPASS'])
      expect(isSound(words), words).to.equal(false);
    expect(isSound('OL', undefined, 150), 'a low voltage').to.equal(false);
    expect(isSound('OL OVER', 'degraded=healthy')).to.equal(true);
  });
});
