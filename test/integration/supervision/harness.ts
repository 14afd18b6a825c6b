// A real supervision over real processes and their members, with measurements for the tests.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import type { LogRecord } from '../../../shared/domain/status/log-record.js';
import { systemClock } from '../../../shared/runtime/clock.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import { readAccounts } from '../../../supervisor/host/accounts.js';
import { processFacts } from '../../../supervisor/host/process-facts.js';
import { processLauncher } from '../../../supervisor/supervision/spawn.js';
import { Supervision } from '../../../supervisor/supervision/supervision.js';
import type {
  Hosting,
  LossReason,
  WorkerHandle,
  WorkerSpec,
} from '../../../supervisor/supervision/worker-spec.js';
import type { EchoContract, EchoSettings, Fault } from '../../fixtures/workers/echo.js';
import { echoContract, plainSettings } from '../../fixtures/workers/echo.js';
import { until } from '../../fixtures/until.js';

const programs = ['misbehaving', 'mute', 'spinning', 'host', 'mute-host'] as const;
/** Each as one file, which starts in half the time: they are started a hundred times. */
const built = mkdtempSync(join(tmpdir(), 'ridethrough-echo-'));
// A worker runs under another user.
chmodSync(built, 0o755);
buildSync({
  entryPoints: programs.map((name) =>
    fileURLToPath(new URL(`../../fixtures/workers/${name}.js`, import.meta.url)),
  ),
  outdir: built,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
});
process.once('exit', () => rmSync(built, { recursive: true }));
const fixture = (name: string): string => join(built, `${name}.mjs`);

/** As the supervisor's loop does it. */
const tickMs = 250;
/** The resolution of the measured lateness of the supervisor's event loop. */
const meterMs = 5;

export interface Loss {
  readonly name: string;
  readonly reason: LossReason;
  readonly message: string;
  readonly atMs: number;
}

export type EchoHandle = WorkerHandle<EchoContract>;

export class Harness {
  readonly supervision: Supervision;
  readonly losses: Loss[] = [];
  readonly readyAtMs = new Map<string, number[]>();
  readonly records: LogRecord[] = [];
  /** When each event of a worker arrived, monotonic ms. */
  readonly #beats = new Map<string, number[]>();
  #latestMs = 0;
  readonly #ticking: NodeJS.Timeout;
  readonly #metering: NodeJS.Timeout;

  constructor() {
    const log = loggerTo('supervisor', systemClock, (record) => this.records.push(record));
    this.supervision = new Supervision({
      clock: systemClock,
      log,
      observer: {
        workerReady: (name) => {
          const times = this.readyAtMs.get(name) ?? [];
          times.push(systemClock.monotonicMs());
          this.readyAtMs.set(name, times);
        },
        workerLost: (name, reason, message) => {
          this.losses.push({ name, reason, message, atMs: systemClock.monotonicMs() });
        },
        processLost: () => undefined,
        log: (record) => this.records.push(record),
      },
      launch: processLauncher({ log, accounts: readAccounts(), asRoot: process.getuid?.() === 0 }),
      processes: processFacts,
    });
    this.#ticking = setInterval(() => this.supervision.tick(), tickMs);
    let last = systemClock.monotonicMs();
    this.#metering = setInterval(() => {
      const now = systemClock.monotonicMs();
      this.#latestMs = Math.max(this.#latestMs, now - last - meterMs);
      last = now;
    }, meterMs);
  }

  process(name: string, changes: SpecChanges = {}): EchoHandle {
    return this.supervision.start(this.spec(name, { kind: 'process', user: null }, changes));
  }

  /** A member of the process `host`. */
  member(name: string, host: string, { entry, ...changes }: SpecChanges = {}): EchoHandle {
    const hosting: Hosting = { kind: 'member', process: host, user: null };
    const program = entry === 'mute' ? 'mute-host' : 'host';
    const limits = { silenceMs: Infinity, ...changes.limits };
    return this.supervision.start(this.spec(name, hosting, { ...changes, entry: program, limits }));
  }

  spec(name: string, hosting: Hosting, changes: SpecChanges = {}): WorkerSpec<EchoContract> {
    return {
      name,
      contract: echoContract,
      entry: fixture(changes.entry ?? 'misbehaving'),
      hosting,
      silenceMs: 2000,
      startDeadlineMs: 20_000,
      stopDeadlineMs: 1000,
      memoryLimitMb: 100,
      onEvent: {
        'number.counted': () => this.#beat(name),
        'number.changed': () => this.#beat(name),
      },
      asks: { double: ({ number }) => Promise.resolve({ ok: true, value: { number: 2 * number } }) },
      ...changes.limits,
      settings: { ...plainSettings, ...changes.settings },
    };
  }

  /** The longest time without an event of this worker since `sinceMs`. */
  longestGapMs(name: string, sinceMs: number): number {
    const times = (this.#beats.get(name) ?? []).filter((time) => time >= sinceMs);
    const edges = [sinceMs, ...times, systemClock.monotonicMs()];
    return Math.max(...edges.slice(1).map((time, index) => time - (edges[index] ?? time)));
  }

  beatsSince(name: string, sinceMs: number): number {
    return (this.#beats.get(name) ?? []).filter((time) => time >= sinceMs).length;
  }

  #beat(name: string): void {
    const times = this.#beats.get(name) ?? [];
    times.push(systemClock.monotonicMs());
    this.#beats.set(name, times);
  }

  /** The largest lateness of this event loop since the last call. */
  takeLateness(): number {
    const latest = this.#latestMs;
    this.#latestMs = 0;
    return latest;
  }

  async ready(...handles: readonly EchoHandle[]): Promise<void> {
    await until(() => handles.every((handle) => handle.state === 'ready'));
  }

  /** Injects a fault into the worker; resolves with the time until it is ready again. */
  async hurt(handle: EchoHandle, fault: Fault): Promise<{ readonly backMs: number; readonly loss: Loss }> {
    const { length } = this.losses;
    const before = this.readyAtMs.get(handle.name)?.length ?? 0;
    const begun = systemClock.monotonicMs();
    await handle.request('misbehave', { fault }, 1000);
    const isBack = () => (this.readyAtMs.get(handle.name)?.length ?? 0) > before && handle.state === 'ready';
    await until(isBack, Boolean, undefined, 5);
    const loss = this.losses.slice(length).find(({ name }) => name === handle.name);
    if (loss === undefined) throw new Error(`${handle.name} was not lost`);
    return { backMs: systemClock.monotonicMs() - begun, loss };
  }

  async end(): Promise<void> {
    await this.supervision.stopAll(
      this.supervision.workers.map(({ name }) => name),
      3000,
    );
    clearInterval(this.#ticking);
    clearInterval(this.#metering);
  }
}

export interface SpecChanges {
  readonly entry?: (typeof programs)[number] | 'missing';
  readonly settings?: Partial<EchoSettings>;
  readonly limits?: Partial<
    Pick<WorkerSpec<EchoContract>, 'silenceMs' | 'startDeadlineMs' | 'stopDeadlineMs' | 'memoryLimitMb'>
  >;
}
