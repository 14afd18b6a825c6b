import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Daemon } from '../../../supervisor/daemon/daemon.js';
import type { CommandOutcome } from '../../../supervisor/host/run-command.js';
import type { LaunchProcess } from '../../../supervisor/supervision/worker-instance.js';
import { plainHost } from '../../fixtures/idle-parts.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { configurationFrom, office } from '../config/loading.js';
import { reading } from '../policy/stream.js';
import { SimulatedProcess } from '../supervision/simulated.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const group = 'office-127.0.0.1-3493';
const configuration = {
  ...configurationFrom(
    `${office}is_local = true\ncheck_interval = 1\nvalue_hold = 0\n` +
      '[triggers]\non_battery_stabilization_delay = 0\nconfirmations = 1\n[local_shutdown]\ncommand = ["off"]\n',
  ),
  inContainer: false,
};

const withDocker = {
  ...configurationFrom(
    `${office}is_local = true\ncheck_interval = 1\nvalue_hold = 0\n[ups.containers]\nenabled = true\nruntime = "docker"\n`,
  ),
  inContainer: false,
};

const fails = (): never => {
  throw new Error('it throws');
};

const silent: LaunchProcess = () => new SimulatedProcess(1);

describe('the daemon', () => {
  let directory: string;
  beforeEach(() => (directory = temporaryFolder()));

  function rig({
    launch = silent,
    alive = () => undefined,
    stopping = () => undefined,
    stopsLater = () => undefined,
    hangs = [] as readonly string[],
    settings = configuration,
  } = {}) {
    const time = new FakeTime();
    const ran: string[] = [];
    const calls: string[] = [];
    const recordCall = (what: string) => () => void calls.push(what);
    const daemon = new Daemon(settings, {
      clock: time,
      setTimer: time.setTimer,
      run: ([program = '']): Promise<CommandOutcome> => {
        ran.push(program);
        if (hangs.includes(program)) return new Promise(() => undefined);
        return Promise.resolve({ kind: 'exited', code: 0, output: '' });
      },
      launcher: () => launch,
      hookUser: () => null,
      directory: {
        controlSocket: join(directory, 'control.sock'),
        snapshot: join(directory, 'snapshot.json'),
        journals: directory,
        reserve: join(directory, 'reserve.json'),
        hookTimers: join(directory, 'hooks.json'),
        recovery: join(directory, 'recovery.json'),
        drills: join(directory, 'drills.json'),
        requests: join(directory, 'requests'),
        warning: null,
      },
      bootId: 'this boot',
      machineId: 'this machine',
      configFile: '/etc/ridethrough/config.toml',
      host: plainHost,
      manager: {
        ready: recordCall('ready'),
        reloading: recordCall('reloading'),
        stopsLater: () => {
          recordCall('stopsLater')();
          stopsLater();
        },
        stopping: () => {
          recordCall('stopping')();
          stopping();
        },
        alive: () => {
          recordCall('alive')();
          alive();
        },
      },
      reload: () => Promise.reject(new Error('nobody reloads')),
    });
    const pass = async (seconds: number, words: string, chargePercent: number): Promise<void> => {
      for (let second = 0; second < seconds; second += 1) {
        await time.pass(1_000);
        const now = time.monotonicMs();
        const outcome = reading(words, { chargePercent, runtimeSeconds: 3_000 });
        daemon.engine.polled(group, { startedAt: now, endedAt: now, outcome });
        await settled();
      }
    };
    return { daemon, ran, calls, pass, time };
  }

  it('powers the host off although none of its workers ever sends a frame', async () => {
    const { ran, pass } = rig();
    await pass(2, 'OL', 100);
    expect(ran).to.deep.equal([]);
    await pass(2, 'OB', 5);
    expect(ran).to.include('off');
  });

  it('continues its ticks, and powers the host off, when no worker can be started', async () => {
    let isBroken = false;
    const { ran, pass, calls } = rig({
      launch: () => {
        const process = new SimulatedProcess(1);
        if (isBroken) process.end('no more processes');
        return process;
      },
    });
    await pass(2, 'OL', 100);
    isBroken = true;
    // Silent workers are killed and restarted meanwhile.
    await pass(30, 'OL', 100);
    const fed = calls.filter((what) => what === 'alive').length;
    await pass(2, 'OB', 5);
    expect(ran).to.include('off');
    expect(calls.filter((what) => what === 'alive').length).to.be.greaterThan(fed);
  });

  it('powers the host off when its watchdog message to the service manager throws', async () => {
    const { ran, pass } = rig({ alive: fails });
    await pass(2, 'OL', 100);
    await pass(2, 'OB', 5);
    expect(ran).to.include('off');
  });

  it('evaluates the failsafe by itself when no poller reports any more', async () => {
    const { ran, pass, time } = rig();
    await pass(2, 'OL', 100);
    await pass(1, 'OB', 90);
    await time.pass(60_000);
    expect(ran).to.include('off');
  });

  it('looks for a drained node of a swarm after an outage, not during it', async () => {
    const { ran, pass } = rig({ settings: withDocker });
    await pass(60, 'OB', 90);
    expect(ran).to.deep.equal([]);
    await pass(60, 'OL', 90);
    expect(ran).to.deep.equal(['docker']);
  });

  it('does not end by SIGTERM during a sequence, and ends after it', async () => {
    const { daemon, ran, calls, pass, time } = rig({ hangs: ['sync'] });
    await pass(2, 'OL', 100);
    await pass(1, 'OB', 5);
    expect(ran).to.deep.equal(['sync']);
    daemon.terminate('SIGTERM');
    await time.pass(5_000);
    expect(calls).not.to.include('stopping');
    expect(calls.filter((call) => call === 'stopsLater')).to.have.length(1);
    await time.pass(70_000);
    expect(ran).to.include('off');
    expect(calls).to.include('stopping');
  });

  it('ends after its sequence also when its message to the service manager throws', async () => {
    const { daemon, ran, calls, pass, time } = rig({ hangs: ['sync'], stopsLater: fails });
    await pass(2, 'OL', 100);
    await pass(1, 'OB', 5);
    daemon.terminate('SIGTERM');
    await time.pass(75_000);
    expect(ran).to.include('off');
    expect(calls).to.include('stopping');
  });

  it('ends after its sequence also when another part of each tick throws', async () => {
    let isBroken = false;
    const settings = {
      ...configuration,
      get localShutdown() {
        return isBroken ? fails() : configuration.localShutdown;
      },
    };
    const { daemon, ran, calls, pass, time } = rig({ hangs: ['sync'], settings });
    await pass(2, 'OL', 100);
    await pass(1, 'OB', 5);
    isBroken = true;
    daemon.terminate('SIGTERM');
    await time.pass(75_000);
    expect(ran).to.include('off');
    expect(calls).to.include('stopping');
  });

  it('applies what it can of a configuration when a part throws', async () => {
    const { daemon, ran, pass } = rig({ settings: withDocker });
    const settings = {
      ...configuration,
      get reports() {
        return fails();
      },
    };
    expect(daemon.apply(settings)).to.be.an('array');
    await pass(2, 'OL', 100);
    await pass(2, 'OB', 5);
    expect(ran).to.include('off');
  });

  it('ends by SIGTERM immediately when no sequence runs', () => {
    const { daemon, calls } = rig();
    daemon.terminate('SIGTERM');
    expect(calls).to.include('stopping');
    expect(calls).not.to.include('stopsLater');
  });

  it('ends by SIGTERM also when its message to the service manager throws', () => {
    const { daemon } = rig({ stopping: fails });
    daemon.terminate('SIGTERM');
    expect(existsSync(join(directory, 'snapshot.json')), 'the snapshot for the next daemon').to.equal(true);
  });
});
