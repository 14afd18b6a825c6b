// The supervisor's side of messages to people: every one goes to the notify worker for delivery and to storage, so that
// it outlives both of us. It waits for neither and never fails; a shutdown never waits for it.
import { cutTo } from '../../shared/domain/cut.js';
import type { EventType } from '../../shared/domain/events.js';
import { isSafetyEvent } from '../../shared/domain/events.js';
import type { Delivery, Notification } from '../../shared/domain/notification.js';
import { longestText } from '../../shared/domain/notification.js';
import type { Answer, Outcome } from '../../shared/protocol/contract.js';
import type { DeliveryReport, notifyContract } from '../../shared/protocol/notify.js';
import type { storageContract } from '../../shared/protocol/storage.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Configuration } from '../config/configuration/configuration.js';
import type { RecordedEvent } from '../events/event-recorder.js';
import { Outbox } from './outbox.js';
import { NotificationDelivery } from './delivery.js';
import { messageFor } from '../events/messages.js';
import { notifySpec } from '../workers/worker-specs.js';
import { notifySlice } from '../workers/worker-settings.js';
import type { Supervision } from '../supervision/supervision.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';

export interface NotificationsDependencies {
  readonly supervision: Pick<Supervision, 'start'>;
  /** The storage worker's. */
  readonly storage: Pick<WorkerHandle<typeof storageContract>, 'request'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Random, made at the start of this supervisor: no two messages ever share an id. */
  readonly run: string;
}

export interface NotificationFigures {
  /** Deliveries that wait, over all services. */
  readonly pending: number;
  /** Deliveries since this supervisor started. */
  readonly sent: number;
  readonly cancelled: number;
  /** Changes storage never got to know. */
  readonly unrecorded: number;
}

type Tested = Answer<(typeof notifyContract)['requests'], 'services.test'>;

/** What the worker's own answer takes beyond the attempts in it. */
const testMarginMs = 1000;

export class Notifications {
  readonly #deps: NotificationsDependencies;
  #configuration: Configuration;
  readonly #ledger = new Outbox();
  readonly #relay: NotificationDelivery;
  #worker: WorkerHandle<typeof notifyContract> | undefined;
  #seq = 0;
  #testing: Promise<Outcome<Tested>> | undefined;
  #pending = 0;
  #sent = 0;
  #cancelled = 0;

  /** Starts the worker if there is a service to deliver to. */
  constructor(configuration: Configuration, deps: NotificationsDependencies) {
    this.#deps = deps;
    this.#configuration = configuration;
    this.#relay = new NotificationDelivery({
      ledger: this.#ledger,
      storage: deps.storage,
      take: (tasks, deadlineMs) => this.#worker?.request('notifications.take', { tasks }, deadlineMs),
      clock: deps.clock,
      log: deps.log,
      limits: () => this.#configuration.notifications,
    });
    this.apply(configuration);
  }

  get figures(): NotificationFigures {
    return {
      pending: this.#pending,
      sent: this.#sent,
      cancelled: this.#cancelled,
      unrecorded: this.#ledger.dropped,
    };
  }

  /** Makes a newly loaded configuration the running one. A worker that was needed once stays, without services idle. */
  apply(configuration: Configuration): void {
    this.#configuration = configuration;
    if (this.#worker !== undefined) this.#worker.reconfigure(notifySlice(configuration));
    else if (configuration.notifications.services.length > 0) {
      this.#worker = this.#deps.supervision.start(
        notifySpec(configuration, {
          onEvent: { 'deliveries.changed': (report) => this.#reported(report) },
          serve: {},
        }),
      );
    }
  }

  /** A message to people: what policy asks for. */
  notify({ source, type, detail }: RecordedEvent): void {
    const { services, suppress } = this.#configuration.notifications;
    if (services.length === 0 || (suppress.includes(type) && !isSafetyEvent(type))) return;
    const notification = this.#notification(source, type, detail);
    const { at } = notification;
    const waiting = services.map(({ id }): Delivery => {
      return { service: id, state: 'pending', reason: null, attempts: 0, at };
    });
    this.#ledger.add(notification, waiting);
    this.#relay.hand(notification);
  }

  /** An event was recorded. Those that policy does not put into words itself, and that people should hear of, are told. */
  recorded(event: RecordedEvent): void {
    const text = messageFor(event);
    if (text !== undefined) this.notify({ ...event, detail: text });
  }

  /** To be called with the name of every worker that has become ready, and of every one that was lost. */
  workerReady(name: string): void {
    if (name === this.#worker?.name) this.#relay.connect();
  }

  workerLost(name: string): void {
    if (name === this.#worker?.name) this.#relay.disconnect();
  }

  /** To be called every 250 ms. */
  tick(): void {
    this.#relay.tick();
  }

  /** Sends a test message through every service, past its backlog, and answers what each of them said. */
  test(): Promise<Outcome<Tested>> {
    if (this.#worker === undefined) return Promise.resolve({ ok: true, value: { services: [] } });
    // A delivery that is under way is waited for, then the test has its own time.
    const deadlineMs = 2 * this.#configuration.notifications.timeoutMs + testMarginMs;
    // Whoever asks meanwhile gets the answer of this one: people and services are not to be flooded with tests.
    this.#testing ??= this.#worker
      .request('services.test', {}, deadlineMs)
      .finally(() => (this.#testing = undefined));
    return this.#testing;
  }

  /**
   * The daemon ends: the worker tries once what is new and ends, and what became of it is recorded. Settles within
   * `deadlineMs` of its end; to be called while storage still runs, and with `tick` going on.
   */
  async end(deadlineMs: number): Promise<void> {
    await this.#worker?.stop();
    this.#relay.disconnect();
    await this.#relay.recorded(deadlineMs);
  }

  #notification(source: string, type: EventType, text: string): Notification {
    this.#seq += 1;
    return {
      id: `${this.#deps.run}-${String(this.#seq)}`,
      at: this.#deps.clock.wallSeconds(),
      source,
      type,
      text: cutTo(text, longestText),
      urgent: isSafetyEvent(type),
    };
  }

  #reported({ summaries, deliveries, pending }: DeliveryReport): void {
    this.#pending = pending;
    for (const summary of summaries) this.#ledger.add(summary, []);
    for (const { notification, delivery } of deliveries) {
      if (delivery.state === 'sent') this.#sent += 1;
      if (delivery.state === 'cancelled') this.#cancelled += 1;
      this.#ledger.note(notification, delivery);
    }
    this.#relay.tick();
  }
}
