// The load generator of `npm run bench api`, in its own process: a number of connections with one request at a time each,
// on raw sockets, for some seconds. Prints the report as JSON.
import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface Load {
  readonly port: number;
  /** `{connection}` is the number of the connection, for different requests. */
  readonly path: string;
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadReport {
  /** All answers, including the warm-up: the divisor of the server's CPU time. */
  readonly answers: number;
  readonly perSecond: number;
  /** 503: refused for load. */
  readonly refused: number;
  /** Other answers than 200, and connections that broke. */
  readonly errors: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Before counting: the JIT compiler needs some requests. */
const warmUpMs = 1_000;

async function loaded({ port, path, connections, seconds }: Load): Promise<LoadReport> {
  const requestOf = (connection: number): Buffer => {
    const target = path.replaceAll('{connection}', String(connection));
    return Buffer.from(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${String(port)}\r\n\r\n`);
  };
  const times: number[] = [];
  let answers = 0;
  let errors = 0;
  let refused = 0;
  let counting = false;
  let over = false;
  const sockets: Socket[] = [];
  const run = (connection: number): Promise<void> =>
    new Promise((resolve) => {
      const request = requestOf(connection);
      let startedMs = 0;
      let left = -1;
      let head = '';
      const socket = connect({ host: '127.0.0.1', port });
      sockets.push(socket);
      socket.setNoDelay(true);
      const send = (): void => {
        startedMs = performance.now();
        left = -1;
        head = '';
        socket.write(request);
      };
      const answered = (): void => {
        answers += 1;
        if (counting) times.push(performance.now() - startedMs);
        if (head.startsWith('HTTP/1.1 503')) refused += 1;
        else if (!head.startsWith('HTTP/1.1 200')) errors += 1;
        if (over) socket.destroy();
        else send();
      };
      socket.on('connect', send);
      socket.on('data', (chunk: Buffer) => {
        if (left >= 0) left -= chunk.length;
        else {
          // The header comes in one piece; only the length of the body matters.
          const end = chunk.indexOf('\r\n\r\n');
          head = chunk.toString('latin1', 0, end);
          left = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) - (chunk.length - end - 4);
        }
        if (left <= 0) answered();
      });
      socket.on('error', () => (errors += 1));
      socket.on('close', () => resolve());
    });
  const all = Array.from({ length: connections }, (_, connection) => run(connection));
  await new Promise((resolve) => setTimeout(resolve, warmUpMs));
  counting = true;
  const beganMs = performance.now();
  // The time of the measurement, not a wait for anything.
  await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  counting = false;
  const tookSeconds = (performance.now() - beganMs) / 1000;
  over = true;
  setTimeout(() => sockets.forEach((socket) => socket.destroy()), 1_000).unref();
  await Promise.all(all);
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.max(0, Math.ceil(share * times.length) - 1)] ?? NaN;
  return {
    answers,
    perSecond: times.length / tookSeconds,
    refused,
    errors,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
  };
}

if (process.argv[2] !== undefined)
  process.stdout.write(JSON.stringify(await loaded(JSON.parse(process.argv[2]) as Load)));
