// Keeps a connection to the broker: opens it, and after a loss opens a new one with a growing backoff. It reports whether
// there is one; the publisher decides what to send.
//
//   off ──configure──► opening ──connected──► open
//    ▲                  │   ▲                   │
//    └──configure(null) │   └──── waiting ◄─────┤ ended: 1 s, 2 s, 4 s ... 60 s
//                       └───────────▲───────────┘
import { backoffMs } from '../../shared/domain/base/backoff.js';
import type { Broker } from '../../shared/protocol/mqtt.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Connect, MqttMessage, MqttSession } from './client.js';

/** 1 s, 2 s, 4 s and so on, at most 60 s (specification/mqtt.md#reconnection). */
const firstPauseMs = 1000;
const maxPauseMs = 60_000;
/** A connection that lasted this long resets the backoff. A shorter one must not reconnect every second. */
const goodAfterMs = 10_000;

export interface BrokerTarget {
  readonly broker: Broker;
  readonly clientId: string;
  readonly will: { readonly topic: string; readonly payload: string } | null;
  /** The filter that is read once, at the first connection. */
  readonly look: string;
}

export interface ConnectionDependencies {
  readonly connect: Connect;
  /** The authorities for TLS, read again for every attempt. */
  readonly authorities: () => Promise<string | null>;
  readonly setTimer: (ms: number, then: () => void) => () => void;
  readonly log: Logger;
  readonly changed: (connected: boolean) => void;
  readonly heard: (topic: string, payload: string) => void;
}

export class BrokerConnection {
  readonly #deps: ConnectionDependencies;
  #target: BrokerTarget | undefined;
  #session: MqttSession | undefined;
  #connected = false;
  /** The present or last connection has not lasted. */
  #isBrief = false;
  /** Consecutive failures. */
  #failures = 0;
  #lastReported = '';
  /** A broker that ends the connection for it does so once. */
  #hasLooked = false;
  #cancel: () => void = () => undefined;
  /** Counts the attempts: the result of an earlier one is ignored. */
  #attempt = 0;

  constructor(deps: ConnectionDependencies) {
    this.#deps = deps;
  }

  get connected(): boolean {
    return this.#connected;
  }

  /** Sets the target; undefined for none. An equal target changes nothing. */
  configure(target: BrokerTarget | undefined): void {
    if (JSON.stringify(target) === JSON.stringify(this.#target)) return;
    void this.close();
    this.#target = target;
    this.#failures = 0;
    this.#isBrief = false;
    this.#lastReported = '';
    this.#hasLooked = false;
    if (target !== undefined) this.#open(target);
  }

  /** True once the socket has taken the message; false without a connection. One at a time. */
  publish(message: MqttMessage): Promise<boolean> {
    return this.#session === undefined || !this.#connected
      ? Promise.resolve(false)
      : this.#session.publish(message);
  }

  /** Disconnects until it is configured again; settles within 0.5 s. */
  async close(): Promise<void> {
    const session = this.#session;
    this.#target = undefined;
    this.#attempt += 1;
    this.#session = undefined;
    this.#cancel();
    this.#lose();
    await session?.disconnect();
  }

  #open(target: BrokerTarget): void {
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

  #opened({ broker, look }: BrokerTarget): void {
    const { log, setTimer, changed, heard } = this.#deps;
    this.#connected = true;
    const wasBrief = this.#isBrief;
    this.#isBrief = true;
    const report = (): void => log.info(`connected to the broker ${nameOf(broker)}`);
    // After a brief connection only a lasting one is news.
    if (!wasBrief) report();
    this.#cancel = setTimer(goodAfterMs, () => {
      this.#isBrief = false;
      this.#failures = 0;
      this.#lastReported = '';
      if (wasBrief) report();
    });
    if (!this.#hasLooked) this.#session?.look(look, heard);
    this.#hasLooked = true;
    changed(true);
  }

  #ended(target: BrokerTarget, why: string): void {
    this.#session = undefined;
    this.#cancel();
    const reason = this.#connected && this.#isBrief ? `${why} ${briefAdvice(target)}` : why;
    this.#lose();
    // Once for consecutive failures with the same reason.
    if (this.#lastReported !== reason)
      this.#deps.log.warning(
        `the broker ${nameOf(target.broker)} ${reason}. Nothing is published until it is connected again; the next attempts follow at most ${String(maxPauseMs / 1000)} s apart.`,
      );
    this.#lastReported = reason;
    this.#failures += 1;
    const pauseMs = backoffMs(this.#failures, firstPauseMs, maxPauseMs);
    this.#cancel = this.#deps.setTimer(pauseMs, () => this.#open(target));
  }

  #lose(): void {
    if (!this.#connected) return;
    this.#connected = false;
    this.#deps.changed(false);
  }
}

/** The protocol gives no reason for either. */
function briefAdvice({ clientId }: BrokerTarget): string {
  return `within ${String(goodAfterMs / 1000)} s: check its access rules, and that no other client has the id ${clientId}`;
}

function nameOf({ tls, host, port }: Broker): string {
  return `${tls ? 'mqtts' : 'mqtt'}://${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}
