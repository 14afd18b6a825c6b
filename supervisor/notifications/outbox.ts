// What storage does not know yet of messages and their deliveries. It never waits and never fails; what no longer fits
// is dropped by rule and counted.
import type { Delivery, Notification } from '../../shared/domain/notification.js';
import type { NotificationRecord } from '../../shared/protocol/notification-records.js';
import type { Task } from '../../shared/protocol/notify.js';

/** Days of a bad outage with a dead disk: some 20 MB. */
const maxEntries = 20_000;

interface Entry {
  /** Null: storage has the message already. */
  notification: Notification | null;
  readonly deliveries: Map<string, Delivery>;
}

export class Outbox {
  readonly #maxEntries: number;
  /** In the order of what happened. */
  #entries = new Map<string, Entry>();
  /** Sent to storage and not acknowledged yet. */
  #inFlight = new Map<string, Entry>();
  #dropped = 0;

  constructor(most: number = maxEntries) {
    this.#maxEntries = most;
  }

  get empty(): boolean {
    return this.#entries.size === 0;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** A new message, with what is known of its deliveries. */
  add(notification: Notification, deliveries: readonly Delivery[]): void {
    const entry = this.#entryOf(notification.id);
    entry.notification = notification;
    for (const delivery of deliveries) entry.deliveries.set(delivery.service, delivery);
    this.#bound();
  }

  /** News of a delivery. */
  update(id: string, delivery: Delivery): void {
    this.#entryOf(id).deliveries.set(delivery.service, delivery);
    this.#bound();
  }

  /** The oldest of what has to be recorded; theirs is the next `recorded` or `refused`. */
  take(most: number): readonly NotificationRecord[] {
    for (const [id, entry] of this.#entries) {
      if (this.#inFlight.size >= most) break;
      this.#inFlight.set(id, entry);
      this.#entries.delete(id);
    }
    return [...this.#inFlight].map(([id, { notification, deliveries }]) => ({
      id,
      notification,
      deliveries: [...deliveries.values()],
    }));
  }

  /** Storage has what `next` gave. */
  acknowledged(): void {
    this.#inFlight.clear();
  }

  /** Storage cannot take any of what `next` gave, ever. */
  dropInFlight(): void {
    this.#dropped += this.#inFlight.size;
    this.#inFlight.clear();
  }

  /** Storage has not got it, or did not say so: it is asked again, with what has become known meanwhile. */
  retry(): void {
    const later = this.#entries;
    this.#entries = this.#inFlight;
    this.#inFlight = new Map();
    for (const [id, { notification, deliveries }] of later) {
      const entry = this.#entryOf(id);
      entry.notification ??= notification;
      for (const [service, delivery] of deliveries) entry.deliveries.set(service, delivery);
    }
    this.#bound();
  }

  /** Every message storage may not have, with the services that wait for it: for a worker that starts anew. */
  tasks(): readonly Task[] {
    return [...this.#inFlight.values(), ...this.#entries.values()].flatMap(({ notification, deliveries }) => {
      const waiting = [...deliveries.values()].filter(({ state }) => state === 'pending');
      if (notification === null || waiting.length === 0) return [];
      return [{ notification, waiting: waiting.map(({ service, attempts }) => ({ service, attempts })) }];
    });
  }

  /** True when a delivery is over and storage may not know it. */
  isOver(id: string, service: string): boolean {
    const isOver = (entry: Entry | undefined): boolean => {
      const state = entry?.deliveries.get(service)?.state;
      return state !== undefined && state !== 'pending';
    };
    return isOver(this.#entries.get(id)) || isOver(this.#inFlight.get(id));
  }

  #entryOf(id: string): Entry {
    const entry = this.#entries.get(id) ?? { notification: null, deliveries: new Map<string, Delivery>() };
    this.#entries.set(id, entry);
    return entry;
  }

  /** First what is only history goes, then what is no news of danger, then the oldest. */
  #bound(): void {
    while (this.#entries.size > this.#maxEntries) {
      const all = [...this.#entries];
      const isHistory = ({ deliveries }: Entry): boolean =>
        [...deliveries.values()].every(({ state }) => state !== 'pending');
      const [victim] =
        all.find(([, entry]) => isHistory(entry)) ??
        all.find(([, { notification }]) => notification?.urgent === false) ??
        all[0] ??
        [];
      if (victim === undefined) return;
      this.#entries.delete(victim);
      this.#dropped += 1;
    }
  }
}
