// The notify worker: decides which events get a message, and posts each to the outbox. Nothing here waits or fails, and a
// shutdown never waits for it.
import { truncate } from '../../shared/domain/base/truncate.js';
import { tierOf } from '../../shared/domain/status/event-names.js';
import { categoryOf, EventType, isSafetyEvent } from '../../shared/domain/status/events.js';
import type { Notification, ReportType } from '../../shared/domain/services/notification.js';
import { maxTextLength } from '../../shared/domain/services/notification.js';
import type { Answer, Outcome } from '../../shared/protocol/contract.js';
import type { NotificationRecord } from '../../shared/protocol/notification-records.js';
import type { ComposedReport } from '../../shared/protocol/reports.js';
import type { DeliveryReport, NotifySettings, ServiceState } from '../../shared/protocol/notify.js';
import { notifyContract } from '../../shared/protocol/notify.js';
import type { NotificationTelemetry } from '../../shared/protocol/api.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Configuration } from '../config/configuration/configuration.js';
import type { NotificationService } from '../config/configuration/outbound.js';
import type { RecordedEvent } from '../events/event-recorder.js';
import { messageFor } from '../events/messages.js';
import type { OpenAlarm } from '../notifications/open-alarms.js';
import type { OutboxDependencies } from '../notifications/outbox.js';
import { Outbox, pendingDelivery } from '../notifications/outbox.js';
import { Flicker, flickerOutageMs } from '../notifications/flicker.js';
import { Reminders } from '../notifications/reminders.js';
import { ServiceWatch } from '../notifications/service-watch.js';
import type { Supervision } from '../supervision/supervision.js';
import { SingleWorker, workerSpec } from './managed-worker.js';

const sourcesOf = ({ ups, redundancyGroups }: Configuration): NotifySettings['sources'] =>
  [...ups, ...redundancyGroups].map(({ policy }) => ({
    groupId: policy.groupId,
    name: policy.name,
    label: 'label' in policy ? policy.label : policy.name,
  }));

function notifySettings(configuration: Configuration): NotifySettings {
  const { services, retentionSeconds: _, suppress: __, ...delivery } = configuration.notifications;
  return {
    ...delivery,
    sources: sourcesOf(configuration),
    services: services.map(({ filter: ___, repeatMs: ____, ...rules }) => rules),
  };
}

/** The ends of safety events, which go to every service: who got the begin of another UPS gets the end. */
const endsOfSafetyEvents: readonly string[] = [
  'POWER_RESTORED',
  'CONNECTION_RESTORED',
  'VOLTAGE_NORMALIZED',
  'OVERLOAD_RESOLVED',
  'BYPASS_MODE_INACTIVE',
];

/** Whether the service wants messages of this type about this source. Safety events go to every service. */
function passes(
  { filter, afterMs }: NotificationService,
  type: EventType | ReportType,
  source: string,
): boolean {
  const { verbosity, events, sources } = filter;
  if (EventType.is(type) && isSafetyEvent(type)) return true;
  // It ends the wait of an ON_BATTERY, which every service gets.
  if (type === 'POWER_RESTORED' && afterMs > 0) return true;
  // A report is no matter of power or shutdown.
  const tier = EventType.is(type) ? tierOf(categoryOf(type)) : 1;
  return (
    tier <= verbosity &&
    (events.length === 0 || events.includes(type)) &&
    (sources.length === 0 ||
      source === 'daemon' ||
      sources.includes(source) ||
      endsOfSafetyEvents.includes(type))
  );
}

export interface NotifyWorkerDependencies {
  readonly storage: OutboxDependencies['storage'];
  readonly clock: Clock;
  readonly log: Logger;
  /** What is wrong now. */
  readonly open: () => readonly OpenAlarm[];
  readonly bootId: string;
  /** Random, created at the start of this supervisor: makes the ids of notifications unique. */
  readonly run: string;
}

