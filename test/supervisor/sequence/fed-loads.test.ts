import { expect } from 'chai';
import { settled } from '../../fixtures/fake-time.js';
import { remoteWork } from '../../fixtures/plans.js';
import { fedLoads } from '../../../supervisor/sequence/fed-loads.js';
import { SequenceRecord } from '../../../supervisor/sequence/journal/record.js';
import { offWait, planOf, rig, server, success } from './several.js';

const plans = [
  planOf('office', [server('nas', 'office'), server('db', 'rack')], true),
  planOf('rack', [server('db', 'rack')], false),
];
const load = (name: string, group: string, ...endedBy: string[]) => ({ name, group, endedBy });

describe('the loads that outputs feed', () => {
  it('are each server under its owner, and this host under the group that powers it off', () => {
    expect(fedLoads(plans, [])).to.deep.equal([
      load('nas', 'office'),
      load('this host', 'office'),
      load('db', 'rack'),
    ]);
  });

  it('are no step of a host delegate, which commands no shutdown by itself', () => {
    const work = { ...remoteWork('hypervisor'), final: null };
    const guests = { ...server('hypervisor', 'office'), action: { kind: 'remote', work } as const };
    expect(fedLoads([planOf('office', [guests], true)], [])).to.deep.equal([load('this host', 'office')]);
  });

  it('have ended when their step has, with success or without', async () => {
    const { journal, start, end } = rig(plans, success);
    start('office');
    await settled();
    // The power-off follows within the delay of the output.
    expect(fedLoads(plans, journal.groups)).to.deep.equal([
      load('nas', 'office'),
      load('this host', 'office', 'office'),
      load('db', 'rack'),
    ]);
    await end('nas', { kind: 'failed', how: 'unreachable', reason: 'no answer' });
    await end('db');
    expect(fedLoads(plans, journal.groups)).to.deep.equal([
      load('nas', 'office', 'office'),
      load('this host', 'office', 'office'),
      load('db', 'rack', 'office'),
    ]);
  });

  it('have ended with the wait for them, where there is one, by the battery too, and not with that for another', async () => {
    const steps = ['db', 'web'].flatMap((name) => [server(name, 'rack'), offWait(name, 'rack')]);
    const waiting = [planOf('rack', steps, false)];
    const { journal, start, end } = rig(waiting);
    start('rack');
    await end('db');
    await end('web');
    expect(fedLoads(waiting, journal.groups)).to.deep.equal([load('db', 'rack'), load('web', 'rack')]);
    await end('web off');
    expect(fedLoads(waiting, journal.groups)).to.deep.equal([
      load('db', 'rack'),
      load('web', 'rack', 'rack'),
    ]);
    await end('db off', { kind: 'skipped', reason: 'no wait: the trigger is FSD' });
    expect(fedLoads(waiting, journal.groups)).to.deep.equal([
      load('db', 'rack', 'rack'),
      load('web', 'rack', 'rack'),
    ]);
  });

  it('name every sequence that has ended them', async () => {
    const both = [planOf('office', [], true), planOf('rack', [], true)];
    const { journal, start } = rig(both, success);
    start('office', 'rack');
    await settled();
    expect(fedLoads(both, journal.groups)).to.deep.equal([
      load('this host', 'office', 'office', 'rack'),
      load('this host', 'rack', 'office', 'rack'),
    ]);
  });

  it('have not ended when their sequence is cancelled', () => {
    const own = [planOf('office', [{ ...server('nas', 'office'), destructive: false }], true)];
    const { journal, sequences, start } = rig(own);
    start('office');
    expect(sequences.cancel('a test')).to.deep.equal(['office']);
    expect(fedLoads(own, journal.groups)).to.deep.equal([load('nas', 'office'), load('this host', 'office')]);
  });

  it('are up in a dry run', async () => {
    const dry = plans.map((plan) => ({ ...plan, dryRun: true }));
    const { journal, start } = rig(dry);
    start('rack');
    await settled();
    expect(fedLoads(dry, journal.groups)).to.deep.equal(fedLoads(dry, []));
  });

  it('are known after a restart of the daemon', async () => {
    const { start, end, journals } = rig(plans, success);
    start('rack');
    await end('db');
    expect(fedLoads(plans, new SequenceRecord(journals).groups)).to.deep.equal([
      load('nas', 'office'),
      load('this host', 'office'),
      load('db', 'rack', 'rack'),
    ]);
  });
});
