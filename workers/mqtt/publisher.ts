// Decides what is published and when: the status when its fingerprint changes and every publish interval, before it the
// retained messages (availability, discovery) that the broker does not hold yet. One message under way at a time.
import { StatusCopy, sortedJson } from '../../shared/http/status-copy.js';
import type { MqttSlice, ShownChange, ShownUps } from '../../shared/protocol/mqtt.js';
import type { Clock } from '../../shared/runtime/clock.js';
import { availabilityTopic, online } from './availability.js';
import type { Message } from './client.js';
import { Discovery } from './discovery.js';

/** Four messages a second are live enough for anybody (the stream of the API sends no more either). */
const shortestPauseMs = 250;
/** A fleet's status is a megabyte: at most so many bytes a second, whatever happens to it. */
const bytesPerMs = 1000;

export interface PublisherDependencies {
  readonly clock: Clock;
  readonly setTimer: (ms: number, then: () => void) => () => void;
  /** True once it is out; false when there is no connection (any more). */
  readonly publish: (message: Message) => Promise<boolean>;
}

export class MqttPublisher {
  readonly #deps: PublisherDependencies;
  #slice: MqttSlice;
  readonly #status = new StatusCopy<ShownUps>(sortedJson);
  #known = false;
  readonly #discovery = new Discovery();
  /** Topics of which the broker holds a retained message of ours, as far as we know. */
  readonly #held = new Set<string>();
  /** What was said, or is to be said, on the retained topics over this connection. */
  readonly #told = new Map<string, string>();
  /** Of it, what is still to be said; "" takes the message before it away. */
  readonly #outbox = new Map<string, string>();
  #connected = false;
  #busy = false;
  /** Of the last status on this connection; undefined before any. */
  #lastFingerprint: string | undefined;
  #lastAtMs = -Infinity;
  #lastBytes = 0;
  #cancel: () => void = () => undefined;

  constructor(slice: MqttSlice, deps: PublisherDependencies) {
    this.#slice = slice;
    this.#deps = deps;
  }

  configure(slice: MqttSlice): void {
    if (JSON.stringify(slice.broker) !== JSON.stringify(this.#slice.broker)) this.#held.clear();
    // Another topic is another status.
    if (slice.topicPrefix !== this.#slice.topicPrefix) this.#lastFingerprint = undefined;
    this.#slice = slice;
    this.#retain();
    void this.#pump();
  }

  /** False when the change names a UPS this copy has never been told about. */
  apply(change: ShownChange): boolean {
    if (!this.#status.apply(change)) return false;
    this.#known = true;
    if (this.#slice.discovery) this.#retain();
    void this.#pump();
    return true;
  }

  connection(connected: boolean): void {
    this.#connected = connected;
    this.#lastFingerprint = undefined;
    this.#told.clear();
    this.#outbox.clear();
    if (!connected) this.#cancel();
    else {
      this.#retain();
      void this.#pump();
    }
  }

  async #pump(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    while (this.#connected) {
      const message = this.#nextRetained() ?? this.#statusIfDue();
      if (message === undefined || !(await this.#deps.publish(message))) break;
      if (message.retain && message.payload === '') this.#held.delete(message.topic);
    }
    this.#busy = false;
  }

  /** Puts into the outbox what the broker is to hold and was not told yet, and what it is to hold no more. */
  #retain(): void {
    if (!this.#connected) return;
    const wanted = this.#wanted();
    for (const topic of this.#held) if (!wanted.has(topic)) this.#tell(topic, '');
    for (const [topic, payload] of wanted) this.#tell(topic, payload);
  }

  #tell(topic: string, payload: string): void {
    if (this.#told.get(topic) === payload) return;
    this.#told.set(topic, payload);
    this.#outbox.set(topic, payload);
    if (payload !== '') this.#held.add(topic);
  }

  #wanted(): ReadonlyMap<string, string> {
    const { availability, discovery } = this.#slice;
    const wanted = new Map<string, string>();
    if (availability) wanted.set(availabilityTopic(this.#slice), online);
    if (discovery && this.#known)
      for (const [topic, document] of this.#discovery.documents(this.#status.ups, this.#slice))
        wanted.set(topic, document);
    return wanted;
  }

  #nextRetained(): Message | undefined {
    const [first] = this.#outbox;
    if (first === undefined) return undefined;
    const [topic, payload] = first;
    this.#outbox.delete(topic);
    return { topic, payload, retain: true };
  }

  /** The status, if it is time for it; else it is looked at again when it will be. */
  #statusIfDue(): Message | undefined {
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
    this.#lastBytes = payload.length;
    return { topic: `${this.#slice.topicPrefix}/status`, payload, retain: false };
  }

  #dueAtMs(fingerprint: string): number {
    const soonest = this.#lastAtMs + Math.max(shortestPauseMs, this.#lastBytes / bytesPerMs);
    if (this.#lastFingerprint === undefined) return -Infinity;
    return fingerprint === this.#lastFingerprint ? this.#lastAtMs + this.#slice.publishIntervalMs : soonest;
  }
}
