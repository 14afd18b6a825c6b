import { expect } from 'chai';
import { Bug, full, hostOf, low } from './unreadable-settings.js';
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
});
