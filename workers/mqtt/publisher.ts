// Decides what is published and when: first the retained messages (availability, discovery) that the broker does not have
// yet, then the status when its fingerprint changes and every publish interval. One message at a time.
import { StatusCopy, sortedJson } from '../../shared/http/status-copy.js';
import type { MqttSettings, ShownChange, MqttUps } from '../../shared/protocol/mqtt.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { MqttMessage } from './client.js';
import { Discovery, energyMessage } from './discovery.js';
import { online, topicsOf } from './topics.js';

/** Four messages a second at most, as on the stream of the API. */
const minPauseMs = 250;
/** The status of a fleet has up to a megabyte: this bounds the bytes a second. */
const bytesPerMs = 1000;
/**
 * Availability is repeated with the next status after this: the last will of an older connection, which its broker notices later,
 * says "offline" of a daemon that is there.
 */
const onlineEveryMs = 60_000;

export interface PublisherDependencies {
  readonly hostName: string;
  readonly clock: Clock;
  readonly setTimer: (ms: number, then: () => void) => () => void;
  /** True once the message is sent; false without a connection. */
  readonly publish: (message: MqttMessage) => Promise<boolean>;
}

export class MqttPublisher {
  readonly #deps: PublisherDependencies;
  #settings: MqttSettings;
  readonly #status = new StatusCopy<MqttUps>(sortedJson);
  #known = false;
  readonly #discovery: Discovery;
  /** Topics with a retained message of this daemon, as far as known. */
  readonly #retained = new Set<string>();
  /** The retained messages that were or will be sent over this connection, by topic. */
  readonly #sent = new Map<string, string>();
  /** Those still to be sent; "" removes the retained message. */
  readonly #outbox = new Map<string, string>();
  /** The last status once more, for the topic of this host: what discovery points at. */
  #copy: MqttMessage | undefined;
  #connected = false;
  /** Counts the connections: a message that an earlier one did not take stops nothing on this one. */
  #connections = 0;
  #busy = false;
  /** Fingerprint of the last status on this connection; undefined before any. */
  #lastFingerprint: string | undefined;
  #lastAtMs = -Infinity;
  #lastBytes = 0;
  #onlineAtMs = 0;
  #cancel: () => void = () => undefined;

  constructor(settings: MqttSettings, deps: PublisherDependencies) {
    this.#settings = settings;
    this.#deps = deps;
    this.#discovery = new Discovery(deps.hostName);
  }

  configure(settings: MqttSettings): void {
    if (JSON.stringify(settings.broker) !== JSON.stringify(this.#settings.broker)) this.#retained.clear();
    // A new topic needs a new status message.
    if (settings.topicPrefix !== this.#settings.topicPrefix) this.#lastFingerprint = undefined;
    this.#settings = settings;
    this.#retain();
    void this.#pump();
  }

  /** False when the change names a UPS that this copy does not have. */
  apply(change: ShownChange): boolean {
    if (!this.#status.apply(change)) return false;
    this.#known = true;
    if (this.#settings.discovery) this.#retain();
    void this.#pump();
    return true;
  }

  connection(connected: boolean): void {
    this.#connected = connected;
    this.#connections += 1;
    this.#lastFingerprint = undefined;
    this.#sent.clear();
    this.#outbox.clear();
    this.#copy = undefined;
    if (!connected) this.#cancel();
    else {
      this.#onlineAtMs = this.#deps.clock.monotonicMs();
      this.#retain();
      void this.#pump();
    }
  }

  async #pump(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    while (this.#connected) {
      const connection = this.#connections;
      const message = this.#nextRetained() ?? this.#takeCopy() ?? this.#statusIfDue();
      if (message === undefined) break;
      const isSent = await this.#deps.publish(message);
      if (connection !== this.#connections) continue;
      if (!isSent) break;
      if (message.retain && message.payload === '') this.#retained.delete(message.topic);
    }
    this.#busy = false;
  }

  /** Queues retained messages that the broker does not have yet, and removals of obsolete ones. */
  #retain(): void {
    if (!this.#connected) return;
    const wanted = this.#wanted();
    for (const topic of this.#retained) if (!wanted.has(topic)) this.#send(topic, '');
    for (const [topic, payload] of wanted) this.#send(topic, payload);
  }

  #send(topic: string, payload: string): void {
    if (this.#sent.get(topic) === payload) return;
    this.#sent.set(topic, payload);
    this.#outbox.set(topic, payload);
    if (payload !== '') this.#retained.add(topic);
  }

  #wanted(): ReadonlyMap<string, string> {
    const { availability, discovery } = this.#settings;
    const wanted = new Map<string, string>();
    const topics = this.#topics;
    if (availability) wanted.set(topics.availability, online);
    const energy = energyMessage(this.#status.ups);
    if (discovery && energy !== undefined) wanted.set(topics.energy, energy);
    if (discovery && this.#known)
      for (const [topic, document] of this.#discovery.documents(this.#status.ups, this.#settings))
        wanted.set(topic, document);
    return wanted;
  }

  get #topics() {
    return topicsOf(this.#settings, this.#deps.hostName);
  }

  #nextRetained(): MqttMessage | undefined {
    const [first] = this.#outbox;
    if (first === undefined) return undefined;
    const [topic, payload] = first;
    this.#outbox.delete(topic);
    return { topic, payload, retain: true };
  }

  #takeCopy(): MqttMessage | undefined {
    const copy = this.#copy;
    this.#copy = undefined;
    return copy;
  }

  /** The status if it is due; otherwise sets a timer for it. */
  #statusIfDue(): MqttMessage | undefined {
    if (!this.#known) return undefined;
    const { clock, setTimer } = this.#deps;
    const { fingerprint } = this.#status;
    const waitMs = this.#dueAtMs(fingerprint) - clock.monotonicMs();
    this.#cancel();
    if (waitMs > 0) {
      this.#cancel = setTimer(waitMs, () => void this.#pump());
      return undefined;
    }
    const payload = this.#status.body(clock.wallSeconds());
    this.#lastFingerprint = fingerprint;
    this.#lastAtMs = clock.monotonicMs();
    const { availability, discovery } = this.#settings;
    const topics = this.#topics;
    this.#lastBytes = discovery ? 2 * payload.length : payload.length;
    if (discovery) this.#copy = { topic: topics.ownStatus, payload, retain: false };
    if (availability && this.#lastAtMs >= this.#onlineAtMs + onlineEveryMs) {
      this.#onlineAtMs = this.#lastAtMs;
      this.#outbox.set(topics.availability, online);
    }
    return { topic: topics.status, payload, retain: false };
  }

  #dueAtMs(fingerprint: string): number {
    const soonest = this.#lastAtMs + Math.max(minPauseMs, this.#lastBytes / bytesPerMs);
    if (this.#lastFingerprint === undefined) return -Infinity;
    return fingerprint === this.#lastFingerprint
      ? this.#lastAtMs + this.#settings.publishIntervalMs
      : soonest;
  }
}
