// The daemon put together: its workers, who hears whom, the order of start and stop, and the running configuration.
// What is decided is decisions.ts's; how a worker is kept alive is supervision's.
import type { apiContract, ModelChange } from '../../shared/protocol/api.js';
import type { logContract } from '../../shared/protocol/log.js';
import type { UpsPolled } from '../../shared/protocol/poller.js';
import type { Logger } from '../../shared/runtime/log.js';
import { loggerTo } from '../../shared/runtime/log.js';
import { History } from '../history/history.js';
import type { Configuration } from '../config/configuration/configuration.js';
import { ShutdownEngine } from '../engine/engine.js';
import type { DaemonEnvironment } from './environment.js';
import { EventRecorder } from '../events/event-recorder.js';
import { Guard } from '../guard/guard.js';
import type { Publish } from '../read-model/subscription.js';
import { LogQueue } from '../workers/log-queue.js';
import { readModel } from '../read-model/read-model.js';
import { Mqtt } from '../workers/mqtt.js';
import { hostWarning, performersOf } from './performers.js';
import { logStartup } from './startup-log.js';
import { Pollers } from '../workers/pollers.js';
import { isOnBattery } from '../policy/power.js';
import { Publisher } from '../read-model/publisher.js';
import { apiSpec, hostEntry, logSpec } from '../workers/worker-specs.js';
import { ProgramWatch } from '../config/programs/program-watch.js';
import { ReadyNotice } from './ready-notice.js';
import { RemoteHealth } from '../remote-health/remote-health.js';
import { RemoteServers } from '../workers/remote-servers.js';
import { requestHandlers } from '../api/request-handlers.js';
import { JournalFiles } from '../sequence/journal/journal.js';
import { apiSlice, logSlice } from '../workers/worker-settings.js';
import { SnapshotFile } from '../engine/snapshot-file.js';
import { Supervision } from '../supervision/supervision.js';
import { residentMb } from '../host/resident-memory.js';
import { PollStatistics } from '../read-model/poll-statistics.js';
import { recordFailure } from '../events/worker-failures.js';
import type { SupervisionObserver, WorkerHandle } from '../supervision/worker-spec.js';

/** Time passes for policy and supervision in steps of this; it bounds how late a timer of theirs can be. */
const tickMs = 250;
/** What a stopping daemon waits for its last rows, and for its last log lines. */
const flushMs = 1_000;
/** Drain and kill of all workers; the unit's own stop limit is far above. */
const stopMs = 4_000;

