// apcupsd of Debian as the client of an information server of this test, which shows a UPS. Its apccontrol notes events.
import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:net';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { until } from '../../fixtures/until.js';

const tools = fileURLToPath(new URL('../../../../node_modules/.cache/ridethrough-tools', import.meta.url));
const program = join(tools, 'files/apcupsd/sbin/apcupsd');
/** Where packages put what they bring. */
const libraries = ['lib', 'usr/lib'].flatMap((path) => {
  const folder = join(tools, path);
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
});
const env = { PATH: process.env['PATH'], LD_LIBRARY_PATH: libraries.join(':') };

/** Why it cannot run here; null where it can. */
export function apcupsdProblem(): string | null {
  if (!existsSync(program)) return `there is no ${program}, which scripts/test.sh takes out of its package`;
  const { stdout } = spawnSync('ldd', [program], { encoding: 'utf8', env });
  return stdout.includes('not found') ? `a library of apcupsd is missing: ${stdout}` : null;
}

export interface Shown {
  readonly isOnBattery: boolean;
  readonly chargePercent: number;
  readonly runtimeMinutes: number;
}

export class Apcupsd {
  readonly folder = temporaryFolder();
  /** Requests for the status since the last change of what is shown. */
  answered = 0;
  #shown: Shown = { isOnBattery: false, chargePercent: 100, runtimeMinutes: 60 };
  #child: ChildProcess | undefined;

  private constructor(readonly server: Server) {}

  static async start(directives: string): Promise<Apcupsd> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const apcupsd = new Apcupsd(server);
    apcupsd.#answer();
    apcupsd.#run(directives);
    await until(() => apcupsd.answered > 0);
    return apcupsd;
  }

  get conf(): string {
    return join(this.folder, 'apcupsd.conf');
  }

  shows(shown: Shown): void {
    this.#shown = shown;
    this.answered = 0;
  }

  /** Whether apccontrol was called with this event. */
  did(event: string): boolean {
    const path = join(this.folder, 'events');
    return existsSync(path) && readFileSync(path, 'utf8').split('\n').includes(event);
  }

  stop(): void {
    const { pid } = this.#child ?? {};
    if (pid !== undefined)
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    this.server.close();
  }

  #run(directives: string): void {
    const address = this.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    mkdirSync(join(this.folder, 'scripts'));
    const control = `#!/bin/sh\necho "$1" >>${this.folder}/events\n`;
    writeFileSync(join(this.folder, 'scripts/apccontrol'), control, { mode: 0o755 });
    writeFileSync(
      this.conf,
      `## apcupsd.conf v1.1 ##
UPSCABLE ether
UPSTYPE net
DEVICE 127.0.0.1:${String(port)}
POLLTIME 1
${['LOCKFILE', 'PWRFAILDIR', 'NOLOGINDIR'].map((key) => `${key} ${this.folder}`).join('\n')}
SCRIPTDIR ${this.folder}/scripts
EVENTSFILE ${this.folder}/log
NETSERVER off
UPSCLASS standalone
UPSMODE disable
${directives}`,
    );
    // Its pid file has a fixed place.
    const own = ['--mount', ...(process.getuid?.() === 0 ? [] : ['--map-root-user'])];
    const line = 'mount -t tmpfs none /run && exec "$@"';
    this.#child = spawn('unshare', [...own, 'sh', '-c', line, 'sh', program, '-b', '-f', this.conf], {
      detached: true,
      stdio: 'ignore',
      env,
    });
  }

  /** Each message is preceded by its length; the last one is empty. */
  #answer(): void {
    this.server.on('connection', (socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (request) => {
        if (!request.includes('status')) return;
        const lines = this.#lines().map((line) => Buffer.from(`${line}\n`));
        const framed = lines.flatMap((line) => [Buffer.from([0, line.length]), line]);
        socket.write(Buffer.concat([...framed, Buffer.from([0, 0])]));
        this.answered += 1;
      });
    });
  }

  #lines(): readonly string[] {
    const { isOnBattery, chargePercent, runtimeMinutes } = this.#shown;
    return [
      'APC      : 001,012,0300',
      'UPSNAME  : rack',
      `STATUS   : ${isOnBattery ? 'ONBATT' : 'ONLINE'}`,
      'LINEV    : 230.0 Volts',
      'LOADPCT  : 20.0 Percent',
      `BCHARGE  : ${chargePercent.toFixed(1)} Percent`,
      `TIMELEFT : ${runtimeMinutes.toFixed(1)} Minutes`,
      `STATFLAG : 0x050000${isOnBattery ? '10' : '08'}`,
      'END APC  : end',
    ];
  }
}
