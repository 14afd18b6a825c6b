// The log worker: writes all log records. It starts first and stops last.
import { logContract } from '../../shared/protocol/log.js';
import type { Outcome } from '../../shared/protocol/contract.js';
import type { LogSettings, LogTail } from '../../shared/protocol/log.js';
import type { Configuration } from '../config/configuration/configuration.js';
import type { Supervision } from '../supervision/supervision.js';
import type { LogQueue } from './log-queue.js';
import { SingleWorker, workerSpec } from './managed-worker.js';

/** Not a key of supervisor.worker_users, which the specification lists: it needs no choice. */
const user = 'ridethrough-log';
/** Nothing waits for it. */
const reopenMs = 1_000;
/** A person waits for the archive, which has the rest without it. */
const tailMs = 2_000;

export function logSettings({ logging, secrets }: Configuration): LogSettings {
  return { ...logging, secrets: [...secrets] };
}

export class LogWorker extends SingleWorker<typeof logContract> {
  readonly #queue: LogQueue;

  /** `queue` holds records until the worker takes them. */
  constructor(supervision: Pick<Supervision, 'start'>, queue: LogQueue) {
    super(logContract, supervision);
    this.#queue = queue;
  }

  apply(configuration: Configuration): void {
    const hosting = { kind: 'process', user, stderr: 'inherit' } as const;
    this.configure(
      workerSpec(logContract, { hosting, settings: logSettings(configuration), onEvent: {}, asks: {} }),
    );
  }

  workerReady(): void {
    this.#queue.connect((records, dropped, deadlineMs) =>
      this.request('records.write', { records: [...records], dropped }, deadlineMs),
    );
  }

  workerLost(): void {
    this.#queue.disconnect();
  }

  /** Opens the log file again after logrotate has moved it. */
  reopen(): void {
    void this.request('file.reopen', {}, reopenMs);
  }

  /** For a support archive: it fails while the process does not answer. */
  tail(): Promise<Outcome<LogTail>> {
    return this.request('tail.get', {}, tailMs);
  }

  finish(_reason: string, withinMs: number): Promise<void> {
    return this.#queue.flush(withinMs);
  }
}
