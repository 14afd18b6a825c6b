// Keeps a connection to the broker: opens it, and after a loss opens a new one, ever more patiently. It tells when there
// is one; what is said over it is the publisher's.
//
//   off ──configure──► opening ──connected──► open
//    ▲                  │   ▲                   │
//    └──configure(null) │   └──── waiting ◄─────┤ ended: 1 s, 2 s, 4 s ... 60 s
//                       └───────────▲───────────┘
import type { Broker } from '../../shared/protocol/mqtt.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Connect, Message, Session } from './client.js';

/** 1 s, 2 s, 4 s and so on, at most 60 s (specification/mqtt.md#reconnection). */
const firstPauseMs = 1000;
const longestPauseMs = 60_000;
/** A connection that lived this long was a good one. One that is taken away at once must not be asked for each second. */
const goodAfterMs = 10_000;

/** Whom to connect to, and what he is to say when we are gone. */
export interface Target {
  readonly broker: Broker;
  readonly clientId: string;
  readonly will: { readonly topic: string; readonly payload: string } | null;
}

export interface ConnectionDependencies {
  readonly connect: Connect;
  /** The authorities for TLS, read anew for every attempt. */
  readonly authorities: () => Promise<string | null>;
  readonly setTimer: (ms: number, then: () => void) => () => void;
  readonly monotonicMs: () => number;
  readonly log: Logger;
  /** There is a connection, or there is none any more. */
  readonly changed: (connected: boolean) => void;
}

export class Connection {
  readonly #deps: ConnectionDependencies;
  #target: Target | undefined;
  #session: Session | undefined;
  #connected = false;
  #openedAtMs = 0;
  /** In a row. */
  #failures = 0;
  #said = '';
  #cancel: () => void = () => undefined;
  /** Counts the attempts: what an earlier one brings counts no more. */
  #attempt = 0;

  constructor(deps: ConnectionDependencies) {
    this.#deps = deps;
  }

  get connected(): boolean {
    return this.#connected;
  }

  /** Where to connect to from now on; undefined for nowhere. A target that is the same changes nothing. */
  configure(target: Target | undefined): void {
    if (JSON.stringify(target) === JSON.stringify(this.#target)) return;
    void this.close();
    this.#target = target;
    this.#failures = 0;
    this.#said = '';
    if (target !== undefined) this.#open(target);
  }

  /** True once the broker's socket has taken it; false without a connection. One at a time. */
  publish(message: Message): Promise<boolean> {
    return this.#session === undefined || !this.#connected
      ? Promise.resolve(false)
      : this.#session.publish(message);
  }

  /** Says goodbye and does not come back until it is configured anew; settles within half a second. */
  async close(): Promise<void> {
    const session = this.#session;
    this.#target = undefined;
    this.#attempt += 1;
    this.#session = undefined;
    this.#cancel();
    this.#lose();
    await session?.part();
  }

  #open(target: Target): void {
    this.#attempt += 1;
    const attempt = this.#attempt;
    void this.#deps.authorities().then((authorities) => {
      if (attempt !== this.#attempt) return;
      this.#session = this.#deps.connect(
        { ...target, authorities },
        {
          connected: () => {
            if (attempt === this.#attempt) this.#opened(target);
          },
          ended: (reason) => {
            if (attempt === this.#attempt) this.#ended(target, reason);
          },
        },
      );
    });
  }

  #opened({ broker }: Target): void {
    this.#connected = true;
    this.#openedAtMs = this.#deps.monotonicMs();
    this.#said = '';
    this.#deps.log.info(`connected to the broker ${nameOf(broker)}`);
    this.#deps.changed(true);
  }

  #ended(target: Target, reason: string): void {
    this.#session = undefined;
    if (this.#connected && this.#deps.monotonicMs() - this.#openedAtMs >= goodAfterMs) this.#failures = 0;
    this.#lose();
    // Once for each reason in a row, and not for each of the attempts of a long night.
    if (this.#said !== reason)
      this.#deps.log.warning(
        `the broker ${nameOf(target.broker)} ${reason}. Nothing is published until it is back; it is tried again every ${String(longestPauseMs / 1000)} s at the latest.`,
      );
    this.#said = reason;
    this.#failures += 1;
    this.#cancel = this.#deps.setTimer(pauseMs(this.#failures), () => this.#open(target));
  }

  #lose(): void {
    if (!this.#connected) return;
    this.#connected = false;
    this.#deps.changed(false);
  }
}

/** The pause after the n-th failure in a row (n from 1). */
export function pauseMs(failures: number): number {
  return Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
}

function nameOf({ tls, host, port }: Broker): string {
  return `${tls ? 'mqtts' : 'mqtt'}://${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}
