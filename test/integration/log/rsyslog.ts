// A real rsyslogd with its own configuration, socket and port, which writes what it has parsed to a file.
import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { heldPort } from '../../fixtures/held-port.js';
import { until } from '../../fixtures/until.js';

const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` };

export const rsyslogdIsThere = (): boolean => spawnSync('rsyslogd', ['-v'], { env }).status === 0;

export interface Understood {
  readonly facility: string;
  readonly severity: string;
  readonly program: string;
  readonly pid: string;
  readonly message: string;
}

export class Rsyslogd {
  readonly directory = mkdtempSync(join(tmpdir(), 'rsyslogd-'));
  #process: ChildProcess | undefined;

  private constructor(readonly port: number) {}

  static async start(): Promise<Rsyslogd> {
    const server = new Rsyslogd(await heldPort());
    await server.run();
    return server;
  }

  get socket(): string {
    return join(this.directory, 'dev-log');
  }

  get understood(): readonly Understood[] {
    const file = join(this.directory, 'out');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
    return lines.map((line) => {
      const [facility = '', severity = '', program = '', pid = '', ...rest] = line.split('|');
      return { facility, severity, program, pid, message: rest.join('|').trim() };
    });
  }

  async run(): Promise<void> {
    const configuration = join(this.directory, 'rsyslog.conf');
    const at = (name: string): string => join(this.directory, name);
    writeFileSync(
      configuration,
      `global(workDirectory="${this.directory}" maxMessageSize="2k")
module(load="imuxsock" SysSock.Use="off")
input(type="imuxsock" Socket="${this.socket}" UseSpecialParser="off" ParseHostname="off")
module(load="imudp")
input(type="imudp" address="127.0.0.1" port="${String(this.port)}")
template(name="parts" type="string" string="%syslogfacility-text%|%syslogseverity-text%|%programname%|%procid%|%msg%\\n")
action(type="omfile" file="${at('out')}" template="parts" asyncWriting="off")
`,
    );
    this.#process = spawn('rsyslogd', ['-n', '-f', configuration, '-i', at('pid')], { stdio: 'ignore', env });
    // What is sent to a port before somebody listens there is lost.
    await until(() => existsSync(this.socket) && this.#listens());
  }

  #listens(): boolean {
    const port = this.port.toString(16).toUpperCase().padStart(4, '0');
    return readFileSync('/proc/net/udp', 'utf8').includes(`:${port} 00000000:0000`);
  }

  async end(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
    rmSync(this.socket, { force: true });
  }

  async stop(): Promise<void> {
    await this.end();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
