// The storage worker of an import without a daemon: the same program under the same user, so that the daemon can open what it
// leaves behind. It ends with the command.
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportTargets } from '../../../shared/http/import-bodies.js';
import { databaseName, storageContract, storageFailure } from '../../../shared/protocol/storage.js';
import { systemClock } from '../../../shared/runtime/clock.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import type { Configuration } from '../../../supervisor/config/configuration/configuration.js';
import { readConfiguration } from '../../../supervisor/config/load/read.js';
import type { Accounts } from '../../../supervisor/host/accounts.js';
import { readAccounts } from '../../../supervisor/host/accounts.js';
import { processFacts } from '../../../supervisor/host/process-facts.js';
import { processLauncher } from '../../../supervisor/supervision/spawn.js';
import { Supervision } from '../../../supervisor/supervision/supervision.js';
import { SingleWorker, workerSpec } from '../../../supervisor/workers/managed-worker.js';
import { storageSettings } from '../../../supervisor/workers/storage.js';
import { exitCode, withoutConfiguration } from '../usage.js';
import type { Destination, OpenedDestination } from './destination.js';
import { ImportError } from './history-sink.js';
import type { Send } from './sender.js';

/** As in the daemon. */
const tickMs = 250;
const readyWithinMs = 10_000;
const stopMs = 10_000;
const batchMs = 60_000;

class Worker extends SingleWorker<typeof storageContract> {
  apply(configuration: Configuration): void {
    const user = configuration.supervisor.workerUsers.storage;
    this.configure(
      workerSpec(storageContract, {
        hosting: { kind: 'process', user },
        settings: storageSettings(configuration),
        onEvent: {
          'storage.changed': () => undefined,
          'energy.counted': () => undefined,
          'batteries.assessed': () => undefined,
        },
        asks: {},
      }),
    );
  }
}

export class OwnStorage implements Destination {
  readonly name = 'the database, as no daemon runs';
  readonly enabled: boolean;
  readonly retention: ImportTargets['retention'];
  readonly ups: ImportTargets['ups'];
  readonly #supervision: Supervision;
  readonly #worker: Worker;
  readonly #timer: NodeJS.Timeout;
  #ready: () => void = () => undefined;

  private constructor(configuration: Configuration, accounts: Accounts) {
    const { enabled, retention } = storageSettings(configuration);
    this.enabled = enabled;
    this.retention = retention;
    this.ups = configuration.ups.map(({ policy: { name, groupId, label } }) => ({ name, groupId, label }));
    const log = loggerTo('import', systemClock, ({ level, message }) => {
      if (level === 'error') process.stderr.write(`ridethrough: ${message}\n`);
    });
    this.#supervision = new Supervision({
      clock: systemClock,
      observer: {
        processLost: () => undefined,
        workerReady: () => this.#ready(),
        workerLost: (name, reason, message) => log.warning(`${name}: ${reason}: ${message}`),
        log: ({ level, message }) => log[level](message),
      },
      log,
      launch: processLauncher({ log, accounts, asRoot: process.getuid?.() === 0 }),
      processes: processFacts,
    });
    this.#worker = new Worker(storageContract, this.#supervision);
    this.#timer = setInterval(() => this.#supervision.tick(), tickMs);
    this.#worker.apply(configuration);
  }

  static async open(configPath: string): Promise<OpenedDestination> {
    const loaded = await readConfiguration(configPath);
    if (!loaded.ok) {
      const text = loaded.problems.map(({ path, message }) =>
        path === '' ? message : `${path}: ${message}`,
      );
      return { ok: false, message: text.join('\n'), code: withoutConfiguration(loaded) };
    }
    const accounts = readAccounts();
    const refusal = await otherOwner(loaded.configuration, accounts);
    if (refusal !== null) return { ok: false, message: refusal, code: exitCode.failed };
    const own = new OwnStorage(loaded.configuration, accounts);
    if (await own.#isReady()) return { ok: true, destination: own };
    await own.close();
    return { ok: false, message: 'the storage worker does not start', code: exitCode.failed };
  }

  sender(): Send {
    const run = `import-${randomUUID()}`;
    let rows = 0;
    return async (batch, isLast) => {
      const outcome = await this.#worker.request('history.import', batch, batchMs);
      if (!outcome.ok) {
        const { code, message } = outcome.error;
        const mayRetry = code !== storageFailure.newerSchema && code !== storageFailure.disabled;
        return { ok: false, message, mayRetry };
      }
      const { readings, fiveMinute, hourly, events, outages } = outcome.value;
      const added = readings + fiveMinute + hourly + events + outages;
      const detail = (result: string): string => `local: import from ${batch.source}: ${result}`;
      if (!batch.isDryRun && !isLast && rows === 0 && added > 0)
        await this.#audit(run, 1, batch.groupId, detail('begun'));
      rows += added;
      if (!batch.isDryRun && isLast) await this.#audit(run, 2, batch.groupId, detail(`${String(rows)} rows`));
      return outcome;
    };
  }

  async close(): Promise<void> {
    await this.#supervision.stopAll(this.#worker.names, stopMs);
    clearInterval(this.#timer);
  }

  async #audit(run: string, seq: number, source: string, detail: string): Promise<void> {
    const event = { seq, at: systemClock.wallSeconds(), source, type: 'HISTORY_IMPORTED', detail } as const;
    const outcome = await this.#worker.request('events.append', { run, events: [event] }, batchMs);
    if (!outcome.ok) throw new ImportError(outcome.error.message);
  }

  #isReady(): Promise<boolean> {
    if (this.#worker.isReady) return Promise.resolve(true);
    return new Promise((resolve) => {
      const limit = setTimeout(() => resolve(false), readyWithinMs);
      this.#ready = () => {
        clearTimeout(limit);
        resolve(true);
      };
    });
  }
}

/** Why this user must not write the database: the daemon's storage worker refuses files of others. */
async function otherOwner(configuration: Configuration, accounts: Accounts): Promise<string | null> {
  const self = process.getuid?.() ?? 0;
  if (self === 0) return null;
  const { statistics, supervisor } = configuration;
  const user = supervisor.workerUsers.storage;
  const found = await stat(join(statistics.dbDirectory, databaseName)).catch(() => null);
  const owner = found?.uid ?? accounts.get(user)?.uid ?? self;
  return owner === self
    ? null
    : `the daemon is not running, and its history belongs to the user ${user}: use sudo, or start the daemon`;
}
