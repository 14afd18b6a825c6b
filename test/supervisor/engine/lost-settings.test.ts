import { expect } from 'chai';
import { afterLostSettings } from '../../../supervisor/engine/lost-settings.js';
import { settingsOf, Stepper } from '../policy/stream.js';
import { Bug, done, full, hostOf, low, shutsDown } from './unreadable-settings.js';
import { ThrowingSite } from '../throwing-engine.js';

describe('a reload at which policy throws', () => {
  const reloaded = async (charge: number) => {
    const bug = new Bug(/\/supervisor\/policy\/configure/);
    const site = new ThrowingSite(hostOf(), 'before', () => false);
    await site.pass(2, 'OL', full);
    bug.isBroken = true;
    const other = hostOf().ups.map((ups) => ({
      ...ups,
      policy: { ...ups.policy, triggers: { ...ups.policy.triggers, lowBatteryPercent: charge } },
    }));
    site.decisions.configure(bug.in({ ...hostOf(), ups: other }, 'groupId'));
    return site;
  };

  it('shuts nothing down by a threshold that the file no longer has', async () => {
    const site = await reloaded(5);
    await site.pass(60, 'OB', low);
    expect(done(site)).to.deep.equal([]);
  });

  it('shuts down by the one that it has now', async () => {
    const site = await reloaded(30);
    await site.pass(4, 'OB', { ...low, chargePercent: 29 });
    await site.pass(20, 'OB', { ...low, chargePercent: 28 });
    expect(done(site), 'its first power-off fails').to.deep.equal([...shutsDown, 'off']);
  });

  it('has the groups of the new file, as far as policy has read their members', () => {
    const { state } = new Stepper(settingsOf('ups a\nups b\nups c\ngroup rack members=a,b min=1'));
    const after = (text: string) => {
      const { ups, groups, groupsOfUps, upsIndex } = afterLostSettings(state, settingsOf(text));
      const places = ups.map(({ policy: { groupId } }) => `${groupId}${String(upsIndex.get(groupId))}`);
      const of = ups.map(({ policy: { groupId } }) => groupsOfUps.get(groupId)?.join() ?? 'none');
      return [
        places,
        of,
        groups.map(({ members, policy }) => [members.map((one) => one.ups), policy.minHealthy]),
      ];
    };
    const three = 'ups a\nups b\nups c\n';
    expect(after(`${three}group rack members=a,b min=2`)).to.deep.equal([
      ['a0', 'b1', 'c2'],
      ['0', '0', ''],
      [[['a', 'b'], 2]],
    ]);
    expect(after(`${three}group rack members=b,c min=1`)).to.deep.equal([
      ['a0', 'b1', 'c2'],
      ['', '0', '0'],
      [[['b', 'c'], 1]],
    ]);
    expect(after('ups b\nups c')).to.deep.equal([['b0', 'c1'], ['', ''], []]);
    expect(after('ups a\nups d\ngroup rack members=a,d min=1')).to.deep.equal([['a0'], [''], []]);
  });
});
