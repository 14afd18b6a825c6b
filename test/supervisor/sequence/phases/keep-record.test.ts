import { expect } from 'chai';
import { keepRecordPerformer } from '../../../../supervisor/sequence/phases/keep-record.js';
import { settled } from '../../../fixtures/fake-time.js';
import { noGuests } from '../../../../supervisor/sequence/actuator.js';
import { planStep } from '../../../fixtures/plans.js';

describe('the step that keeps the record', () => {
  it('hands over what is known, and ends once it is on the disk', async () => {
    let updates = 0;
    let sync: () => void = () => undefined;
    const synced = new Promise<void>((settle) => (sync = settle));
    const perform = keepRecordPerformer({ update: () => (updates += 1), untilSynced: () => synced });
    let outcome: unknown = null;
    const step = planStep('final_sync/record', { action: { kind: 'keepRecord' } });
    void perform({ kind: 'keepRecord' }, step, new AbortController().signal, noGuests).then(
      (end) => (outcome = end),
    );
    await settled();
    expect([updates, outcome]).to.deep.equal([1, null]);
    sync();
    await settled();
    expect(outcome).to.deep.equal({ kind: 'done' });
  });
});
