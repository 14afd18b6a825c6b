import { expect } from 'chai';
import { maxSummaryLength } from '../../../shared/protocol/storage.js';
import { Boot, Life } from '../boots-with-note.js';
import { withGroup } from '../config/loading.js';

const office = 'office-127.0.0.1-3493';
const rackA = 'rack-a-nut1';
const rackB = 'rack-b-nut1';

const server = (name: string, of = 'ups') =>
  `[[${of}.remote_servers]]\nname = "${name}"\nhost = "${name}"\nuser = "root"\n`;
const ups = (name: string, more = '') =>
  `[[ups]]\nname = "${name}"\ncheck_interval = 1\nvalue_hold = 0\n${more}`;
const settings = '[triggers]\non_battery_stabilization_delay = 0\nconfirmations = 1\n[local_shutdown]\n';
const stays = `${settings}enabled = false\n`;
const goesDown = `${settings}command = ["off"]\n`;
const local = 'is_local = true\n';
const officeAlone = ups('office@127.0.0.1:3493', local);
const officeWithNas = officeAlone + server('nas');
const rackWithBox = ups('rack-a@nut1') + server('box');

const nasDone = `${office}: remote_servers/nas done`;

describe('the note of a shutdown', () => {
  let boot: Boot;
  beforeEach(() => {
    boot = new Boot();
    boot.ups.set(office, 'OL');
  });

  /** A daemon that has read line power of its UPSes. */
  const started = async (toml: string): Promise<Life> => {
    const life = new Life(boot, toml);
    life.note.begun();
    await life.pass(2);
    return life;
  };
  const becomes = async (life: Life, words: string, groupId = office): Promise<void> => {
    boot.ups.set(groupId, words);
    await life.pass(3);
  };

  it('lists the completed steps until the power of its group is back', async () => {
    const life = await started(officeWithNas + stays);
    expect(boot.note).to.equal(null);
    await becomes(life, 'OB');
    expect(boot.note).to.equal(nasDone);
    await becomes(life, 'OL');
    expect(boot.note).to.equal(null);
  });

  it('is written once for each change', async () => {
    const life = await started(officeWithNas + stays);
    await becomes(life, 'OB');
    await becomes(life, 'OL');
    await life.pass(5);
    expect(boot.asked).to.deep.equal([null, nasDone, null]);
  });

  it('is deleted by a daemon that was started in the outage', async () => {
    const life = await started(officeWithNas + stays);
    await becomes(life, 'OB');
    life.kill();
    const next = await started(officeWithNas + stays);
    expect(boot.note).to.equal(nasDone);
    await becomes(next, 'OL');
    expect(boot.note).to.equal(null);
  });

  it('is deleted by a daemon that finds line power at its start', async () => {
    const life = await started(officeWithNas + stays);
    await becomes(life, 'OB');
    life.kill();
    boot.ups.set(office, 'OL');
    await started(officeWithNas + stays);
    expect(boot.note).to.equal(null);
  });

  it('is deleted when an FSD that appeared on line power is gone', async () => {
    const life = await started(officeWithNas + stays);
    await becomes(life, 'OL FSD');
    expect(boot.note).to.equal(nasDone);
    await becomes(life, 'OL');
    expect(boot.note).to.equal(null);
  });

  it('of a redundancy group stays until its quorum holds on line power', async () => {
    for (const member of [rackA, rackB]) boot.ups.set(member, 'OL');
    const life = await started(
      withGroup.replaceAll('[[ups]]', '[[ups]]\nvalue_hold = 0') + server('box', 'redundancy_groups') + stays,
    );
    boot.ups.set(rackA, 'OB');
    await becomes(life, 'OB', rackB);
    const outcome = 'redundancy-rack-1: remote_servers/box done';
    expect(boot.note).to.equal(outcome);
    await becomes(life, 'OFF', rackA);
    expect(boot.note).to.equal(outcome);
    await becomes(life, 'OL', rackB);
    expect(boot.note).to.equal(null);
  });

  it('lists every group that was shut down, and drops a group whose power is back', async () => {
    boot.ups.set(rackA, 'OL');
    const life = await started(officeWithNas + rackWithBox + stays);
    boot.ups.set(rackA, 'OB');
    await becomes(life, 'OB');
    expect(boot.note?.split('; ')).to.have.members([nasDone, `${rackA}: remote_servers/box done`]);
    await becomes(life, 'OL', rackA);
    expect(boot.note).to.equal(nasDone);
  });

  it('lists the group that powers the host off, and omits a group that has nothing to shut down', async () => {
    boot.ups.set(rackA, 'OL');
    const life = await started(officeAlone + ups('rack-a@nut1') + goesDown);
    boot.ups.set(rackA, 'OB');
    await becomes(life, 'OB');
    expect(boot.note).to.match(/^office\S+: .*local_poweroff\/\S+ done$/);
  });

  it('stays while its sequence runs, even when power is back', async () => {
    boot.remote = () => new Promise(() => undefined);
    const life = await started(officeWithNas + stays);
    await becomes(life, 'OB');
    await becomes(life, 'OL');
    expect(boot.note).to.equal(`${office}: remote_servers/nas running`);
    await life.pass(100);
    expect(boot.note).to.equal(null);
  });

  it('stays once the power-off has started, even when power is back before the host is down', async () => {
    const life = await started(officeWithNas + goesDown);
    await becomes(life, 'OB');
    const note = boot.note;
    expect(note).to.match(/remote_servers\/nas done, .*local_poweroff\/\S+ done$/);
    await becomes(life, 'OL');
    expect(boot.note).to.equal(note);
    life.kill();
    await started(officeWithNas + goesDown);
    expect(boot.note).to.equal(note);
  });

  it('is deleted when the power-off fails until power is back', async () => {
    boot.powerOffExits = 1;
    const life = await started(officeWithNas + goesDown);
    await becomes(life, 'OB');
    expect(boot.note).to.match(/local_poweroff\/\S+ failed$/);
    boot.ups.set(office, 'OL');
    await life.pass(10);
    expect(boot.note).to.equal(null);
  });

  for (const [what, toml] of [
    ['in a dry run', `${officeWithNas}${stays}[behavior]\ndry_run = true\n`],
    ['without steps', officeAlone + stays],
  ] as const)
    it(`is not written for a shutdown ${what}`, async () => {
      const life = await started(toml);
      await becomes(life, 'OB');
      expect(boot.asked).to.deep.equal([null]);
    });

  it('is deleted when its UPS is no longer configured', async () => {
    boot.ups.set(rackA, 'OL');
    const life = await started(officeAlone + rackWithBox + stays);
    await becomes(life, 'OB', rackA);
    expect(boot.note).to.equal(`${rackA}: remote_servers/box done`);
    life.reload(officeAlone + stays);
    await life.pass(1);
    expect(boot.note).to.equal(null);
  });

  it('waits for unavailable storage, and is then the newest', async () => {
    const life = await started(officeWithNas + stays);
    boot.away = true;
    await becomes(life, 'OB');
    expect(boot.note).to.equal(null);
    boot.away = false;
    await life.pass(1);
    expect(boot.note).to.equal(nasDone);
  });

  it('waits for the record of its run, which would overwrite it', async () => {
    const life = new Life(boot, officeWithNas + stays);
    await life.pass(2);
    await becomes(life, 'OB');
    expect(boot.asked).to.deep.equal([]);
    life.note.begun();
    await life.pass(1);
    expect(boot.asked).to.deep.equal([nasDone]);
  });

  it('is not longer than storage accepts', async () => {
    const servers = Array.from({ length: 85 }, (_, n) => server(`esx-rack12-node${String(n)}.example.com`));
    const life = await started(officeAlone + servers.join('') + stays);
    await becomes(life, 'OB');
    expect(boot.note).to.have.length(maxSummaryLength);
  });
});