/** A message without its id and time. */
type Draft = Pick<Notification, 'source' | 'type' | 'text' | 'urgent'>;

type Tested = Answer<(typeof notifyContract)['requests'], 'services.test'>;

/** For the worker's own answer, in addition to the attempts. */
const testMarginMs = 1000;

export class NotifyWorker extends SingleWorker<typeof notifyContract> {
  readonly #deps: NotifyWorkerDependencies;
  #configuration: Configuration;
  readonly #outbox: Outbox;
  readonly #watch = new ServiceWatch();
  readonly #reminders: Reminders;
  readonly #flickerBy = new Map<number, Flicker>();
  #seq = 0;
  #testing: Promise<Outcome<Tested>> | undefined;
  #sent = 0;
  #cancelled = 0;
  readonly #labelOf = (source: string): string =>
    sourcesOf(this.#configuration).find(({ groupId }) => groupId === source)?.label ?? source;

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
    this.#reminders = new Reminders({
      ...deps,
      post: ({ type, source }, text, { id }) =>
        this.#post({ source, type: 'REMINDER', text, urgent: isSafetyEvent(type) }, [id]),
      isOpen: (id) => this.#outbox.isOpen(id),
    });
  }

  /** Since this supervisor started; `pending`: waiting deliveries of all services. */
  get telemetry(): NotificationTelemetry {
    const { services } = this.#configuration.notifications;
    return {
      pending: this.#watch.pending,
      sent: this.#sent,
      cancelled: this.#cancelled,
      services: this.#watch.telemetryOf(services),
    };
  }

  /** Without services a started worker stays idle. */
  apply(configuration: Configuration): void {
    this.#configuration = configuration;
    const spec = workerSpec(notifyContract, {
      hosting: { kind: 'process', user: configuration.supervisor.workerUsers.net },
      settings: notifySettings(configuration),
      onEvent: { 'deliveries.changed': (report) => this.#reported(report) },
      asks: {},
    });
    this.configure(spec, spec.settings.services.length > 0);
  }

  /** Sends a message to every service that wants it. */
  notify(event: RecordedEvent): void {
    const { source, type, detail } = event;
    const services = this.#wantedBy(type, source);
    const held = this.#flickers().filter(([, flicker]) => flicker.holds(event));
    const isHeld = (service: NotificationService) => held.some(([afterMs]) => afterMs === service.afterMs);
    const wanted = services.filter((service) => !isHeld(service)).map(({ id }) => id);
    const isRehearsal = this.#configuration.dryRun && categoryOf(type) === 'shutdown';
    const text = isRehearsal ? `${detail} This is a dry run: nothing is shut down.` : detail;
    if (wanted.length > 0) this.#post({ source, type, text, urgent: isSafetyEvent(type) }, wanted);
  }

  /** By the `after` of the services; one that waits longer for the end of an outage has rules of its own for short ones. */
  #flickers(): readonly (readonly [number, Flicker])[] {
    const { services } = this.#configuration.notifications;
    const waits = services.map(({ afterMs }) => afterMs).filter((ms) => ms < flickerOutageMs);
    return [...new Set(waits)].map((afterMs) => {
      const flicker = this.#flickerBy.get(afterMs) ?? this.#newFlicker(afterMs);
      this.#flickerBy.set(afterMs, flicker);
      return [afterMs, flicker];
    });
  }

  #newFlicker(afterMs: number): Flicker {
    return new Flicker({
      clock: this.#deps.clock,
      afterMs,
      labelOf: this.#labelOf,
      post: (message, isHeld) => {
        const all = this.#configuration.notifications.services;
        const services = all.filter((service) => service.afterMs === afterMs).map(({ id }) => id);
        return this.#post(message, services, isHeld);
      },
      release: (id) => this.#outbox.release(id),
      drop: (id) => this.#outbox.drop(id),
    });
  }

  /** An event was recorded: sends its notification, if messages.ts has a text for it. */
  recorded(event: RecordedEvent): void {
    const text = messageFor(event, this.#labelOf(event.source));
    if (text !== undefined) this.notify({ ...event, detail: text });
  }

  /** A report as a message, for storage; null where no service wants it. */
  recordOf(type: ReportType, { text, html }: ComposedReport): NotificationRecord | null {
    const services = this.#servicesFor(type, 'daemon');
    if (services.length === 0) return null;
    const notification = { ...this.#notification({ source: 'daemon', type, text, urgent: false }), html };
    const { id, at } = notification;
    return { id, notification, deliveries: services.map((service) => pendingDelivery(service, 0, at)) };
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
    for (const flicker of this.#flickerBy.values()) flicker.tick();
    this.#outbox.tick();
    const { services } = this.#configuration.notifications;
    const repeating = services.filter(({ repeatMs }) => repeatMs > 0);
    if (repeating.length === 0) return;
    const { notifyOnFailure } = this.#configuration.remoteHealth;
    this.#reminders.tick(({ type, source }) => {
      if (type === 'REMOTE_HEALTH_FAILED' && !notifyOnFailure) return [];
      const wanted = this.#servicesFor(type, source);
      return repeating.filter(({ id }) => wanted.includes(id));
    });
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
    for (const flicker of this.#flickerBy.values()) flicker.end();
    await this.stop();
    this.#outbox.disconnect();
    await this.#outbox.stored(withinMs);
  }

  #servicesFor(type: EventType | ReportType, source: string): readonly string[] {
    return this.#wantedBy(type, source).map(({ id }) => id);
  }

  #wantedBy(type: EventType | ReportType, source: string): readonly NotificationService[] {
    const { services, suppress } = this.#configuration.notifications;
    if (EventType.is(type) && suppress.includes(type) && !isSafetyEvent(type)) return [];
    return services.filter((service) => passes(service, type, source));
  }

  #post(message: Draft, services: readonly string[], isHeld = false): string {
    const notification = this.#notification(message);
    this.#outbox.post(notification, services, false, isHeld);
    return notification.id;
  }

  #notification(message: Draft): Notification {
    this.#seq += 1;
    const text = truncate(message.text, maxTextLength);
    const id = `${this.#deps.run}-${String(this.#seq)}`;
    return { ...message, id, at: this.#deps.clock.wallSeconds(), text };
  }

  #reported({ summaries, deliveries, services }: DeliveryReport): void {
    const { services: configured } = this.#configuration.notifications;
    // A compromised worker must not fill this process with invented services and pages.
    const isConfigured = (service: string): boolean => configured.some(({ id }) => id === service);
    const created = new Map(summaries.map(({ html: _, ...summary }) => [summary.id, summary]));
    for (const { notification, delivery } of deliveries) {
      if (!isConfigured(delivery.service) && !this.#outbox.waitsFor(notification, delivery.service)) continue;
      if (delivery.state === 'sent') this.#sent += 1;
      if (delivery.state === 'cancelled') this.#cancelled += 1;
      this.#outbox.changed(notification, delivery, created.get(notification));
    }
    for (const { state, through } of this.#watch.reported(services.filter(({ id }) => isConfigured(id))))
      this.#tellFailure(state, through);
    this.#outbox.tick();
  }

  #tellFailure({ id, fault, pending }: ServiceState, through: readonly string[]): void {
    const configured = this.#configuration.notifications.services;
    const name = configured.find((service) => service.id === id)?.name;
    const others = configured.filter((service) => through.includes(service.id)).map((service) => service.id);
    if (name === undefined || others.length === 0) return;
    const text = `Messages are not delivered through ${name}: ${fault}. ${String(pending)} wait; the daemon tries again.`;
    this.#post({ source: 'daemon', type: 'NOTIFICATION_SERVICE_FAILED', text, urgent: false }, others);
  }
}
