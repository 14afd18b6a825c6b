// The daemon of a simulation: the real decisions, from a reading to a command, with everything around them simulated.
// It lives, stands still, dies and comes back; what it remembers is what its snapshot kept.
import type { Configuration } from '../../supervisor/config/configuration/configuration.js';
import type { RunCommand } from '../../supervisor/host/run-command.js';
import type { StepOutcome } from '../../supervisor/sequence/outcome.js';
import type { ShutDownTarget } from '../../supervisor/sequence/phases/remote-servers.js';
import type { CutOutput } from '../../supervisor/sequence/phases/ups-output.js';
import { previousShutdown } from '../../supervisor/sequence/recovery/recovery.js';
import { ShutdownEngine } from '../../supervisor/engine/engine.js';
import type { EngineObserver } from '../../supervisor/engine/dependencies.js';
import type { RecordedEvent } from '../../supervisor/events/event-recorder.js';
import type { PolicyState } from '../../supervisor/policy/state.js';
import { initialState } from '../../supervisor/policy/state.js';
import type { CommandLine, PlanStep } from '../../shared/domain/plan.js';
import type { UpsPolled } from '../../shared/protocol/poller.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { CommandOutcome } from '../../supervisor/host/run-command.js';
import type { Machine } from './machine.js';
import { simulatedPerformers } from './plant/performers.js';
import { injectedFault, Throwing, throwingJournals } from './throwing.js';
import type { Tmpfs } from './tmpfs.js';

/** As the supervisor ticks. */
const tickMs = 250;

/** Who sees what the daemon does, in the order in which it does it. */
export interface DaemonWatcher {
  recorded(event: RecordedEvent): void;
  notified(event: RecordedEvent): void;
  /** A command of the daemon's has been started on the machine. */
  ran(command: CommandLine, signal: AbortSignal): Promise<CommandOutcome>;
  /** A step of a sequence is carried out for real; null: it was left behind at the end of its budget. */
  began(step: PlanStep): void;
  ended(step: PlanStep, outcome: StepOutcome | null): void;
  /** What the journals of another boot say was done; null for nothing. */
  recovered(done: string | null): void;
  complained(message: string): void;
  /** A tick of the daemon begins: supervision's, before that of its decisions. */
  ticking(): void;
  /** An input has been handled to its end, except for what promises still have to settle. */
  polled(groupId: string, poll: UpsPolled): void;
  ticked(): void;
  /** Something else has happened in the daemon: an timer, a cancellation. */
  turned(): void;
}

/** What the daemon acts through, and what is not of this process. */
export interface DaemonReach {
  readonly shutDown: ShutDownTarget;
  readonly cut: CutOutput;
}

export class SimulatedDaemon {
  readonly #machine: Machine;
  readonly #store: Tmpfs;
  readonly #reach: DaemonReach;
  readonly #watcher: DaemonWatcher;
  #decisions: ShutdownEngine | null = null;
  #life = 0;
  #stalled = false;
  /** Killed in the middle of something: what is left of that runs on in vain. */
  #doomedForMs: number | null = null;
  #waiting: (() => void)[] = [];
  readonly #inbox = new Map<string, UpsPolled[]>();
  /** What it works with, and what of that is going to throw. */
  readonly throwing = new Throwing();
  /** Something has been decided whose promises have not been settled yet. */
  unsettled = false;

  constructor(machine: Machine, store: Tmpfs, reach: DaemonReach, watcher: DaemonWatcher) {
    this.#machine = machine;
    this.#store = store;
    this.#reach = reach;
    this.#watcher = watcher;
  }

  /** For how long it is going to be down, once what it was killed in is over; null while it lives. */
  get doomedForMs(): number | null {
    return this.#doomedForMs;
  }

  /** Killed within what it is doing just now: from here on nothing of that has an effect. */
  doom(downMs: number): void {
    this.#doomedForMs ??= downMs;
    this.unsettled = true;
  }

  get running(): boolean {
    return this.#decisions !== null;
  }

  get stalled(): boolean {
    return this.#stalled;
  }

  /** Null while it is down. */
  get state(): PolicyState | null {
    return this.#decisions?.state ?? null;
  }

  get sequenceRuns(): boolean {
    return this.#decisions?.isSequenceRunning ?? false;
  }

  /** Something that it may wait for has been settled. */
  stir(): void {
    this.unsettled = true;
  }

