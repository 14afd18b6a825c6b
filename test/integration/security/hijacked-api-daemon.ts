// A real daemon with a real upsd whose API worker is controlled by the test (fixtures/hijacked-worker.ts), and outages
// on it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { privateAccounts } from '../../fixtures/private-accounts.js';
import { RealUpsd, account, nearlyEmpty, onLine } from '../../fixtures/real-upsd.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { harmless, startDaemon } from '../../fixtures/running-daemon.js';
import type { HijackedWorker } from '../../fixtures/hijacked-worker.js';
import { apiModule, hijackWorker } from '../../fixtures/hijacked-worker.js';
import { includes, isAbove, until } from '../../fixtures/until.js';
import type { Attack } from './attacks.js';

const planted = 'PLANTED-SECRET';

function configuration(upsdPort: number): string {
  return `
[[ups]]
name = "office@127.0.0.1:${String(upsdPort)}"
is_local = true
value_hold = 0
check_interval = 0.2
[[ups.remote_servers]]
name = "nas"
host = "127.0.0.1"
port = 9
user = "root"
enabled = false
ssh_key_path = "{directory}/id_ed25519"
# A shutdown can be called off before its first destructive step (docs/security.md): the plan only powers off.
[ups.filesystems]
sync_enabled = false
[triggers]
on_battery_stabilization_delay = 0
[nut_control]
enabled = true
username = "${account.username}"
password = '${account.password}'
allowed_commands = ["driver.reload"]
allowed_variables = ["ups.delay.start"]
[mqtt]
enabled = true
broker = "mqtt://${planted}:${planted}@127.0.0.1:9"
[notifications]
urls = ["ntfy://${planted}@127.0.0.1:9/topic"]
[logging]
format = "json"
[api]
enabled = true
port = 0
${harmless}
[api.auth]
db_path = "{directory}/lib/auth.db"
`;
}

/** From the driver's file to the command, and from the decision to the command. */
export interface Reaction {
  readonly seenMs: number;
  readonly commandMs: number;
}

export class HostileSite {
  private constructor(
    readonly upsd: RealUpsd,
    readonly daemon: RunningDaemon,
    readonly api: HijackedWorker,
    /** Texts that the API worker must never receive. */
    readonly secrets: readonly string[],
  ) {}

  /** `more`: further tables of the configuration. */
  static async start(more = ''): Promise<HostileSite> {
    const upsd = await RealUpsd.start({ ups: { office: onLine } });
    const own = privateAccounts();
    const keyFile = join(own.directory, 'id_ed25519');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', keyFile]);
    const key = readFileSync(keyFile, 'utf8').split('\n')[1] ?? '';
    const api = await hijackWorker(own.directory);
    const daemon = await startDaemon({
      toml: `${configuration(upsd.port)}${more}`,
      directory: own.directory,
      prefix: own.launcher({ [apiModule]: api.stub }),
      user: 'alice',
      ready: false,
    });
    const site = new HostileSite(upsd, daemon, api, [planted, account.password, key]);
    const life = await api.current();
    await until(
      async () => JSON.stringify(await life.ask('readings.get', { group: site.group })),
      includes('ups.status'),
    );
    return site;
  }

  get group(): string {
    return `office-127.0.0.1-${String(this.upsd.port)}`;
  }

  logged(pattern: RegExp): readonly string[] {
    return this.daemon
      .log()
      .split('\n')
      .filter((line) => pattern.test(line));
  }

  async untilLogged(pattern: RegExp, moreThan: number): Promise<void> {
    await until(() => this.logged(pattern).length, isAbove(moreThan));
  }

  /** One outage during `attack`; settles when the daemon is armed again. */
  async outage(attack: Attack['act'] | null): Promise<Reaction> {
    const { api, daemon, upsd, group } = this;
    const before = daemon.powerOffs().length;
    let going = true;
    if (attack !== null) api.behave((life) => void attack(life, group, () => going && !life.closed));
    const beganMs = Date.now();
    await upsd.rewrite('office', nearlyEmpty);
    const runs = await daemon.poweredOff(before + 1);
    going = false;
    api.behave(() => undefined);
    const returned = /"event_type":"POWER_RESTORED"/;
    const returns = this.logged(returned).length;
    await upsd.rewrite('office', onLine);
    await this.untilLogged(returned, returns);
    const ranMs = runs.at(-1)?.atMs ?? 0;
    return { seenMs: ranMs - beganMs, commandMs: ranMs - this.#decidedMs() };
  }

  async stop(): Promise<void> {
    await this.daemon.stop();
    await this.upsd.stop();
    this.api.stop();
  }

  #decidedMs(): number {
    const line = this.logged(/shutdown sequence of .* started/).at(-1) ?? '{}';
    return Date.parse((JSON.parse(line) as { timestamp?: string }).timestamp ?? '');
  }
}
