// One instance of a worker, from its start to its end. It never starts another one: supervised-worker.ts does.
//
//   (started) ──> handshake ──hello──> configuring ──ready──> ready ──drain()──> draining
//                    │                      │                   │                   │
//                    ├──────────────────────┴───────────────────┴───────────────────┤
//                    │ overdue, silent, too large, violation, flood, closed, kill() │ drained, overdue
//                    ▼                                                              ▼
//                 terminating  ◄────────────────────────────────────────────────────┘
//                    │ its end is reported, or reapTimeoutMs have passed     its end is reported in any state ──> gone
//                    ▼
//                  gone
//
// handshake    A process exists. Only its hello is accepted; it has no configuration.
// configuring  It speaks our protocol and has its settings. It may report and ask; it gets no requests.
// ready        It gets requests while it is not silent.
// draining     It finishes. Its reports are accepted; new requests are refused.
// terminating  Its link is closed, its pending requests are answered WORKER_GONE. It may still run, and act outside, until
//              its end is reported.
// gone         Its end was reported; or it was killed, is in uninterruptible sleep, and is left to the kernel.
//
// All limits count awake time (awake-clock.ts).
import { unreachable } from '../../shared/domain/base/unreachable.js';
import type { LogRecord } from '../../shared/domain/status/log-record.js';
import { version } from '../../shared/domain/base/version.js';
import type { Contract, Outcome, WorkerSettings } from '../../shared/protocol/contract.js';
import { protocolVersion } from '../../shared/protocol/frame.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { CloseReason } from '../../shared/runtime/port.js';
import type { End, Fault, WorkerInstance } from './worker-instance.js';
import type { Hello, LinkListener } from './link.js';
import { SupervisorLink } from './link.js';
import type { Phase } from './permits.js';
import { gone } from './requests.js';
import type { ProcessFacts } from '../host/process-facts.js';
import type { AwakeClock } from './awake-clock.js';
import { Starvation } from './starvation.js';
import type { LossReason, WorkerSpec } from './worker-spec.js';

/** A killed process ends within milliseconds. One that does not is in uninterruptible sleep and is not waited for. */
const reapTimeoutMs = 1000;
/**
 * A process that dies closes its link shortly before its end is reported. One that runs on without a link is killed.
 */
const closedLinkMs = 200;

/** Why an instance ended. */
export interface InstanceLoss {
  readonly reason: LossReason;
  readonly message: string;
  readonly fault: Fault;
}

/** The listener of an instance. */
export interface ChildWatcher {
  ready(): void;
  /**
   * The instance does no more work. `loss` is null when it was ordered to end. Called once, before
   * `gone`.
   */
  lost(loss: InstanceLoss | null, readyMs: number): void;
  /** It no longer occupies its place. Called once. */
  gone(): void;
  log(record: LogRecord, dropped: number): void;
  warn(message: string): void;
  bug(message: string): void;
}

type ChildState =
  | { readonly phase: 'handshake' | 'configuring' }
  | { readonly phase: 'ready' }
  | { readonly phase: 'draining'; readonly dueAtMs: number }
  | { readonly phase: 'terminating'; readonly abandonAtMs: number }
  | { readonly phase: 'gone' };

/** A heartbeat comes every second: the kernel is asked about a worker only when one is late, or its start takes long. */
const lateMs = { starting: 2_000, ready: 1_250 };

export interface ChildDependencies {
  readonly clock: Clock;
  readonly awakeClock: AwakeClock;
  readonly processes: ProcessFacts;
}

export class WorkerChild<C extends Contract> {
  readonly #spec: WorkerSpec<C>;
  readonly #instance: WorkerInstance;
  readonly #awakeClock: AwakeClock;
  readonly #processes: ProcessFacts;
  readonly #watcher: ChildWatcher;
  readonly #link: SupervisorLink<C>;
  #settings: WorkerSettings<C>;
  #state: ChildState;
  /** The start of the instance; once it is ready, its last frame. */
  #lastFrameMs: number;
  #starvation: Starvation | null = null;
  /** The part of the time since `#lastFrameMs` in which the process was ready to run and got no processor. */
  #starvedMs = 0;
  #readyAtMs: number | null = null;
  #linkClosedAtMs: number | null = null;

