// Temporary places, pipes and syslog receivers for the tests of the log; removed after each test.
import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  existsSync,
  read,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { LogSettings } from '../../../shared/protocol/log.js';
import { LogProcess } from './log-process.js';

/** A Unix datagram receiver, which Node lacks: prints every packet as a line of JSON. */
const receiver = `
import json, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('"bound"', flush=True)
while True: print(json.dumps(s.recv(65536).decode()), flush=True)
`;
import { until } from '../../fixtures/until.js';

export class Fixture {
  readonly directory = mkdtempSync(join(tmpdir(), 'ridethrough-log-'));
  readonly #ends: (() => Promise<void> | void)[] = [];

  path(name: string): string {
    return join(this.directory, name);
  }

  /** The content of the file; empty while it does not exist. */
  text(name: string): string {
    return existsSync(this.path(name)) ? readFileSync(this.path(name), 'utf8') : '';
  }

  empty(name: string): string {
    writeFileSync(this.path(name), '');
    return this.path(name);
  }

  /** Starts the log process; `standardError` is a path, an open descriptor, or `pipe`. */
  async log(settings: Partial<LogSettings>, standardError: string | number): Promise<LogProcess> {
    const own =
      typeof standardError === 'string' && standardError !== 'pipe'
        ? openSync(standardError, 'a')
        : undefined;
    const log = await LogProcess.start(
      settings,
      own ?? (typeof standardError === 'number' ? standardError : 'pipe'),
    );
    if (own !== undefined) closeSync(own);
    this.#ends.push(() => log.kill());
    return log;
  }

  /** A named pipe with both ends open here: nothing reads it until the test does. */
  fifo(): { readonly reading: number; readonly writing: number } {
    const path = this.path('fifo');
    execFileSync('mkfifo', [path]);
    const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writing = openSync(path, constants.O_WRONLY);
    this.#ends.push(() => {
      for (const descriptor of [reading, writing]) {
        try {
          closeSync(descriptor);
        } catch {
          // The test has closed it.
        }
      }
    });
    return { reading, writing };
  }

  /** Binds `name` as a Unix datagram socket; `packets` grows as they come. */
  async datagrams(name: string): Promise<{ readonly packets: string[]; readonly process: ChildProcess }> {
    const process = spawn('python3', ['-c', receiver, this.path(name)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#ends.push(async () => {
      if (process.exitCode !== null || process.signalCode !== null) return;
      process.kill('SIGKILL');
      await once(process, 'exit');
    });
    const packets: string[] = [];
    let rest = '';
    process.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      packets.push(...lines.map((line) => JSON.parse(line) as string));
    });
    await until(() => packets.shift() === 'bound');
    return { packets, process };
  }

  async end(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Reads a non-blocking pipe until `last` arrives. */
export async function readUntil(descriptor: number, last: string): Promise<string> {
  let text = '';
  const end = performance.now() + 120_000;
  while (!text.includes(last) && performance.now() < end) {
    const chunk = await readSome(descriptor);
    if (chunk === '') await pause(5);
    text += chunk;
  }
  return text;
}

function readSome(descriptor: number): Promise<string> {
  return new Promise((resolve) => {
    read(descriptor, Buffer.alloc(65_536), 0, 65_536, null, (error, count, buffer) => {
      resolve(error === null ? buffer.toString('latin1', 0, count) : '');
    });
  });
}
