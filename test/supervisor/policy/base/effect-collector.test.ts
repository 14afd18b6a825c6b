// The effects of one step, in the order in which they are performed.
import { expect } from 'chai';
import { EffectCollector } from '../../../../supervisor/policy/base/effect-collector.js';

describe('the effects of a step', () => {
  it('are commands, then events, then the snapshot, then the rows', () => {
    const effects = new EffectCollector();
    effects.rowChanged('a');
    effects.event('a', 'FSD_DETECTED', 'detail');
    effects.requestSnapshot();
    effects.startSequence('a', 'FSD', 'why');
    expect(effects.effects().map(({ kind }) => kind)).to.deep.equal([
      'startSequence',
      'recordEvent',
      'saveSnapshot',
      'publish',
    ]);
  });

  it('save a change of the power source before all else, and only that', () => {
    const saved = (request: (effects: EffectCollector) => void) => {
      const effects = new EffectCollector();
      request(effects);
      return effects.effects();
    };
    expect(saved((effects) => effects.requestSnapshotFirst())).to.deep.equal([
      { kind: 'saveSnapshot', first: true },
    ]);
    expect(saved((effects) => effects.requestSnapshot())).to.deep.equal([
      { kind: 'saveSnapshot', first: false },
    ]);
    expect(saved(() => null)).to.deep.equal([]);
  });

  it('keep what came before the part that threw', () => {
    const effects = new EffectCollector();
    effects.startSequence('a', 'FSD', 'why');
    effects.event('a', 'FSD_DETECTED', 'detail');
    effects.rowChanged('a');
    effects.prepare('a');
    const before = effects.part('a tick', 'b', 'before', () => {
      effects.startSequence('b', 'FSD', 'why');
      effects.event('b', 'FSD_DETECTED', 'detail');
      effects.rowChanged('b');
      effects.prepare('b');
      throw new Error('a bug');
    });
    expect(before).to.equal('before');
    expect(effects.effects()).to.deep.equal([
      { kind: 'startSequence', groupId: 'a', trigger: 'FSD', why: 'why' },
      { kind: 'recordEvent', source: 'a', type: 'FSD_DETECTED', detail: 'detail' },
      { kind: 'prepare', groupId: 'a' },
      { kind: 'publish', groupId: 'a' },
    ]);
  });
});
