// Sends reports by schedule: decides that one is due, lets the API worker write it, and stores it before it is sent. No event, no
// decision and no command waits for a report, and a report that cannot be written or stored waits and is tried again.
import type { Period, PeriodName } from '../../shared/domain/base/local-calendar.js';
import { localDate } from '../../shared/domain/base/local-calendar.js';
import type { apiContract } from '../../shared/protocol/api.js';
import type { ReportType } from '../../shared/domain/services/notification.js';
import type { ComposedReport } from '../../shared/protocol/reports.js';
import type { storageContract } from '../../shared/protocol/storage.js';
import type { NotificationRecord } from '../../shared/protocol/notification-records.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Configuration, ReportsConfiguration } from '../config/configuration/configuration.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';
import { lastDue } from './schedule.js';

/** A schedule is in minutes. */
const everyMs = 20_000;
/** A query takes 0.1 s; one that takes this long waits for a disk. */
const composeMs = 10_000;
const storeMs = 10_000;
/** A mark further ahead was written before the clock was set back, or the clock of a machine that has just started is not set yet. */
const maxAheadSeconds = 86_400;
/** A report of a daemon that has just started waits this long for the first probes: five minutes after a boot, and their time. */
const probesMs = 360_000;

export interface ReportDependencies {
  readonly clock: Clock;
  readonly log: Logger;
  readonly storage: Pick<WorkerHandle<typeof storageContract>, 'request'>;
  readonly api: Pick<WorkerHandle<typeof apiContract>, 'request'>;
  readonly isSequenceRunning: () => boolean;
  /** The first probe of each remote server has ended. */
  readonly areServersKnown: () => boolean;
  /** The message as it is stored; null without a service. */
  readonly record: (type: ReportType, report: ComposedReport) => NotificationRecord | null;
  /** Sends a stored message. */
  readonly send: (record: NotificationRecord) => void;
}

interface Unstored {
  readonly due: Period;
  readonly record: NotificationRecord | null;
}

const types = { day: 'DAILY_REPORT', week: 'WEEKLY_REPORT', month: 'MONTHLY_REPORT' } as const;

export class PeriodicReports {
  readonly #deps: ReportDependencies;
  #schedule: ReportsConfiguration | undefined;
  /** The end of the last period that was sent, of each kind; null until storage has answered. */
  #sent: Map<PeriodName, number> | null = null;
  /** While the mark of a kind is ahead: the end of the period from which its reports go on. */
  readonly #aheadFrom = new Map<PeriodName, number>();
  /** Written, but not known to be stored. */
  #unstored: Unstored | null = null;
  #isBusy = false;
  #dueMs = 0;
  readonly #startMs: number;
  #lastWarning = '';

  constructor(deps: ReportDependencies) {
    this.#deps = deps;
    this.#startMs = deps.clock.monotonicMs();
  }

  apply({ reports }: Configuration): void {
    if (JSON.stringify(reports) === JSON.stringify(this.#schedule)) return;
    this.#schedule = reports;
    this.#sent = null;
    this.#dueMs = 0;
  }

  /** Call it at every tick. */
  tick(): void {
    const { clock, isSequenceRunning, areServersKnown } = this.#deps;
    const nowMs = clock.monotonicMs();
    if (this.#schedule === undefined || isSequenceRunning() || this.#isBusy || nowMs < this.#dueMs) return;
    if (nowMs - this.#startMs < probesMs && !areServersKnown()) return;
    this.#dueMs = nowMs + everyMs;
    this.#isBusy = true;
    void this.#round(this.#schedule).finally(() => (this.#isBusy = false));
  }

  async #round(schedule: ReportsConfiguration): Promise<void> {
    const now = this.#deps.clock.wallSeconds();
    if (this.#sent === null) await this.#recall(schedule, now);
    const sent = this.#sent;
    // A reload meanwhile has another schedule.
    if (sent === null || schedule !== this.#schedule) return;
    if (this.#unstored !== null && !(await this.#store(sent, this.#unstored))) return;
    for (const period of schedule.periods) {
      const due = lastDue(period, schedule, now);
      if (due.to > this.#lastSent(sent.get(period) ?? due.to, due, now) && !(await this.#write(sent, due)))
        return;
    }
  }

  /** The end of the last period that needs no report. A mark that is ahead is kept: it is right once the clock is. */
  #lastSent(mark: number, { period, to }: Period, now: number): number {
    if (mark <= now + maxAheadSeconds) {
      this.#aheadFrom.delete(period);
      return mark;
    }
    const from = this.#aheadFrom.get(period) ?? to;
    this.#aheadFrom.set(period, from);
    return from;
  }

  async #recall(schedule: ReportsConfiguration, now: number): Promise<void> {
    const marks = schedule.periods.map((period) => ({ period, to: lastDue(period, schedule, now).to }));
    const found = await this.#deps.storage.request('reports.recall', { marks }, storeMs);
    if (found.ok && schedule === this.#schedule)
      this.#sent = new Map(found.value.marks.map(({ period, to }) => [period, to]));
  }

  /** False: later reports wait with this one. */
  async #write(sent: Map<PeriodName, number>, due: Period): Promise<boolean> {
    const { api, record } = this.#deps;
    const type = types[due.period];
    const written = await api.request('report.compose', { period: due.period, at: due.from }, composeMs);
    if (!written.ok) {
      this.#logChange(
        `the report of ${localDate(due.from)} waits: it cannot be written: ${written.error.message}`,
      );
      return false;
    }
    return this.#store(sent, { due, record: record(type, written.value) });
  }

  async #store(sent: Map<PeriodName, number>, unstored: Unstored): Promise<boolean> {
    this.#unstored = unstored;
    const { due, record } = unstored;
    const mark = { period: due.period, to: due.to };
    const kept = await this.#deps.storage.request('reports.keep', { mark, record }, storeMs);
    if (!kept.ok) {
      this.#logChange(
        `the report of ${localDate(due.from)} waits: it cannot be stored: ${kept.error.message}`,
      );
      return false;
    }
    this.#unstored = null;
    sent.set(due.period, due.to);
    this.#lastWarning = '';
    if (record === null) return true;
    this.#deps.send(record);
    this.#deps.log.info(
      `the report of the ${due.period} from ${localDate(due.from)} is queued for the notification services`,
    );
    return true;
  }

  #logChange(text: string): void {
    if (text !== this.#lastWarning) this.#deps.log.warning(text);
    this.#lastWarning = text;
  }
}
