// A service queue on a fake clock, and a service whose answers the test gives.
import type { EventType } from '../../../shared/domain/status/events.js';
import { isSafetyEvent } from '../../../shared/domain/status/events.js';
import type { Delivery, Notification } from '../../../shared/domain/services/notification.js';
import type { LogRecord } from '../../../shared/domain/status/log-record.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import type { ServiceSettings } from '../../../shared/protocol/notify.js';
import type { Message, MessageForm } from '../../../workers/notify/message.js';
import type { QueueSettings } from '../../../workers/notify/service-queue.js';
import { ServiceQueue } from '../../../workers/notify/service-queue.js';
import type { DeliveryFaultCode, SendOutcome } from '../../../workers/notify/services/outcome.js';
import { delivered, failureOf } from '../../../workers/notify/services/outcome.js';
import type { Service } from '../../../workers/notify/services/service.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';

/** A service of `notifications.urls`. */
export const plainRules: ServiceSettings = {
  id: 's1',
  name: 'notifications.urls[0] (ntfy)',
  url: 'ntfys://ntfy.example/topic',
  afterMs: 0,
  digestMs: 0,
  quiet: null,
  title: '',
  body: '',
  headers: [],
};

export const plainForm: MessageForm = { host: 'nas01', sources: [], rules: plainRules };

export const settings: Omit<QueueSettings, 'service'> = {
  ...plainForm,
  rules: plainRules,
  timeoutMs: 10_000,
  retryIntervalMs: 5000,
  retryBackoffMaxMs: 300_000,
  maxAttempts: 0,
  maxAgeSeconds: 30 * 86_400,
  maxPending: 10_000,
};

export const down: SendOutcome = failureOf('UNREACHABLE', 'its server refuses the connection');
export const fault = (code: DeliveryFaultCode, retryAfterMs: number | null = null): SendOutcome =>
  failureOf(code, 'as told', retryAfterMs);

let made = 0;

/** A message of the given type, `ageSeconds` old. */
export function news(type: EventType, time: FakeTime, ageSeconds = 0, source = 'office'): Notification {
  made += 1;
  return {
    id: `run-${String(made)}`,
    at: time.wallSeconds() - ageSeconds,
    source,
    type,
    text: `${type} of ${source}.`,
    urgent: isSafetyEvent(type),
  };
}

/** The monotonic time of a message whose date is by the present wall clock. */
export function bornMs({ at }: Notification, time: FakeTime): number {
  return time.monotonicMs() - (time.wallSeconds() - at) * 1000;
}

export class QueueBench {
  readonly time = new FakeTime();
  readonly log: LogRecord[] = [];
  /** What the service received, in order, with times. */
  readonly sent: { readonly message: Message; readonly atMs: number }[] = [];
  readonly reports: { readonly id: string; readonly delivery: Delivery }[] = [];
  readonly summaries: Notification[] = [];
  /** The next answers of the service; the last one repeats. */
  answers: (SendOutcome | 'never')[] = [delivered];
  random = 0;
  underWay = 0;
  mostUnderWay = 0;
  readonly #service: Service = {
    host: 'ntfy.example',
    send: (message, signal) => this.#send(message, signal),
  };
  readonly #started = this.time.monotonicMs();
  readonly queue: ServiceQueue;

  constructor(change: Partial<QueueSettings> = {}) {
    this.queue = new ServiceQueue(
      {
        clock: this.time,
        setTimer: this.time.setTimer,
        random: () => this.random,
        log: loggerTo('notify', this.time, (record) => this.log.push(record)),
        report: (notification, delivery, isSummary) => {
          if (isSummary) this.summaries.push(notification);
          this.reports.push({ id: notification.id, delivery });
        },
      },
      { ...settings, service: this.#service, ...change },
    );
  }

  /** Enqueues messages of the present time. */
  async tell(...types: readonly EventType[]): Promise<readonly Notification[]> {
    const notifications = types.map((type) => news(type, this.time));
    await this.take(...notifications);
    return notifications;
  }

  async take(...notifications: readonly Notification[]): Promise<void> {
    for (const notification of notifications)
      this.queue.take(notification, 0, bornMs(notification, this.time));
    this.queue.wake();
    await settled();
  }

  get types(): readonly string[] {
    return this.sent.map(({ message }) => message.type);
  }

  get seconds(): readonly number[] {
    return this.sent.map(({ atMs }) => (atMs - this.#started) / 1000);
  }

  /** The final state of a message: `sent`, `pending` or the reason of its cancellation. */
  fate({ id }: { readonly id: string }): string {
    const last = this.reports.filter((report) => report.id === id).at(-1)?.delivery;
    return last === undefined ? 'pending' : (last.reason ?? last.state);
  }

  async #send(message: Message, signal: AbortSignal): Promise<SendOutcome> {
    this.sent.push({ message, atMs: this.time.monotonicMs() });
    this.underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    const answer = (this.answers.length > 1 ? this.answers.shift() : this.answers[0]) ?? delivered;
    const outcome =
      answer === 'never'
        ? await new Promise<SendOutcome>((resolve) =>
            signal.addEventListener('abort', () => resolve(fault('TIMEOUT'))),
          )
        : answer;
    this.underWay -= 1;
    return outcome;
  }
}
