// One life of a worker, from its start to its end. It never starts another one: supervised-worker.ts does.
//
//   (started) ──> greeting ──hello──> configuring ──ready──> ready ──drain()──> draining
//                    │                     │                   │                   │
//                    ├─────────────────────┴───────────────────┴───────────────────┤
//                    │ overdue, silent, too large, violation, flood, closed, kill()│ drained, overdue
//                    ▼                                                             ▼
//                 dying  ◄─────────────────────────────────────────────────────────┘
//                    │ its end is told, or burialMs have passed          its end is told in any state ──> gone
//                    ▼
//                  gone
//
// greeting     A process or thread exists. Nothing it says is believed but who it is; it has no configuration.
// configuring  It speaks our protocol and has its slice. It may report and ask; it can do nothing for us yet.
// ready        It answers, as long as it is heard. Requests go to it in this state alone.
// draining     It finishes. What it still reports is taken; new requests are refused.
// dying        Nothing is heard from it or said to it: its link is closed, everything asked of it is answered
//              WORKER_GONE. It may still run: what it does outside cannot be taken back until its end is told.
// gone         Its end was told, or it sleeps uninterruptibly and is left to the kernel, killed already.
//
// All limits run on waking time (waking-time.ts).
import { unreachable } from '../../shared/domain/unreachable.js';
import type { LogRecord } from '../../shared/domain/log-record.js';
import { version } from '../../shared/domain/version.js';
import type { Contract, Outcome, Slice } from '../../shared/protocol/contract.js';
import { protocolVersion } from '../../shared/protocol/frame.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { CloseReason } from '../../shared/runtime/port.js';
import type { End, WorkerInstance } from './worker-instance.js';
import type { Hello, LinkListener } from './link.js';
import { SupervisorLink } from './link.js';
import type { Phase } from './permits.js';
import { gone } from './requests.js';
import type { AwakeClock } from './awake-clock.js';
import type { LossReason, WorkerSpec } from './worker-spec.js';

/** A killed process is gone within milliseconds. One that is not sleeps in the kernel and is not waited for. */
const reapTimeoutMs = 1000;
/** A process that dies closes its link a moment before its end is told; one that lives on without a link is killed. */
const closedLinkMs = 200;

/** Why a life ended; null reason: it was ordered to. */
export interface Loss {
  readonly reason: LossReason;
  readonly message: string;
  readonly notAtFault: boolean;
}

/** What the owner of a life is told. */
export interface ChildWatcher {
  ready(): void;
  /** The life is over as far as anybody can rely on it; `loss` is null when it was ordered to end. Once, before `gone`. */
  lost(loss: Loss | null, readyMs: number): void;
  /** Its place is free. Once. */
  gone(): void;
  log(record: LogRecord, dropped: number): void;
  warn(message: string): void;
  bug(message: string): void;
}

type State =
  | { readonly phase: 'greeting' | 'configuring'; readonly dueAtMs: number }
  | { readonly phase: 'ready' }
  | { readonly phase: 'draining'; readonly dueAtMs: number }
  | { readonly phase: 'dying'; readonly abandonAtMs: number }
  | { readonly phase: 'gone' };

export interface ChildDependencies {
  readonly clock: Clock;
  readonly time: AwakeClock;
}

export class Child<C extends Contract> {
  readonly #spec: WorkerSpec<C>;
  readonly #instance: WorkerInstance;
  readonly #time: AwakeClock;
  readonly #watcher: ChildWatcher;
  readonly #link: SupervisorLink<C>;
  #slice: Slice<C>;
  #state: State;
  #heardAtMs: number;
  #readyAtMs: number | null = null;
  #linkClosedAtMs: number | null = null;

