// Starts, ticks, reloads and ends a daemon. It treats all workers alike: the engine decides, supervision keeps workers
// alive.
import type { Logger } from '../../shared/runtime/log.js';
import type { Configuration } from '../config/configuration/configuration.js';
import type { ShutdownEngine } from '../engine/engine.js';
import type { EventRecorder } from '../events/event-recorder.js';
import { isQuiet } from '../policy/view/attention.js';
import { groupsOnBattery } from '../policy/decision/power.js';
import { plansOf } from '../config/derive/plans.js';
import { enginesOf } from '../sequence/phases/containers.js';
import type { Engine } from '../sequence/phases/engine.js';
import { DrainedNode } from '../sequence/phases/swarm-node.js';
import type { DaemonEnvironment } from './environment.js';
import type { DaemonParts } from './parts.js';
import { daemonParts } from './parts.js';
import { ReadyNotice } from './ready-notice.js';
import { Ticks } from './ticks.js';

export class Daemon {
  #configuration: Configuration;
  readonly #deps: DaemonEnvironment;
  readonly #parts: DaemonParts;
  readonly #readyNotice: ReadyNotice;
  readonly #ticks: Ticks;
  readonly #drainedNode: DrainedNode;
  #terminating: string | undefined;
  #ending = false;
  #finish: () => void = () => undefined;
  /** Settles when the daemon has ended and every worker is gone. */
  readonly ended = new Promise<void>((resolve) => (this.#finish = resolve));

  constructor(configuration: Configuration, deps: DaemonEnvironment) {
    this.#configuration = configuration;
    this.#deps = deps;
    this.#ticks = new Ticks(deps, () => this.#tick());
    this.#parts = daemonParts(
      () => this.#configuration,
      deps,
      () => this.#endIfDue(),
      () => this.#ticks.useShortInterval(),
    );
    this.#parts.start();
    this.#drainedNode = new DrainedNode({ ...deps, log: this.log });
    this.#readyNotice = new ReadyNotice(deps.clock, deps.manager, this.log);
  }

  get log(): Logger {
    return this.#parts.log;
  }

  get recorder(): EventRecorder {
    return this.#parts.recorder;
  }

  get engine(): ShutdownEngine {
    return this.#parts.engine;
  }

  get configuration(): Configuration {
    return this.#configuration;
  }

  /**
   * Applies a loaded configuration without a gap in the polling of a UPS that stays. Returns the names of the workers
   * it starts.
   */
  apply(configuration: Configuration): readonly string[] {
    const { guard, engine, workers, programs, telemetry, publisher, pollers, selfTests } = this.#parts;
    const { reports, hooks, recovery } = this.#parts;
    this.#configuration = configuration;
    this.#ticks.useShortInterval();
    const started = workers.supervision.startedBy(() =>
      guard.runAll('a reload', {
        engine: () => engine.configure(configuration),
        workers: () => workers.apply(configuration),
        programs: () => programs.apply(configuration),
        selfTests: () => selfTests.apply(configuration),
        reports: () => reports.apply(configuration),
        hooks: () => hooks.apply(configuration),
        recovery: () => recovery.apply(configuration),
        telemetry: () => telemetry.keep(configuration.ups.map(({ policy }) => policy.groupId)),
        publisher: () => publisher.allChanged(),
      }),
    );
    return [...started, ...pollers.restarting];
  }

  /** After SIGHUP: logrotate sends it to have the log file opened again. */
  reopenLog(): void {
    this.#parts.logWorker.reopen();
  }

  /** Ends the daemon: immediately, or after a running sequence. */
  terminate(signal: string): void {
    if (this.#terminating !== undefined) return;
    this.#terminating = signal;
    this.#parts.recovery.end();
    this.#ticks.useShortInterval();
    this.#endIfDue();
    if (this.engine.mayEnd) return;
    this.#parts.guard.run('the service manager', () => this.#deps.manager.stopsLater());
    this.log.warning(`${signal}: a shutdown sequence runs; the daemon ends after it`);
  }

  /** True when all is quiet after it. */
  #tick(): boolean {
    const { guard, engine, workers, programs, publisher, selfTests, reports, hooks, nutRole, recovery } =
      this.#parts;
    guard.runAll('a tick', {
      supervision: () => workers.supervision.tick(),
      engine: () => engine.tick(),
      nutRole: () => nutRole.tick(),
      drainedNode: () => this.#drainedNode.tick(() => this.#dockerOfPlans(), this.#isOutage),
      workers: () => workers.tick(),
      programs: () => programs.tick(),
      selfTests: () => selfTests.tick(),
      reports: () => reports.tick(),
      hooks: () => hooks.tick(),
      recovery: () => recovery.tick(),
      readyNotice: () => this.#readyNotice.tick(workers.supervision.workers, this.#configuration.ups.length),
      publisher: () => publisher.tick(),
      end: () => this.#endIfDue(),
    });
    const mayAct = engine.isSequenceRunning || engine.hasOpenSequences || !isQuiet(engine.state);
    return this.#terminating === undefined && workers.supervision.isQuiet && !mayAct;
  }

  /** The Docker whose containers a plan of this host stops. */
  #dockerOfPlans(): Engine | undefined {
    const plans = plansOf(this.#configuration).filter(({ dryRun }) => !dryRun);
    const actions = plans.flatMap(({ phases }) =>
      phases.flatMap(({ steps }) => steps.map(({ action }) => action)),
    );
    const stopped = actions.flatMap((action) =>
      action.kind === 'stopContainers' ? enginesOf(action, this.#deps) : [],
    );
    return stopped.find(({ kind }) => kind === 'docker');
  }

  get #isOutage(): boolean {
    const { engine } = this;
    const { powerOff } = engine.journal;
    const isGoingDown = powerOff.askedBy.size > 0 && !powerOff.givenUp;
    return (
      isGoingDown ||
      engine.isSequenceRunning ||
      engine.hasOpenSequences ||
      groupsOnBattery(engine.state).size > 0
    );
  }

  #endIfDue(): void {
    if (this.#terminating === undefined || this.#ending || !this.engine.mayEnd) return;
    this.#ending = true;
    void this.#end(this.#terminating)
      .catch((error: unknown) => this.#parts.guard.logBug('the end of the daemon', error))
      .finally(() => this.#finish());
  }

  /** The log worker ends last, so that everything else can still log. */
  async #end(signal: string): Promise<void> {
    const { guard, engine, workers } = this.#parts;
    guard.run('the service manager', () => this.#deps.manager.stopping());
    this.log.info(`${signal}: ridethrough ends`);
    engine.stop();
    await workers.end(signal);
    this.#ticks.stop();
  }
}
