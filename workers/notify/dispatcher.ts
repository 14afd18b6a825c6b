// All configured services: puts each message into the queues of its services and collects delivery changes into reports. Owns
// no schedule; each service has its own.
import { hostname } from 'node:os';
import type { Delivery, Notification } from '../../shared/domain/notification.js';
import { serviceAddress } from '../../shared/domain/service-address.js';
import type { DeliveryReport, NotifySettings, Task, TestedService } from '../../shared/protocol/notify.js';
import { maxPerReport } from '../../shared/protocol/notify.js';
import { messageOf } from './message.js';
import type { QueueDependencies, QueueSettings } from './service-queue.js';
import { ServiceQueue } from './service-queue.js';
import type { Addresses } from './services/addresses.js';
import type { Network } from './services/network.js';
import type { Service } from './services/service.js';
import { serviceAt } from './services/service.js';

/** Changes within this time are reported together: at most twenty frames a second. */
const gatherMs = 50;
/** Settled messages that are recognised when they arrive again. */
const maxRemembered = 2000;
/** Reserved for the frames that report the last deliveries. */
const drainMs = 200;

export interface DispatcherDependencies extends Pick<
  QueueDependencies,
  'clock' | 'setTimer' | 'random' | 'log'
> {
  readonly addresses: Pick<Addresses, 'keep'>;
  readonly network: Network;
  readonly report: (report: DeliveryReport) => void;
}

type ServiceSettings = NotifySettings['services'][number];

interface Running {
  readonly queue: ServiceQueue;
  readonly name: string;
  readonly service: Service;
}

export class Dispatcher {
  readonly #deps: DispatcherDependencies;
  #settings: NotifySettings;
  readonly #running = new Map<string, Running>();
  /** Messages taken by this instance, oldest first. */
  readonly #known = new Set<string>();
  #summaries: Notification[] = [];
  #deliveries: DeliveryReport['deliveries'] = [];
  #gathering = false;
  #reportedPending = 0;

  constructor(settings: NotifySettings, deps: DispatcherDependencies) {
    this.#deps = deps;
    this.#settings = settings;
    this.reconfigure(settings);
  }

  reconfigure(settings: NotifySettings): void {
    this.#settings = settings;
    const wanted = new Map(settings.services.map((one) => [one.id, one]));
    for (const [id, { queue }] of this.#running) {
      if (wanted.has(id)) continue;
      this.#running.delete(id);
      queue.abandon();
    }
    for (const one of wanted.values()) {
      const running = this.#running.get(one.id);
      if (running === undefined) this.#running.set(one.id, this.#begin(one));
      else running.queue.reconfigure(this.#queueSettings());
    }
    this.#deps.addresses.keep([...this.#running.values()].map(({ service }) => service.host));
  }

  take(tasks: readonly Task[]): void {
    for (const task of tasks) {
      const { id } = task.notification;
      if (this.#known.has(id)) continue;
      this.#remember(id);
      this.#enqueue(task);
    }
    for (const { queue } of this.#running.values()) queue.wake();
    this.#gather();
  }

  /** The answer of each service to a test message, in the order of the configuration. */
  test(): Promise<readonly TestedService[]> {
    const { clock } = this.#deps;
    const at = clock.wallSeconds();
    const message = {
      ...messageOf({ ...testNotification, id: `test-${String(at)}`, at }, this.#title(), at),
      title: `${this.#title()}: Test message`,
    };
    return Promise.all(
      [...this.#running.values()].map(async ({ queue, name }) => {
        const { outcome, seconds } = await queue.test(message);
        const detail = outcome.ok ? (outcome.warning ?? '') : outcome.fault.message;
        return { name, delivered: outcome.ok, message: detail, seconds };
      }),
    );
  }

  /** Ends within `deadlineMs`; undelivered messages stay pending in storage. */
  async drain(deadlineMs: number): Promise<void> {
    const queues = [...this.#running.values()].map(({ queue }) => queue);
    const stopAll = (): void => queues.forEach((queue) => queue.stop());
    const cancelTimer = this.#deps.setTimer(Math.max(0, deadlineMs - drainMs), stopAll);
    await Promise.all(queues.map((queue) => queue.drain()));
    cancelTimer();
    stopAll();
    this.#reportDeliveries();
  }

  #enqueue({ notification, waiting }: Task): void {
    for (const { service, attempts } of waiting) {
      const running = this.#running.get(service);
      if (running !== undefined) running.queue.take(notification, attempts);
      // Its service was removed from the configuration while it waited.
      else this.#note(notification, this.#superseded(service, attempts), false);
    }
  }

  #superseded(service: string, attempts: number): Delivery {
    const at = this.#deps.clock.wallSeconds();
    return { service, state: 'cancelled', reason: 'superseded', attempts, at };
  }

  #begin({ id, name, url }: ServiceSettings): Running {
    const parsed = serviceAddress(url);
    // The same parser has accepted the configuration.
    if (!parsed.ok) throw new Error(`${name} is not a service address`);
    const { clock, setTimer, random, log, network } = this.#deps;
    const service = serviceAt(parsed.address, network);
    const report = (...news: Parameters<QueueDependencies['report']>): void => this.#note(...news);
    const deps = { id, name, service, clock, setTimer, random, log, report };
    return { name, service, queue: new ServiceQueue(deps, this.#queueSettings()) };
  }

  #queueSettings(): QueueSettings {
    return { ...this.#settings, title: this.#title() };
  }

  #title(): string {
    return this.#settings.title ?? hostname();
  }

  #remember(id: string): void {
    this.#known.add(id);
    const [oldest] = this.#known;
    if (this.#known.size > maxRemembered && oldest !== undefined) this.#known.delete(oldest);
  }

  #note(notification: Notification, delivery: Delivery, isSummary: boolean): void {
    if (isSummary) this.#summaries.push(notification);
    this.#deliveries.push({ notification: notification.id, delivery });
    this.#gather();
  }

  #gather(): void {
    if (this.#gathering) return;
    this.#gathering = true;
    this.#deps.setTimer(gatherMs, () => this.#reportDeliveries());
  }

  #reportDeliveries(): void {
    this.#gathering = false;
    const [summaries, deliveries] = [this.#summaries, this.#deliveries];
    this.#summaries = [];
    this.#deliveries = [];
    const pending = [...this.#running.values()].reduce((sum, { queue }) => sum + queue.size, 0);
    if (deliveries.length === 0 && pending === this.#reportedPending) return;
    this.#reportedPending = pending;
    // A summary is reported before its deliveries.
    this.#deps.report({ summaries, deliveries: deliveries.slice(0, maxPerReport), pending });
    for (let from = maxPerReport; from < deliveries.length; from += maxPerReport)
      this.#deps.report({ summaries: [], deliveries: deliveries.slice(from, from + maxPerReport), pending });
  }
}

const testNotification = {
  source: 'daemon',
  type: 'TEST',
  text: 'This is a test message of ridethrough, requested with `ridethrough test-notifications`. This service works. No action is needed.',
  urgent: false,
} as const;
