import { expect } from 'chai';
import type { SequenceRun, SequenceStep, UpsRow } from '../../shared/domain/status/status-model.js';
import { explanationKey, initialState } from '../../web/daemon/client-state.js';
import { alertOf } from '../../web/views/alert.js';
import { row } from '../workers/api/fixture.js';

const office = row({
  status: 'OB DISCHRG',
  timeOnBattery: 90,
  triggerActive: true,
  triggerReason: 'LOW_BATTERY',
});
const rack = row({
  name: 'rack@127.0.0.1',
  groupId: 'rack-127.0.0.1',
  label: 'Rack',
  status: 'OB DISCHRG',
  timeOnBattery: 65,
});

function step(change: Partial<SequenceStep>): SequenceStep {
  return {
    id: 'filesystem_sync/host',
    phase: 'filesystem_sync',
    target: 'this host',
    state: 'done',
    startedAt: 1,
    endedAt: 2,
    budgetSeconds: 30,
    error: null,
    detail: null,
    ...change,
  };
}

const run: SequenceRun = {
  active: true,
  group: office.groupId,
  startedAt: 1,
  phase: 'filesystem_sync',
  pointOfNoReturn: false,
  powerBack: false,
  dryRun: false,
  steps: [
    step({}),
    step({ id: 'local_poweroff/host', state: 'skipped', startedAt: null, endedAt: null, error: 'cancelled' }),
  ],
};

type Change = Partial<SequenceRun & { readonly others: readonly SequenceRun[] }>;

function shown(change: Change, ups: readonly UpsRow[] = [office], explanationAge = 1) {
  const state = initialState();
  state.connection = 'streaming';
  state.status = { generatedAt: 0, ups, redundancyGroups: [] };
  state.sequence = { ...run, others: [], ...change };
  state.explanations.set(rack.groupId, {
    key: explanationKey(rack),
    receivedMs: performance.now() - 1000 * explanationAge,
    triggers: [],
    text: 'Rack: on battery.\nNext: the shutdown starts in about 4 min by CRITICAL_RUNTIME, if nothing improves before.\nThe shutdown sequence is armed.',
  });
  return alertOf(state, new Map());
}

const triggered: UpsRow = { ...rack, triggerActive: true, triggerReason: 'CRITICAL_RUNTIME' };

describe('the banner of a shutdown', () => {
  it('says that a cancelled one will not come in this outage', () => {
    const alert = shown({ active: false, phase: '' });
    expect(alert?.title).to.equal('The shutdown was cancelled');
    expect(alert?.tone).to.equal('danger');
    const text = alert?.lines.join(' ');
    expect(text).to.contain('Office: on battery, low charge.').and.not.to.contain('steps ended');
    expect(text).to.contain('starts no other one for it before the power is back.');
    expect(shown({ active: false, phase: '', dryRun: true })?.title).to.equal('The dry run was cancelled');
  });

  it('says that one past its point of no return has ended', () => {
    expect(shown({ active: false, phase: '', pointOfNoReturn: true })?.title).to.equal(
      'The shutdown sequence has ended',
    );
  });

  it('names what it shuts down, and has the next step of every other UPS on battery', () => {
    const alert = shown({}, [office, rack]);
    expect(alert?.title).to.equal('Shutting down: Office');
    expect(alert?.lines.at(-1)).to.match(
      /^Rack: on battery for 1\smin\s05\ss\. Next: the shutdown starts in about 4 min/,
    );
    expect(shown({ active: false, pointOfNoReturn: true }, [office, rack])?.lines.join(' ')).to.contain(
      'Rack:',
    );
    expect(shown({})?.title).to.equal('Shutting down');
  });

  it('names all that run beside it, with the progress of each', () => {
    const state = { ...run, group: rack.groupId, phase: 'remote_servers' };
    const failed = [step({ state: 'failed', error: 'refused' }), step({ state: 'pending', endedAt: null })];
    const both = shown({ others: [{ ...state, steps: failed }] }, [office, triggered]);
    expect(both?.title).to.equal('Shutting down: Office, Rack');
    expect(both?.lines.at(-1)).to.match(
      /^Rack: .+\. Its shutdown is in progress\. Now: Shut down remote servers\. 1 of 2 steps ended, 1 failed\.$/,
    );
    const later = (change: Partial<SequenceRun>) =>
      shown({ others: [{ ...state, active: false, ...change }] }, [office, triggered])?.lines.at(-1);
    expect(later({ pointOfNoReturn: true })).to.match(/Its shutdown has ended: 2 of 2 steps ended\.$/);
    expect(later({ dryRun: true })).to.match(/Its dry run was cancelled\.$/);
    // One of a configuration before a reload.
    const removed = shown({ others: [{ ...state, group: 'gone' }] }, [office])?.lines.at(-1);
    expect(removed).to.match(/^gone: Its shutdown is in progress\./);
  });

  it('is about one that the outage still concerns, and says nothing of one whose power is back', () => {
    const back = row({ status: 'OL' });
    const ended = { active: false, pointOfNoReturn: true };
    const alert = shown({ ...ended, others: [{ ...run, ...ended, group: rack.groupId }] }, [back, triggered]);
    expect(alert?.title).to.equal('The shutdown sequence has ended');
    expect(alert?.lines.join(' ')).to.match(/^Rack: .+ 2 of 2 steps ended\.$/);
  });

  it('has no countdown that was not renewed for 10 s', () => {
    const last = shown({}, [office, rack], 11)?.lines.at(-1);
    expect(last).to.match(/^Rack: on battery for 1\smin\s05\ss\.$/);
  });
});
