// A supervision over simulated processes on a fake clock. The test controls the processes.
import type { LogRecord } from '../../../shared/domain/log-record.js';
import { protocolVersion } from '../../../shared/protocol/frame.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import { memoryPorts } from '../../../shared/runtime/memory-port.js';
import type { Port } from '../../../shared/runtime/port.js';
import type { End, WorkerInstance } from '../../../supervisor/supervision/worker-instance.js';
import { Supervision } from '../../../supervisor/supervision/supervision.js';
import type { LossReason, WorkerHandle } from '../../../supervisor/supervision/worker-spec.js';
import { FakeTime } from '../../fixtures/fake-time.js';
import type { EchoContract } from '../../fixtures/workers/echo.js';
import { echoContract, plainSettings } from '../../fixtures/workers/echo.js';

/** One process: the frames it received, and how it behaves. */
export class SimulatedProcess implements WorkerInstance {
  readonly pid: number;
  readonly port: Port;
  readonly heard: { readonly kind: string }[] = [];
  /** False for one in uninterruptible sleep. */
  mortal = true;
  killed = false;
  megabytes = 50;
  readonly #far: Port;
  #listener: (end: End) => void = () => undefined;

  constructor(pid: number) {
    this.pid = pid;
    [this.port, this.#far] = memoryPorts();
    this.#far.on('message', (frame) => this.heard.push(frame as { kind: string }));
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
    setImmediate(() => this.#listener({ reason: 'ended', message, notAtFault: false }));
  }

  say(...frames: readonly object[]): void {
    for (const frame of frames) this.#far.postMessage(frame);
  }

  hello(): void {
    this.say({ kind: 'hello', protocol: protocolVersion, build: '0.1.0', pid: this.pid });
  }
}

export class Simulation {
  readonly clock = new FakeTime();
  readonly processes: SimulatedProcess[] = [];
  readonly losses: { readonly name: string; readonly reason: LossReason; readonly atMs: number }[] = [];
  /** As reported with each loss. */
  readonly quickFailures: number[] = [];
  readonly records: LogRecord[] = [];
  readonly numbers: number[] = [];
  readonly supervision: Supervision;

  constructor() {
    this.supervision = new Supervision({
      clock: this.clock,
      observer: {
        workerReady: () => undefined,
        workerLost: (name, reason, _message, quickFailures) => {
          this.losses.push({ name, reason, atMs: this.clock.monotonicMs() });
          this.quickFailures.push(quickFailures);
        },
        log: (record) => this.records.push(record),
      },
      log: loggerTo('supervisor', this.clock, (record) => this.records.push(record)),
      launch: () => {
        const process = new SimulatedProcess(100 + this.processes.length);
        this.processes.push(process);
        return process;
      },
      hostEntry: '',
      residentMb: (pid) => this.processes[pid - 100]?.megabytes ?? null,
    });
  }

  /** A poller as a thread of the process `nut-1`, its own or a shared one. */
  startThread(lane: string | null): void {
    this.supervision.start({
      name: 'poller',
      contract: echoContract,
      entry: '',
      hosting: { kind: 'thread', process: 'nut-1', lane, entry: 'poller', user: null },
      silenceMs: 60_000,
      startDeadlineMs: 60_000,
      stopDeadlineMs: 3000,
      memoryLimitMb: 300,
      settings: plainSettings,
      onEvent: { 'number.counted': () => undefined, 'number.changed': () => undefined },
      serve: { double: () => Promise.reject(new Error('nobody asks')) },
    });
  }

  start(name = 'echo', maxBackoffMs = 30_000): WorkerHandle<EchoContract> {
    return this.supervision.start({
      name,
      contract: echoContract,
      entry: '',
      hosting: { kind: 'process', user: null },
      silenceMs: 2000,
      startDeadlineMs: 5000,
      stopDeadlineMs: 3000,
      maxBackoffMs,
      memoryLimitMb: 200,
      settings: plainSettings,
      onEvent: {
        'number.counted': ({ number }) => this.numbers.push(number),
        'number.changed': ({ number }) => this.numbers.push(number),
      },
      serve: { double: () => Promise.reject(new Error('a bug of the supervisor')) },
    });
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

  async makeReady(): Promise<void> {
    this.newest.hello();
    await this.settle();
    this.newest.say({ kind: 'ready' });
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
