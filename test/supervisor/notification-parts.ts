// A storage and a notify worker that follow their contract, can be switched off, and lose answers.
import type { Delivery } from '../../shared/domain/services/notification.js';
import type { Outcome, Params } from '../../shared/protocol/contract.js';
import { linkFailure } from '../../shared/protocol/contract.js';
import type { notificationRequests } from '../../shared/protocol/notification-records.js';
import type { DeliveryReport, Task } from '../../shared/protocol/notify.js';
import type { NotifyWorkerDependencies } from '../../supervisor/workers/notify.js';
import type { Supervision } from '../../supervisor/supervision/supervision.js';
import type { WorkerHandle, WorkerSpec } from '../../supervisor/supervision/worker-spec.js';
import type { notifyContract } from '../../shared/protocol/notify.js';

type Requests = typeof notificationRequests;
const gone: Outcome<never> = { ok: false, error: { code: 'WORKER_GONE', message: 'not running' } };
const late: Outcome<never> = { ok: false, error: { code: 'DEADLINE_EXCEEDED', message: 'no answer' } };

/** As workers/storage/notifications.ts, without a database. */
export class StorageStandIn {
  up = true;
  /** The next request is executed and its answer lost. */
  losesAnswer = false;
  /** Requests get no answer. */
  hangs = false;
  /** Requests are refused as not valid. */
  refuses = false;
  readonly asked: string[] = [];
  readonly rows = new Map<
    string,
    { notification: Task['notification']; deliveries: Map<string, Delivery> }
  >();

  datesInDoubt = false;
  readonly handle: NotifyWorkerDependencies['storage'] = {
    request: async (name: string, params: unknown) => {
      this.asked.push(name);
      await Promise.resolve();
      if (this.hangs) return new Promise(() => undefined);
      if (!this.up) return gone;
      if (this.refuses) return { ok: false, error: { code: linkFailure.invalid, message: 'as told' } };
      const value = this.#answer(name, params);
      if (!this.losesAnswer) return { ok: true, value: value as never };
      this.losesAnswer = false;
      return late;
    },
  };

  get waiting(): readonly string[] {
    return [...this.rows].flatMap(([id, { deliveries }]) =>
      [...deliveries.values()]
        .filter(({ state }) => state === 'pending')
        .map(({ service }) => `${id} ${service}`),
    );
  }

  #answer(name: string, params: unknown): unknown {
    if (name === 'notifications.record') {
      const { records } = params as Params<Requests, 'notifications.record'>;
      for (const { id, notification } of records)
        if (notification !== null && !this.rows.has(id))
          this.rows.set(id, { notification, deliveries: new Map() });
      for (const { id, deliveries } of records)
        for (const one of deliveries) {
          const row = this.rows.get(id);
          const former = row?.deliveries.get(one.service);
          if (former === undefined || former.state === 'pending') row?.deliveries.set(one.service, one);
        }
      return {};
    }
    const { after, bootId } = params as Params<Requests, 'notifications.recall'>;
    const all = [...this.rows.values()].map((row, index) => ({ ...row, key: index + 1 }));
    const page = all
      .filter(
        ({ key, deliveries }) =>
          key > after && [...deliveries.values()].some(({ state }) => state === 'pending'),
      )
      .slice(0, 3);
    return {
      tasks: page.map(({ notification, deliveries }) => ({
        notification,
        waiting: [...deliveries.values()]
          .filter(({ state }) => state === 'pending')
          .map(({ service, attempts }) => ({ service, attempts })),
        isOfThisBoot: notification.id.startsWith(bootId),
        isDateInDoubt: this.datesInDoubt,
      })),
      next: page.length < 3 ? null : (page.at(-1)?.key ?? null),
    };
  }
}

/** A notify worker over several instances: what it received and delivered. */
export class WorkerStandIn {
  ready = false;
  losesAnswer = false;
  /** `id service`, over all instances. */
  readonly delivered: string[] = [];
  readonly reconfigured: unknown[] = [];
  stopped = false;
  waiting: { readonly task: Task; readonly service: string }[] = [];
  #known = new Set<string>();
  #spec: WorkerSpec<typeof notifyContract> | undefined;

  /** In place of `Supervision.start`. */
  readonly start = ((spec: WorkerSpec<typeof notifyContract>) => {
    this.#spec = spec;
    return {
      name: spec.name,
      request: async (name: string, params: unknown) => {
        await Promise.resolve();
        if (!this.ready) return gone;
        if (name === 'services.test') return { ok: true, value: { services: [] } };
        this.#take((params as { tasks: readonly Task[] }).tasks);
        if (!this.losesAnswer) return { ok: true, value: {} };
        this.losesAnswer = false;
        return late;
      },
      reconfigure: (settings: unknown) => void this.reconfigured.push(settings),
      stop: () => {
        this.stopped = true;
        this.ready = false;
        return Promise.resolve();
      },
    } as unknown as WorkerHandle<typeof notifyContract>;
  }) as unknown as Supervision['start'];

  /** A new instance starts without messages. */
  begin(): void {
    this.ready = true;
    this.waiting = [];
    this.#known = new Set();
  }

  crash(): void {
    this.ready = false;
    this.waiting = [];
  }

  /** Delivers the first `count` that wait, and reports it unless it dies before. */
  deliver(count: number, tells = true): void {
    const done = this.waiting.splice(0, count);
    this.delivered.push(...done.map(({ task, service }) => `${task.notification.id} ${service}`));
    if (!tells) return;
    this.report({
      summaries: [],
      deliveries: done.map(({ task, service }) => ({
        notification: task.notification.id,
        delivery: { service, state: 'sent', reason: null, attempts: 1, at: task.notification.at },
      })),
      services: [],
    });
  }

  report(report: DeliveryReport): void {
    this.#spec?.onEvent['deliveries.changed'](report);
  }

  #take(tasks: readonly Task[]): void {
    for (const task of tasks) {
      if (this.#known.has(task.notification.id)) continue;
      this.#known.add(task.notification.id);
      for (const { service } of task.waiting) this.waiting.push({ task, service });
    }
  }
}