export class Daemon {
  readonly log: Logger;
  readonly recorder: EventRecorder;
  readonly decisions: ShutdownEngine;
  #configuration: Configuration;
  readonly #tools: DaemonEnvironment;
  readonly #logQueue = new LogQueue();
  readonly #telemetry = new PollStatistics();
  readonly #chronicle: History;
  readonly #supervision: Supervision;
  readonly #pollers: Pollers;
  readonly #remote: RemoteServers;
  readonly #health: RemoteHealth;
  readonly #programs: ProgramWatch;
  readonly #publisher: Publisher;
  readonly #mqtt: Mqtt;
  readonly #logWorker: WorkerHandle<typeof logContract>;
  readonly #api: WorkerHandle<typeof apiContract>;
  readonly #routes: ReturnType<typeof requestHandlers>;
  readonly #readyNotice: ReadyNotice;
  readonly #guard: Guard;
  readonly #stopTicks: () => void;
  #terminating: string | undefined;
  #ending = false;
  #finish: () => void = () => undefined;
  /** Settles when the daemon has ended and every worker is gone. */
  readonly ended = new Promise<void>((resolve) => (this.#finish = resolve));

  /** Starts everything: log, pollers, API, in this order. */
  constructor(configuration: Configuration, tools: DaemonEnvironment) {
    const { clock, directory } = tools;
    this.#configuration = configuration;
    this.#tools = tools;
    this.log = loggerTo('supervisor', clock, (record) => this.#logQueue.push(record));
    this.#guard = new Guard(this.log);
    this.recorder = new EventRecorder(
      this.log,
      (groupId) => this.#configuration.ups.find(({ policy }) => policy.groupId === groupId)?.policy.name,
      (event) => this.#chronicle.record(event),
    );
    this.#supervision = new Supervision({
      clock,
      observer: this.#observeWorkers(),
      log: this.log,
      launch: tools.launcher(this.log),
      hostEntry,
      residentMb,
    });
    this.#publisher = new Publisher(
      readModel({
        state: () => this.decisions.state,
        configuration: () => this.#configuration,
        sequence: () => this.decisions.sequence,
        storage: () => this.#chronicle.telemetry,
        notifications: () => this.#chronicle.notifications,
        mqttConnected: () => this.#mqtt.connected,
        remoteHealth: () => this.#health,
        remoteServers: () => this.#remote,
        missingPrograms: () => this.#programs.missing,
        workers: () => this.#supervision.workers,
        telemetry: this.#telemetry,
      }),
    );
    this.#logWorker = this.#supervision.start(logSpec(configuration, { onEvent: {}, serve: {} }));
    logStartup(this.log, configuration, [directory.warning, hostWarning(tools.host, configuration)]);
    this.#chronicle = new History(configuration, {
      supervision: this.#supervision,
      clock,
      log: this.log,
      bootId: tools.bootId,
      journals: new JournalFiles(directory.journals, tools.bootId, this.log),
      outageIsOver: (group) => this.decisions.isOutageOver(group),
      stored: (rows) => this.#publisher.stored(rows),
    });
    const changed = () => this.#publisher.changed();
    this.#remote = new RemoteServers(this.#supervision, () => this.decisions.isSequenceRunning, changed);
    this.#programs = new ProgramWatch({ clock, log: this.log, changed });
    this.#health = new RemoteHealth({
      supervision: this.#supervision,
      storage: this.#chronicle.storage,
      clock,
      decisions: () => this.decisions,
      record: (event) => this.recorder.record(event),
      notify: (event) => this.#chronicle.notify(event),
      publisher: this.#publisher,
    });
    this.decisions = new ShutdownEngine(configuration, {
      clock,
      log: this.log,
      snapshot: new SnapshotFile(directory.snapshot, tools.bootId, this.log),
      journals: this.#chronicle.journals,
      run: tools.run,
      setTimer: tools.setTimer,
      performers: (stepTools) =>
        performersOf({
          ...stepTools,
          host: tools.host,
          cut: (ups, deadlineMs) => this.#pollers.cutOutput(ups, deadlineMs),
          shutDown: this.#remote.shutDown,
          state: () => this.decisions.state,
        }),
      observer: {
        record: (event) => this.recorder.record(event),
        notify: (event) => this.#chronicle.notify(event),
        upsChanged: (groupId) => this.#publisher.upsChanged(groupId),
        sequenceChanged: changed,
        sequenceEnded: () => this.#endIfDue(),
        prepare: () => this.#remote.prepare(),
        stepped: () => tools.manager.alive(),
      },
    });
    const onBattery = (group: string) => isOnBattery(this.decisions.state, group);
    this.#pollers = new Pollers(this.#supervision, (group, poll) => this.#polled(group, poll), onBattery);
    for (const part of [this.#pollers, this.#remote, this.#health, this.#programs]) part.apply(configuration);
    this.#routes = requestHandlers({
      decisions: this.decisions,
      telemetry: this.#telemetry,
      knows: (group) => this.decisions.hasGroup(group),
      clock: this.#tools.clock,
      record: (event) => this.recorder.record(event),
      configuration: () => this.#configuration,
      poller: (groupId) => this.#pollers.of(groupId),
      deleteEvents: (...order) => this.#chronicle.deleteEvents(...order),
      reload: this.#tools.reload,
      testNotifications: () => this.#chronicle.testNotifications(),
      log: this.log,
    });
    this.#api = this.#supervision.start(apiSpec(configuration, directory.controlSocket, this.#routes));
    this.#mqtt = new Mqtt(configuration, { supervision: this.#supervision, publisher: this.#publisher });
    this.#readyNotice = new ReadyNotice(clock, tools.manager, this.log);
    this.#stopTicks = tools.every(tickMs, () => this.#tick());
  }

  get configuration(): Configuration {
    return this.#configuration;
  }

  /** Makes a loaded configuration the running one, without a gap in the polling of a UPS that stays. Answers whom it starts. */
  apply(configuration: Configuration): readonly string[] {
    const started = this.#supervision.startedBy(() => this.#applyToAll(configuration));
    return [...started, ...this.#pollers.returning];
  }

  #applyToAll(configuration: Configuration): void {
    this.#configuration = configuration;
    this.#guard.runAll('a reload', {
      decisions: () => this.decisions.configure(configuration),
      pollers: () => this.#pollers.apply(configuration),
      remote: () => this.#remote.apply(configuration),
      health: () => this.#health.apply(configuration),
      programs: () => this.#programs.apply(configuration),
      history: () => this.#chronicle.apply(configuration),
      telemetry: () => this.#telemetry.keep(configuration.ups.map(({ policy }) => policy.groupId)),
      api: () => this.#api.reconfigure(apiSlice(configuration, this.#tools.directory.controlSocket)),
      mqtt: () => this.#mqtt.apply(configuration),
      log: () => this.#logWorker.reconfigure(logSlice(configuration)),
      publisher: () => this.#publisher.allChanged(),
    });
  }

  /** SIGHUP is also logrotate's word for: open the file again. */
  reopenLog(): void {
    void this.#logWorker.request('file.reopen', {}, flushMs);
  }

  /** Ends the daemon: at once, or after a running sequence, which nothing may cut short. */
  terminate(signal: string): void {
    if (this.#terminating !== undefined) return;
    this.#terminating = signal;
    this.#endIfDue();
    if (!this.decisions.mayEnd)
      this.log.warning(`${signal}: a shutdown sequence runs; the daemon ends after it`);
  }

  #polled(groupId: string, poll: UpsPolled): void {
    this.#guard.runAll('a poll', {
      decisions: () => this.decisions.polled(groupId, poll),
      telemetry: () => this.#telemetry.polled(groupId, poll, this.#tools.clock.wallSeconds()),
      history: () => this.#chronicle.polled(groupId, poll, this.decisions.rowOf(groupId)),
      publisher: () => this.#publisher.upsChanged(groupId),
    });
  }

  #tick(): void {
    this.#guard.runAll('a tick', {
      supervision: () => this.#supervision.tick(),
      decisions: () => this.decisions.tick(),
      remote: () => this.#remote.tick(),
      health: () => this.#health.tick(),
      programs: () => this.#programs.tick(),
      history: () => this.#chronicle.tick(),
      readyNotice: () => this.#readyNotice.tick(this.#supervision.workers, this.#configuration.ups.length),
      end: () => this.#endIfDue(),
    });
  }

  #observeWorkers(): SupervisionObserver {
    return {
      workerReady: (name) => {
        this.#guard.runAll('a worker that is ready', {
          log: () => name === 'log' && this.#connectLog(),
          history: () => this.#chronicle.workerReady(name),
          mqtt: () => this.#mqtt.workerReady(name),
          api: () => name === 'api' && this.#publisher.model.connect(this.#publish),
          publisher: () => this.#publisher.changed(),
        });
      },
      workerLost: (name, reason, message, shortLives) => {
        this.#guard.runAll('a worker that is lost', {
          log: () => name === 'log' && this.#logQueue.disconnect(),
          history: () => this.#chronicle.workerLost(name),
          mqtt: () => this.#mqtt.workerLost(name),
          api: () => name === 'api' && this.#publisher.model.disconnect(),
          events: () => recordFailure(this.recorder, `${name}: ${reason}: ${message}`, shortLives),
          publisher: () => this.#publisher.changed(),
        });
      },
      log: (record) => this.#logQueue.push(record),
    };
  }

  readonly #publish: Publish<ModelChange> = (change, ms) => this.#api.request('model.publish', change, ms);

  #connectLog(): void {
    this.#logQueue.connect((records, dropped, deadlineMs) =>
      this.#logWorker.request('records.write', { records: [...records], dropped }, deadlineMs),
    );
  }

  #endIfDue(): void {
    if (this.#terminating === undefined || this.#ending || !this.decisions.mayEnd) return;
    this.#ending = true;
    void this.#end(this.#terminating)
      .catch((error: unknown) => this.#guard.logBug('the end of the daemon', error))
      .finally(() => this.#finish());
  }

  /** In reverse of the start; the log goes last, so that everything else can still be said. */
  async #end(signal: string): Promise<void> {
    this.#guard.run('the service manager', () => this.#tools.manager.stopping());
    this.log.info(`${signal}: ridethrough ends`);
    this.decisions.stop();
    const others = [this.#mqtt, this.#health, this.#remote, this.#pollers].flatMap(({ names }) => names);
    await this.#supervision.stopAll([this.#api.name, ...others], stopMs);
    this.#routes.ended();
    await this.#chronicle.end(signal, flushMs);
    await this.#supervision.stopAll([this.#chronicle.workerName], stopMs);
    await this.#logQueue.flush(flushMs);
    await this.#supervision.stopAll([this.#logWorker.name], stopMs);
    this.#stopTicks();
  }
}
