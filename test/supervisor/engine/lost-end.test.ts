import { expect } from 'chai';
import { Bug, full, hostOf, low } from './unreadable-settings.js';
import { afterLostEnd } from '../../../supervisor/engine/lost-end.js';
import type { PolicyState } from '../../../supervisor/policy/state/state.js';
import { ThrowingSite } from '../throwing-engine.js';

const group =
  '[[redundancy_groups]]\nname = "rack"\nups_sources = ["office@127.0.0.1:3493"]\nmin_healthy = 1\n';

describe('a sequence whose end policy could not be told', () => {
  it('is over: it is neither resumed nor cancelled, and the group is armed for the next outage', async () => {
    const bug = new Bug(/\/supervisor\/policy\/step\.js/);
    const configuration = bug.inGroups(hostOf(`${group}[behavior]\ndry_run = true\n`), 'groupId');
    const site = new ThrowingSite(configuration, 'before', () => false);
    await site.pass(2, 'OL', full);
    bug.isBroken = true;
    const ofSequences = () => site.events.filter((type) => type.startsWith('SHUTDOWN_'));
    await site.pass(20, 'OB', low);
    const once = ofSequences();
    expect(once).to.include('SHUTDOWN_SEQUENCE_COMPLETE');
    await site.pass(20, 'OL', full);
    await site.pass(2, 'OB', full);
    expect(ofSequences(), 'nothing more').to.deep.equal(once);
    await site.pass(20, 'OB', low);
    expect(ofSequences()).to.deep.equal([...once, ...once]);
  });

  it('is armed again where its outage is over too, and no other group is', () => {
    const fired = (outageOver: boolean) =>
      ({
        kind: 'fired',
        trigger: 'FSD',
        why: '',
        sinceUnixSeconds: 1,
        outageOver,
        sequenceOver: false,
      }) as const;
    const armed = { kind: 'armed' } as const;
    const of = (...shutdowns: readonly object[]) =>
      shutdowns.map((shutdown, place) => ({ policy: { groupId: 'abcd'.charAt(place) }, shutdown }));
    const state = { ups: of(fired(false), fired(true), armed), groups: [] } as unknown as PolicyState;
    const after = (group: string) => afterLostEnd(state, group).ups.map(({ shutdown }) => shutdown);
    expect(after('a')).to.deep.equal([{ ...fired(false), sequenceOver: true }, fired(true), armed]);
    expect(after('b')).to.deep.equal([fired(false), armed, armed]);
    expect(after('c')).to.deep.equal([fired(false), fired(true), armed]);
  });
});
