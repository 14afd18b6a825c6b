// FSD that this daemon has set.
import { expect } from 'chai';
import type { PolicyClock } from '../../../../supervisor/policy/base/clock.js';
import type { Fsd } from '../../../../supervisor/policy/trigger/fsd-latch.js';
import { fsdAfterOwn, fsdAfterStatus, unseenFsd } from '../../../../supervisor/policy/trigger/fsd-latch.js';

const at = (ms: number): PolicyClock => ({
  monotonicMs: ms,
  watchedMs: ms,
  lookingSinceMs: 0,
  unixSeconds: ms / 1000,
});

const acting: Fsd = { kind: 'acting', sinceUnixSeconds: 1 };
const absent: Fsd = { kind: 'absent' };
const own: Fsd = { kind: 'own', sinceMs: 10_000 };

describe('FSD of this daemon', () => {
  it('begins when it is asked for or set, but for FSD that acts already', () => {
    for (const state of ['asked', 'set'] as const) {
      for (const before of [unseenFsd, absent, { kind: 'latched' } as const])
        expect(fsdAfterOwn(before, state, at(10_000)), before.kind).to.deep.equal(own);
      expect(fsdAfterOwn(acting, state, at(10_000))).to.equal(acting);
    }
  });

  it('ends when the server has refused it, and changes no other FSD then', () => {
    expect(fsdAfterOwn(own, 'refused', at(11_000))).to.deep.equal(absent);
    for (const before of [unseenFsd, absent, acting])
      expect(fsdAfterOwn(before, 'refused', at(11_000))).to.equal(before);
  });

  it('ends with a reading without FSD more than 30 s after it was set', () => {
    const after = (words: readonly string[], ms: number) =>
      fsdAfterStatus(own, words, 'battery', at(ms), ms).kind;
    expect([after(['OB'], 40_000), after(['OB'], 40_001)]).to.deep.equal(['own', 'absent']);
    expect(after(['OB', 'FSD'], 400_000)).to.equal('own');
    const late = (askedMs: number) => fsdAfterStatus(own, ['OB'], 'battery', at(400_000), askedMs).kind;
    expect([late(40_000), late(40_001)], 'asked for before, and handled late').to.deep.equal([
      'own',
      'absent',
    ]);
  });
});

describe('FSD that acts', () => {
  it('has the time of the reading that showed it', () => {
    expect(fsdAfterStatus(absent, ['OB', 'FSD'], 'battery', at(5_000), 5_000)).to.deep.equal({
      kind: 'acting',
      sinceUnixSeconds: 5,
    });
    expect(fsdAfterStatus(acting, ['OB', 'FSD'], 'battery', at(5_000), 5_000)).to.equal(acting);
  });
});
