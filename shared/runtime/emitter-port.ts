// The common part of all ports: messages wait for the start, nothing is emitted after the close, `close` is emitted
// once. The carrier transports messages and must check what it sends (assert-json.ts).
import { EventEmitter } from 'node:events';
import type { CloseReason, Port } from './port.js';

export interface Carrier {
  /** Not called after the close. */
  postMessage(message: unknown): void;
  /** Called once. */
  start?(): void;
  /** Called once, before `close` is emitted. */
  close?(): void;
}

export class EmitterPort extends EventEmitter implements Port {
  readonly #carrier: Carrier;
  #open = true;
  /** Messages before the start; null after it. */
  #early: unknown[] | null = [];

  constructor(carrier: Carrier) {
    super();
    this.#carrier = carrier;
  }

  get open(): boolean {
    return this.#open;
  }

  postMessage(message: unknown): void {
    if (this.#open) this.#carrier.postMessage(message);
  }

  override on(event: 'message' | 'close', listener: (argument: never, bytes?: number) => void): this {
    super.on(event, listener as (...args: unknown[]) => void);
    if (event === 'message') this.start();
    return this;
  }

  start(): void {
    if (this.#early === null) return;
    const early = this.#early;
    this.#early = null;
    for (const message of early) this.arrive(message);
    this.#carrier.start?.();
  }

  close(): void {
    this.end('ended');
  }

  /** Called by the carrier: a message has arrived. */
  arrive(message: unknown, bytes?: number): void {
    if (!this.#open) return;
    if (this.#early === null) this.emit('message', message, bytes);
    else this.#early.push(message);
  }

  /** Called by the carrier: the other side closed the port, or sent something malformed. */
  end(reason: CloseReason): void {
    if (!this.#open) return;
    this.#open = false;
    this.#early = [];
    this.#carrier.close?.();
    this.emit('close', { reason });
  }
}
