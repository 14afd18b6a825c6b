// The pollers of a daemon under the real supervision, in simulated processes that misbehave on command.
import type { UpsPolled } from '../../../shared/protocol/poller.js';
import type { Logger } from '../../../shared/runtime/log.js';
import { Pollers } from '../../../supervisor/workers/poller.js';
import { Supervision } from '../../../supervisor/supervision/supervision.js';
import type { NutAnswer } from '../../../workers/poller/wire/errors.js';
import type { NutTransport } from '../../../workers/poller/wire/transport.js';
import type { Variables } from '../../../shared/domain/ups/reading.js';
import type { Configuration } from '../../../supervisor/config/configuration/configuration.js';
import type { SimulatedDaemon } from '../daemon.js';
import type { PollerFleet, Polled } from '../poller-fleet.js';
import type { Truth } from '../truth.js';
import type { Machine } from '../machine.js';
import { polling } from '../nut-server.js';
import type { WorkerFault } from '../scenario.js';
import { HostProcess } from './host-process.js';
import { wire } from './wire.js';
import { variablesOf } from './variables.js';

export class SupervisedFleet implements PollerFleet {
  readonly #machine: Machine;
  readonly #daemon: SimulatedDaemon;
  readonly #polled: ReadonlyMap<string, Polled>;
  readonly #truths = new Map<string, Truth>();
  readonly #loggedError: (message: string) => void;
  #supervision: Supervision | null = null;
  #pollers: Pollers | null = null;
  #processes: HostProcess[] = [];
  #generation = 0;
  #pids = 0;
  /** Number of next processes that start and never send a frame. */
  #neverReady = 0;

  constructor(
    machine: Machine,
    daemon: SimulatedDaemon,
    polled: readonly Polled[],
    loggedError: (message: string) => void,
  ) {
    this.#machine = machine;
    this.#daemon = daemon;
    this.#polled = new Map(polled.map((one) => [one.spec.policy.groupId, one]));
    this.#loggedError = loggedError;
  }

  apply(configuration: Configuration): void {
    if (this.#pollers === null) {
      this.#supervision = this.#newSupervision();
      this.#pollers = new Pollers(this.#supervision, (groupId, poll) => this.#report(groupId, poll));
    }
    this.#daemon.unsettled = true;
    this.#pollers.apply(configuration);
  }

  tick(): boolean {
    this.#supervision?.tick();
    this.#daemon.unsettled = true;
    return this.#supervision?.isQuiet ?? true;
  }

  die(): void {
    this.#generation += 1;
    for (const process of this.#processes) process.cut();
    this.#processes = [];
    this.#supervision = null;
    this.#pollers = null;
    this.#truths.clear();
    this.#neverReady = 0;
  }

  fault(groupId: string, fault: WorkerFault): void {
    for (const process of this.#processes) {
      for (const [number, member] of process.members) {
        if (member.groupId !== groupId) continue;
        switch (fault) {
          case 'dies':
            process.fail(number);
            break;
          case 'hangs':
            process.hang(number);
            break;
          case 'floods':
            member.flood();
            break;
          case 'babbles':
            member.babble();
            break;
          case 'process-dies':
            process.die('SIGSEGV');
            break;
          case 'process-hangs':
            process.hang();
            break;
          case 'process-starves':
            process.starve();
            break;
          case 'never-ready':
            this.#neverReady = 2;
            process.die('SIGSEGV');
            break;
        }
      }
    }
    this.#daemon.unsettled = true;
  }

  #newSupervision(): Supervision {
    const nothing = () => undefined;
    const log: Logger = {
      debug: nothing,
      info: nothing,
      warning: nothing,
      error: (message) => this.#loggedError(message),
    };
    return new Supervision({
      clock: this.#machine,
      log,
      observer: {
        workerReady: nothing,
        processLost: nothing,
        workerLost: (name, _reason, message) => {
          this.#daemon.hurry();
          const isSilent = message.includes('it sent nothing');
          if (isSilent && !this.#processes.some(({ hangs }) => hangs))
            this.#loggedError(`the healthy worker ${name} was killed: ${message}`);
        },
        log: nothing,
      },
      launch: () => this.#launch(),
      processes: {
        residentMb: () => 50,
        threadName: (pid) => this.#processOf(pid)?.threadName ?? null,
        threads: (pid) => this.#processOf(pid)?.threads ?? null,
        stolenMs: () => [],
      },
    });
  }

  #processOf(pid: number): HostProcess | undefined {
    return this.#processes.find((one) => one.pid === pid);
  }

  #launch(): HostProcess {
    const generation = this.#generation;
    const after = (ms: number, run: () => void) =>
      this.#machine.after(ms, () => {
        if (generation === this.#generation) run();
      });
    const link = wire(after, (run) =>
      this.#daemon.whenAwake(() => {
        if (generation !== this.#generation) return;
        this.#daemon.unsettled = true;
        run();
      }),
    );
    const comesUp = this.#neverReady <= 0;
    this.#neverReady -= 1;
    const process = new HostProcess(
      (this.#pids += 1),
      {
        monotonicMs: () => this.#machine.monotonicMs(),
        after,
        transportOf: (settings) => this.#transportOf(settings.groupId),
      },
      link,
      comesUp,
    );
    // The losses of an ended process have been observed by now.
    this.#processes = [...this.#processes.filter(({ ended }) => !ended), process];
    return process;
  }

  #transportOf(groupId: string): NutTransport {
    const unasked = () => Promise.reject(new Error('nobody asks for this here'));
    return {
      readVariables: (deadlineMs) => this.#read(groupId, deadlineMs),
      listCommands: unasked,
      listWritable: unasked,
      runCommand: unasked,
      writeVariable: unasked,
      disconnect: () => undefined,
      close: () => undefined,
    };
  }

  #read(groupId: string, deadlineMs: number): Promise<NutAnswer<Variables>> {
    const target = this.#polled.get(groupId);
    if (target === undefined) return new Promise(() => undefined);
    const { spec, reporter } = target;
    const { atMs } = target.truth();
    const { tookMs, outcome } = polling(target.server(), reporter, atMs, spec.latencyMs, deadlineMs);
    // After the answer: the truth knows the sample that the driver shows.
    this.#truths.set(`${groupId} ${String(this.#machine.monotonicMs())}`, target.truth());
    return new Promise((resolve) => {
      this.#machine.after(tookMs, () => {
        this.#daemon.unsettled = true;
        if (outcome.kind === 'reading')
          resolve({ ok: true, value: variablesOf(outcome.reading, outcome.variables) });
        else
          resolve({ ok: false, failure: { code: null, detail: outcome.detail, message: outcome.message } });
      });
    });
  }

  #report(groupId: string, poll: UpsPolled): void {
    const key = `${groupId} ${String(poll.startedAt)}`;
    const truth = this.#truths.get(key);
    this.#truths.delete(key);
    if (truth !== undefined) this.#polled.get(groupId)?.report(poll, truth);
  }
}
