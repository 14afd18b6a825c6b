// The real storage worker in its own process, over its real link, optionally in a sandbox.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LogRecord } from '../../../shared/domain/status/log-record.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import { failureOf, linkFailure } from '../../../shared/protocol/contract.js';
import type { DownFrame, UpFrame } from '../../../shared/protocol/frame.js';
import type { StorageSettings, storageContract } from '../../../shared/protocol/storage.js';
import type { Port } from '../../../shared/runtime/port.js';
import type { WorkerHandle } from '../../../supervisor/supervision/worker-spec.js';
import { startWorkerProcess } from '../../fixtures/worker-process.js';

const entry = fileURLToPath(new URL('../../../workers/storage/worker.js', import.meta.url));

export interface StorageOptions extends Partial<StorageSettings> {
  readonly directory: string;
  /** Program and arguments that execute what follows them. */
  readonly prefix?: readonly string[];
  /** Limit of every request. */
  readonly longestDeadlineMs?: number;
}

export class StorageProcess implements Pick<WorkerHandle<typeof storageContract>, 'request'> {
  readonly child: ChildProcess;
  readonly log: LogRecord[] = [];
  /** Codes of `storage.changed`. */
  readonly changes: string[] = [];
  heartbeats = 0;
  /** Called with each event of the worker. */
  heard: (name: string, body: unknown) => void = () => undefined;
  readonly #port: Port<DownFrame>;
  readonly #longestDeadlineMs: number;
  #id = 0;
  readonly #open = new Map<number, (outcome: Outcome<unknown>) => void>();
  #ready: () => void = () => undefined;

  private constructor(prefix: readonly string[], longestDeadlineMs: number) {
    this.#longestDeadlineMs = longestDeadlineMs;
    ({ child: this.child, port: this.#port } = startWorkerProcess(entry, 'inherit', prefix));
    this.#port.on('message', (frame) => this.#receive(frame as UpFrame));
    this.#port.on('close', () => {
      for (const settle of this.#open.values()) settle(failureOf(linkFailure.gone, 'gone'));
      this.#open.clear();
    });
  }

  static async start(options: StorageOptions): Promise<StorageProcess> {
    const storage = new StorageProcess(options.prefix ?? [], options.longestDeadlineMs ?? 60_000);
    const ready = new Promise<void>((resolve) => (storage.#ready = resolve));
    storage.configure(options);
    await ready;
    return storage;
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('it was never started');
    return this.child.pid;
  }

  configure({ directory, enabled = true, retention, batteries = [] }: StorageOptions): void {
    const settings: StorageSettings = {
      directory,
      enabled,
      batteries,
      notifications: { settledSeconds: 604_800, pendingSeconds: 2_592_000 },
      retention: retention ?? { rawHours: 24, fiveMinuteDays: 30, hourlyDays: 1825 },
    };
    this.#port.postMessage({ kind: 'configure', settings });
  }

  readonly request: WorkerHandle<typeof storageContract>['request'] = (name, params, deadlineMs) =>
    new Promise((resolve) => {
      const id = ++this.#id;
      const settle = (outcome: Outcome<unknown>): void => {
        clearTimeout(timer);
        this.#open.delete(id);
        resolve(outcome as never);
      };
      const wait = Math.min(deadlineMs, this.#longestDeadlineMs);
      const timer = setTimeout(() => settle(failureOf(linkFailure.deadline, name)), wait);
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        settle(failureOf(linkFailure.gone, name));
        return;
      }
      this.#open.set(id, settle);
      this.#port.postMessage({ kind: 'request', id, name, params, deadlineMs });
    });

  async drain(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.#port.postMessage({ kind: 'drain', deadlineMs: 10_000 });
    await ended;
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  #receive(frame: UpFrame): void {
    if (frame.kind === 'ready') this.#ready();
    else if (frame.kind === 'heartbeat') this.heartbeats += 1;
    else if (frame.kind === 'log') this.log.push(frame.record);
    else if (frame.kind === 'answer') this.#open.get(frame.id)?.({ ok: true, value: frame.result });
    else if (frame.kind === 'failure') this.#open.get(frame.id)?.({ ok: false, error: frame.error });
    else if (frame.kind === 'event') {
      if (frame.name === 'storage.changed') this.changes.push((frame.body as { code: string }).code);
      this.heard(frame.name, frame.body);
      this.#port.postMessage({ kind: 'acknowledge', id: frame.id });
    }
  }
}