  constructor(
    spec: WorkerSpec<C>,
    slice: Slice<C>,
    instance: WorkerInstance,
    deps: ChildDependencies,
    watcher: ChildWatcher,
  ) {
    this.#spec = spec;
    this.#slice = slice;
    this.#instance = instance;
    this.#time = deps.time;
    this.#watcher = watcher;
    const now = deps.time.nowMs();
    this.#heardAtMs = now;
    this.#state = { phase: 'greeting', dueAtMs: now + spec.startDeadlineMs };
    this.#link = new SupervisorLink(spec, instance.port, deps.clock, this.#listener());
    instance.onEnd((end) => this.#ended(end));
  }

  get phase(): State['phase'] {
    return this.#state.phase;
  }

  get pid(): number | null {
    return this.#instance.pid;
  }

  request(name: string, params: unknown, deadlineMs: number): Promise<Outcome<unknown>> {
    if (this.#state.phase !== 'ready') return Promise.resolve(gone(this.#spec.name));
    return this.#link.request(name, params, deadlineMs);
  }

  reconfigure(slice: Slice<C>): void {
    this.#slice = slice;
    // While it greets it has no slice yet and gets this one; a worker that ends needs none.
    if (this.#state.phase === 'configuring' || this.#state.phase === 'ready') this.#link.configure(slice);
  }

  /** Asks it to finish; before it was ready there is nothing to finish and it is killed. */
  drain(): void {
    if (this.#state.phase === 'ready') {
      const { stopDeadlineMs } = this.#spec;
      this.#state = { phase: 'draining', dueAtMs: this.#time.nowMs() + stopDeadlineMs };
      this.#link.drain(stopDeadlineMs);
    } else if (this.#state.phase !== 'draining') this.kill();
  }

  /** Ends it by order, without asking. */
  kill(): void {
    this.#end(null);
  }

  /** Ends it for a reason its owner has seen. */
  lose(reason: LossReason, message: string): void {
    this.#end({ reason, message, notAtFault: false });
  }

  tick(stalledMs: number): void {
    const now = this.#time.nowMs();
    this.#link.tick(stalledMs);
    if (this.#linkClosedAtMs !== null && now >= this.#linkClosedAtMs + closedLinkMs)
      this.lose('link-closed', 'it closed its link and lives on');
    const state = this.#state;
    switch (state.phase) {
      case 'greeting':
      case 'configuring':
        if (now >= state.dueAtMs) {
          const missing = state.phase === 'greeting' ? 'it did not say hello' : 'it did not become ready';
          this.lose('start-overdue', `${missing} within ${String(this.#spec.startDeadlineMs)} ms`);
        }
        return;
      case 'ready': {
        const { silenceMs } = this.#spec;
        if (now - this.#heardAtMs >= silenceMs)
          this.lose('silent', `it was not heard for ${String(silenceMs)} ms`);
        return;
      }
      case 'draining':
        if (now >= state.dueAtMs) {
          this.#watcher.warn(
            `${this.#spec.name} did not finish within ${String(this.#spec.stopDeadlineMs)} ms and is killed; what it had not handed over is lost`,
          );
          this.kill();
        }
        return;
      case 'dying':
        if (now >= state.abandonAtMs) {
          this.#watcher.warn(
            `${this.#spec.name} (process ${String(this.pid)}) was killed and has not ended; it is left to the kernel`,
          );
          this.#reaped();
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
      phase: () => this.#phaseHeard(),
      heard: () => {
        this.#heardAtMs = this.#time.nowMs();
      },
      greeted: (hello) => this.#greeted(hello),
      ready: () => {
        this.#state = { phase: 'ready' };
        this.#readyAtMs = this.#time.nowMs();
        this.#watcher.ready();
      },
      // It has handed over everything and would end itself; a signal is quicker and cannot hang.
      drained: () => this.#end(null, true),
      log: (record, dropped) => this.#watcher.log(record, dropped),
      broken: (reason, message) => this.lose(reason, message),
      closed: (reason) => this.#linkClosed(reason),
      bug: (message) => this.#watcher.bug(message),
    };
  }

  /** The link is closed in the other two phases and asks for none. */
  #phaseHeard(): Phase {
    const { phase } = this.#state;
    return phase === 'dying' || phase === 'gone' ? 'draining' : phase;
  }

  #greeted(hello: Hello): void {
    const { pid } = this;
    if (hello.protocol !== protocolVersion)
      this.lose(
        'violation',
        `it speaks protocol ${String(hello.protocol)}, the supervisor ${String(protocolVersion)}: the installation has changed under the running daemon; restart it`,
      );
    else if (pid !== null && hello.pid !== pid)
      this.lose('violation', `it says it is process ${String(hello.pid)} and is ${String(pid)}`);
    else {
      if (hello.build !== version)
        this.#watcher.warn(`${this.#spec.name} is of build ${hello.build}, the supervisor of ${version}`);
      this.#state = { phase: 'configuring', dueAtMs: this.#startDueAtMs() };
      this.#link.configure(this.#slice);
    }
  }

  #startDueAtMs(): number {
    return 'dueAtMs' in this.#state ? this.#state.dueAtMs : this.#time.nowMs();
  }

  #linkClosed(reason: Exclude<CloseReason, 'malformed'>): void {
    if (reason === 'overflow') this.lose('link-closed', 'it does not read what it is sent');
    else this.#linkClosedAtMs = this.#time.nowMs();
  }

  #ended(end: End): void {
    if (this.#state.phase === 'gone') return;
    if (this.#state.phase === 'draining') {
      this.#watcher.warn(
        `${this.#spec.name} ended before it had finished (${end.message}); what it had not handed over is lost`,
      );
      this.#end(null);
    } else this.#end(end);
    this.#reaped();
  }

  #end(loss: Loss | null, left = false): void {
    if (this.#state.phase === 'dying' || this.#state.phase === 'gone') return;
    const now = this.#time.nowMs();
    this.#state = { phase: 'dying', abandonAtMs: now + reapTimeoutMs };
    this.#linkClosedAtMs = null;
    this.#link.close();
    // Before the kill, which may tell the end at once: `lost` comes before `gone`.
    this.#watcher.lost(loss, this.#readyAtMs === null ? 0 : now - this.#readyAtMs);
    this.#instance.kill(left);
  }

  #reaped(): void {
    this.#state = { phase: 'gone' };
    this.#watcher.gone();
  }
}
