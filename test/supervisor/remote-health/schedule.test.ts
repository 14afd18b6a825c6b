import { expect } from 'chai';
import { jitter } from '../../../supervisor/remote-health/machine/jitter.js';
import { good, Machine, refused, server } from './machine.js';

const fleet = (size: number) => Array.from({ length: size }, (_, index) => server(`s${String(index)}`));

describe('the probes of remote servers', () => {
  it('start with the daemon, or one interval later without startup_check', () => {
    expect(new Machine().tick()).to.deep.equal(['nas']);
    const later = new Machine({ startupCheck: false });
    expect(later.tick(59_999)).to.deep.equal([]);
    expect(later.tick(6_001)).to.deep.equal(['nas']);
  });

  it('start one interval after the start of the last one, and up to a tenth of it later', () => {
    const machine = new Machine();
    machine.tick();
    machine.tick(20_000);
    machine.answer(good);
    expect(machine.tick(39_999)).to.deep.equal([]);
    expect(machine.tick(6_001)).to.deep.equal(['nas']);
  });

  it('drift apart although they start together', () => {
    const machine = new Machine({ servers: fleet(8) });
    machine.tick();
    const dues = machine.state.servers.map(({ dueMs }) => dueMs - machine.nowMs);
    expect(Math.min(...dues)).to.be.at.least(60_000);
    expect(Math.max(...dues)).to.be.below(66_000);
    expect(Math.max(...dues) - Math.min(...dues)).to.be.above(1_000);
    const many = Array.from({ length: 1_000 }, (_, index) => jitter(`a/${String(index)}`));
    for (const tenth of Array.from({ length: 10 }, (_, index) => index / 10))
      expect(many.filter((one) => one >= tenth && one < tenth + 0.1).length).to.be.within(60, 140);
  });

  it('are at most eight concurrent ones, the longest due first, and a hung one delays no other', () => {
    const machine = new Machine({ servers: fleet(20) });
    expect(machine.tick()).to.have.length(8);
    expect(machine.tick(250)).to.deep.equal([]);
    machine.answer(good, 's3');
    expect(machine.tick(250)).to.deep.equal(['s8']);
    for (const name of ['s1', 's2', 's4', 's5', 's6', 's7', 's8']) machine.answer(refused, name);
    expect(machine.tick(250)).to.deep.equal(['s9', 's10', 's11', 's12', 's13', 's14', 's15']);
    expect(machine.running('s0')).to.equal(1);
  });

  it('wait for a prober that is ready', () => {
    const machine = new Machine();
    expect(machine.tick(0, { isProberReady: false })).to.deep.equal([]);
    expect(machine.tick()).to.deep.equal(['nas']);
  });

  it('are repeated a minute after the prober was lost, which is no failure of the server', () => {
    const machine = new Machine({ intervalMs: 3_600_000 });
    machine.tick();
    machine.interrupt();
    expect(machine.row).to.include({ status: 'UNKNOWN', consecutiveFailures: 0 });
    expect(machine.tick(59_999)).to.deep.equal([]);
    expect(machine.tick(1)).to.deep.equal(['nas']);
  });

  it('pause while a UPS is on battery, and missed ones follow afterwards', () => {
    const machine = new Machine();
    machine.next(good);
    expect(machine.tick(120_000, { onBattery: ['office'] })).to.deep.equal([]);
    expect(machine.tick(250)).to.deep.equal(['nas']);
  });

  it('continue for servers of other UPSes, but pause for all while a sequence runs', () => {
    const machine = new Machine({ servers: [server('nas'), server('far', { group: 'annex' })] });
    expect(machine.tick(0, { onBattery: ['office'] })).to.deep.equal(['far']);
    machine.answer(good, 'far');
    expect(machine.tick(66_000, { onBattery: ['office'], sequenceRuns: true })).to.deep.equal([]);
    expect(machine.tick(250, { onBattery: ['office'] })).to.deep.equal([]);
    expect(machine.tick(300_000)).to.deep.equal(['far']);
    expect(machine.tick(300_000)).to.deep.equal(['nas']);
  });

  it('give servers that a sequence shut down five minutes to boot', () => {
    const machine = new Machine();
    machine.next(good);
    machine.tick(60_000, { onBattery: ['office'] });
    machine.tick(60_000, { onBattery: ['office'], sequenceRuns: true });
    machine.tick(60_000, { onBattery: ['office'] });
    expect(machine.tick(250)).to.deep.equal([]);
    expect(machine.tick(299_999)).to.deep.equal([]);
    expect(machine.tick(1)).to.deep.equal(['nas']);
  });

  it('leave out a server that is down by the record, and give it five minutes to boot once it is not', () => {
    const machine = new Machine({ servers: [server('nas'), server('far')] });
    expect(machine.tick(0, { down: ['nas'] })).to.deep.equal(['far']);
    machine.answer(good, 'far');
    expect(machine.tick(3_600_000, { down: ['nas'] })).to.deep.equal(['far']);
    expect(machine.tick(250)).to.deep.equal([]);
    expect(machine.tick(299_999)).to.deep.equal([]);
    expect(machine.tick(1)).to.deep.equal(['nas']);
  });

  it('that fail at once count when the server has answered since the start of the daemon', () => {
    const machine = new Machine({ failureThreshold: 1, intervalMs: 60_000 }, [], 20_000);
    machine.tick();
    machine.answer(good);
    machine.tick(66_000);
    machine.answer(refused);
    expect(machine.row.status).to.equal('FAILED');
  });

  it('that fail while this host has been up for less than five minutes do not count, and are repeated then', () => {
    const servers = [server('nas'), server('web')];
    const machine = new Machine({ failureThreshold: 1, servers, intervalMs: 3_600_000 }, [], 20_000);
    machine.tick();
    machine.answer(refused);
    machine.answer(good, 'web');
    expect(machine.outputLines).to.deep.equal(['event REMOTE_HEALTH_HEALTHY']);
    expect(machine.row.status).to.equal('UNKNOWN');
    expect(machine.tick(279_999)).to.deep.equal([]);
    expect(machine.tick(1)).to.deep.equal(['nas']);
    machine.answer(refused);
    expect(machine.row.status).to.equal('FAILED');
  });

  it('that meet a refused host key count at once', () => {
    const machine = new Machine({}, [], 20_000);
    machine.tick();
    machine.answer({ ok: false, reason: 'the host key has changed', obstacle: 'hostKey', ownNetwork: false });
    expect(machine.row.status).to.equal('DEGRADED');
  });

  it('that end in an outage are ignored when they fail, and count when they are good', () => {
    const machine = new Machine();
    machine.tick();
    machine.tick(250, { onBattery: ['office'] });
    machine.answer(refused);
    expect(machine.row).to.include({ status: 'UNKNOWN', lastCheckedAt: null });
    expect(machine.tick(250)).to.deep.equal(['nas']);
    machine.tick(250, { onBattery: ['office'] });
    machine.answer(good);
    expect(machine.row.status).to.equal('HEALTHY');
  });
});

