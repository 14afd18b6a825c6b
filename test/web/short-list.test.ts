import { expect } from 'chai';
import type { SequenceStep } from '../../shared/domain/status/status-model.js';
import { shortList } from '../../web/views/short-list.js';

function steps(...states: readonly SequenceStep['state'][]): readonly SequenceStep[] {
  return states.map((state, index) => ({
    id: `remote_servers/${String(index)}`,
    phase: 'remote_servers',
    target: String(index),
    state,
    startedAt: null,
    endedAt: null,
    budgetSeconds: 60,
    error: null,
    detail: null,
  }));
}

describe('the progress of a phase in the banner', () => {
  it('lists every step of a phase with few', () => {
    const few = steps('done', 'running', 'failed', 'pending', 'done', 'skipped');
    expect(shortList(few)).to.deep.equal({ shown: few, rest: '' });
  });

  it('lists failed and running steps of a phase with many, in their order, and counts the others', () => {
    const many = steps(
      ...Array.from({ length: 90 }, () => 'done' as const),
      'running',
      ...Array.from({ length: 100 }, () => 'pending' as const),
      'failed',
      'failed',
    );
    const { shown, rest } = shortList(many);
    expect(shown.map(({ target }) => target)).to.deep.equal(['90', '91', '92', '93', '191', '192']);
    expect(rest).to.equal('187 more: 90 done, 97 waiting');
  });

  it('lists no more failed steps than it has room for', () => {
    const { shown, rest } = shortList(steps(...Array.from({ length: 200 }, () => 'failed' as const)));
    expect(shown.length).to.equal(6);
    expect(rest).to.equal('194 more: 194 failed');
  });
});
