// All configured services: puts each message into the queues of its services and collects delivery changes into reports. Owns
// no schedule; each service has its own.
import { hostname } from 'node:os';
import type { Delivery, Notification } from '../../shared/domain/services/notification.js';
import { countText } from '../../shared/domain/base/format.js';
import { serviceAddress } from '../../shared/domain/services/service-address.js';
import type {
  DeliveryReport,
  NotifySettings,
  ServiceSettings,
  Task,
  TestedService,
} from '../../shared/protocol/notify.js';
import { maxPerReport } from '../../shared/protocol/notify.js';
import { proxyFor } from '../../shared/runtime/proxy-choice.js';
import { messageOf } from './message.js';
import type { QueueDependencies } from './service-queue.js';
import { ServiceQueue } from './service-queue.js';
import type { ServiceAddresses } from './services/addresses.js';
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
  readonly addresses: Pick<ServiceAddresses, 'keep'>;
  readonly network: Pick<Network, 'lookup' | 'hostName'>;
  readonly report: (report: DeliveryReport) => void;
}

interface Running {
  readonly queue: ServiceQueue;
  readonly rules: ServiceSettings;
  readonly service: Service;
}

export class Dispatcher {
  readonly #deps: DispatcherDependencies;
  #settings: NotifySettings;
  /** In the order of the configuration. */
  readonly #running = new Map<string, Running>();
  /** Messages taken by this instance, oldest first. */
  readonly #known = new Set<string>();
  #summaries: Notification[] = [];
  #deliveries: DeliveryReport['deliveries'] = [];
  #gathering = false;
  #reported = '';

  constructor(settings: NotifySettings, deps: DispatcherDependencies) {
    this.#deps = deps;
    this.#settings = settings;
    this.reconfigure(settings);
  }

  reconfigure(settings: NotifySettings): void {
    this.#settings = settings;
    const wanted = new Map(settings.services.map((one) => [one.id, one]));
    for (const [id, { queue, rules }] of this.#running) {
      if (wanted.has(id)) continue;
      this.#running.delete(id);
      const dropped = queue.state.pending;
      if (dropped > 0)
        this.#deps.log.warning(
          `${rules.name}: its address is no longer in the configuration; ${countText(dropped, 'message')} for it dropped`,
        );
      queue.abandon();
    }
    for (const one of wanted.values()) {
      const service = this.#serviceOf(one);
      const queueSettings = { ...settings, host: this.#title, rules: one, service };
      const queue = this.#running.get(one.id)?.queue ?? new ServiceQueue(this.#queueTools(), queueSettings);
      // A Map keeps the place of a key that it has.
      this.#running.delete(one.id);
      this.#running.set(one.id, { rules: one, service, queue });
      queue.reconfigure(queueSettings);
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
    const notification = { ...testNotification, id: `test-${String(at)}`, at };
    return Promise.all(
      [...this.#running.values()].map(async ({ queue, rules }) => {
        const { name } = rules;
        const message = messageOf(notification, { ...this.#settings, host: this.#title, rules }, 0, at);
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

  #enqueue({ notification, waiting, bornMs, isAgeUnknown }: Task): void {
    for (const { service, attempts } of waiting) {
      const running = this.#running.get(service);
      if (running !== undefined) running.queue.take(notification, attempts, bornMs, isAgeUnknown);
      // Its service was removed from the configuration while it waited.
      else this.#note(notification, this.#cancelledDelivery(service, attempts), false);
    }
  }

  get #title(): string {
    return this.#settings.title ?? hostname();
  }

  #cancelledDelivery(service: string, attempts: number): Delivery {
    const at = this.#deps.clock.wallSeconds();
    return { service, state: 'cancelled', reason: 'superseded', attempts, at };
  }

  #serviceOf({ name, url, headers }: ServiceSettings): Service {
    const parsed = serviceAddress(url);
    // The same parser has accepted the configuration.
    if (!parsed.ok) throw new Error(`${name} is not a service address`);
    const named = Object.fromEntries(headers.map((header) => [header.name, header.value]));
    const { network } = this.#deps;
    const hostName = this.#settings.mailHostName ?? network.hostName;
    const { proxies } = this.#settings;
    return serviceAt(parsed.address, named, {
      ...network,
      hostName,
      proxyFor: (address) => proxyFor(address, proxies),
    });
  }

  #queueTools(): QueueDependencies {
    return { ...this.#deps, report: (...news) => this.#note(...news) };
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
    const services = [...this.#running.values()].map(({ queue }) => queue.state);
    const state = JSON.stringify(services);
    if (deliveries.length === 0 && state === this.#reported) return;
    this.#reported = state;
    // A summary is reported before its deliveries.
    this.#deps.report({ summaries, deliveries: deliveries.slice(0, maxPerReport), services });
    for (let from = maxPerReport; from < deliveries.length; from += maxPerReport)
      this.#deps.report({ summaries: [], deliveries: deliveries.slice(from, from + maxPerReport), services });
  }
}

const testNotification = {
  source: 'daemon',
  type: 'TEST_MESSAGE',
  text: 'This is a test message of ridethrough, requested with `ridethrough test-notifications`. This service works. No action is needed.',
  urgent: false,
} as const;
