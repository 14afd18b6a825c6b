// Constructs the parts of a daemon, connects them, and starts the workers in order. daemon.ts runs them.
import { randomUUID } from 'node:crypto';
import type { UpsPolled } from '../../shared/protocol/poller.js';
import { loggerTo } from '../../shared/runtime/log.js';
import type { Configuration } from '../config/configuration/configuration.js';
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
import { PeriodicReports } from '../reports/reports.js';
import { SelfTests } from '../self-tests/self-tests.js';
import { ApiWorker } from '../workers/api.js';
import { HeartbeatWorker } from '../workers/heartbeat.js';
import { LogQueue } from '../workers/log-queue.js';
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
import { RecoveryPart } from './recovery-part.js';
import { logStartup } from './startup-log.js';

/**
 * The parts in the order in which they are made; what one calls later may stand below it. `sequenceEnded` is a listener;
 * `useShortInterval` is called when something is under way that a tick has to end.
 */
export function daemonParts(
  configuration: () => Configuration,
  deps: DaemonEnvironment,
  sequenceEnded: () => void,
  useShortInterval: () => void,
) {
  const { clock, directory, bootId, setTimer, host } = deps;
  const logQueue = new LogQueue();
  const log = loggerTo('supervisor', clock, (record) => logQueue.push(record));
  logStartup(log, configuration(), [directory.warning, hostWarning(host, configuration())]);

  const common = { clock, log };
  const ofThisBoot = { bootId, log };
  /** Names this run in the history and in messages. */
  const run = randomUUID();
  const record = (event: RecordedEvent): void => recorder.record(event);
  const changed = (): void => publisher.changed();
  const guard = new Guard(log);

  const recorder = new EventRecorder(
    log,
    (groupId) => configuration().ups.find(({ policy }) => policy.groupId === groupId)?.policy.name,
    (event) => {
      storage.record(event);
      sendOn(event);
    },
  );
  const sendOn = (event: RecordedEvent): void => {
    for (const part of [notify, hooks]) part.recorded(event);
  };

  const workers = new ManagedWorkers({
    guard,
    ...common,
    launch: deps.launcher(log),
    processes: processFacts,
    changed: () => {
      useShortInterval();
      changed();
    },
    lost: (loss, quickFailures) => recordFailure(recorder, loss, quickFailures),
    logged: (line) => logQueue.push(line),
  });
  const { supervision } = workers;
  const telemetry = new PollStatistics();
  const energy = new EnergyTotals(clock, () => configuration().energy);
  const batteries = new BatteryAssessments(configuration, record);

  const model = readModel({
    state: () => engine.state,
    configuration,
    sequence: () => engine.sequence,
    workers: () => supervision.workers,
    telemetry,
    energyOf: (groupId) => energy.of(groupId),
    batteryOf: (groupId) => batteries.of(groupId),
    selfTestOf: (groupId) => selfTests.of(groupId),
    nextTestOf: (groupId) => selfTests.nextOf(groupId),
    missingPrograms: () => programs.missing,
    remoteHealth: () => prober,
    recovery: () => recovery,
    problemOf: (server) => remote.problemOf(server),
    offCheckTrouble: () => remote.pingTrouble,
    loginTrouble: () => pollers.loginTrouble,
    policyTrouble: () => engine.trouble,
    figures: () => ({
      storage: storage.telemetry,
      notifications: notify.telemetry,
      mqttConnected: mqtt.connected,
    }),
  });
  const publisher = new Publisher(model, deps);

  const hooks = new Hooks({
    ...common,
    run: deps.run,
    setTimer,
    timers: timerFile({ ...ofThisBoot, path: directory.hookTimers }),
    user: deps.hookUser,
    environment: process.env,
  });

  const logWorker = new LogWorker(supervision, logQueue);
  const journals = new JournalFiles(directory.journals, bootId, log);

  const storage = new StorageWorker(supervision, configuration(), {
    ...{ ...common, bootId, run, journals, recorded: sendOn },
    journal: () => engine.journal,
    isOutageOver: (group) => engine.isOutageOver(group),
    stored: (rows) => publisher.stored(rows),
    energyCounted: (counted) => {
      energy.counted(counted);
      for (const { groupId } of counted.ups) publisher.upsChanged(groupId, false);
    },
    gaugesRecalled: (groupId, read) => engine.recalled({ kind: 'gaugesRecalled', groupId, read }),
    batteriesAssessed: (ups) => {
      batteries.assessed(ups);
      for (const { groupId } of ups) {
        const estimate = batteries.of(groupId)?.runtimeEstimate ?? null;
        engine.recalled({ kind: 'assessed', groupId, estimate });
        publisher.upsChanged(groupId, false);
      }
    },
  });

  const notify = new NotifyWorker(supervision, configuration(), {
    ...{ ...common, storage, bootId, run },
    open: () => openAlarms(engine.state, prober.rows),
  });

  const pollers = new Pollers(
    supervision,
    (group, poll) => polled(group, poll),
    (group) => isOnBattery(engine.state, group),
  );

  const selfTests = new SelfTests({
    ...common,
    storage,
    engine: () => engine,
    poller: (groupId) => pollers.of(groupId),
    record,
    changed: (groupId) => publisher.upsChanged(groupId),
    isBatteryCritical: (groupId) => batteries.isCritical(groupId),
  });

  const remote = new RemoteWorker(
    supervision,
    () => engine.isSequenceRunning,
    changed,
    (server, phase, seconds) =>
      storage.serversTook([{ server, phase, isDrill: false, at: clock.wallSeconds(), seconds }]),
  );

  const programs = new ProgramWatch({ ...common, changed });

  const prober = new ProberWorker(supervision, {
    ...{ storage, clock, record, publisher },
    engine: () => engine,
    down: () => recovery.down,
    notify: (event) => notify.notify(event),
  });

  const ofRecovery = {
    ...{ ...deps, log, guard, configuration, remote, record, changed, telemetry, engine: () => engine },
  };
  const recovery = new RecoveryPart(supervision, ofRecovery);

  const engine = new ShutdownEngine(configuration(), {
    ...common,
    snapshot: snapshotFile({ ...ofThisBoot, path: directory.snapshot }),
    reserve: reserveFile({ ...ofThisBoot, path: directory.reserve }),
    ...{ journals, restarts: recovery.restarts },
    run: deps.run,
    setTimer,
    performers: (stepTools) =>
      performersOf({
        ...stepTools,
        host,
        cut: (ups, deadlineMs) => pollers.cutOutput(ups, deadlineMs),
        shutDown: remote.shutDown,
        awaitOff: remote.awaitOff,
        recordOnDisk: recovery,
        setFsd: (...order) => pollers.setFsd(...order),
        fsdNoted: (ups, state) => engine.forcedShutdown(ups, state),
        state: () => engine.state,
        loads: () => fedLoads(plansOf(configuration()), engine.journal.groups),
      }),
    observer: {
      record,
      notify: (event) => notify.notify(event),
      upsChanged: (groupId) => publisher.rowChanged(groupId),
      sequenceChanged: changed,
      sequenceStarted: (group) => {
        remote.sequenceStarted(engine.planOf(group));
        recovery.soon();
      },
      sequenceEnded: (group) => {
        remote.sequenceEnded(group);
        recovery.soon();
        const plan = engine.planOf(group);
        if (plan?.dryRun === false) pollers.logOut(plan.fedBy);
        sequenceEnded();
      },
      prepare: () => remote.prepare(),
      stepped: () => deps.manager.alive(),
    },
  });

  /** Ends with the outage what only a sequence needs, and begins it again. */
  const nutRole = new NutRole({ ...deps, log, configuration, pollers, engine });

  const api = new ApiWorker(supervision, {
    engine,
    telemetry,
    publisher,
    controlSocket: directory.controlSocket,
    hasGroup: (group) => engine.hasGroup(group),
    clock,
    record,
    configuration,
    poller: (groupId) => pollers.of(groupId),
    deleteEvents: (...order) => storage.deleteEvents(...order),
    importHistory: (batch) => storage.importHistory(batch),
    serversTook: (times) => storage.serversTook(times.filter(({ server }) => remote.isConfigured(server))),
    requestSelfTest: (groupId) => selfTests.request(groupId),
    reload: deps.reload,
    testNotifications: () => notify.test(),
    ...{ log, logTail: () => logWorker.tail(), recoveryCheck: () => recovery.check },
  });

  const reports = new PeriodicReports({
    ...common,
    storage,
    api,
    isSequenceRunning: () => engine.isSequenceRunning,
    areServersKnown: () => prober.rows.every(({ status }) => status !== 'UNKNOWN'),
    record: (type, report) => notify.recordOf(type, report),
    send: (record) => notify.sendStored(record),
  });

  const mqtt = new MqttWorker(supervision, publisher);
  const heartbeat = new HeartbeatWorker(supervision, { ...common, model });

  function start(): void {
    const current = configuration();
    // First what the engine may need, last what only displays. They stop in reverse.
    const last = [recovery.worker, api, mqtt, heartbeat];
    workers.start([logWorker, storage, notify, pollers, remote, prober, ...last], current);
    for (const part of [selfTests, reports, hooks, programs, recovery]) part.apply(current);
  }

  function polled(groupId: string, poll: UpsPolled): void {
    guard.runAll('a poll', {
      engine: () => engine.polled(groupId, poll),
      telemetry: () => telemetry.polled(groupId, poll, clock.wallSeconds()),
      storage: () => storage.polled(groupId, poll, engine.rowOf(groupId)),
      selfTests: () => selfTests.polled(groupId, poll),
      ticks: () => {
        if (!isQuietAt(engine.state, groupId)) useShortInterval();
      },
      publisher: () => engine.whenCommitted(() => publisher.polled(groupId)),
    });
  }

  return {
    ...{ start, log, guard, recorder, workers, telemetry, publisher, hooks, logWorker, pollers },
    ...{ selfTests, programs, engine, nutRole, reports, recovery },
  };
}
export type DaemonParts = ReturnType<typeof daemonParts>;
