// What every part of a daemon is made with: the running configuration, the daemon's tools, the log.
import type { Logger } from '../../shared/runtime/log.js';
import { loggerTo } from '../../shared/runtime/log.js';
import type { Configuration } from '../config/configuration/configuration.js';
import { LogQueue } from '../workers/log-queue.js';
import type { DaemonEnvironment } from './environment.js';
import { hostWarning } from './performers.js';
import { logStartup } from './startup-log.js';

export class Basis {
  readonly log: Logger;
  protected readonly logQueue = new LogQueue();

  /** `sequenceEnded` is a listener; `useShortInterval` is called when something is under way that a tick has to end. */
  constructor(
    protected readonly configuration: () => Configuration,
    protected readonly tools: DaemonEnvironment,
    protected readonly sequenceEnded: () => void,
    protected readonly useShortInterval: () => void,
  ) {
    const { clock, directory, host } = tools;
    this.log = loggerTo('supervisor', clock, (record) => this.logQueue.push(record));
    logStartup(this.log, configuration(), [directory.warning, hostWarning(host, configuration())]);
  }
}
