// A real nginx or Caddy on loopback, with a snippet of docs/proxy.md as its configuration.
import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeCertificate } from '../../fixtures/certificates.js';
import { heldPort } from '../../fixtures/held-port.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { until } from '../../fixtures/until.js';

export type ProxyKind = 'nginx' | 'caddy';

const page = readFileSync(fileURLToPath(new URL('../../../../docs/proxy.md', import.meta.url)), 'utf8');

/** The first block of the language below the heading. */
export function snippet(heading: string, language: string): string {
  const section = page.split(`### ${heading}\n`)[1]?.split(/^##/m)[0] ?? '';
  const block = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(section)?.[1];
  if (block === undefined) throw new Error(`docs/proxy.md has no ${language} below "${heading}"`);
  return block;
}

export function isInstalled(kind: ProxyKind): boolean {
  return spawnSync(kind, kind === 'nginx' ? ['-v'] : ['version']).status === 0;
}

export class RealProxy {
  readonly #folder = temporaryFolder();
  readonly #process: ChildProcess;
  log = '';

  private constructor(
    readonly origin: string,
    command: readonly string[],
  ) {
    const [program = '', ...args] = command;
    const home = { HOME: this.#folder, XDG_DATA_HOME: this.#folder, XDG_CONFIG_HOME: this.#folder };
    this.#process = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...home },
    });
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
  }

  /** `text` is the snippet; only addresses, ports and files of it are replaced. */
  static async start(kind: ProxyKind, text: string, daemonPort: number): Promise<RealProxy> {
    const port = await heldPort();
    const folder = temporaryFolder();
    const to = text.replaceAll('127.0.0.1:9191', `127.0.0.1:${String(daemonPort)}`);
    const secure = to.includes('listen 443 ssl');
    const proxy =
      kind === 'nginx'
        ? new RealProxy(`${secure ? 'https' : 'http'}://127.0.0.1:${String(port)}`, [
            'nginx',
            '-p',
            folder,
            '-c',
            await nginxFile(folder, to, port),
          ])
        : new RealProxy(`http://127.0.0.1:${String(port)}`, [
            'caddy',
            'run',
            '--adapter',
            'caddyfile',
            '--config',
            caddyFile(folder, to, port),
          ]);
    try {
      await until(() => accepts(port));
      return proxy;
    } catch (error) {
      await proxy.stop();
      throw new Error(`${kind} does not listen: ${proxy.log}`, { cause: error });
    }
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await gone;
  }
}

async function nginxFile(folder: string, text: string, port: number): Promise<string> {
  const at = `127.0.0.1:${String(port)}`;
  let server = `server { listen ${at}; ${text} }`;
  if (text.startsWith('server')) {
    const { certPem, keyPem } = await makeCertificate();
    writeFileSync(join(folder, 'cert.pem'), certPem);
    writeFileSync(join(folder, 'key.pem'), keyPem, { mode: 0o600 });
    server = text
      .replace('listen 443 ssl', `listen ${at} ssl`)
      .replace('/etc/ssl/ups.example.org.pem', join(folder, 'cert.pem'))
      .replace('/etc/ssl/ups.example.org.key', join(folder, 'key.pem'));
  }
  const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
    mkdirSync(join(folder, name));
    return `${name}_temp_path ${join(folder, name)};`;
  });
  const path = join(folder, 'nginx.conf');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    path,
    `daemon off; ${user} worker_processes 1; pid ${join(folder, 'pid')}; error_log stderr;
     events { worker_connections 256; } http { access_log off; ${kept.join(' ')} ${server} }`,
  );
  return path;
}

function caddyFile(folder: string, text: string, port: number): string {
  const path = join(folder, 'Caddyfile');
  const site = text.replace(/^\w+\.example\.org/, `http://:${String(port)}`);
  writeFileSync(path, `{\n  admin off\n  auto_https off\n  default_bind 127.0.0.1\n}\n${site}`);
  return path;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
