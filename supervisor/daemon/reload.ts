// Live reload, for SIGHUP, the API and the command line: reads the file in a child process, applies all of it or
// nothing, one reload at a time. All requests that arrive during a reload share the next one.
import type { Problem } from '../../shared/domain/base/decode.js';
import { shortList } from '../../shared/domain/base/list-names.js';
import type { AuditRecord, ReloadReport } from '../../shared/protocol/api.js';
import { SerialWork } from '../../shared/runtime/serial-work.js';
import type { Configuration } from '../config/configuration/configuration.js';
import { changedPaths } from '../config/derive/changed-paths.js';
import type { Loaded, NotLoaded } from '../config/configuration/configuration.js';
import type { Daemon } from './daemon.js';
import type { ServiceManager } from '../host/systemd.js';

/** SIGHUP. Signals that arrive while a reload waits count as one, as in the kernel. */
const signal = 'signal';

/** Who requested a reload, and where the result is recorded. */
interface Requester {
  readonly principal: string;
  readonly record: (event: AuditRecord) => void;
}

export class Reloader {
  readonly #read: () => Promise<Loaded>;
  readonly #daemon: () => Daemon;
  readonly #manager: ServiceManager;
  readonly #reloads = new SerialWork();
  /** The reload that has not started, and who requested it. The link bounds how many requests of the API can wait. */
  #next: { readonly requesters: Requester[]; readonly report: Promise<ReloadReport> } | undefined;
  /** The configuration at the start of the daemon: settings that need a restart keep its values. */
  #started: Configuration | undefined;

  constructor(read: () => Promise<Loaded>, daemon: () => Daemon, manager: ServiceManager) {
    this.#read = read;
    this.#daemon = daemon;
    this.#manager = manager;
  }

  /**
   * Applies the complete file, or changes nothing and returns the problems. Records an audit row for each requester.
   */
  reload(
    principal: string,
    record: Requester['record'] = (event) => this.#daemon().recorder.record(event),
  ): Promise<ReloadReport> {
    const requester = { principal, record };
    if (this.#next !== undefined) {
      const { requesters, report } = this.#next;
      if (principal !== signal || !requesters.some((one) => one.principal === signal))
        requesters.push(requester);
      return report;
    }
    const requesters = [requester];
    const report = this.#reloads.run(() => {
      this.#next = undefined;
      return this.#reloadNow(requesters);
    });
    this.#next = { requesters, report };
    return report;
  }

  async #reloadNow(requesters: readonly Requester[]): Promise<ReloadReport> {
    const daemon = this.#daemon();
    this.#manager.reloading();
    const loaded = await this.#read();
    const report = loaded.ok ? this.#apply(daemon, loaded.configuration) : rejection(loaded);
    if (report.reloaded || requesters.some(({ principal }) => principal === signal)) daemon.reopenLog();
    this.#manager.ready(
      report.reloaded ? 'reloaded' : 'reload rejected; the configuration before it stays in force',
    );
    for (const error of report.errors) daemon.log.error(`configuration: ${formatProblem(error)}`);
    const result = report.reloaded ? `ok, ${describe(report)}` : `failed: ${reasonOf(report)}`;
    for (const { principal, record } of requesters)
      record({ source: 'daemon', type: 'CONFIG_RELOAD', detail: `${principal}: reload: ${result}` });
    return report;
  }

  #apply(daemon: Daemon, configuration: Configuration): ReloadReport {
    this.#started ??= daemon.configuration;
    const changed = changedPaths(daemon.configuration, configuration);
    const restartedWorkers = [...daemon.apply(configuration)];
    const waits = (path: string) => configuration.needRestart.some((prefix) => path.startsWith(prefix));
    return {
      reloaded: true,
      applied: changed.filter((path) => !waits(path)),
      restartedWorkers,
      restartRequired: changedPaths(this.#started, configuration).filter(waits),
      errors: [],
    };
  }
}

function rejection({ problems, isUnread }: NotLoaded): ReloadReport {
  const nothing = { reloaded: false, applied: [], restartedWorkers: [], restartRequired: [] };
  return { ...nothing, errors: [...problems], ...(isUnread === true && { isUnread }) };
}

function reasonOf({ errors }: ReloadReport): string {
  return errors.length === 0 ? 'no reason' : shortList(errors.map(formatProblem), 1);
}

/** A problem of the file as a whole has no path. */
function formatProblem({ path, message }: Problem): string {
  return path === '' ? message : `${path}: ${message}`;
}

function describe({ applied, restartRequired }: ReloadReport): string {
  const parts = [applied.length === 0 ? 'nothing has changed' : `now in force: ${applied.join(', ')}`];
  if (restartRequired.length > 0) parts.push(`needs a restart of the daemon: ${restartRequired.join(', ')}`);
  return parts.join('; ');
}
