// The notify worker: decides which events get a message, and posts each to the outbox. Nothing here waits or fails, and a
// shutdown never waits for it.
import { truncate } from '../../shared/domain/truncate.js';
import { isSafetyEvent } from '../../shared/domain/events.js';
import type { Notification } from '../../shared/domain/notification.js';
import { maxTextLength } from '../../shared/domain/notification.js';
import type { Answer, Outcome } from '../../shared/protocol/contract.js';
import type { NotificationRecord } from '../../shared/protocol/notification-records.js';
import type { ComposedReport } from '../../shared/protocol/reports.js';
import type { DeliveryReport, NotifySettings } from '../../shared/protocol/notify.js';
import { notifyContract } from '../../shared/protocol/notify.js';
import type { NotificationTelemetry } from '../../shared/protocol/api.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Configuration } from '../config/configuration/configuration.js';
import type { RecordedEvent } from '../events/event-recorder.js';
import { messageFor } from '../events/messages.js';
import type { OutboxDependencies } from '../notifications/outbox.js';
import { Outbox, pendingDelivery } from '../notifications/outbox.js';
import type { Supervision } from '../supervision/supervision.js';
import { SingleWorker, workerSpec } from './managed-worker.js';

function notifySettings({ notifications }: Configuration): NotifySettings {
  const { services, title, timeoutMs, retryIntervalMs, retryBackoffMaxMs } = notifications;
  const { maxAttempts, maxAgeSeconds, maxPending } = notifications;
  return {
    services: services.map(({ id, name, url }) => ({ id, name, url })),
    title,
    timeoutMs,
    retryIntervalMs,
    retryBackoffMaxMs,
    maxAttempts,
    maxAgeSeconds,
    maxPending,
  };
}

export interface NotifyWorkerDependencies {
  readonly storage: OutboxDependencies['storage'];
  readonly clock: Clock;
  readonly log: Logger;
  /** Random, created at the start of this supervisor: makes the ids of notifications unique. */
  readonly run: string;
}

type Tested = Answer<(typeof notifyContract)['requests'], 'services.test'>;

/** For the worker's own answer, in addition to the attempts. */
const testMarginMs = 1000;

export class NotifyWorker extends SingleWorker<typeof notifyContract> {
  readonly #deps: NotifyWorkerDependencies;
  #configuration: Configuration;
  readonly #outbox: Outbox;
  #seq = 0;
  #testing: Promise<Outcome<Tested>> | undefined;
  #pending = 0;
  #sent = 0;
  #cancelled = 0;

  constructor(
    supervision: Pick<Supervision, 'start'>,
    configuration: Configuration,
    deps: NotifyWorkerDependencies,
  ) {
    super(notifyContract, supervision);
    this.#deps = deps;
    this.#configuration = configuration;
    this.#outbox = new Outbox({
      ...deps,
      take: (tasks, deadlineMs) => this.request('notifications.take', { tasks }, deadlineMs),
    });
  }

  /** Since this supervisor started; `pending`: waiting deliveries of all services. */
  get telemetry(): NotificationTelemetry {
    return { pending: this.#pending, sent: this.#sent, cancelled: this.#cancelled };
  }

  /** Without services a started worker stays idle. */
  apply(configuration: Configuration): void {
    this.#configuration = configuration;
    const spec = workerSpec(notifyContract, {
      hosting: { kind: 'process', user: configuration.supervisor.workerUsers.net },
      settings: notifySettings(configuration),
      onEvent: { 'deliveries.changed': (report) => this.#reported(report) },
      serve: {},
    });
    this.configure(spec, spec.settings.services.length > 0);
  }

  /** Sends a notification to every service. */
  notify({ source, type, detail }: RecordedEvent): void {
    const { services, suppress } = this.#configuration.notifications;
    if (services.length === 0 || (suppress.includes(type) && !isSafetyEvent(type))) return;
    const notification = this.#notification(source, type, detail, isSafetyEvent(type));
    this.#outbox.post(notification, this.#serviceIds);
  }

  /** An event was recorded: sends its notification, if messages.ts has a text for it. */
  recorded(event: RecordedEvent): void {
    const { ups } = this.#configuration;
    const label = ups.find(({ policy }) => policy.groupId === event.source)?.policy.label ?? event.source;
    const text = messageFor(event, label);
    if (text !== undefined) this.notify({ ...event, detail: text });
  }

  /** A report as a message to every service, for storage; null without a service. */
  recordOf(type: string, { text, html }: ComposedReport): NotificationRecord | null {
    if (this.#configuration.notifications.services.length === 0) return null;
    const notification = { ...this.#notification('daemon', type, text, false), html };
    const { id, at } = notification;
    return {
      id,
      notification,
      deliveries: this.#serviceIds.map((service) => pendingDelivery(service, 0, at)),
    };
  }

  /** Sends a message that storage has. */
  sendStored({ notification, deliveries }: NotificationRecord): void {
    const services = deliveries.map(({ service }) => service);
    if (notification !== null) this.#outbox.post(notification, services, true);
  }

  workerReady(): void {
    this.#outbox.connect();
  }

  workerLost(): void {
    this.#outbox.disconnect();
  }

  tick(): void {
    this.#outbox.tick();
  }

  /** Sends a test message through every service, before its backlog, and answers the result of each. */
  test(): Promise<Outcome<Tested>> {
    if (!this.isStarted) return Promise.resolve({ ok: true, value: { services: [] } });
    // A delivery in flight is finished first; then the test has its own time.
    const deadlineMs = 2 * this.#configuration.notifications.timeoutMs + testMarginMs;
    // Concurrent callers share one test, so that services are not flooded.
    this.#testing ??= this.request('services.test', {}, deadlineMs).finally(
      () => (this.#testing = undefined),
    );
    return this.#testing;
  }

  /** The worker tries new notifications once and ends; the results are recorded while storage still runs. */
  async finish(_reason: string, withinMs: number): Promise<void> {
    await this.stop();
    this.#outbox.disconnect();
    await this.#outbox.stored(withinMs);
  }

  #notification(source: string, type: string, text: string, urgent: boolean): Notification {
    this.#seq += 1;
    return {
      id: `${this.#deps.run}-${String(this.#seq)}`,
      at: this.#deps.clock.wallSeconds(),
      source,
      type,
      text: truncate(text, maxTextLength),
      urgent,
    };
  }

  get #serviceIds(): readonly string[] {
    return this.#configuration.notifications.services.map(({ id }) => id);
  }

  #reported({ summaries, deliveries, pending }: DeliveryReport): void {
    this.#pending = pending;
    const created = new Map(summaries.map((summary) => [summary.id, summary]));
    for (const { notification, delivery } of deliveries) {
      if (delivery.state === 'sent') this.#sent += 1;
      if (delivery.state === 'cancelled') this.#cancelled += 1;
      this.#outbox.changed(notification, delivery, created.get(notification));
    }
    this.#outbox.tick();
  }
}
