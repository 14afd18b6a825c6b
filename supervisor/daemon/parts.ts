// Constructs the parts of a daemon, connects them, and starts the workers in order. daemon.ts runs them.
import { randomUUID } from 'node:crypto';
import type { Logger } from '../../shared/runtime/log.js';
import { loggerTo } from '../../shared/runtime/log.js';
import type { UpsPolled } from '../../shared/protocol/poller.js';
import type { Configuration } from '../config/configuration/configuration.js';
import { ProgramWatch } from '../config/programs/program-watch.js';
import { ShutdownEngine } from '../engine/engine.js';
import { snapshotFile } from '../engine/snapshot-file.js';
import type { RecordedEvent } from '../events/event-recorder.js';
import { EventRecorder } from '../events/event-recorder.js';
import { recordFailure } from '../events/worker-failures.js';
import { Guard } from '../guard/guard.js';
import { processFacts } from '../host/process-facts.js';
import { openAlarms } from '../notifications/open-alarms.js';
import { isQuietAt } from '../policy/attention.js';
import { isOnBattery } from '../policy/power.js';
import { BatteryAssessments } from '../read-model/battery-assessments.js';
import { EnergyTotals } from '../read-model/energy-totals.js';
import { PollStatistics } from '../read-model/poll-statistics.js';
import { Publisher } from '../read-model/publisher.js';
import { readModel } from '../read-model/read-model.js';
import { plansOf } from '../config/derive/plans.js';
import { fedLoads } from '../sequence/fed-loads.js';
import { JournalFiles } from '../sequence/journal/journal.js';
import { Hooks } from '../hooks/hooks.js';
import { timerFile } from '../hooks/timer-file.js';
import { Reports } from '../reports/reports.js';
import { SelfTests } from '../self-tests/self-tests.js';
import { ApiWorker } from '../workers/api.js';
import { LogQueue } from '../workers/log-queue.js';
import { HeartbeatWorker } from '../workers/heartbeat.js';
import { LogWorker } from '../workers/log.js';
import { ManagedWorkers } from '../workers/managed-workers.js';
import { MqttWorker } from '../workers/mqtt.js';
import { NotifyWorker } from '../workers/notify.js';
import { Pollers } from '../workers/poller.js';
import { ProberWorker } from '../workers/prober.js';
import { RemoteWorker } from '../workers/remote.js';
import { StorageWorker } from '../workers/storage.js';
import type { DaemonEnvironment } from './environment.js';
import { NutRole } from './nut-role.js';
import { hostWarning, performersOf } from './performers.js';
import { logStartup } from './startup-log.js';

export class DaemonParts {
  readonly log: Logger;
  readonly guard: Guard;
  readonly recorder: EventRecorder;
  readonly publisher: Publisher;
  readonly engine: ShutdownEngine;
  readonly programs: ProgramWatch;
  readonly telemetry = new PollStatistics();
  readonly workers: ManagedWorkers;
  readonly logWorker: LogWorker;
  readonly pollers: Pollers;
  readonly selfTests: SelfTests;
  readonly reports: Reports;
  readonly hooks: Hooks;
  /** Ends with the outage what only a sequence needs, and begins it again. */
  readonly nutRole: NutRole;
  readonly #storage: StorageWorker;
  readonly #clock: DaemonEnvironment['clock'];
  readonly #useShortInterval: () => void;

