// The daemon of a simulation: the real engine, from a reading to a command, with simulated collaborators. It can stall, die
// and restart; after a restart it knows only what its snapshot and journals kept.
import type { Configuration } from '../../supervisor/config/configuration/configuration.js';
import { plansOf } from '../../supervisor/config/derive/plans.js';
import { fedLoads } from '../../supervisor/sequence/fed-loads.js';
import type { SetTimer } from '../../supervisor/host/timer.js';
import type { RunCommand } from '../../supervisor/host/run-command.js';
import { previousShutdown } from '../../supervisor/sequence/journal/summary.js';
import { ShutdownEngine } from '../../supervisor/engine/engine.js';
import type { EngineObserver } from '../../supervisor/engine/dependencies.js';
import type { PolicyState } from '../../supervisor/policy/state/state.js';
import { isQuiet, isQuietAt } from '../../supervisor/policy/view/attention.js';
import { initialState } from '../../supervisor/policy/state/state.js';
import type { UpsPolled } from '../../shared/protocol/poller.js';
import type { Logger } from '../../shared/runtime/log.js';
import { Ticks } from '../../supervisor/daemon/ticks.js';
import { idleObserver } from '../fixtures/idle-parts.js';
import type { DaemonWatcher } from './daemon-watcher.js';
import type { Machine } from './machine.js';
import type { SimulatedDependencies } from './plant/performers.js';
import { simulatedPerformers } from './plant/performers.js';
import { injectedFault, orFalse, Throwing } from './throwing.js';
import type { RecordedRestarts } from './restart/record.js';
import type { Tmpfs } from './tmpfs.js';

export type DaemonReach = Pick<SimulatedDependencies, 'shutDown' | 'awaitOff' | 'cut'>;

export class SimulatedDaemon {
  readonly #machine: Machine;
  readonly #store: Tmpfs;
  readonly #reach: DaemonReach;
  readonly #watcher: DaemonWatcher;
  #recorded: RecordedRestarts | null = null;
  #decisions: ShutdownEngine | null = null;
  #ticks: Ticks | null = null;
  #generation = 0;
  #stalled = false;
  /** A kill during an input: how long it will be down after it. The rest of the input runs without effect. */
  #pendingKillMs: number | null = null;
  #waiting: (() => void)[] = [];
  readonly #inbox = new Map<string, UpsPolled[]>();
  /** Its collaborators, and which of them will throw. */
  readonly throwing = new Throwing();
  /** Promises of a decision are still open. */
  unsettled = false;

  constructor(machine: Machine, store: Tmpfs, reach: DaemonReach, watcher: DaemonWatcher) {
    this.#machine = machine;
    this.#store = store;
    this.#reach = reach;
    this.#watcher = watcher;
  }

  get pendingKillMs(): number | null {
    return this.#pendingKillMs;
  }

  /** Kills it during the present input: from now on nothing of it has an effect. */
  scheduleKill(downMs: number): void {
    this.#pendingKillMs ??= downMs;
    this.unsettled = true;
  }

  get running(): boolean {
    return this.#decisions !== null;
  }

  get stalled(): boolean {
    return this.#stalled;
  }

  get state(): PolicyState | null {
    return this.#decisions?.state ?? null;
  }

  /** What it has decided and done. */
  get journal(): ShutdownEngine['journal'] | null {
    return this.#decisions?.journal ?? null;
  }

  get sequenceRuns(): boolean {
    return this.#decisions?.isSequenceRunning ?? false;
  }

  /** A promise that it may wait for has settled. */
  markUnsettled(): void {
    this.unsettled = true;
  }

