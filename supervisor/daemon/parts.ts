// Constructs the parts of a daemon, connects them, and starts the workers in order. daemon.ts runs them.
import { randomUUID } from 'node:crypto';
import type { UpsPolled } from '../../shared/protocol/poller.js';
import { ProgramWatch } from '../config/programs/program-watch.js';
import { ShutdownEngine } from '../engine/engine.js';
import { reserveFile, snapshotFile } from '../engine/snapshot-file.js';
import type { RecordedEvent } from '../events/event-recorder.js';
import { EventRecorder } from '../events/event-recorder.js';
import { recordFailure } from '../events/worker-failures.js';
import { Guard } from '../guard/guard.js';
import { processFacts } from '../host/process-facts.js';
import { openAlarms } from '../notifications/open-alarms.js';
import { isQuietAt } from '../policy/view/attention.js';
import { isOnBattery } from '../policy/decision/power.js';
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
import { HeartbeatWorker } from '../workers/heartbeat.js';
import { LogWorker } from '../workers/log.js';
import { ManagedWorkers } from '../workers/managed-workers.js';
import { MqttWorker } from '../workers/mqtt.js';
import { NotifyWorker } from '../workers/notify.js';
import { Pollers } from '../workers/poller.js';
import { ProberWorker } from '../workers/prober.js';
import { RemoteWorker } from '../workers/remote.js';
import { StorageWorker } from '../workers/storage.js';
import { Basis } from './basis.js';
import { NutRole } from './nut-role.js';
import { performersOf } from './performers.js';

/** The parts in the order in which they are made; what one calls later may stand below it. */
export class DaemonParts extends Basis {
  readonly #common = { clock: this.tools.clock, log: this.log };
  readonly #ofThisBoot = { bootId: this.tools.bootId, log: this.log };
  /** Names this run in the history and in messages. */
  readonly #run = randomUUID();
  readonly #record = (event: RecordedEvent): void => this.recorder.record(event);
  readonly #changed = (): void => this.publisher.changed();

  readonly guard = new Guard(this.log);

  readonly recorder: EventRecorder = new EventRecorder(
    this.log,
    (groupId) => this.configuration().ups.find(({ policy }) => policy.groupId === groupId)?.policy.name,
    (event) => {
      this.#storage.record(event);
      this.#notify.recorded(event);
      this.hooks.recorded(event);
    },
  );

  readonly workers = new ManagedWorkers({
    guard: this.guard,
    ...this.#common,
    launch: this.tools.launcher(this.log),
    processes: processFacts,
    changed: () => {
      this.useShortInterval();
      this.#changed();
    },
    lost: (loss, quickFailures) => recordFailure(this.recorder, loss, quickFailures),
    logged: (line) => this.logQueue.push(line),
  });
  readonly #supervision = this.workers.supervision;

  readonly telemetry = new PollStatistics();
  readonly #energy = new EnergyTotals(this.tools.clock, () => this.configuration().energy);
  readonly #batteries = new BatteryAssessments(this.configuration, this.#record);

