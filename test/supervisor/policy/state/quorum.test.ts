// The quorum of a redundancy group, evaluation by evaluation.
import { expect } from 'chai';
import { evaluated } from '../../../../supervisor/policy/state/quorum.js';
import { inWords } from '../../../../supervisor/policy/view/group-facts.js';
import { formatMembers } from '../../../../supervisor/policy/view/power-words.js';
import { newMember } from '../../../../supervisor/policy/state/group-state.js';

describe('the quorum', () => {
  const few = { enough: false, allReported: true };
  const enough = { enough: true, allReported: true };

  it('is lost after two evaluations in a row, and restored after one', () => {
    const doubted = evaluated({ kind: 'held' }, few, 0);
    expect(doubted.kind).to.equal('doubted');
    expect(evaluated(doubted, enough, 0).kind).to.equal('held');
    expect(evaluated(doubted, few, 0).kind).to.equal('lost');
    expect(evaluated({ kind: 'lost' }, few, 0).kind).to.equal('lost');
    expect(evaluated({ kind: 'lost' }, enough, 0).kind).to.equal('held');
    expect(evaluated({ kind: 'held' }, enough, 0).kind).to.equal('held');
  });

  it('is not evaluated before every member has reported, for at most 80 s', () => {
    const starting = { kind: 'starting', sinceWatchedMs: 1_000 } as const;
    expect(evaluated(starting, { ...few, allReported: false }, 80_999)).to.equal(starting);
    expect(evaluated(starting, { ...few, allReported: false }, 81_000).kind).to.equal('doubted');
    expect(evaluated(starting, few, 1_000).kind).to.equal('doubted');
    expect(evaluated(starting, enough, 1_000).kind).to.equal('held');
  });

  it('lists by their labels at most eight members that are not HEALTHY', () => {
    const members = Array.from({ length: 10 }, (_, index) => newMember(`u${String(index)}`));
    expect(formatMembers(inWords(members, (groupId) => `UPS ${groupId}`))).to.match(
      /^UPS u0 UNKNOWN .*UPS u7 UNKNOWN \(not evaluated yet\), 2 more that are not HEALTHY$/,
    );
  });
});
