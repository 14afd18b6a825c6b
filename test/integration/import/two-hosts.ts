// The same outage for two hosts: one with upsmon and upssched of Debian, one with the daemon and the configuration that `init` made
// of their files. Each has an upsd of its own, so that the FSD of one is not read by the other. What would act is a stub that
// notes the time.
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { userInfo } from 'node:os';
import { onLine, RealUpsd } from '../../fixtures/real-upsd.js';
import { upsmonCommand } from '../../fixtures/real-upsmon.js';
import { ridethrough } from '../../fixtures/ridethrough.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { until } from '../../fixtures/until.js';

export interface Files {
  readonly role?: 'primary' | 'secondary';
  readonly upsmon?: string;
  /** Lines after CMDSCRIPT; none: the script is NOTIFYCMD itself. */
  readonly upssched?: string;
  /** The cases of the script by its first argument; with NOTIFYCMD by the type. */
  readonly script: string;
  readonly driverLines?: string;
}

export interface Act {
  readonly side: 'upsmon' | 'daemon';
  /** `uptimeSeconds`. */
  readonly at: number;
  readonly program: string;
  readonly words: string;
}

const types = ['ONLINE', 'ONBATT', 'LOWBATT', 'FSD', 'COMMOK', 'COMMBAD', 'SHUTDOWN'];
/** Each notes that it runs; `upsc` says what a UPS on battery does. */
const stubs = ['off', 'shutdown', 'poweroff', 'logger', 'ssh', 'node-down', 'upsc'];
const downs = ['off', 'shutdown', 'poweroff', 'node-down'];
const user = '[monuser]\n password = secret\n upsmon primary\n';

/** Since the boot: programs of one test may have other dates. */
export const uptimeSeconds = (): number => Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);

export class TwoHosts {
  readonly #folder = temporaryFolder();
  #children: number[] = [];
  #daemon: RunningDaemon | undefined;
  /** What init printed. */
  said = '';
  config = '';

  private constructor(
    readonly files: Files,
    readonly servers: readonly [RealUpsd, RealUpsd],
  ) {}

  static async start(files: Files): Promise<TwoHosts> {
    const options = { ups: { office: onLine }, moreUsers: user, driverLines: files.driverLines ?? '' };
    const hosts = new TwoHosts(files, [await RealUpsd.start(options), await RealUpsd.start(options)]);
    try {
      hosts.#write();
      await hosts.#import();
      hosts.#startUpsmon();
      await hosts.#startDaemon();
    } catch (error) {
      await hosts.stop();
      throw error;
    }
    return hosts;
  }