  constructor(
    spec: WorkerSpec<C>,
    settings: WorkerSettings<C>,
    instance: WorkerInstance,
    deps: ChildDependencies,
    watcher: ChildWatcher,
  ) {
    this.#spec = spec;
    this.#settings = settings;
    this.#instance = instance;
    this.#awakeClock = deps.awakeClock;
    this.#watcher = watcher;
    this.#processes = deps.processes;
    this.#lastFrameMs = deps.awakeClock.nowMs();
    this.#state = { phase: 'handshake' };
    this.#link = new SupervisorLink(spec, instance.port, deps.clock, this.#listener());
    instance.onEnd((end) => this.#ended(end));
  }

  get phase(): ChildState['phase'] {
    return this.#state.phase;
  }

  get pid(): number | null {
    return this.#instance.pid;
  }

  /** True when no time limit of this worker can pass before the next tick. */
  get isQuiet(): boolean {
    if (this.#state.phase !== 'ready' || this.#linkClosedAtMs !== null || this.#link.isAwaited) return false;
    return this.#spec.silenceMs === Infinity || this.#awakeClock.nowMs() - this.#lastFrameMs < lateMs.ready;
  }

  request(name: string, params: unknown, deadlineMs: number): Promise<Outcome<unknown>> {
    if (this.#state.phase !== 'ready') return Promise.resolve(gone(this.#spec.name));
    return this.#link.request(name, params, deadlineMs);
  }

  reconfigure(settings: WorkerSettings<C>): void {
    this.#settings = settings;
    // A worker in its handshake gets these settings when it is configured; a worker that ends needs none.
    if (this.#state.phase === 'configuring' || this.#state.phase === 'ready') this.#link.configure(settings);
  }

  /** Asks it to finish. Before it is ready it has nothing to finish and is ended. */
  drain(): void {
    if (this.#state.phase === 'ready') {
      const { stopDeadlineMs } = this.#spec;
      this.#state = { phase: 'draining', dueAtMs: this.#awakeClock.nowMs() + stopDeadlineMs };
      this.#link.drain(stopDeadlineMs);
    } else if (this.#state.phase !== 'draining') this.#end(null, { finishedByItself: true });
  }

  /** Ends it by order, without a drain. */
  kill(): void {
    this.#end(null);
  }

  /** Ends it for a fault that its owner has detected. */
  lose(reason: LossReason, message: string): void {
    this.#end({ reason, message, fault: 'own' });
  }

  tick(stalledMs: number): void {
    const now = this.#awakeClock.nowMs();
    this.#link.tick(stalledMs);
    if (this.#linkClosedAtMs !== null && now >= this.#linkClosedAtMs + closedLinkMs)
      this.lose('link-closed', 'it closed its link and still runs');
    const state = this.#state;
    switch (state.phase) {
      case 'handshake':
      case 'configuring':
        if (this.#silentMs(lateMs.starting) >= this.#spec.startDeadlineMs) {
          const missing = state.phase === 'handshake' ? 'it did not say hello' : 'it did not become ready';
          this.lose('start-overdue', `${missing} within ${String(this.#spec.startDeadlineMs)} ms`);
        }
        return;
      case 'ready': {
        const { silenceMs } = this.#spec;
        if (this.#silentMs(lateMs.ready) >= silenceMs)
          this.lose('silent', `it sent nothing for ${String(silenceMs)} ms`);
        return;
      }
      case 'draining':
        if (now >= state.dueAtMs) {
          this.#watcher.warn(
            `${this.#spec.name} did not finish within ${String(this.#spec.stopDeadlineMs)} ms and is killed; what it had not sent is lost`,
          );
          this.kill();
        }
        return;
      case 'terminating':
        if (now >= state.abandonAtMs) {
          this.#watcher.warn(
            `${this.#spec.name} (process ${String(this.pid)}) was killed and has not ended; it is left to the kernel`,
          );
          this.#becomeGone();
        }
        return;
      case 'gone':
        return;
      default:
        unreachable(state);
    }
  }

  #listener(): LinkListener {
    return {
      phase: () => this.#permitPhase(),
      frameReceived: () => {
        if (this.#state.phase === 'ready') this.#frameReceived();
      },
      greeted: (hello) => this.#greeted(hello),
      ready: () => {
        this.#state = { phase: 'ready' };
        this.#frameReceived();
        this.#readyAtMs = this.#lastFrameMs;
        this.#watcher.ready();
      },
      // It has sent everything and would end itself; a signal is faster and cannot hang.
      drained: () => this.#end(null, { finishedByItself: true }),
      log: (record, dropped) => this.#watcher.log(record, dropped),
      broken: (reason, message) => this.lose(reason, message),
      closed: (reason) => this.#linkClosed(reason),
      bug: (message) => this.#watcher.bug(message),
    };
  }

  /** A child that terminates or is gone has no link: what it returns for them is never used. */
  #permitPhase(): Phase {
    const { phase } = this.#state;
    return phase === 'terminating' || phase === 'gone' ? 'draining' : phase;
  }

  #greeted(hello: Hello): void {
    const { pid } = this;
    if (hello.protocol !== protocolVersion)
      this.lose(
        'violation',
        `it speaks protocol ${String(hello.protocol)}, the supervisor ${String(protocolVersion)}: the installation has changed under the running daemon; restart it`,
      );
    else if (pid !== null && hello.pid !== pid)
      this.lose('violation', `it reports the pid ${String(hello.pid)} and has the pid ${String(pid)}`);
    else {
      if (hello.build !== version)
        this.#watcher.warn(`${this.#spec.name} is of build ${hello.build}, the supervisor of ${version}`);
      this.#state = { phase: 'configuring' };
      this.#link.configure(this.#settings);
    }
  }

  #frameReceived(): void {
    this.#lastFrameMs = this.#awakeClock.nowMs();
    this.#starvation = null;
    this.#starvedMs = 0;
  }

  /** How long it has sent nothing although it could run. When the silence is longer than `late`, the kernel is asked whether it could. */
  #silentMs(late: number): number {
    const silentMs = this.#awakeClock.nowMs() - this.#lastFrameMs;
    const { pid } = this;
    if (silentMs < late || pid === null || this.#spec.hosting.kind === 'member') return silentMs;
    this.#starvation ??= new Starvation(pid, this.#processes, this.#awakeClock);
    this.#starvedMs += this.#starvation.sinceLastMs();
    return silentMs - this.#starvedMs;
  }

  #linkClosed(reason: Exclude<CloseReason, 'malformed'>): void {
    if (reason === 'overflow') this.lose('link-closed', 'it does not read its link');
    else this.#linkClosedAtMs = this.#awakeClock.nowMs();
  }

  #ended(end: End): void {
    if (this.#state.phase === 'gone') return;
    if (this.#state.phase === 'draining') {
      this.#watcher.warn(
        `${this.#spec.name} ended before it had finished (${end.message}); what it had not sent is lost`,
      );
      this.#end(null);
    } else this.#end(end);
    this.#becomeGone();
  }

  #end(loss: InstanceLoss | null, how = { finishedByItself: false }): void {
    if (this.#state.phase === 'terminating' || this.#state.phase === 'gone') return;
    const now = this.#awakeClock.nowMs();
    this.#state = { phase: 'terminating', abandonAtMs: now + reapTimeoutMs };
    this.#linkClosedAtMs = null;
    this.#link.close();
    // Before the kill, which may report the end synchronously: `lost` comes before `gone`.
    this.#watcher.lost(loss, this.#readyAtMs === null ? 0 : now - this.#readyAtMs);
    this.#instance.kill(how);
  }

  #becomeGone(): void {
    this.#state = { phase: 'gone' };
    this.#watcher.gone();
  }
}
