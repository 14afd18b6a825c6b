// One connection to a broker, made with async-mqtt: opened, used, ended, never opened again. The only file that knows
// the library. It subscribes to nothing and takes next to nothing: what a broker may send us is bounded here.
import type { Duplex } from 'node:stream';
import type * as asyncMqtt from 'async-mqtt';
import type { Broker } from '../../shared/protocol/mqtt.js';
import { lossReason } from './loss-reason.js';

export interface SessionLimits {
  /** A broker that was frozen or cut off is noticed after two of these; each is a ping of two bytes. */
  readonly keepaliveSeconds: number;
  /** From the look-up of the name to the broker's welcome; a broker on a slow link with TLS takes about one second. */
  readonly connectMs: number;
  /** What a polite goodbye may take before the connection is cut. */
  readonly drainMs: number;
  /** A publisher that subscribes to nothing is sent 2 bytes per keepalive; what sends more than this is no broker for us. */
  readonly mostBytesPerKeepalive: number;
}

export const usualLimits: SessionLimits = {
  keepaliveSeconds: 15,
  connectMs: 10_000,
  drainMs: 500,
  mostBytesPerKeepalive: 4096,
};

export interface Message {
  readonly topic: string;
  readonly payload: string;
  readonly retain: boolean;
}

export interface Opening {
  readonly broker: Broker;
  readonly clientId: string;
  /** Authorities in PEM that a mqtts broker may be vouched for by; null for those Node brings along. */
  readonly authorities: string | null;
  /** What the broker is to publish, retained, when we are gone without a word. */
  readonly will: { readonly topic: string; readonly payload: string } | null;
}

/** Exactly one `ended` comes, and no `connected` after it. */
export interface SessionListener {
  connected(): void;
  /** `reason` continues "the broker ..." and repeats no address and no secret. */
  ended(reason: string): void;
}

export interface Session {
  /** True once it is handed to the kernel, false when the connection has ended before. One at a time. */
  publish(message: Message): Promise<boolean>;
  /** Says what the last will would say, and goodbye; settles when the connection is gone. */
  part(): Promise<void>;
  /** Ends at once. */
  cut(): void;
}

export type Connect = (opening: Opening, listener: SessionListener) => Session;

type Library = Pick<typeof asyncMqtt, 'connect'>;

export type Loaded =
  { readonly ok: true; readonly connect: Connect } | { readonly ok: false; readonly reason: string };

/** Loads the library; without it the worker continues and publishes nothing (specification/mqtt.md#client-library). */
export async function loadClient(
  load: () => Promise<{ readonly default: Library }> = () => import('async-mqtt'),
  limits: SessionLimits = usualLimits,
): Promise<Loaded> {
  try {
    const library = (await load()).default;
    return { ok: true, connect: (opening, listener) => new OneSession(library, opening, listener, limits) };
  } catch (error) {
    // Whatever a module throws while it loads: it is not there for us.
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

class OneSession implements Session {
  readonly #listener: SessionListener;
  readonly #limits: SessionLimits;
  readonly #will: Opening['will'];
  #welcome = false;
  #client: asyncMqtt.AsyncMqttClient | undefined;
  #over = false;
  #settlePublish: ((done: boolean) => void) | undefined;
  #settleGone: () => void = () => undefined;
  readonly #gone = new Promise<void>((resolve) => (this.#settleGone = resolve));
  #timer: NodeJS.Timeout | undefined;

  constructor(library: Library, opening: Opening, listener: SessionListener, limits: SessionLimits) {
    this.#listener = listener;
    this.#limits = limits;
    this.#will = opening.will;
    this.#timer = setTimeout(() => this.#end('does not answer'), limits.connectMs);
    try {
      const client = library.connect(optionsFor(opening, limits));
      this.#client = client;
      client.on('connect', () => this.#connected());
      // Also heard after the end: an error without a listener would be the end of the worker.
      client.on('error', (error) => this.#end(lossReason(error)));
      client.on('close', () => this.#end('closed the connection'));
      this.#watch(client);
    } catch (error) {
      // Options that a socket refuses, such as an authority that is no certificate.
      queueMicrotask(() => this.#end(lossReason(error)));
    }
  }

  publish({ topic, payload, retain }: Message): Promise<boolean> {
    const client = this.#client;
    if (this.#over || client === undefined) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#settlePublish = resolve;
      const settle = (done: boolean): void => {
        if (this.#settlePublish === resolve) this.#settlePublish = undefined;
        resolve(done);
      };
      client.publish(topic, payload, { qos: 0, retain }).then(
        () => settle(true),
        () => settle(false),
      );
    });
  }

  part(): Promise<void> {
    const client = this.#client;
    if (this.#over || client === undefined || !this.#welcome) this.cut();
    else {
      this.#timer = setTimeout(() => this.cut(), this.#limits.drainMs);
      const cut = (): void => this.cut();
      if (this.#will !== null) {
        const { topic, payload } = this.#will;
        client.publish(topic, payload, { qos: 0, retain: true }).catch(cut);
      }
      client.end(false).then(cut, cut);
    }
    return this.#gone;
  }

  cut(): void {
    this.#end('was left');
  }

  #connected(): void {
    clearTimeout(this.#timer);
    if (this.#over) return;
    this.#welcome = true;
    this.#listener.connected();
  }

  #end(reason: string): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    // A promise of the library that may never settle, for a socket that is destroyed at once.
    void this.#client?.end(true).catch(() => undefined);
    this.#settlePublish?.(false);
    this.#settlePublish = undefined;
    this.#settleGone();
    this.#listener.ended(reason);
  }

  /** The library would collect a packet of 256 MB before it looks at it. */
  #watch(client: asyncMqtt.AsyncMqttClient): void {
    const { stream } = (client as unknown as { readonly _client: { readonly stream: Duplex } })._client;
    const { keepaliveSeconds, mostBytesPerKeepalive } = this.#limits;
    let bytes = 0;
    let since = performance.now();
    stream.on('data', (chunk: Buffer) => {
      if (performance.now() - since > keepaliveSeconds * 1000) {
        bytes = 0;
        since = performance.now();
      }
      bytes += chunk.length;
      if (bytes > mostBytesPerKeepalive) this.#end('sends far more than was asked for');
    });
  }
}

function optionsFor(
  { broker, clientId, authorities, will }: Opening,
  { keepaliveSeconds, connectMs, drainMs }: SessionLimits,
): asyncMqtt.IClientOptions {
  const { tls, host, port, username, password } = broker;
  return {
    protocol: tls ? 'mqtts' : 'mqtt',
    host,
    hostname: host,
    port,
    clientId,
    keepalive: keepaliveSeconds,
    // A publish is no sign of life of the broker: it ends in a buffer.
    reschedulePings: false,
    // Every connection is a new client: the library's own reconnection knows one fixed period only.
    reconnectPeriod: 0,
    connectTimeout: connectMs + drainMs,
    // A message for a broker that is away is out of date when it is back.
    queueQoSZero: false,
    rejectUnauthorized: true,
    // MQTT 3.1.1, 3.1.2.9: no password without a user name.
    ...(username === '' ? {} : { username, ...(password === '' ? {} : { password }) }),
    ...(tls && authorities !== null ? { ca: authorities } : {}),
    ...(will === null ? {} : { will: { ...will, qos: 0, retain: true } }),
  };
}