  start(configuration: Configuration): void {
    this.#generation += 1;
    const generation = this.#generation;
    this.unsettled = true;
    const isAlive = () => generation === this.#generation && this.#pendingKillMs === null;
    const run: RunCommand = (command, signal) =>
      isAlive()
        ? this.#ifSameGeneration(isAlive, this.#watcher.ran(command, signal))
        : new Promise(() => undefined);
    const setTimer = (ms: number, then: () => void) => this.#setTimer(ms, generation, then);
    this.#watcher.recovered(previousShutdown(this.#store.journals) ?? null);
    this.#store.journals.removePreviousBoots();
    const { throwing } = this;
    const reach: DaemonReach = throwing.of('reach', {
      shutDown: (...order) => this.#ifSameGeneration(isAlive, this.#reach.shutDown(...order)),
      awaitOff: (...order) => this.#ifSameGeneration(isAlive, this.#reach.awaitOff(...order)),
      cut: (...order) => this.#ifSameGeneration(isAlive, this.#reach.cut(...order)),
    });
    const engine = () => this.#decisions ?? undefined;
    this.#recorded = this.#store.record?.begin({ configuration, isAlive, engine }) ?? null;
    this.#decisions = new ShutdownEngine(configuration, {
      commitIntervalMs: 0,
      restarts: this.#recorded?.restarts,
      clock: throwing.of('clock', this.#machine),
      log: throwing.of('log', this.#log()),
      snapshot: throwing.of('snapshot', this.#store),
      reserve: throwing.of('reserve', this.#store.reserve),
      setTimer: throwing.of('timer', { setTimer }).setTimer,
      run: throwing.of('command', { run }).run,
      journals: throwing.of('journals', this.#store.journals),
      performers: (tools) =>
        throwing.of(
          'performers',
          simulatedPerformers({
            ...tools,
            shutDown: (...order) => reach.shutDown(...order),
            awaitOff: (...order) => reach.awaitOff(...order),
            cut: (...order) => reach.cut(...order),
            state: () => this.state ?? initialState,
            loads: () => fedLoads(plansOf(configuration), this.#decisions?.journal.groups ?? []),
            isAlive,
            began: (step) => this.#watcher.began(step),
            ended: (step, outcome) => this.#watcher.ended(step, outcome),
          }),
        ),
      observer: throwing.of('observer', this.#observer(), true),
    });
    this.#ticks = new Ticks({ clock: this.#machine, setTimer: this.#tickTimer(generation) }, () =>
      this.#tick(),
    );
  }

  /** A worker was lost, or a UPS is not quiet. */
  hurry(): void {
    this.#ticks?.useShortInterval();
  }

  #observer(): EngineObserver {
    const markUnsettled = () => this.markUnsettled();
    return {
      ...idleObserver,
      record: (event) => {
        markUnsettled();
        this.#watcher.recorded(event);
      },
      notify: (event) => this.#watcher.notified(event),
      sequenceChanged: markUnsettled,
    };
  }

  /** Killed, or the machine is down. */
  die(): void {
    this.#generation += 1;
    this.throwing.disarm();
    this.#store.journals.writerDied();
    this.#ticks?.stop();
    this.#decisions = null;
    this.#recorded = null;
    this.#pendingKillMs = null;
    this.#stalled = false;
    this.#waiting = [];
    this.#inbox.clear();
  }

  stall(): void {
    this.#stalled = this.running;
  }

  /** Ends a stall: due timers run first, in order, then the reports are delivered. */
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
      // One report is in transit; behind it only the newest one waits.
      const [underWay = poll] = this.#inbox.get(groupId) ?? [];
      this.#inbox.set(groupId, underWay === poll ? [poll] : [underWay, poll]);
      return;
    }
    this.#decisions.polled(groupId, poll);
    if (!orFalse(() => isQuietAt(this.state ?? initialState, groupId))) this.hurry();
    this.#watcher.polled(groupId, poll);
  }

  configure(configuration: Configuration): void {
    this.#decisions?.configure(configuration);
    this.hurry();
    this.#watcher.handledOther();
  }

  /** Runs now or after the stall; never while it is down. */
  whenAwake(run: () => void): void {
    if (this.#stalled) this.#waiting.push(run);
    else if (this.running) run();
  }

  cancel(): void {
    this.whenAwake(() => {
      this.unsettled = true;
      this.#decisions?.cancel('operator');
      this.#watcher.handledOther();
    });
  }

  #tick(): boolean {
    const supervisionIsQuiet = this.#watcher.ticking();
    this.#decisions?.tick();
    this.#recorded?.tick();
    this.#watcher.ticked();
    const engine = this.#decisions;
    if (engine === null || engine.isSequenceRunning || engine.hasOpenSequences) return false;
    return supervisionIsQuiet && orFalse(() => isQuiet(engine.state));
  }

  #tickTimer(generation: number): SetTimer {
    return (ms, then) =>
      this.#machine.after(ms, () => {
        if (generation === this.#generation) this.whenAwake(then);
      });
  }

  #setTimer(ms: number, generation: number, then: () => void): () => void {
    let isKept = true;
    const cancelTimer = this.#machine.after(ms, () => {
      if (generation !== this.#generation) return;
      this.whenAwake(() => {
        if (!isKept) return;
        this.unsettled = true;
        then();
        this.#watcher.handledOther();
      });
    });
    return () => {
      isKept = false;
      cancelTimer();
    };
  }

  /** The result of a command is lost when the daemon that started it has died. */
  #ifSameGeneration<T>(isAlive: () => boolean, promise: Promise<T>): Promise<T> {
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
        if (!message.includes(injectedFault)) this.#watcher.loggedError(message);
      },
    };
  }
}
