// A supervision over simulated processes on a fake clock. The test controls the processes.
import type { LogRecord } from '../../../shared/domain/status/log-record.js';
import { version } from '../../../shared/domain/base/version.js';
import { protocolVersion } from '../../../shared/protocol/frame.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import { memoryPorts } from '../../../shared/runtime/memory-port.js';
import type { Port } from '../../../shared/runtime/port.js';
import type { ThreadTimes } from '../../../supervisor/host/process-facts.js';
import type { End, WorkerInstance } from '../../../supervisor/supervision/worker-instance.js';
import { Supervision } from '../../../supervisor/supervision/supervision.js';
import type { Hosting, LossReason, WorkerHandle } from '../../../supervisor/supervision/worker-spec.js';
import { FakeTime } from '../../fixtures/fake-time.js';
import type { EchoContract } from '../../fixtures/workers/echo.js';
import { echoContract, plainSettings } from '../../fixtures/workers/echo.js';

/** One process: the frames it received, and how it behaves. */
export class SimulatedProcess implements WorkerInstance {
  readonly pid: number;
  readonly port: Port;
  readonly received: { readonly kind: string; readonly name?: string }[] = [];
  /** False for one in uninterruptible sleep. */
  mortal = true;
  killed = false;
  megabytes = 50;
  /** What the kernel says of it; null where it does not. */
  threads: ReadonlyMap<number, ThreadTimes> | null = null;
  threadName = 'node';
  readonly #far: Port;
  #listener: (end: End) => void = () => undefined;

  constructor(
    pid: number,
    readonly name = '',
  ) {
    this.pid = pid;
    [this.port, this.#far] = memoryPorts();
    this.#far.on('message', (frame) => this.received.push(frame as { kind: string }));
  }

  onEnd(listener: (end: End) => void): void {
    this.#listener = listener;
  }

  kill(): void {
    this.killed = true;
    if (this.mortal) this.end('it was ended by SIGKILL');
  }

  end(message = 'it ended with code 1'): void {
    this.mortal = false;
    setImmediate(() => this.#listener({ reason: 'ended', message, fault: 'own' }));
  }

  send(...frames: readonly object[]): void {
    for (const frame of frames) this.#far.postMessage(frame);
  }

  /** Closes its link and runs on. */
  closeLink(): void {
    this.#far.close();
  }

  /** As the kernel would say it of its only thread. */
  runs(times: Partial<ThreadTimes>): void {
    const now = this.threads?.get(this.pid) ?? { isRunnable: false, ranMs: 0, waitedMs: 0 };
    this.threads = new Map([[this.pid, { ...now, ...times }]]);
  }

  get helloFrame(): object {
    return { kind: 'hello', protocol: protocolVersion, build: version, pid: this.pid };
  }

  hello(): void {
    this.send(this.helloFrame);
  }
}

export class Simulation {
  readonly clock = new FakeTime();
  readonly processes: SimulatedProcess[] = [];
  readonly losses: { readonly name: string; readonly reason: LossReason; readonly atMs: number }[] = [];
  readonly lostProcesses: string[] = [];
  /** As reported with each loss. */
  readonly quickFailures: number[] = [];
  readonly records: LogRecord[] = [];
  readonly numbers: number[] = [];
  readonly supervision: Supervision;
  /** Of each processor. */
  stolenMs: readonly number[] = [];

  constructor() {
    this.supervision = new Supervision({
      clock: this.clock,
      observer: {
        workerReady: () => undefined,
        workerLost: (name, reason, _message, quickFailures) => {
          this.losses.push({ name, reason, atMs: this.clock.monotonicMs() });
          this.quickFailures.push(quickFailures);
        },
        processLost: (message) => this.lostProcesses.push(message),
        log: (record) => this.records.push(record),
      },
      log: loggerTo('supervisor', this.clock, (record) => this.records.push(record)),
      launch: ({ name }) => {
        const process = new SimulatedProcess(100 + this.processes.length, name);
        this.processes.push(process);
        return process;
      },
      processes: {
        residentMb: (pid) => this.#of(pid)?.megabytes ?? null,
        threadName: (pid) => this.#of(pid)?.threadName ?? null,
        threads: (pid) => this.#of(pid)?.threads ?? null,
        stolenMs: () => this.stolenMs,
      },
    });
  }

  /** A worker as a member of the process `nut-1`. */
  startMember(name: string): WorkerHandle<EchoContract> {
    return this.start(name, 2_000, { kind: 'member', process: 'nut-1', user: null });
  }

  start(
    name = 'echo',
    maxBackoffMs = 30_000,
    hosting: Hosting = { kind: 'process', user: null },
  ): WorkerHandle<EchoContract> {
    return this.supervision.start({
      name,
      contract: echoContract,
      entry: '',
      hosting,
      silenceMs: hosting.kind === 'member' ? Infinity : 2000,
      startDeadlineMs: 5000,
      stopDeadlineMs: 3000,
      maxBackoffMs,
      memoryLimitMb: 200,
      settings: { ...plainSettings, label: name },
      onEvent: {
        'number.counted': ({ number }) => this.numbers.push(number),
        'number.changed': ({ number }) => this.numbers.push(number),
      },
      asks: { double: () => Promise.reject(new Error('a bug of the supervisor')) },
    });
  }

  #of(pid: number): SimulatedProcess | undefined {
    return this.processes[pid - 100];
  }

  get newest(): SimulatedProcess {
    const process = this.processes.at(-1);
    if (process === undefined) throw new Error('nothing was started');
    return process;
  }

  /** Starts a worker and brings it to `ready`. */
  async ready(name = 'echo'): Promise<WorkerHandle<EchoContract>> {
    const handle = this.start(name);
    await this.makeReady();
    return handle;
  }

  async makeReady(process = this.newest): Promise<void> {
    process.hello();
    await this.settle();
    process.send({ kind: 'ready' });
    await this.settle();
  }

  /** Advances in ticks; `each` runs before every one. */
  async pass(ms: number, each: () => void = () => undefined): Promise<void> {
    for (let passed = 0; passed < ms; passed += 250) {
      this.clock.advance(250);
      each();
      await this.settle();
      this.supervision.tick();
      await this.settle();
    }
  }

  /** Delivers everything in transit. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}
