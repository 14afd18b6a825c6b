// The testbed of one case: real servers behind proxies, and the real daemon as root with unprivileged workers. Builds it,
// waits until the daemon is healthy, restarts it after its death, and leaves no process behind.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plan } from '../../shared/domain/outage/plan.js';
import { Broker } from '../fixtures/broker.js';
import { privateAccounts } from '../fixtures/private-accounts.js';
import { PrivateSshd } from '../fixtures/private-sshd.js';
import { RealUpsd } from '../fixtures/real-upsd.js';
import type { RunningDaemon } from '../fixtures/running-daemon.js';
import { heldPort } from '../fixtures/held-port.js';
import { startDaemon } from '../fixtures/running-daemon.js';
import { is, isEmpty, until } from '../fixtures/until.js';
import { SpawnFault } from './spawn-fault.js';
import { Disk } from './disk.js';
import { CommandLog, nowMs } from './command-log.js';
import { workersLeft } from './processes.js';
import { SettableClock, libfaketime } from './settable-clock.js';
import type { Ups } from './site.js';
import type { Asked, Login } from './case-configuration.js';
import { configurationOf, deviceFiles } from './case-configuration.js';
import { HealthWatch, PollWatch } from './watch.js';
import { TcpProxy } from './tcp-proxy.js';

const notifyProgram = fileURLToPath(new URL('notify-server.js', import.meta.url));
/** Ten processes start on a machine that may be busy with other cases. */
const restWithinMs = 100_000;

export interface Servers {
  readonly upsd: Readonly<Record<'house' | 'rack', RealUpsd>>;
  /** `hit` serves `gamma` and may be a victim of faults; `steady` serves the other two. */
  readonly sshd: Readonly<Record<'steady' | 'hit', PrivateSshd>>;
  readonly broker: Broker;
  readonly notify: ChildProcess;
}
/** `beta` leads to the steady server through another port: one port is one machine. */
export type Proxies = Readonly<Record<'house' | 'rack' | 'beta' | 'sshd' | 'broker' | 'notify', TcpProxy>>;

interface Layout {
  readonly servers: Servers;
  readonly proxies: Proxies;
  readonly polls: PollWatch;
}

export class Testbed {
  readonly servers: Servers;
  readonly proxies: Proxies;
  readonly polls: PollWatch;
  readonly commandLog: CommandLog;
  readonly spawnFault: SpawnFault;
  readonly disk: Disk | null;
  readonly clock: SettableClock | null;
  readonly directory: string;
  readonly health: HealthWatch;
  readonly #start: () => Promise<RunningDaemon>;
  readonly #earlier: RunningDaemon[] = [];
  #daemon: RunningDaemon | undefined;
  #plan: Plan | undefined;

  private constructor({ servers, proxies, polls }: Layout, apiPort: number, asked: Asked) {
    const { needs } = asked;
    this.servers = servers;
    this.proxies = proxies;
    this.polls = polls;
    const own = privateAccounts();
    const { directory } = own;
    this.directory = directory;
    this.commandLog = new CommandLog(join(directory, 'notes'));
    const path = needs.has('clock') ? libfaketime() : null;
    this.clock = path === null ? null : new SettableClock(directory, path);
    const environment = this.clock?.environment ?? [];
    this.spawnFault = new SpawnFault(directory, environment);
    this.disk = needs.has('disk') ? new Disk(join(directory, 'lib')) : null;
    this.health = new HealthWatch(apiPort);
    this.#equip();
    const { sshd } = servers;
    const login = (name: string, { user, folder }: PrivateSshd, port: number): Login => {
      const keyFile = join(directory, `${name}.key`);
      copyFileSync(join(folder, 'client'), keyFile);
      return { user, keyFile, port };
    };
    const logins = {
      alpha: login('alpha', sshd.steady, sshd.steady.port),
      beta: login('beta', sshd.steady, proxies.beta.port),
      gamma: login('gamma', sshd.hit, proxies.sshd.port),
    };
    const { house, rack, broker, notify } = proxies;
    const ports = {
      house: house.port,
      rack: rack.port,
      broker: broker.port,
      notify: notify.port,
      api: apiPort,
    };
    const toml = configurationOf(ports, logins, asked);
    const prefix = [
      ...own.launcher(this.spawnFault.mounts),
      ...(environment.length > 0 ? ['env', ...environment] : []),
    ];
    this.#start = () => startDaemon({ toml, directory, prefix, ready: false });
  }

