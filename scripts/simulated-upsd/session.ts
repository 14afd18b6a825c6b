// One connection: reads queries, sends answers, upgrades to TLS, injects faults. Bounded in both directions.
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Clock } from '../../shared/runtime/clock.js';
import { errorAnswer } from './answers.js';
import { dispatch } from './dispatch.js';
import type { SimulatedFault } from './faults.js';
import type { Client, UpsdState } from './upsd-state.js';
import { WordParser } from './word-parser.js';

/** upsd reads this many bytes at a time, and drops the rest of them after a malformed line. */
const readSize = 512;
/** A client that does not read its answers is disconnected; a list of 1,000 variables has about 60 kB. */
const maxUnsentBytes = 4 * 1024 * 1024;

export interface ClientSessionOptions {
  readonly state: UpsdState;
  readonly clock: Clock;
  readonly onQuery: (words: readonly string[]) => void;
}

export class ClientSession {
  readonly client: Client;
  lastHeardMs: number;
  #socket: Socket;
  #reader = new WordParser();
  #slow: { unsent: string; readonly timer: NodeJS.Timeout } | undefined;

  constructor(
    socket: Socket,
    private readonly options: ClientSessionOptions,
    private readonly onClosed: (session: ClientSession) => void,
  ) {
    this.#socket = socket;
    this.lastHeardMs = options.clock.monotonicMs();
    this.client = {
      address: socket.remoteAddress ?? 'unknown',
      username: undefined,
      password: undefined,
      login: undefined,
      tracking: false,
      tls: false,
    };
    options.state.clients.add(this.client);
    socket.setNoDelay(true);
    socket.once('close', () => this.#closed());
    this.#listen(socket);
  }

  /** Closes the connection without an answer, as a crash or the idle limit does. */
  drop(): void {
    this.#socket.destroy();
  }

  #listen(socket: Socket): void {
    socket.on('data', (chunk: Buffer) => this.#received(chunk));
    // A connection reset or a failed handshake ends this connection and nothing else; 'close' follows.
    socket.on('error', () => socket.destroy());
  }

  #closed(): void {
    clearInterval(this.#slow?.timer);
    const { client } = this;
    if (client.login !== undefined) client.login.logins -= 1;
    this.options.state.clients.delete(client);
    this.onClosed(this);
  }

  #received(chunk: Buffer): void {
    for (let start = 0; start < chunk.length; start += readSize) {
      for (const byte of chunk.subarray(start, start + readSize)) {
        const progress = this.#reader.push(byte);
        if (progress === 'malformed') break;
        if (progress === 'line' && this.#line(this.#reader.words) === 'ended') return;
      }
    }
  }

  /** `ended`: the rest of the input is not for this reader. */
  #line(words: readonly string[]): 'ended' | 'open' {
    const { state, clock, onQuery } = this.options;
    this.lastHeardMs = clock.monotonicMs();
    onQuery(words);
    const fault = state.faults.forQuery(words.slice(1));
    if (fault !== undefined) return this.#misbehave(fault, words);
    const reply = dispatch(state, this.client, words);
    if (reply.then === 'startTls') {
      this.#upgrade(reply.answer);
      return 'ended';
    }
    if (reply.then === 'close') {
      this.#socket.end(reply.answer, 'latin1');
      return 'ended';
    }
    this.#send(reply.answer);
    return 'open';
  }

  #send(answer: string): void {
    if (this.#socket.writableLength > maxUnsentBytes) this.drop();
    else if (this.#socket.writable) this.#socket.write(answer, 'latin1');
  }

  #upgrade(answer: string): void {
    const { secureContext, clientCa } = this.options.state;
    if (secureContext === undefined) return;
    const plain = this.#socket;
    plain.removeAllListeners('data');
    plain.pause();
    plain.write(answer, 'latin1');
    const secure = new TLSSocket(plain, {
      isServer: true,
      secureContext,
      requestCert: clientCa !== undefined,
      rejectUnauthorized: false,
    });
    // A TLSSocket without a server of its own does not check the certificate of the client.
    secure.once('secure', () => {
      if (clientCa !== undefined && secure.getPeerX509Certificate()?.verify(clientCa) !== true) this.drop();
    });
    this.#socket = secure;
    // Discard the words that began before TLS.
    this.#reader = new WordParser();
    this.client.tls = true;
    this.#listen(secure);
    secure.once('close', () => plain.destroy());
  }

  #misbehave(fault: SimulatedFault, words: readonly string[]): 'ended' | 'open' {
    switch (fault.kind) {
      case 'hang':
        return 'open';
      case 'close':
        this.drop();
        return 'ended';
      case 'error':
        this.#send(errorAnswer(fault.token));
        return 'open';
      case 'garbage':
        this.#send(fault.bytes);
        return 'open';
      case 'slow':
        this.#trickle(dispatch(this.options.state, this.client, words).answer, fault.bytesPerSecond);
        return 'open';
      case 'closeMidList': {
        const { answer } = dispatch(this.options.state, this.client, words);
        if (!answer.startsWith('BEGIN ')) {
          this.#send(answer);
          return 'open';
        }
        const kept = answer.split('\n').slice(0, 1 + fault.afterRows);
        this.#socket.end(`${kept.join('\n')}\n`, 'latin1');
        return 'ended';
      }
    }
  }

  #trickle(answer: string, bytesPerSecond: number): void {
    if (this.#slow !== undefined) {
      if (this.#slow.unsent.length < maxUnsentBytes) this.#slow.unsent += answer;
      return;
    }
    // Ten portions a second at most, so that a fast trickle costs no more timers than a slow one.
    const portion = Math.max(1, Math.round(bytesPerSecond / 10));
    const timer = setInterval(() => this.#drip(portion), (1000 * portion) / bytesPerSecond);
    this.#slow = { unsent: answer, timer };
  }

  #drip(portion: number): void {
    const slow = this.#slow;
    if (slow === undefined) return;
    this.#send(slow.unsent.slice(0, portion));
    slow.unsent = slow.unsent.slice(portion);
    if (slow.unsent !== '') return;
    clearInterval(slow.timer);
    this.#slow = undefined;
  }
}
