import { expect } from 'chai';
import { settled } from '../../fixtures/fake-time.js';
import { FedLoads } from '../../../supervisor/sequence/fed-loads.js';
import { sequenceHistory } from '../../../supervisor/sequence/journal/history.js';
import { cause, planOf, rig, server, success } from './several.js';

const plans = [
  planOf('office', [server('nas', 'office'), server('db', 'rack')], true),
  planOf('rack', [server('db', 'rack')], false),
];
const load = (name: string, group: string, ...endedBy: string[]) => ({ name, group, endedBy });

describe('the loads that outputs feed', () => {
  it('are each server under its owner, and this host under the group that powers it off', () => {
    const { fedLoads } = rig(plans);
    expect(fedLoads.all()).to.deep.equal([
      load('nas', 'office'),
      load('this host', 'office'),
      load('db', 'rack'),
    ]);
  });

  it('have ended when their step has, with success or without', async () => {
    const { fedLoads, sequences, end } = rig(plans, success);
    sequences.start('office', cause);
    await settled();
    // The power-off follows within the delay of the output.
    expect(fedLoads.all()).to.deep.equal([
      load('nas', 'office'),
      load('this host', 'office', 'office'),
      load('db', 'rack'),
    ]);
    await end('nas', { kind: 'failed', how: 'unreachable', reason: 'no answer' });
    await end('db');
    expect(fedLoads.all()).to.deep.equal([
      load('nas', 'office', 'office'),
      load('this host', 'office', 'office'),
      load('db', 'rack', 'office'),
    ]);
  });

  it('have not ended when their sequence is cancelled', () => {
    const plan = planOf('office', [{ ...server('nas', 'office'), destructive: false }], true);
    const { fedLoads, sequences } = rig([plan]);
    sequences.start('office', cause);
    expect(sequences.cancel('a test')).to.deep.equal(['office']);
    expect(fedLoads.all()).to.deep.equal([load('nas', 'office'), load('this host', 'office')]);
  });

  it('are known after a restart of the daemon', async () => {
    const { sequences, end, journals } = rig(plans, success);
    sequences.start('rack', cause);
    await end('db');
    const next = new FedLoads();
    next.loaded(plans);
    for (const journal of journals.read()) {
      const history = sequenceHistory(journal);
      if (history !== undefined) next.restored(history, true);
    }
    expect(next.all()).to.deep.equal([
      load('nas', 'office'),
      load('this host', 'office'),
      load('db', 'rack', 'rack'),
    ]);
  });
});
