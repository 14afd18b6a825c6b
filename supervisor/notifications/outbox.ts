// Notifications and deliveries that storage has not acknowledged. It never waits and never fails; beyond its bound
// entries are dropped and counted.
import type { Delivery, Notification } from '../../shared/domain/notification.js';
import type { NotificationRecord } from '../../shared/protocol/notification-records.js';
import type { Task } from '../../shared/protocol/notify.js';

/** Days of a bad outage with a dead disk: some 20 MB. */
const maxEntries = 20_000;

interface Entry {
  /** Null: storage has the notification already. */
  notification: Notification | null;
  readonly deliveries: Map<string, Delivery>;
}

export class Outbox {
  readonly #maxEntries: number;
  /** In order of arrival. */
  #entries = new Map<string, Entry>();
  /** Sent to storage and not acknowledged. */
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

  /** A new notification and its deliveries. */
  add(notification: Notification, deliveries: readonly Delivery[]): void {
    const entry = this.#entryOf(notification.id);
    entry.notification = notification;
    for (const delivery of deliveries) entry.deliveries.set(delivery.service, delivery);
    this.#bound();
  }

  /** A changed delivery. */
  update(id: string, delivery: Delivery): void {
    this.#entryOf(id).deliveries.set(delivery.service, delivery);
    this.#bound();
  }

  /** The oldest records, now in flight until `acknowledged`, `dropInFlight` or `retry`. */
  take(max: number): readonly NotificationRecord[] {
    for (const [id, entry] of this.#entries) {
      if (this.#inFlight.size >= max) break;
      this.#inFlight.set(id, entry);
      this.#entries.delete(id);
    }
    return [...this.#inFlight].map(([id, { notification, deliveries }]) => ({
      id,
      notification,
      deliveries: [...deliveries.values()],
    }));
  }

  /** Storage has committed the records in flight. */
  acknowledged(): void {
    this.#inFlight.clear();
  }

  /** Storage refuses the records in flight for good. */
  dropInFlight(): void {
    this.#dropped += this.#inFlight.size;
    this.#inFlight.clear();
  }

  /** Storage refused or did not answer: the records in flight are queued again, merged with later changes. */
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

  /** The pending deliveries of notifications that storage may not have, for a restarted worker. */
  tasks(): readonly Task[] {
    return [...this.#inFlight.values(), ...this.#entries.values()].flatMap(({ notification, deliveries }) => {
      const waiting = [...deliveries.values()].filter(({ state }) => state === 'pending');
      if (notification === null || waiting.length === 0) return [];
      return [{ notification, waiting: waiting.map(({ service, attempts }) => ({ service, attempts })) }];
    });
  }

  /** True when a delivery has ended and storage may not know it. */
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

  /** Drops first notifications without a pending delivery, then those that are not urgent, then the oldest. */
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