  /**
   * Starts the workers. `configuration` is the running one, `sequenceEnded` a listener; `useShortInterval` is called when something is
   * under way that a tick has to end.
   */
  constructor(
    configuration: () => Configuration,
    tools: DaemonEnvironment,
    sequenceEnded: () => void,
    useShortInterval: () => void,
  ) {
    const { clock, bootId, directory } = tools;
    const logQueue = new LogQueue();
    const log = loggerTo('supervisor', clock, (record) => logQueue.push(record));
    logStartup(log, configuration(), [directory.warning, hostWarning(tools.host, configuration())]);
    const record = (event: RecordedEvent) => this.recorder.record(event);
    const changed = () => this.publisher.changed();
    this.log = log;
    this.#clock = clock;
    this.#useShortInterval = useShortInterval;
    this.guard = new Guard(log);
    this.recorder = new EventRecorder(
      log,
      (groupId) => configuration().ups.find(({ policy }) => policy.groupId === groupId)?.policy.name,
      (event) => {
        storage.record(event);
        notify.recorded(event);
        this.hooks.recorded(event);
      },
    );
    this.workers = new ManagedWorkers({
      guard: this.guard,
      clock,
      log,
      launch: tools.launcher(log),
      processes: processFacts,
      changed: () => {
        useShortInterval();
        changed();
      },
      lost: (loss, quickFailures) => recordFailure(this.recorder, loss, quickFailures),
      logged: (line) => logQueue.push(line),
    });
    const { supervision } = this.workers;
    const energy = new EnergyTotals(() => configuration().energy);
    const batteries = new BatteryAssessments(configuration, record);
    const model = readModel({
      state: () => this.engine.state,
      configuration,
      sequence: () => this.engine.sequence,
      workers: () => supervision.workers,
      telemetry: this.telemetry,
      energyOf: (groupId) => energy.of(groupId),
      batteryOf: (groupId) => batteries.of(groupId),
      selfTestOf: (groupId) => this.selfTests.of(groupId),
      nextTestOf: (groupId) => this.selfTests.nextOf(groupId),
      missingPrograms: () => this.programs.missing,
      remoteHealth: () => prober,
      problemOf: (server) => remote.problemOf(server),
      offCheckTrouble: () => remote.pingTrouble,
      loginTrouble: () => this.pollers.loginTrouble,
      figures: () => ({
        storage: storage.telemetry,
        notifications: notify.telemetry,
        mqttConnected: mqtt.connected,
      }),
    });
    this.publisher = new Publisher(model, tools);
    this.hooks = new Hooks({
      clock,
      log,
      run: tools.run,
      setTimer: tools.setTimer,
      timers: timerFile({ path: directory.hookTimers, bootId, log }),
      user: tools.hookUser,
      environment: process.env,
    });
    const run = randomUUID();
    this.logWorker = new LogWorker(supervision, logQueue);
    const journals = new JournalFiles(directory.journals, bootId, log);
    const storage = new StorageWorker(supervision, configuration(), {
      clock,
      log,
      bootId,
      run,
      journals,
      journal: () => this.engine.journal,
      isOutageOver: (group) => this.engine.isOutageOver(group),
      stored: (rows) => this.publisher.stored(rows),
      begun: (event) => {
        notify.recorded(event);
        this.hooks.recorded(event);
      },
      energyCounted: (counted) => {
        energy.counted(counted);
        for (const { groupId } of counted.ups) this.publisher.upsChanged(groupId, false);
      },
      batteriesAssessed: (ups) => {
        batteries.assessed(ups);
        for (const { groupId } of ups) {
          this.engine.assessed(groupId, batteries.of(groupId)?.runtimeEstimate ?? null);
          this.publisher.upsChanged(groupId, false);
        }
      },
    });
    this.#storage = storage;
    const notify = new NotifyWorker(supervision, configuration(), {
      storage,
      clock,
      log,
      run,
      open: () => openAlarms(this.engine.state, prober.rows),
    });
    const onBattery = (group: string) => isOnBattery(this.engine.state, group);
    this.pollers = new Pollers(supervision, (group, poll) => this.#polled(group, poll), onBattery);
    this.selfTests = new SelfTests({
      clock,
      log,
      storage,
      engine: () => this.engine,
      poller: (groupId) => this.pollers.of(groupId),
      record,
      changed: (groupId) => this.publisher.upsChanged(groupId),
      isBatteryCritical: (groupId) => batteries.isCritical(groupId),
    });
    const remote = new RemoteWorker(
      supervision,
      () => this.engine.isSequenceRunning,
      changed,
      (server, phase, seconds) =>
        storage.serversTook([{ server, phase, isDrill: false, at: clock.wallSeconds(), seconds }]),
    );
    this.programs = new ProgramWatch({ clock, log, changed });
    const prober = new ProberWorker(supervision, {
      storage,
      clock,
      engine: () => this.engine,
      record,
      notify: (event) => notify.notify(event),
      publisher: this.publisher,
    });
    this.engine = new ShutdownEngine(configuration(), {
      clock,
      log,
      snapshot: snapshotFile({ path: directory.snapshot, bootId, log }),
      journals,
      run: tools.run,
      setTimer: tools.setTimer,
      performers: (stepTools) =>
        performersOf({
          ...stepTools,
          host: tools.host,
          cut: (ups, deadlineMs) => this.pollers.cutOutput(ups, deadlineMs),
          shutDown: remote.shutDown,
          awaitOff: remote.awaitOff,
          setFsd: (...order) => this.pollers.setFsd(...order),
          fsdNoted: (ups, state) => this.engine.forcedShutdown(ups, state),
          state: () => this.engine.state,
          loads: () => fedLoads(plansOf(configuration()), this.engine.journal.groups),
        }),
      observer: {
        record,
        notify: (event) => notify.notify(event),
        upsChanged: (groupId) => this.publisher.rowChanged(groupId),
        sequenceChanged: changed,
        sequenceStarted: (group) => remote.sequenceStarted(this.engine.planOf(group)),
        sequenceEnded: (group) => {
          remote.sequenceEnded(group);
          const plan = this.engine.planOf(group);
          if (plan?.dryRun === false) this.pollers.logOut(plan.fedBy);
          sequenceEnded();
        },
        prepare: () => remote.prepare(),
        stepped: () => tools.manager.alive(),
      },
    });
    this.nutRole = new NutRole({
      ...tools,
      log,
      configuration,
      pollers: this.pollers,
      engine: this.engine,
    });
    const api = new ApiWorker(supervision, {
      engine: this.engine,
      telemetry: this.telemetry,
      publisher: this.publisher,
      controlSocket: directory.controlSocket,
      hasGroup: (group) => this.engine.hasGroup(group),
      clock,
      record,
      configuration,
      poller: (groupId) => this.pollers.of(groupId),
      deleteEvents: (...order) => storage.deleteEvents(...order),
      importHistory: (batch) => storage.importHistory(batch),
      serversTook: (times) => storage.serversTook(times.filter(({ server }) => remote.isConfigured(server))),
      requestSelfTest: (groupId) => this.selfTests.request(groupId),
      reload: tools.reload,
      testNotifications: () => notify.test(),
      logTail: () => this.logWorker.tail(),
      log,
    });
    this.reports = new Reports({
      clock,
      log,
      storage,
      api,
      isSequenceRunning: () => this.engine.isSequenceRunning,
      record: (type, report) => notify.recordOf(type, report),
      send: (record) => notify.sendStored(record),
    });
    const mqtt = new MqttWorker(supervision, this.publisher);
    const heartbeat = new HeartbeatWorker(supervision, { clock, log, model });
    // First what the engine may need, last what only displays. They stop in reverse.
    const all = [this.logWorker, storage, notify, this.pollers, remote, prober, api, mqtt, heartbeat];
    this.workers.start(all, configuration());
    this.selfTests.apply(configuration());
    this.reports.apply(configuration());
    this.hooks.apply(configuration());
    this.programs.apply(configuration());
  }

  #polled(groupId: string, poll: UpsPolled): void {
    this.guard.runAll('a poll', {
      engine: () => this.engine.polled(groupId, poll),
      telemetry: () => this.telemetry.polled(groupId, poll, this.#clock.wallSeconds()),
      storage: () => this.#storage.polled(groupId, poll, this.engine.rowOf(groupId)),
      selfTests: () => this.selfTests.polled(groupId, poll),
      ticks: () => {
        if (!isQuietAt(this.engine.state, groupId)) this.#useShortInterval();
      },
      publisher: () => this.engine.whenCommitted(() => this.publisher.polled(groupId)),
    });
  }
}