  static async build(asked: Asked): Promise<Testbed> {
    const [house, rack, steady, hit, broker, notify] = await Promise.all([
      RealUpsd.start({ ups: { office: deviceFiles.onLine, hall: deviceFiles.onLine } }),
      RealUpsd.start({ ups: { rack: deviceFiles.onLine } }),
      PrivateSshd.start(),
      PrivateSshd.start(),
      Broker.start(),
      startNotifyServer(),
    ]);
    const polls = new PollWatch();
    const clientData = (bytes: Buffer): void => polls.clientData(bytes);
    const proxies = {
      house: await TcpProxy.to(house.port, clientData),
      rack: await TcpProxy.to(rack.port, clientData),
      beta: await TcpProxy.to(steady.port),
      sshd: await TcpProxy.to(hit.port),
      broker: await TcpProxy.to(broker.port),
      notify: await TcpProxy.to(notify.port),
    };
    const servers = { upsd: { house, rack }, sshd: { steady, hit }, broker, notify: notify.child };
    const testbed = new Testbed({ servers, proxies, polls }, await heldPort(), asked);
    try {
      await testbed.startDaemon();
      testbed.health.begin();
      const ended = testbed.daemon.exited.then((code) => {
        throw new Error(`the daemon ended with ${String(code)}`);
      });
      await Promise.race([testbed.untilHealthy(restWithinMs), ended]);
      const planned = await answerOf<{ plans: { ups: string; plan: Plan }[] }>(testbed.daemon, 'plan');
      testbed.#plan = planned?.plans.find(({ ups }) => ups.startsWith('office@'))?.plan;
      return testbed;
    } catch (error) {
      const log = testbed.log().slice(-3_000);
      await testbed.stop();
      throw new Error(`the daemon does not become healthy: ${log}`, { cause: error });
    }
  }

  get daemon(): RunningDaemon {
    if (this.#daemon === undefined) throw new Error('there is no daemon');
    return this.#daemon;
  }

  /** The plan of the local UPS. */
  get plan(): Plan {
    if (this.#plan === undefined) throw new Error('the daemon has not shown its plan');
    return this.#plan;
  }

  /** The first start, and every restart after its death, as systemd does it. */
  async startDaemon(): Promise<void> {
    if (this.#daemon !== undefined) this.#earlier.push(this.#daemon);
    this.#daemon = await this.#start();
  }

  /** The logs of all daemons of this testbed. */
  log(): string {
    return [...this.#earlier, ...(this.#daemon === undefined ? [] : [this.#daemon])]
      .map((daemon) => daemon.log())
      .join('');
  }

  /**
   * Settles when every worker is ready and every UPS has the connection state OK and two more polls. Throws with what is
   * missing. `withinMs` limits both waits together.
   */
  async untilHealthy(withinMs: number): Promise<void> {
    const end = nowMs() + withinMs;
    await until(() => this.#problem(), is(''), withinMs);
    const before = this.polls.counts();
    await until(
      () => this.polls.counts(),
      (counts) => counts.every((count, index) => count >= (before[index] ?? 0) + 2),
      end - nowMs(),
    );
  }

  /** Changes the values of the local UPS. */
  power(file: keyof typeof deviceFiles): Promise<void> {
    return this.servers.upsd.house.rewrite('office', deviceFiles[file]);
  }

  /** Throws when a process of this daemon, or of a killed one, is left. */
  async stop(): Promise<void> {
    this.health.end();
    const { upsd, sshd, broker, notify } = this.servers;
    try {
      // The daemon's own mount namespace keeps the disk.
      this.disk?.leave();
      await this.#daemon?.stop();
      await until(workersLeft, isEmpty);
    } finally {
      for (const proxy of Object.values(this.proxies)) proxy.close();
      notify.kill('SIGKILL');
      await Promise.all(
        [upsd.house, upsd.rack, sshd.steady, sshd.hit, broker].map((server) => server.stop()),
      );
    }
  }

  /** What is not healthy; empty when all is. */
  async #problem(): Promise<string> {
    const ready = await answerOf<{ workers: { name: string; state: string }[] }>(this.daemon, 'ready');
    if (ready === null) return 'the control socket does not answer';
    const waiting = ready.workers.filter(({ state }) => state !== 'ready').map(({ name }) => name);
    if (ready.workers.length === 0 || waiting.length > 0) return `not ready: ${waiting.join(', ')}`;
    const status = await answerOf<{ ups: { name: Ups; connectionState: string }[] }>(this.daemon, 'status');
    const unseen = status?.ups.filter(({ connectionState }) => connectionState !== 'OK') ?? [];
    if (status?.ups.length !== 3) return 'no status';
    return unseen.map(({ name, connectionState }) => `${name} is ${connectionState}`).join(', ');
  }

  #equip(): void {
    const { sshd } = this.servers;
    for (const server of [sshd.steady, sshd.hit]) {
      server.tool('works', this.commandLog.script('works', '$1', 'exec sleep "$2"'));
      server.tool('goes-down', this.commandLog.script('goes-down', '$1'));
    }
    const path = join(this.directory, 'power-off');
    writeFileSync(path, `#!/bin/sh\n${this.commandLog.script('power-off', 'host')}\n`);
    chmodSync(path, 0o755);
  }
}

/** Null without an answer. */
async function answerOf<T>(daemon: RunningDaemon, path: string): Promise<T | null> {
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), 2_000).unref());
  return Promise.race([(daemon.control(path) as Promise<T>).catch(() => null), late]);
}

function startNotifyServer(): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const child = spawn(process.execPath, [notifyProgram], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve) => {
    child.stdout.once('data', (bytes: Buffer) => resolve({ child, port: Number(bytes.toString()) }));
  });
}
