// A client that sends bytes unchanged, also those that no HTTP library would send.
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { checkDescribed } from './openapi/described.js';

export type Target = { readonly port: number } | { readonly path: string };

export interface Answered {
  readonly status: number;
  /** Names in lower case; a doubled header keeps the last. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends the bytes and reads until the server closes. */
export function exchange(target: Target, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = opened(target);
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => (received += text));
    socket.once('error', reject);
    socket.once('close', () => resolve(received));
    socket.write(bytes);
  });
}

/** One request on a connection of its own. */
export async function ask(
  target: Target,
  path: string,
  { method = 'GET', headers = 'Host: localhost\r\n', body = '', basePath = '' } = {},
): Promise<Answered> {
  const text = await exchange(
    target,
    `${method} ${path} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n${body}`,
  );
  const answer = answersIn(text, method)[0] ?? { status: 0, headers: {}, body: text };
  if ('port' in target) checkDescribed(method, path.replace(basePath, ''), answer);
  return answer;
}

/** The answers on one connection, in order. An answer to HEAD has no body. */
export function answersIn(text: string, method = 'GET'): readonly Answered[] {
  const answers: Answered[] = [];
  let rest = text;
  while (rest.startsWith('HTTP/1.1 ')) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 2),
      ]),
    );
    const length = method === 'HEAD' ? 0 : Number(headers['content-length'] ?? 0);
    const after = Buffer.from(rest.slice(end + 4));
    answers.push({
      status: Number(statusLine.split(' ')[1]),
      headers,
      body: after.subarray(0, length).toString(),
    });
    rest = after.subarray(length).toString();
  }
  return answers;
}

export function codeOf({ body }: Answered): string {
  return (JSON.parse(body) as { error: { code: string } }).error.code;
}

export function opened(target: Target): Socket {
  return 'port' in target
    ? connect({ host: '127.0.0.1', port: target.port })
    : connect({ path: target.path });
}

/** An open connection, and everything received on it. */
export class Held {
  readonly socket: Socket;
  received = '';
  readonly closed: Promise<void>;
  #wake: () => void = () => undefined;

  constructor(target: Target) {
    this.socket = opened(target);
    this.socket.setEncoding('utf8');
    this.socket.on('error', () => undefined);
    this.socket.on('data', (text: string) => {
      this.received += text;
      this.#wake();
    });
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()));
  }

  /** Settles when the received text matches; fails when the connection closes first. */
  async until(fits: (received: string) => boolean): Promise<void> {
    let open = true;
    void this.closed.then(() => {
      open = false;
      this.#wake();
    });
    while (!fits(this.received)) {
      if (!open) throw new Error(`closed after: ${this.received.slice(0, 300)}`);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
