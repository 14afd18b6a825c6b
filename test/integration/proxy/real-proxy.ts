// A real nginx, Caddy or HAProxy on loopback, with a snippet of docs/proxy.md as its configuration.
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
import { unreachable } from '../../../shared/domain/base/unreachable.js';
import { until } from '../../fixtures/until.js';

export type ProxyKind = 'nginx' | 'caddy' | 'haproxy';

/** What the proxy itself asks for in the snippets of `A login of the proxy`. */
export const proxyLogin = { username: 'bob', password: 'proxy-word' };

const page = readFileSync(fileURLToPath(new URL('../../../../docs/proxy.md', import.meta.url)), 'utf8');

/** The first block of the language below the heading. */
export function snippet(heading: string, language: string): string {
  const section = page.split(`### ${heading}\n`)[1]?.split(/^##/m)[0] ?? '';
  const block = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(section)?.[1];
  if (block === undefined) throw new Error(`docs/proxy.md has no ${language} below "${heading}"`);
  return block;
}

export function isInstalled(kind: ProxyKind): boolean {
  return spawnSync(kind, kind === 'caddy' ? ['version'] : ['-v']).status === 0;
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
    const secure = /443 ssl/.test(to);
    const proxy = new RealProxy(
      `${secure ? 'https' : 'http'}://127.0.0.1:${String(port)}`,
      await commandOf(kind, folder, to, port),
    );
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

async function commandOf(
  kind: ProxyKind,
  folder: string,
  text: string,
  port: number,
): Promise<readonly string[]> {
  switch (kind) {
    case 'nginx':
      return ['nginx', '-p', folder, '-c', await nginxFile(folder, text, port)];
    case 'caddy':
      return ['caddy', 'run', '--adapter', 'caddyfile', '--config', caddyFile(folder, text, port)];
    case 'haproxy':
      return ['haproxy', '-db', '-f', await haproxyFile(folder, text, port)];
    default:
      return unreachable(kind);
  }
}

/** Its monitor at /monitor answers 503 once the check has taken the server out. */
async function haproxyFile(folder: string, text: string, port: number): Promise<string> {
  const { certPem, keyPem } = await makeCertificate();
  const pem = join(folder, 'both.pem');
  writeFileSync(pem, certPem + keyPem, { mode: 0o600 });
  const path = join(folder, 'haproxy.cfg');
  const site = text
    .replace(':443 ssl crt /etc/ssl/ups.example.org.pem', `127.0.0.1:${String(port)} ssl crt ${pem}`)
    .replace(
      'default_backend',
      'monitor-uri /monitor\n    monitor fail if { nbsrv(ups) lt 1 }\n    default_backend',
    )
    // Without a time of its own an answer has the 100 ms of the interval, which a busy machine exceeds.
    .replace(/^( *)(server .* )check$/m, '$1timeout check 60s\n$1$2check inter 100 fall 1');
  writeFileSync(path, `global\n    maxconn 100\n${site}`);
  return path;
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
  const word = spawnSync('openssl', ['passwd', '-5', proxyLogin.password], { encoding: 'utf8' }).stdout;
  writeFileSync(join(folder, 'htpasswd'), `${proxyLogin.username}:${word}`);
  server = server.replace('/etc/nginx/ups.htpasswd', join(folder, 'htpasswd'));
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
  const hashed = (): string =>
    spawnSync('caddy', ['hash-password', '--plaintext', proxyLogin.password], {
      encoding: 'utf8',
    }).stdout.trim();
  const site = text.replace(/^\w+\.example\.org/, `http://:${String(port)}`).replace('$2a$14$...', hashed);
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
