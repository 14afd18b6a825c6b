// When what a shutdown has stopped on a server is started again, with a fake remote worker.
import { expect } from 'chai';
import { guest, server, Site } from './guest-site.js';

describe('what a shutdown has stopped on a server', () => {
  it('runs again once the server has answered for its boot_timeout on line power, with one look before', async () => {
    const site = new Site();
    site.target = { guests: [guest('101'), guest('102')] };
    await site.passes(119);
    expect(site.asked).to.deep.equal([]);
    expect(site.notice).to.match(
      /^2 guests of the server nas stopped by a shutdown and not started yet: what starts by itself has up to 60 s more/,
    );
    await site.passes(5);
    expect(site.asked).to.deep.equal(['look 101 102', 'start 101', 'start 102']);
    expect(site.guests.endOf('nas', guest('101'))?.state).to.equal('over');
    expect([site.notice, site.events]).to.deep.equal(['', []]);
    await site.passes(4_000);
    expect(site.asked).to.have.length(3);
  });

  it('is not asked for while the server is commanded, was shut down by hand, or does not answer', async () => {
    for (const [change, answers, why] of [
      [{ command: 'given' }, true, 'the server was shut down, and is not up again'],
      [{ command: 'maybe' }, true, 'the server may have been shut down, and is not up again'],
      [{ byHandUnixSeconds: 1 }, true, 'the server was shut down by hand, and is not up again'],
      [{}, null, 'no look has shown whether the server is up'],
      [{}, false, 'the server does not answer'],
    ] as const) {
      const site = new Site();
      site.target = { guests: [guest('101')], ...change };
      site.answers = answers;
      await site.passes(300);
      expect(site.asked).to.deep.equal([]);
      expect(site.notice.endsWith(`not started yet: ${why}`), site.notice).to.equal(true);
    }
    const site = new Site();
    site.target = { guests: [guest('101')] };
    site.answers = null;
    await site.passes(1_000);
    expect([site.asked, site.events]).to.deep.equal([[], []]);
    site.answers = true;
    await site.passes(100);
    expect(site.asked, 'its time begins with its first answer').to.deep.equal([]);
    await site.passes(25);
    expect(site.asked).to.include('start 101');
  });

  it('is let go at once by an outage: the login is closed and nothing more is started', async () => {
    const site = new Site();
    const ids = ['101', '102', '103', '104', '105', '106'];
    site.target = { guests: ids.map((id) => guest(id)) };
    site.holdsStarts = true;
    await site.passes(123);
    expect(site.asked.filter((line) => line.startsWith('start '))).to.have.length(4);
    site.onBattery = true;
    await site.passes(2);
    expect(site.asked).to.include('end nas');
    await site.passes(300);
    expect(site.asked.filter((line) => line.startsWith('start '))).to.have.length(4);
    expect(site.notice).to.match(/is on battery/);
    expect(site.events).to.deep.equal([]);
  });

  it('stays off where HA keeps it, and the event has the command that sets its state back, once', async () => {
    const site = new Site();
    site.target = { guests: [guest('vm:101', { engine: 'proxmox_ha', name: 'web' })] };
    site.states.set('vm:101', 'ha');
    await site.passes(600);
    expect(site.asked.some((line) => line.startsWith('start '))).to.equal(false);
    expect(site.events).to.have.length(1);
    expect(site.events[0]).to.match(
      /^1 guest of the server nas: web \(.*ha-manager set vm:101 --state started\)$/,
    );
    expect(site.notice).to.contain('ha-manager set vm:101 --state started');
    const looks = site.asked.length;
    await site.passes(3_000);
    expect(site.asked.length - looks, 'a login an hour').to.be.at.most(1);
    site.states.set('vm:101', 'running');
    await site.passes(3_700);
    expect(site.notice).to.equal('');
  });

  it('is tried three times, a minute apart, and then named once with the words of its tool', async () => {
    const site = new Site();
    site.target = { guests: [guest('101')] };
    site.refusals.set('101', 'no quorum');
    await site.passes(600);
    expect(site.asked.filter((line) => line === 'start 101')).to.have.length(3);
    expect(site.events).to.have.length(1);
    expect(site.events[0]).to.contain('ct-101 (no quorum)');
  });

  it('is not tried again because one look at the server was silent', async () => {
    const site = new Site();
    site.target = { guests: [guest('101')] };
    site.refusals.set('101', 'no quorum');
    await site.passes(600);
    site.answers = null;
    await site.passes(10);
    site.answers = true;
    await site.passes(4_000);
    const starts = (): number => site.asked.filter((line) => line === 'start 101').length;
    expect([starts(), site.events.length]).to.deep.equal([3, 1]);
    site.onBattery = true;
    await site.passes(10);
    site.onBattery = false;
    await site.passes(8_000);
    expect(starts(), 'an outage').to.equal(6);
  });

  it('is named after ten minutes in which no login was possible', async () => {
    const site = new Site();
    site.target = { guests: [guest('101')] };
    site.unreached = 'the host key is unknown';
    await site.passes(900);
    expect(site.events).to.have.length(1);
    expect(site.events[0]).to.contain('the host key is unknown');
    expect(site.asked.length).to.be.at.most(14);
  });

  it('is not started where it was named, and a person has shut the server down since', async () => {
    const site = new Site();
    site.target = { guests: [guest('101')] };
    site.refusals.set('101', 'no quorum');
    await site.passes(400);
    expect(site.notice).to.contain('no quorum');
    site.refusals.clear();
    site.asked.length = 0;
    // Of this boot: the journal has the stop still.
    site.target = { guests: [guest('101', { state: 'over' })] };
    await site.passes(7_300);
    expect([site.notice, site.asked]).to.deep.equal(['', []]);
  });

  it('is only looked at with guests = "leave", and named', async () => {
    const site = new Site('[recovery]\nenabled = true\nguests = "leave"\n');
    site.target = { guests: [guest('101'), guest('102')] };
    site.states.set('102', 'running');
    await site.passes(300);
    expect(site.asked).to.deep.equal(['look 101 102']);
    expect(site.events).to.deep.equal(['1 guest of the server nas: ct-101 (recovery.guests is "leave")']);
  });

  it('is only looked at while recovery is off, by the journal, and named', async () => {
    const site = new Site('');
    const found = ['101', '102'].map((id) => ({ guest: guest(id), atMs: 1, unixSeconds: 1 }));
    const action = { kind: 'remote', work: { server: 'nas', actions: [] } };
    site.sequence = {
      over: {},
      plan: { dryRun: false, phases: [{ steps: [{ id: 'nas/stop', action }] }] },
      found: new Map([['nas/stop', new Map(found.map((one) => [one.guest.id, one]))]]),
    };
    site.states.set('102', 'running');
    await site.passes(300);
    expect(site.asked).to.deep.equal(['look 101 102']);
    expect(site.events).to.deep.equal(['1 guest of the server nas: ct-101 (recovery.enabled is false)']);
    expect(site.notice).to.match(/^1 guest of the server nas .*: ct-101 \(recovery\.enabled is false\)$/);
    site.sequence = undefined;
    await site.passes(2);
    expect(site.notice, 'the journal has forgotten it').to.equal('');
  });

  it('is left alone in a dry run, and by a dry run', async () => {
    const site = new Site('[recovery]\nenabled = true\n[behavior]\ndry_run = true\n');
    site.target = { guests: [guest('101')] };
    await site.passes(300);
    expect(site.asked).to.deep.equal([]);
    const other = new Site();
    other.target = { guests: [guest('101')], isDryRun: true };
    await other.passes(300);
    expect(other.asked).to.deep.equal([]);
  });

  it('of a server that nothing looks at is named: nobody knows when it is up', async () => {
    const site = new Site('[recovery]\nenabled = true\n', `${server}off_check = "none"\n`);
    site.target = { guests: [guest('101')] };
    site.answers = null;
    await site.passes(700);
    expect(site.asked).to.deep.equal([]);
    expect(site.events).to.have.length(1);
    expect(site.events[0]).to.contain('off_check is "none"');
    expect(site.guests.notices.get('nas')).to.contain('not started again: ');
  });

  it('of a server that nothing looks at is forgotten after a day: nothing would ever end it', async () => {
    const site = new Site('[recovery]\nenabled = true\n', `${server}off_check = "none"\n`);
    site.target = { guests: [guest('101')] };
    site.answers = null;
    await site.passes(700);
    site.time.advance(85_600_000);
    await site.passes(2);
    expect([...site.guests.notices.keys()]).to.deep.equal(['nas']);
    site.time.advance(100_000);
    await site.passes(2);
    expect([...site.guests.notices.keys()]).to.deep.equal([]);
    expect([site.asked.length, site.events.length]).to.deep.equal([0, 1]);
  });
});
