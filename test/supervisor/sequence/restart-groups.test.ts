import { expect } from 'chai';
import { hostWith, planOfHost, readUps } from './restarting.js';

/** `rack` and `second` feed the group `site`, which asks; `rack` feeds the groups named too. */
async function ranWithRackOnBattery(groupsOfRack: readonly string[]) {
  const plan = { ...planOfHost('site'), fedBy: ['rack', 'second'] };
  const rack = readUps('rack', { hostGroups: groupsOfRack, showsBattery: true });
  const host = hostWith([plan], { known: { upses: [rack, readUps('second', { hostGroups: ['site'] })] } });
  host.start('site');
  host.back.add('site');
  await host.time.pass(40_000);
  return host;
}

describe('a UPS on battery in a group whose quorum is back at its last steps', () => {
  it('does not keep this host from its restart where it feeds this group alone', async () => {
    expect((await ranWithRackOnBattery(['site'])).ran).to.deep.equal(['restart site']);
  });

  it('powers this host off where it feeds another one that powers it off and has not asked', async () => {
    const host = await ranWithRackOnBattery(['site', 'rack']);
    expect(host.ran.slice(0, 2)).to.deep.equal(['output of rack', 'poweroff site']);
    expect(host.logged.join()).to.include('powers off all the same: rack shows OB');
  });
});