describe('a reload', () => {
  it('keeps the states of servers that stay, removes those of others and starts with new servers', () => {
    const machine = new Machine({ servers: [server('nas'), server('old')] });
    machine.tick();
    machine.answer(refused);
    machine.answer(good, 'old');
    machine.configure({ servers: [server('new'), server('nas')], failureThreshold: 3 });
    expect(
      machine.state.servers.map(({ server: { name }, health }) => `${name} ${health.kind}`),
    ).to.deep.equal(['new UNKNOWN', 'nas DEGRADED']);
    expect(machine.tick()).to.deep.equal(['new']);
  });

  it('resets the state of a server that is another machine now', () => {
    const machine = new Machine();
    machine.tick();
    machine.answer(good);
    machine.configure({ servers: [server('nas', { place: 'root@192.0.2.10:22' })] });
    expect(machine.row).to.include({ status: 'UNKNOWN', lastSuccessAt: null });
    expect(machine.tick()).to.deep.equal(['nas']);
  });

  it('makes a probe due for a server with another key, and reports its recovery', () => {
    const machine = new Machine({ failureThreshold: 1 });
    machine.next(refused);
    machine.configure({ servers: [server('nas', { access: 'other key' })], failureThreshold: 1 });
    expect(machine.row.status).to.equal('FAILED');
    expect(machine.tick()).to.deep.equal(['nas']);
    machine.answer(good);
    expect(machine.outputLines.at(-1)).to.equal('message REMOTE_HEALTH_HEALTHY');
  });

  it('ignores the result of an earlier probe with other settings', () => {
    const machine = new Machine();
    machine.tick();
    const old = machine.running();
    machine.configure({ servers: [server('nas', { access: 'other key' })] });
    machine.tick();
    machine.take({ kind: 'probed', at: machine.at, probe: old, finding: refused });
    expect(machine.row.status).to.equal('UNKNOWN');
    expect(machine.running()).to.be.above(old);
  });

  it('counts the result of an earlier probe with the same settings', () => {
    const machine = new Machine();
    machine.tick();
    machine.configure({ intervalMs: 120_000 });
    machine.answer(good);
    expect(machine.row.status).to.equal('HEALTHY');
  });

  it('applies a shorter interval from now on', () => {
    const machine = new Machine({ intervalMs: 3_600_000 });
    machine.tick();
    machine.answer(good);
    machine.configure({ intervalMs: 60_000 });
    expect(machine.tick(66_000)).to.deep.equal(['nas']);
  });

  it('restores no failed server by a higher failure_threshold', () => {
    const machine = new Machine({ failureThreshold: 1 });
    machine.next(refused);
    machine.configure({ failureThreshold: 5 });
    machine.next(refused);
    expect(machine.row.status).to.equal('FAILED');
    expect(machine.outputLines.filter((one) => one.startsWith('message'))).to.have.length(1);
  });
});
