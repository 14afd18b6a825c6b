import { expect } from 'chai';
import { reading, settingsOf, Stepper } from '../policy/stream.js';
import { at, standbyWith } from './bare-standby.js';

const rack = 'redundancy-rack';
const full = { chargePercent: 100, runtimeSeconds: 3_000 };

describe('a redundancy group whose evaluation policy has lost', () => {
  /** Its shutdown after a lost tick, beside `words` of its member, by the groups that have lost it. */
  const after = (words: string, degraded: string, partly: readonly (ReadonlySet<string> | null)[]) => {
    const settings = settingsOf(`ups a\nups b\ngroup rack members=a,b min=1 degraded=${degraded}`);
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
    const standby = standbyWith([]);
    standby.configure(settings);
    standby.started([{ group: rack, cause }]);
    standby.ended(rack);
    for (const second of [1, 2, 3])
      standby.received({ kind: 'polled', groupId: 'a', outcome: reading(words, full), at: at(second) });
    const tick = { kind: 'ticked', at: at(4) } as const;
    standby.received(tick);
    standby.handled(tick, [], true);
    return partly.map((lost) => standby.afterLost(fired, tick, lost).groups[0]?.shutdown.kind);
  };

  it('is armed again once enough members are on mains', () => {
    const all = [null, new Set([rack]), new Set<string>()];
    expect(after('OL', 'critical', all)).to.deep.equal(['armed', 'armed', 'fired']);
    expect(after('OB', 'critical', all)).to.deep.equal(['fired', 'fired', 'fired']);
  });

  it('has its outage open by a member that is degraded, where that counts as critical', () => {
    for (const words of ['OL OVER', 'OL BOOST', 'OL TRIM', 'OL BYPASS']) {
      expect(after(words, 'critical', [null]), words).to.deep.equal(['fired']);
      expect(after(words, 'healthy', [null]), words).to.deep.equal(['armed']);
    }
  });
});
