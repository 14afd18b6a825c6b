// The workers of a drill, children that end with the command: the remote worker, and a poller for each UPS of the group.
import { systemClock } from '../../../shared/runtime/clock.js';
import type { Logger } from '../../../shared/runtime/log.js';
import type { Reading } from '../../../shared/domain/ups/reading.js';
import type { ServerTime } from '../../../shared/domain/outage/server-time.js';
import type { Plan } from '../../../shared/domain/outage/plan.js';
import type { Configuration } from '../../../supervisor/config/configuration/configuration.js';
import { Pollers } from '../../../supervisor/workers/poller.js';
import { RemoteWorker } from '../../../supervisor/workers/remote.js';
import { Supervision } from '../../../supervisor/supervision/supervision.js';
import type { Accounts } from '../../../supervisor/host/accounts.js';
import { processFacts } from '../../../supervisor/host/process-facts.js';
import { processLauncher } from '../../../supervisor/supervision/spawn.js';

/** As in the daemon: the interval at which limits and deadlines of workers are checked. */
const tickMs = 250;
/** Workers are usually ready in 0.3 s; after this time the drill continues without them. */
const readyWithinMs = 10_000;
const stopMs = 2_000;

export class DrillWorkers {
  readonly remote: RemoteWorker;
  readonly pollers: Pollers;
  /** How long the servers took. */
  readonly measured: ServerTime[] = [];
  readonly #supervision: Supervision;
  readonly #readings = new Map<string, Reading>();
  readonly #timer: NodeJS.Timeout;
  #changed: () => void = () => undefined;

  /** Starts the workers that `plan` needs. */
  constructor(configuration: Configuration, plan: Plan, deps: { log: Logger; accounts: Accounts }) {
    const changed = () => this.#changed();
    this.#supervision = new Supervision({
      clock: systemClock,
      observer: {
        // The log of supervision has it.
        processLost: () => undefined,
        workerReady: changed,
        workerLost: (name, reason, message) => deps.log.warning(`${name}: ${reason}: ${message}`),
        log: ({ level, message }) => deps.log[level](message),
      },
      log: deps.log,
      launch: processLauncher({ ...deps, asRoot: process.getuid?.() === 0 }),
      processes: processFacts,
    });
    this.remote = new RemoteWorker(
      this.#supervision,
      () => false,
      () => undefined,
      (server, phase, seconds) =>
        this.measured.push({ server, phase, isDrill: plan.dryRun, at: systemClock.wallSeconds(), seconds }),
    );
    this.pollers = new Pollers(this.#supervision, (groupId, { outcome }) => {
      if (outcome.kind === 'reading') this.#readings.set(groupId, outcome.reading);
      changed();
    });
    const actions = plan.phases.flatMap(({ steps }) => steps.map(({ action }) => action));
    if (actions.some(({ kind }) => kind === 'remote' || kind === 'poweroffDelegate'))
      this.remote.apply(configuration);
    const own = configuration.ups.filter(({ policy }) => plan.fedBy.includes(policy.groupId));
    this.pollers.apply({ ...configuration, ups: own });
    this.#timer = setInterval(() => this.#supervision.tick(), tickMs);
  }

  /** The newest reading of a UPS; undefined before any. */
  readingOf(groupId: string): Reading | undefined {
    return this.#readings.get(groupId);
  }

  /** Resolves when every worker is ready and every UPS has been read, or after `readyWithinMs`. */
  ready(fedBy: readonly string[]): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(limit);
        resolve();
      };
      const limit = setTimeout(end, readyWithinMs);
      this.#changed = () => {
        const started = this.#supervision.workers.every(({ state }) => state === 'ready');
        if (started && fedBy.every((ups) => this.#readings.has(ups))) end();
      };
      this.#changed();
    });
  }

  async end(): Promise<void> {
    await this.#supervision.stopAll([...this.remote.names, ...this.pollers.names], stopMs);
    clearInterval(this.#timer);
  }
}