  readonly #model = readModel({
    state: () => this.engine.state,
    configuration: this.configuration,
    sequence: () => this.engine.sequence,
    workers: () => this.#supervision.workers,
    telemetry: this.telemetry,
    energyOf: (groupId) => this.#energy.of(groupId),
    batteryOf: (groupId) => this.#batteries.of(groupId),
    selfTestOf: (groupId) => this.selfTests.of(groupId),
    nextTestOf: (groupId) => this.selfTests.nextOf(groupId),
    missingPrograms: () => this.programs.missing,
    remoteHealth: () => this.#prober,
    problemOf: (server) => this.#remote.problemOf(server),
    offCheckTrouble: () => this.#remote.pingTrouble,
    loginTrouble: () => this.pollers.loginTrouble,
    policyTrouble: () => this.engine.trouble,
    figures: () => ({
      storage: this.#storage.telemetry,
      notifications: this.#notify.telemetry,
      mqttConnected: this.#mqtt.connected,
    }),
  });
  readonly publisher = new Publisher(this.#model, this.tools);

  readonly hooks = new Hooks({
    ...this.#common,
    run: this.tools.run,
    setTimer: this.tools.setTimer,
    timers: timerFile({ ...this.#ofThisBoot, path: this.tools.directory.hookTimers }),
    user: this.tools.hookUser,
    environment: process.env,
  });

  readonly logWorker = new LogWorker(this.#supervision, this.logQueue);

  readonly #journals = new JournalFiles(this.tools.directory.journals, this.tools.bootId, this.log);

  readonly #storage: StorageWorker = new StorageWorker(this.#supervision, this.configuration(), {
    ...this.#common,
    bootId: this.tools.bootId,
    run: this.#run,
    journals: this.#journals,
    journal: () => this.engine.journal,
    isOutageOver: (group) => this.engine.isOutageOver(group),
    stored: (rows) => this.publisher.stored(rows),
    recorded: (event) => {
      this.#notify.recorded(event);
      this.hooks.recorded(event);
    },
    energyCounted: (counted) => {
      this.#energy.counted(counted);
      for (const { groupId } of counted.ups) this.publisher.upsChanged(groupId, false);
    },
    gaugesRecalled: (groupId, read) => this.engine.recalled({ kind: 'gaugesRecalled', groupId, read }),
    batteriesAssessed: (ups) => {
      this.#batteries.assessed(ups);
      for (const { groupId } of ups) {
        const estimate = this.#batteries.of(groupId)?.runtimeEstimate ?? null;
        this.engine.recalled({ kind: 'assessed', groupId, estimate });
        this.publisher.upsChanged(groupId, false);
      }
    },
  });

  readonly #notify: NotifyWorker = new NotifyWorker(this.#supervision, this.configuration(), {
    ...this.#common,
    storage: this.#storage,
    bootId: this.tools.bootId,
    run: this.#run,
    open: () => openAlarms(this.engine.state, this.#prober.rows),
  });

  readonly pollers = new Pollers(
    this.#supervision,
    (group, poll) => this.#polled(group, poll),
    (group) => isOnBattery(this.engine.state, group),
  );

  readonly selfTests: SelfTests = new SelfTests({
    ...this.#common,
    storage: this.#storage,
    engine: () => this.engine,
    poller: (groupId) => this.pollers.of(groupId),
    record: this.#record,
    changed: (groupId) => this.publisher.upsChanged(groupId),
    isBatteryCritical: (groupId) => this.#batteries.isCritical(groupId),
  });

  readonly #remote: RemoteWorker = new RemoteWorker(
    this.#supervision,
    () => this.engine.isSequenceRunning,
    this.#changed,
    (server, phase, seconds) =>
      this.#storage.serversTook([
        { server, phase, isDrill: false, at: this.tools.clock.wallSeconds(), seconds },
      ]),
  );

  readonly programs = new ProgramWatch({ ...this.#common, changed: this.#changed });

  readonly #prober: ProberWorker = new ProberWorker(this.#supervision, {
    storage: this.#storage,
    clock: this.tools.clock,
    engine: () => this.engine,
    record: this.#record,
    notify: (event) => this.#notify.notify(event),
    publisher: this.publisher,
  });

  readonly engine: ShutdownEngine = new ShutdownEngine(this.configuration(), {
    ...this.#common,
    snapshot: snapshotFile({ ...this.#ofThisBoot, path: this.tools.directory.snapshot }),
    reserve: reserveFile({ ...this.#ofThisBoot, path: this.tools.directory.reserve }),
    journals: this.#journals,
    run: this.tools.run,
    setTimer: this.tools.setTimer,
    performers: (stepTools) =>
      performersOf({
        ...stepTools,
        host: this.tools.host,
        cut: (ups, deadlineMs) => this.pollers.cutOutput(ups, deadlineMs),
        shutDown: this.#remote.shutDown,
        awaitOff: this.#remote.awaitOff,
        setFsd: (...order) => this.pollers.setFsd(...order),
        fsdNoted: (ups, state) => this.engine.forcedShutdown(ups, state),
        state: () => this.engine.state,
        loads: () => fedLoads(plansOf(this.configuration()), this.engine.journal.groups),
      }),
    observer: {
      record: this.#record,
      notify: (event) => this.#notify.notify(event),
      upsChanged: (groupId) => this.publisher.rowChanged(groupId),
      sequenceChanged: this.#changed,
      sequenceStarted: (group) => this.#remote.sequenceStarted(this.engine.planOf(group)),
      sequenceEnded: (group) => {
        this.#remote.sequenceEnded(group);
        const plan = this.engine.planOf(group);
        if (plan?.dryRun === false) this.pollers.logOut(plan.fedBy);
        this.sequenceEnded();
      },
      prepare: () => this.#remote.prepare(),
      stepped: () => this.tools.manager.alive(),
    },
  });

  /** Ends with the outage what only a sequence needs, and begins it again. */
  readonly nutRole = new NutRole({
    ...this.tools,
    log: this.log,
    configuration: this.configuration,
    pollers: this.pollers,
    engine: this.engine,
  });

  readonly #api = new ApiWorker(this.#supervision, {
    engine: this.engine,
    telemetry: this.telemetry,
    publisher: this.publisher,
    controlSocket: this.tools.directory.controlSocket,
    hasGroup: (group) => this.engine.hasGroup(group),
    clock: this.tools.clock,
    record: this.#record,
    configuration: this.configuration,
    poller: (groupId) => this.pollers.of(groupId),
    deleteEvents: (...order) => this.#storage.deleteEvents(...order),
    importHistory: (batch) => this.#storage.importHistory(batch),
    serversTook: (times) =>
      this.#storage.serversTook(times.filter(({ server }) => this.#remote.isConfigured(server))),
    requestSelfTest: (groupId) => this.selfTests.request(groupId),
    reload: this.tools.reload,
    testNotifications: () => this.#notify.test(),
    logTail: () => this.logWorker.tail(),
    log: this.log,
  });

  readonly reports = new Reports({
    ...this.#common,
    storage: this.#storage,
    api: this.#api,
    isSequenceRunning: () => this.engine.isSequenceRunning,
    areServersKnown: () => this.#prober.rows.every(({ status }) => status !== 'UNKNOWN'),
    record: (type, report) => this.#notify.recordOf(type, report),
    send: (record) => this.#notify.sendStored(record),
  });

  readonly #mqtt: MqttWorker = new MqttWorker(this.#supervision, this.publisher);
  readonly #heartbeat = new HeartbeatWorker(this.#supervision, { ...this.#common, model: this.#model });

  start(): void {
    const configuration = this.configuration();
    // First what the engine may need, last what only displays. They stop in reverse.
    this.workers.start(
      [
        this.logWorker,
        this.#storage,
        this.#notify,
        this.pollers,
        this.#remote,
        this.#prober,
        this.#api,
        this.#mqtt,
        this.#heartbeat,
      ],
      configuration,
    );
    for (const part of [this.selfTests, this.reports, this.hooks, this.programs]) part.apply(configuration);
  }

  #polled(groupId: string, poll: UpsPolled): void {
    this.guard.runAll('a poll', {
      engine: () => this.engine.polled(groupId, poll),
      telemetry: () => this.telemetry.polled(groupId, poll, this.tools.clock.wallSeconds()),
      storage: () => this.#storage.polled(groupId, poll, this.engine.rowOf(groupId)),
      selfTests: () => this.selfTests.polled(groupId, poll),
      ticks: () => {
        if (!isQuietAt(this.engine.state, groupId)) this.useShortInterval();
      },
      publisher: () => this.engine.whenCommitted(() => this.publisher.polled(groupId)),
    });
  }
}