  get daemon(): RunningDaemon {
    if (this.#daemon === undefined) throw new Error('the daemon is not started');
    return this.#daemon;
  }

  acts(side: Act['side'], program?: string): readonly Act[] {
    const lines = readFileSync(this.#acts, 'utf8').split('\n').slice(0, -1);
    return lines
      .map((line): Act => {
        const [at, by, name = '', ...words] = line.split(' ');
        return {
          at: Number(at),
          side: by === 'upsmon' ? 'upsmon' : 'daemon',
          program: name,
          words: words.join(' '),
        };
      })
      .filter((act) => act.side === side && (program === undefined || act.program === program));
  }

  /** What went down on each side: without what `-c` has taken back, and without a hook, which has no rights. */
  downs(): readonly Act[] {
    const upsmon = this.acts('upsmon').filter(({ program }) => downs.includes(program));
    return [...(upsmon.at(-1)?.words === '-c' ? [] : upsmon), ...this.acts('daemon', 'off')];
  }

  did(side: Act['side'], program: string, times = 1): Promise<unknown> {
    return until(() => this.acts(side, program).length >= times);
  }

  /** For both UPSes. */
  async reads(dev: string): Promise<void> {
    await Promise.all(this.servers.map((server) => server.rewrite('office', dev)));
  }

  async stop(): Promise<void> {
    await this.#daemon?.stop();
    for (const pid of this.#children)
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    await Promise.all(this.servers.map((server) => server.stop()));
  }

  get #acts(): string {
    return join(this.#folder, 'acts');
  }
  #path(...parts: readonly string[]): string {
    return join(this.#folder, ...parts);
  }

  #write(): void {
    const { role = 'secondary', upsmon = '', upssched, script, driverLines = '' } = this.files;
    chmodSync(this.#folder, 0o755);
    for (const name of ['bin', 'etc', 'run', 'imported']) mkdirSync(this.#path(name));
    writeFileSync(this.#acts, '');
    chmodSync(this.#acts, 0o666);
    for (const name of stubs)
      writeFileSync(
        this.#path('bin', name),
        `#!/bin/sh\nread -r at idle </proc/uptime\necho "$at \${HOST_OF:-daemon} ${name} $*" >>${this.#acts}\necho OB\n`,
        { mode: 0o755 },
      );
    // Only the real upsmon of this test hears it: its pid file is in the namespace that it runs in.
    symlinkSync('/lib/nut/upsmon', this.#path('bin/upsmon'));
    for (const name of ['sh', 'sleep', 'grep']) symlinkSync(`/bin/${name}`, this.#path('bin', name));
    const word = upssched === undefined ? '$NOTIFYTYPE' : '$1';
    const text = `#!/bin/sh\nPATH=${this.#path('bin')}\ncase ${word} in\n${script}\nesac\n`;
    writeFileSync(this.#path('etc/cmd.sh'), text.replaceAll('{bin}', this.#path('bin')), { mode: 0o755 });
    const notified = upssched === undefined ? this.#path('etc/cmd.sh') : '/sbin/upssched';
    const written = {
      'upsmon.conf': `MONITOR office@127.0.0.1:${String(this.servers[0].port)} 1 monuser secret ${role}
RUN_AS_USER ${userInfo().username}
SHUTDOWNCMD "${this.#path('bin/off')}"
NOTIFYCMD ${notified}
${types.map((type) => `NOTIFYFLAG ${type} SYSLOG+EXEC`).join('\n')}
MINSUPPLIES 1
POLLFREQ 1
POLLFREQALERT 1
HOSTSYNC 1
${upsmon}`,
      'ups.conf': `[office]\n driver = dummy-ups\n port = office.dev\n${driverLines}`,
      ...(upssched === undefined
        ? {}
        : {
            'upssched.conf': `CMDSCRIPT ${this.#path('etc/cmd.sh')}\nPIPEFN ${this.#path('run/pipe')}\nLOCKFN ${this.#path('run/lock')}\n${upssched}\n`,
          }),
    };
    for (const [name, contents] of Object.entries(written))
      writeFileSync(this.#path('etc', name), contents, { mode: 0o600 });
  }

  async #import(): Promise<void> {
    const output = this.#path('imported/config.toml');
    const { code, out, err } = await ridethrough([
      'init',
      ...['--from-upsmon', this.#path('etc'), '--output', output],
    ]);
    if (code !== 0) throw new Error(`init has ended with ${String(code)}: ${err}`);
    this.said = out + err;
    this.config = readFileSync(output, 'utf8');
  }

  #startUpsmon(): void {
    const [program, ...words] = upsmonCommand;
    const child = spawn(program, [...words, '-F', '-p'], {
      detached: true,
      stdio: 'ignore',
      env: {
        PATH: `${this.#path('bin')}:${process.env['PATH'] ?? ''}`,
        NUT_CONFPATH: this.#path('etc'),
        NUT_STATEPATH: this.#path('run'),
        NUT_ALTPIDPATH: this.#path('run'),
        HOST_OF: 'upsmon',
      },
    });
    if (child.pid !== undefined) this.#children.push(child.pid);
  }

  async #startDaemon(): Promise<void> {
    const [one, other] = this.servers;
    const toml = this.config
      .replaceAll(`127.0.0.1:${String(one.port)}`, `127.0.0.1:${String(other.port)}`)
      .replace(/^dry_run = true/m, 'dry_run = false');
    // A hook of root needs another account.
    const more = `
[supervisor]
runtime_directory = "{directory}/run"
[supervisor.worker_users]
hook = "nobody"
[statistics]
db_directory = "{directory}/lib"
`;
    this.#daemon = await startDaemon({ toml: `${toml}${more}` });
    await this.#daemon.seesAll();
  }
}
