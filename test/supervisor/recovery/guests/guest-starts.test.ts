import { expect } from 'chai';
import { fails, ok } from '../../sequence/phases/local-rig.js';
import { guest, Host, uuid } from './host-with-guests.js';

describe('what a shutdown has stopped on this host', () => {
  it('runs again once the power is back, each start in the log', async () => {
    const host = new Host('web', 'db');
    host.held = { why: 'office is on battery', kind: 'outage' };
    await host.passes(30);
    expect(host.started).to.deep.equal([]);
    host.held = null;
    await host.passes(3);
    expect(host.started).to.deep.equal(['web', 'db']);
    expect(host.logged).to.include('the container web of docker is started again: the shutdown stopped it');
    expect(host.starts.endOf(guest('web'))?.state).to.equal('over');
    await host.passes(60);
    expect([host.started.length, host.events], 'once').to.deep.equal([2, []]);
  });

  it('is left to the autostart of the host for its time, and what that starts is not started', async () => {
    const host = new Host('web', 'db');
    host.bootTimeoutMs = host.rig.time.monotonicMs() + 60_000;
    await host.passes(30);
    host.containers.set('db', { status: 'running' });
    await host.passes(20);
    expect(host.started).to.deep.equal([]);
    expect(host.starts.waitsFor).to.match(
      /^what starts by itself has 1\d s more \(recovery\.boot_timeout\)$/,
    );
    host.containers.set('db', { status: 'exited' });
    await host.passes(40);
    expect(host.started, 'somebody stopped db').to.deep.equal(['web']);
  });

  it('waits for ridethrough-ready.target where a unit does', async () => {
    const host = new Host('web');
    host.systemctl = ok('ActiveState=inactive\nWantedBy=\nRequiredBy=\n');
    await host.passes(2);
    expect(host.started, 'none does').to.deep.equal(['web']);
    const other = new Host('web');
    other.systemctl = ok('ActiveState=inactive\nWantedBy=docker.service\nRequiredBy=\n');
    await other.passes(60);
    expect(other.started).to.deep.equal([]);
    other.systemctl = ok('ActiveState=active\nWantedBy=docker.service\nRequiredBy=\n');
    await other.passes(30);
    expect(other.started).to.deep.equal(['web']);
  });

  it('starts a few side by side, and a service of compose after what it depends on', async () => {
    const host = new Host('web', 'db', 'a', 'b');
    host.containers.set('web', { status: 'exited', compose: ['app', 'web', 'db:service_started:false'] });
    host.containers.set('db', { status: 'exited', compose: ['app', 'db', ''] });
    host.startOf = { a: 'hangs', b: 'hangs' };
    host.atOnce = 2;
    await host.passes(3);
    expect(host.started, 'b after db, and web waits for db').to.deep.equal(['db', 'a', 'b']);
    await host.passes(130);
    expect(host.started.indexOf('web')).to.be.greaterThan(host.started.indexOf('db'));
  });

  it('that cannot be started three times is reported once, and the rest runs', async () => {
    const host = new Host('web', 'db');
    host.startOf = { web: fails('Error response from daemon: network 3aaa not found') };
    await host.passes(400);
    expect(host.started.filter((name) => name === 'web')).to.have.lengthOf(3);
    expect(host.events).to.deep.equal([
      '1 guest of this host: web (exit status 1: Error response from daemon: network 3aaa not found)',
    ]);
    host.containers.set('web', { status: 'running' });
    await host.passes(301);
    expect(host.starts.endOf(guest('web'))?.state, 'a person started it').to.equal('over');
  });

  it('that cannot be started is tried again after an outage, and not after a UPS that was not read', async () => {
    const host = new Host('web');
    host.startOf = { web: fails('Error response from daemon: network 3aaa not found') };
    await host.passes(100);
    for (const [kind, tries] of [
      ['unknown', 3],
      ['wait', 3],
      ['outage', 6],
    ] as const) {
      host.held = { why: 'it is not looked at', kind };
      await host.passes(5);
      host.held = null;
      await host.passes(1_000);
      expect(host.started, kind).to.have.lengthOf(tries);
    }
    expect(host.events).to.have.lengthOf(1);
  });

  it('that is not known for a day is over, and the time in which nothing was looked at does not count', async () => {
    const host = new Host('web');
    host.containers.clear();
    await host.passes(3_600);
    host.held = { why: 'the server does not answer yet', kind: 'wait' };
    host.starts.tick();
    await host.rig.time.pass(2 * 86_400_000);
    host.held = null;
    await host.passes(3_600);
    expect(host.starts.endOf(guest('web'))?.state).to.equal('stopped');
    await host.passes(80_000);
    expect(host.starts.endOf(guest('web'))?.state).to.equal('over');
    expect(host.events).to.have.lengthOf(1);
  });

  it('that is not known any more is reported once', async () => {
    const host = new Host('web');
    host.containers.clear();
    await host.passes(120);
    expect(host.events).to.deep.equal(['1 guest of this host: web (docker does not know it any more)']);
  });

  it('is looked at every 15 s until it is reported, and then every 5 min', async () => {
    const host = new Host('web');
    host.startOf = { web: fails('Error response from daemon: network 3aaa not found') };
    const looks = () => host.rig.ran.filter((line) => line.startsWith('docker ps')).length;
    await host.passes(40);
    expect([looks(), host.events.length]).to.deep.equal([3, 1]);
    await host.passes(3_000);
    expect(looks()).to.be.within(12, 13);
  });

  it('stays off with recovery.guests = "leave", and is reported once', async () => {
    const host = new Host('web', 'db');
    host.left = 'recovery.guests is "leave"';
    await host.passes(120);
    expect([host.started, host.events]).to.deep.equal([
      [],
      ['2 guests of this host: web, db (recovery.guests is "leave")'],
    ]);
    host.left = null;
    await host.passes(301);
    expect(host.started, 'it was changed').to.deep.equal(['web', 'db']);
  });

  it('stops starting at once in a new outage', async () => {
    const host = new Host('web', 'db', 'cache');
    host.startOf = { web: 'hangs' };
    host.atOnce = 1;
    await host.passes(3);
    host.held = { why: 'office is on battery', kind: 'outage' };
    await host.passes(60);
    expect(host.started).to.deep.equal(['web']);
    host.held = null;
    host.startOf = {};
    await host.passes(10);
    expect(host.started).to.deep.equal(['web', 'web', 'db', 'cache']);
    expect(host.events).to.deep.equal([]);
  });

  it('starts nothing more where a reload leaves the guests off in the middle, or takes them from this daemon', async () => {
    const reloads: readonly ((host: Host) => void)[] = [
      (host) => (host.left = 'recovery.guests is "leave"'),
      // Dry run, another group, or no UPS of this host any more: nothing holds a start then.
      (host) => (host.guests = []),
    ];
    for (const reload of reloads) {
      const host = new Host('web', 'db', 'cache');
      host.startOf = { web: 'hangs' };
      host.atOnce = 1;
      await host.passes(3);
      reload(host);
      await host.passes(200);
      expect(host.started).to.deep.equal(['web']);
    }
  });

  it('is started at once where a reload gives it back to this daemon', async () => {
    const host = await new Host('web').passes(2);
    host.guests = [];
    await host.passes(30);
    host.containers.set('db', { status: 'exited' });
    host.guests = [guest('db')];
    await host.passes(2);
    expect(host.started).to.deep.equal(['web', 'db']);
  });

  it('starts nothing more in an outage that no tick has seen', async () => {
    const host = new Host('web', 'db');
    host.startOf = { web: 'hangs' };
    host.atOnce = 1;
    await host.passes(1);
    host.held = { why: 'office is on battery', kind: 'outage' };
    await host.rig.time.pass(200_000);
    expect(host.started).to.deep.equal(['web']);
  });

  it('that hangs in its start does not delay those of another engine', async () => {
    const host = new Host('web');
    host.guests = [...host.guests, guest('vm', { engine: 'libvirt', id: uuid })];
    host.startOf = { web: 'hangs' };
    host.atOnce = 1;
    await host.passes(3);
    expect(host.started).to.have.members(['web', `virsh -c test:///default start ${uuid}`]);
  });

  it('of an engine that hangs does not delay that of another, and is reported after its patience', async () => {
    const host = new Host('web');
    host.guests = [...host.guests, guest('vm', { engine: 'libvirt', id: uuid })];
    host.docker = 'hangs';
    await host.passes(5);
    expect(host.started).to.deep.equal([`virsh -c test:///default start ${uuid}`]);
    await host.passes(700);
    expect(host.events).to.have.lengthOf(1);
    expect(host.events[0]).to.match(/web \(docker does not answer: /);
    host.docker = null;
    await host.passes(301);
    expect(host.started).to.include('web');
  });

  it('is reported where the UPS stays unread, since what reads it may be among them', async () => {
    const host = new Host('upsd');
    host.held = { why: 'it is not known whether office is on line power', kind: 'unknown' };
    await host.passes(590);
    expect(host.events).to.deep.equal([]);
    await host.passes(30);
    expect(host.events).to.deep.equal([
      '1 guest of this host: upsd (it is not known whether office is on line power)',
    ]);
  });

  it('with a disk that other machines may use is reported', async () => {
    const host = new Host();
    host.guests = [guest('vm', { engine: 'libvirt', id: uuid })];
    host.running = 'nfs';
    await host.passes(60);
    expect(host.started).to.deep.equal([]);
    expect(host.events[0]).to.match(/^1 guest of this host: vm \(its disk vda \(file\) is on no file system/);
  });

  it('has a later stop as another one', async () => {
    const host = await new Host('web').passes(2);
    expect(host.starts.endOf(guest('web', { foundMs: 9e9 }))).to.equal(null);
    expect(host.starts.endOf(guest('web', { foundMs: null }))?.state).to.equal('over');
  });
});
