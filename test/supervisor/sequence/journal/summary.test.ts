import { expect } from 'chai';
import type { PlanStep } from '../../../../shared/domain/outage/plan.js';
import type { JournalEntry } from '../../../../supervisor/sequence/journal/entries.js';
import { foldOf } from '../../../../supervisor/sequence/journal/record.js';
import { progressOf, summarize } from '../../../../supervisor/sequence/journal/summary.js';
import { planPhase, planStep, planWith, remoteWork } from '../../../fixtures/plans.js';
import { cause, server } from '../several.js';

const moment = { atMs: 2, unixSeconds: 2 };
const again: PlanStep = planStep('final_sync/again', {
  action: { kind: 'commandAgain', works: [remoteWork('nas')] },
});
const plan = planWith(
  [planPhase('remote_servers', [server('nas', 'lab')]), planPhase('final_sync', [again])],
  'lab',
);
const began = (step: string): JournalEntry => ({ kind: 'stepBegan', group: 'lab', step, ...moment });
const ended = (step: string, kind: 'done' | 'skipped'): JournalEntry => ({
  kind: 'stepEnded',
  ...{ group: 'lab', step, ...moment },
  outcome: kind === 'done' ? { kind } : { kind, reason: 'every server got its command' },
});
const foldWith = (...entries: readonly JournalEntry[]) =>
  foldOf([{ kind: 'decided', group: 'lab', cause, plan, ...moment }, ...entries]);
const summaryOf = (...entries: readonly JournalEntry[]) => {
  const { groups, powerOff } = foldWith(...entries);
  return summarize([...groups.values()], [powerOff]);
};

describe('the summary of a shutdown', () => {
  const nas = [began('remote_servers/nas'), ended('remote_servers/nas', 'done')] as const;

  it('counts the steps that have ended', () => {
    for (const entries of [nas, [...nas, began(again.id)]]) {
      const group = foldWith(...entries).groups.get('lab');
      if (group === undefined) throw new Error('no group was decided');
      expect(progressOf(group)).to.equal('1 of 2 steps had ended');
    }
  });

  it('has another try of a server only with a result', () => {
    expect(summaryOf(...nas, began(again.id))).to.equal('lab: remote_servers/nas done');
    expect(summaryOf(...nas, began(again.id), ended(again.id, 'skipped'))).to.equal(
      'lab: remote_servers/nas done',
    );
    expect(summaryOf(...nas, began(again.id), ended(again.id, 'done'))).to.equal(
      'lab: remote_servers/nas done, final_sync/again done',
    );
  });

  it('has the power-off with its last end where no step is known', () => {
    expect(summaryOf()).to.equal(undefined);
    const attempt = { kind: 'tryBegan', number: 1 } as const;
    expect(summaryOf(attempt)).to.equal('power-off of this host running');
    const outcome = { kind: 'done' } as const;
    expect(summaryOf(attempt, { kind: 'tryEnded', number: 1, outcome })).to.equal(
      'power-off of this host done',
    );
  });
});
