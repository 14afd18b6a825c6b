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

  it('leaves a group whose members have changed as it was', () => {
    const { state } = new Stepper(settingsOf('ups a\nups b\nups c\ngroup rack members=a,b min=1'));
    const minimum = (text: string) => afterLostSettings(state, settingsOf(text)).groups[0]?.policy.minHealthy;
    expect(minimum('ups a\nups b\nups c\ngroup rack members=a,b min=2')).to.equal(2);
    expect(minimum('ups a\nups b\nups c\ngroup rack members=a,c min=2')).to.equal(1);
    expect(minimum('ups a')).to.equal(1);
  });
});