  start(configuration: Configuration): void {
    this.#life += 1;
    const life = this.#life;
    this.unsettled = true;
    const isAlive = () => life === this.#life && this.#doomedForMs === null;
    const run: RunCommand = (command, signal) =>
      isAlive()
        ? this.#onlyInThisLife(isAlive, this.#watcher.ran(command, signal))
        : new Promise(() => undefined);
    const setTimer = (ms: number, then: () => void) => this.#setTimer(ms, life, then);
    this.#watcher.recovered(previousShutdown(this.#store.journals) ?? null);
    this.#store.journals.removePreviousBoots();
    const { throwing } = this;
    const reach: DaemonReach = throwing.of('reach', {
      shutDown: (...order) => this.#onlyInThisLife(isAlive, this.#reach.shutDown(...order)),
      cut: (...order) => this.#onlyInThisLife(isAlive, this.#reach.cut(...order)),
    });
    this.#decisions = new ShutdownEngine(configuration, {
      clock: throwing.of('clock', this.#machine),
      log: throwing.of('log', this.#log()),
      snapshot: throwing.of('snapshot', this.#store),
      setTimer: throwing.of('timer', { setTimer }).setTimer,
      run: throwing.of('command', { run }).run,
      journals: throwingJournals(throwing, this.#store.journals),
      performers: (tools) =>
        throwing.of(
          'performers',
          simulatedPerformers({
            ...tools,
            shutDown: (...order) => reach.shutDown(...order),
            cut: (...order) => reach.cut(...order),
            state: () => this.state ?? initialState,
            isAlive,
            began: (step) => this.#watcher.began(step),
            ended: (step, outcome) => this.#watcher.ended(step, outcome),
          }),
        ),
      observer: throwing.of('observer', this.#observer(), true),
    });
    this.#tickLater(life);
  }

  #observer(): EngineObserver {
    const nothing = () => undefined;
    const stir = () => this.stir();
    return {
      record: (event) => {
        stir();
        this.#watcher.recorded(event);
      },
      notify: (event) => this.#watcher.notified(event),
      upsChanged: nothing,
      sequenceChanged: stir,
      sequenceEnded: nothing,
      prepare: nothing,
      stepped: nothing,
    };
  }

  /** Killed, or lost with its machine. */
  die(): void {
    this.#life += 1;
    this.throwing.disarm();
    this.#store.journals.writerDied();
    this.#decisions = null;
    this.#doomedForMs = null;
    this.#stalled = false;
    this.#waiting = [];
    this.#inbox.clear();
  }

  stall(): void {
    this.#stalled = this.running;
  }

  /** After a stall: what came due meanwhile happens now, in order, then what was reported. */
  resume(): void {
    if (!this.#stalled) return;
    this.#stalled = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const run of waiting) run();
    const polls = [...this.#inbox].flatMap(([groupId, polls]) => polls.map((poll) => ({ groupId, poll })));
    this.#inbox.clear();
    for (const { groupId, poll } of polls.sort((a, b) => a.poll.endedAt - b.poll.endedAt)) {
      this.deliver(groupId, poll);
    }
  }

  deliver(groupId: string, poll: UpsPolled): void {
    if (this.#decisions === null) return;
    if (this.#stalled) {
      // One report is under way; behind it only the newest waits.
      const [underWay = poll] = this.#inbox.get(groupId) ?? [];
      this.#inbox.set(groupId, underWay === poll ? [poll] : [underWay, poll]);
      return;
    }
    this.#decisions.polled(groupId, poll);
    this.#watcher.polled(groupId, poll);
  }

  configure(configuration: Configuration): void {
    this.#decisions?.configure(configuration);
    this.#watcher.turned();
  }

  /** Now, or after the stall; not at all while it is down. */
  whenAwake(run: () => void): void {
    if (this.#stalled) this.#waiting.push(run);
    else if (this.running) run();
  }

  cancel(): void {
    this.whenAwake(() => {
      this.unsettled = true;
      this.#decisions?.cancel('operator');
      this.#watcher.turned();
    });
  }

  #tickLater(life: number): void {
    this.#machine.after(tickMs, () => {
      if (life !== this.#life) return;
      this.whenAwake(() => {
        this.#watcher.ticking();
        this.#decisions?.tick();
        this.#watcher.ticked();
        this.#tickLater(life);
      });
    });
  }

  #setTimer(ms: number, life: number, then: () => void): () => void {
    let isKept = true;
    const takeBack = this.#machine.after(ms, () => {
      if (life !== this.#life) return;
      this.whenAwake(() => {
        if (!isKept) return;
        this.unsettled = true;
        then();
        this.#watcher.turned();
      });
    });
    return () => {
      isKept = false;
      takeBack();
    };
  }

  /** What a command comes to is told to nobody when the daemon that started it is gone. */
  #onlyInThisLife<T>(isAlive: () => boolean, promise: Promise<T>): Promise<T> {
    this.unsettled = true;
    return new Promise((resolve) => {
      void promise.then((value) => {
        this.whenAwake(() => {
          if (!isAlive()) return;
          this.unsettled = true;
          resolve(value);
        });
      });
    });
  }

  #log(): Logger {
    const nothing = () => undefined;
    return {
      debug: nothing,
      info: nothing,
      warning: nothing,
      error: (message) => {
        if (!message.includes(injectedFault)) this.#watcher.complained(message);
      },
    };
  }
}
