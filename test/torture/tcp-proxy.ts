// A TCP proxy between the daemon and one server. Can delay data or drop connections. Lets the tests time traffic outside
// of the daemon.
import type { Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

/** A flapping proxy is up and down for this long in turn: shorter than any retry, longer than a login. */
const flapMs = 700;

export class TcpProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #towards: number;
  readonly #onClientData: (bytes: Buffer) => void;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #delayMs = 0;
  #cut = false;
  #flapping: NodeJS.Timeout | undefined;

  private constructor(server: Server, towards: number, onClientData: (bytes: Buffer) => void) {
    this.#server = server;
    this.#towards = towards;
    this.#onClientData = onClientData;
    const address = server.address();
    this.port = typeof address === 'object' && address !== null ? address.port : 0;
    server.on('connection', (socket) => this.#join(socket));
  }

  /** A proxy to a port of this host. `onClientData` gets what the daemon sends. */
  static async to(
    towards: number,
    onClientData: (bytes: Buffer) => void = () => undefined,
  ): Promise<TcpProxy> {
    const server = createServer({ noDelay: true });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new TcpProxy(server, towards, onClientData);
  }

  /** Delays every piece of data by this much, in both directions. */
  slow(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  flap(): void {
    this.#turn();
    this.#flapping = setInterval(() => this.#turn(), flapMs);
  }

  /** Ends delay and flapping. */
  restore(): void {
    clearInterval(this.#flapping);
    this.#cut = false;
    // New data would overtake data that is still delayed.
    if (this.#delayMs > 0) this.#dropAll();
    this.#delayMs = 0;
  }

  close(): void {
    this.restore();
    this.#server.close();
    this.#dropAll();
  }

  #turn(): void {
    this.#cut = !this.#cut;
    if (this.#cut) this.#dropAll();
  }

  #dropAll(): void {
    for (const [near, far] of this.#pairs) {
      near.destroy();
      far.destroy();
    }
  }

  #join(near: Socket): void {
    if (this.#cut) {
      near.destroy();
      return;
    }
    const far = connect({ host: '127.0.0.1', port: this.#towards, noDelay: true });
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    near.on('data', (bytes: Buffer) => {
      this.#onClientData(bytes);
      this.#pass(far, bytes);
    });
    far.on('data', (bytes: Buffer) => this.#pass(near, bytes));
    for (const [one, other] of [pair, [far, near] as const]) {
      one.on('error', () => undefined);
      one.on('close', () => {
        this.#pairs.delete(pair);
        other.destroy();
      });
    }
  }

  #pass(to: Socket, bytes: Buffer): void {
    if (this.#delayMs === 0) to.write(bytes);
    else setTimeout(() => to.destroyed || to.write(bytes), this.#delayMs);
  }
}
