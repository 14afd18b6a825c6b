// One connection to a broker. The only file that uses async-mqtt. It limits the broker's bytes.
import type { Duplex } from 'node:stream';
import type * as asyncMqtt from 'async-mqtt';
import type { Broker } from '../../shared/protocol/mqtt.js';
import { errorMessage } from '../../shared/domain/base/error-message.js';
import { lossReason } from './loss-reason.js';

export interface SessionLimits {
  /** The client detects a broker that hangs or is unreachable after two of these; each is a ping of two bytes. */
  readonly keepaliveSeconds: number;
  /** From the look-up of the name to CONNACK; a broker on a slow link with TLS takes about one second. */
  readonly connectMs: number;
  readonly lookMs: number;
  /** For DISCONNECT, before the connection is destroyed. */
  readonly drainMs: number;
  /**
   * A broker sends a publisher 2 bytes per keepalive, and once the availability of the other daemons: 64 bytes for each. Above this
   * the connection is ended.
   */
  readonly maxBytesPerKeepalive: number;
}

export const usualLimits: SessionLimits = {
  keepaliveSeconds: 15,
  connectMs: 10_000,
  lookMs: 5_000,
  drainMs: 500,
  maxBytesPerKeepalive: 65_536,
};

export interface MqttMessage {
  readonly topic: string;
  readonly payload: string;
  readonly retain: boolean;
}

export interface MqttSessionOptions {
  readonly broker: Broker;
  readonly clientId: string;
  /** Authorities in PEM for mqtts; null for those built into Node. */
  readonly authorities: string | null;
  /** The last will: published by the broker, retained, when the connection is lost. */
  readonly will: { readonly topic: string; readonly payload: string } | null;
}

/** Exactly one `ended` comes, and no `connected` after it. */
export interface SessionListener {
  connected(): void;
  /** `reason` continues "the broker ..." and contains no address and no secret. */
  ended(reason: string): void;
}

export interface MqttSession {
  /** Tells what is retained below the filter, and what comes for `lookMs`, then no more. A broker need not allow it. */
  look(filter: string, heard: (topic: string, payload: string) => void): void;
  /** True once the kernel has the message, false when the connection has ended before. One at a time. */
  publish(message: MqttMessage): Promise<boolean>;
  /** Publishes the last will and disconnects; settles when the connection has ended. */
  disconnect(): Promise<void>;
  destroy(): void;
}

export type Connect = (options: MqttSessionOptions, listener: SessionListener) => MqttSession;

type Library = Pick<typeof asyncMqtt, 'connect'>;

export type LoadedClient =
  | { readonly ok: true; readonly connect: Connect }
  | { readonly ok: false; readonly reason: string };

/** Loads the library; without it the worker continues and publishes nothing (specification/mqtt.md#client-library). */
export async function loadClient(
  load: () => Promise<{ readonly default: Library }> = () => import('async-mqtt'),
  limits: SessionLimits = usualLimits,
): Promise<LoadedClient> {
  try {
    const library = (await load()).default;
    return { ok: true, connect: (options, listener) => new OneSession(library, options, listener, limits) };
  } catch (error) {
    // A module may throw anything while it loads.
    return { ok: false, reason: errorMessage(error) };
  }
}

class OneSession implements MqttSession {
  readonly #listener: SessionListener;
  readonly #limits: SessionLimits;
  readonly #will: MqttSessionOptions['will'];
  #welcome = false;
  #client: asyncMqtt.AsyncMqttClient | undefined;
  #over = false;
  #settlePublish: ((done: boolean) => void) | undefined;
  #settleGone: () => void = () => undefined;
  readonly #gone = new Promise<void>((resolve) => (this.#settleGone = resolve));
  #timer: NodeJS.Timeout | undefined;

  constructor(
    library: Library,
    options: MqttSessionOptions,
    listener: SessionListener,
    limits: SessionLimits,
  ) {
    this.#listener = listener;
    this.#limits = limits;
    this.#will = options.will;
    this.#timer = setTimeout(() => this.#end('does not answer'), limits.connectMs);
    try {
      const client = library.connect(optionsFor(options, limits));
      this.#client = client;
      client.on('connect', () => this.#connected());
      // Stays after the end: an error without a listener would end the worker.
      client.on('error', (error) => this.#end(lossReason(error)));
      client.on('close', () => this.#end('closed the connection'));
      this.#watch(client);
    } catch (error) {
      // A socket refuses some options, such as an authority that is not a certificate.
      queueMicrotask(() => this.#end(lossReason(error)));
    }
  }

  look(filter: string, heard: (topic: string, payload: string) => void): void {
    const client = this.#client;
    if (this.#over || client === undefined) return;
    const tell = (topic: string, payload: Buffer): void => heard(topic, payload.toString());
    client.on('message', tell);
    const refused = (): void => undefined;
    client.subscribe(filter, { qos: 0 }).catch(refused);
    this.#timer = setTimeout(() => {
      client.off('message', tell);
      client.unsubscribe(filter).catch(refused);
    }, this.#limits.lookMs);
  }

  publish({ topic, payload, retain }: MqttMessage): Promise<boolean> {
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

  disconnect(): Promise<void> {
    const client = this.#client;
    if (this.#over || client === undefined || !this.#welcome) this.destroy();
    else {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.destroy(), this.#limits.drainMs);
      const destroy = (): void => this.destroy();
      if (this.#will !== null) {
        const { topic, payload } = this.#will;
        client.publish(topic, payload, { qos: 0, retain: true }).catch(destroy);
      }
      client.end(false).then(destroy, destroy);
    }
    return this.#gone;
  }

  destroy(): void {
    this.#end('was disconnected on request');
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
    // The promise of the library may never settle, so destroy the socket immediately.
    void this.#client?.end(true).catch(() => undefined);
    this.#settlePublish?.(false);
    this.#settlePublish = undefined;
    this.#settleGone();
    this.#listener.ended(reason);
  }

  /** The library would collect a packet of 256 MB before it parses it. */
  #watch(client: asyncMqtt.AsyncMqttClient): void {
    const { stream } = (client as unknown as { readonly _client: { readonly stream: Duplex } })._client;
    const { keepaliveSeconds, maxBytesPerKeepalive } = this.#limits;
    let bytes = 0;
    let since = performance.now();
    stream.on('data', (chunk: Buffer) => {
      if (performance.now() - since > keepaliveSeconds * 1000) {
        bytes = 0;
        since = performance.now();
      }
      bytes += chunk.length;
      if (bytes > maxBytesPerKeepalive) this.#end('sends far more data than expected');
    });
  }
}

function optionsFor(
  { broker, clientId, authorities, will }: MqttSessionOptions,
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
    // A publish proves nothing about the broker: it ends in a buffer.
    reschedulePings: false,
    // Every connection is a new client, because the library reconnects only with a fixed period.
    reconnectPeriod: 0,
    connectTimeout: connectMs + drainMs,
    // A message that waits for a broker is out of date when the broker is back.
    queueQoSZero: false,
    rejectUnauthorized: true,
    // MQTT 3.1.1, 3.1.2.9: no password without a user name.
    ...(username === '' ? {} : { username, ...(password === '' ? {} : { password }) }),
    ...(tls && authorities !== null ? { ca: authorities } : {}),
    ...(will === null ? {} : { will: { ...will, qos: 0, retain: true } }),
  };
}
