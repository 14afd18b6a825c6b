// The record of who was up, of this daemon: what it looks at, where the record lies, what the API shows of it.
import { createHash } from 'node:crypto';
import type { RecordedGuest } from '../../shared/domain/recovery/guest.js';
import type { RecoveryCheck } from '../../shared/domain/recovery/recovery-check.js';
import type { RecoveryStatus } from '../../shared/domain/recovery/recovery-status.js';
import { maxRecordBytes } from '../../shared/domain/recovery/record.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Configuration } from '../config/configuration/configuration.js';
import { waysBackOf } from '../config/derive/way-back.js';
import type { ShutdownEngine } from '../engine/engine.js';
import type { RecordedEvent } from '../events/event-recorder.js';
import type { Guard } from '../guard/guard.js';
import { BootFile } from '../host/boot-file.js';
import { groupsOnBattery } from '../policy/decision/power.js';
import { serversDown } from '../recovery/down.js';
import type { Identity } from '../recovery/group-record.js';
import { targetsOf } from '../recovery/group-record.js';
import type { Answer } from '../recovery/before.js';
import { DrillFile } from '../recovery/drill-file.js';
import { KeptCheck } from '../recovery/kept-check.js';
import { Looks } from '../recovery/looks.js';
import type { PollStatistics } from '../read-model/poll-statistics.js';
import { knownServers, recordedGroups } from '../recovery/recorded-groups.js';
import { Recovery } from '../recovery/recovery.js';
import { Requests } from '../recovery/requests.js';
import { recoveryStatus } from '../recovery/status.js';
import type { Look } from '../recovery/target-record.js';
import type { Supervision } from '../supervision/supervision.js';
import { RecorderWorker } from '../workers/recorder.js';
import type { RemoteWorker } from '../workers/remote.js';
import type { DaemonEnvironment } from './environment.js';
import { GuestsPart } from './guests-part.js';
import { RestartPart } from './restart-part.js';

export interface RecoveryPartDependencies extends Pick<
  DaemonEnvironment,
  'clock' | 'directory' | 'bootId' | 'machineId' | 'configFile' | 'run' | 'setTimer' | 'host'
> {
  readonly log: Logger;
  readonly guard: Guard;
  readonly configuration: () => Configuration;
  readonly engine: () => Pick<ShutdownEngine, 'state' | 'journal' | 'rowOf' | 'trouble'>;
  readonly remote: Pick<RemoteWorker, 'look' | 'lookAtGuests' | 'startGuests' | 'endGuests'>;
  readonly record: (event: RecordedEvent) => void;
  readonly telemetry: Pick<PollStatistics, 'variables'>;
  readonly changed: () => void;
}

/** 1,100 groups of servers, most of them small. */
const maxCopyBytes = 64 * maxRecordBytes;

const none: ReadonlySet<string> = new Set();
const noneDown: ReadonlyMap<string, string> = new Map();
const noLook: Look = { before: 'unknown', answers: null, unixSeconds: null };

export class RecoveryPart {
  readonly #deps: RecoveryPartDependencies;
  readonly worker: RecorderWorker;
  readonly #looks: Looks;
  readonly #guests: GuestsPart;
  readonly restarts: RestartPart;
  #recovery: Recovery | undefined;
  readonly #check: KeptCheck;
  readonly #requests: Requests;
  #configHash = '';
  /** Groups, at the last tick. */
  #onBattery: ReadonlySet<string> = none;
  #down: { readonly about: readonly unknown[]; readonly servers: ReadonlyMap<string, string> } = {
    about: [null],
    servers: noneDown,
  };
  /** Servers with stopped guests, at the last choice of what is looked at. */
  #waiting: ReadonlyMap<string, string> = new Map();
  #shown: { readonly about: readonly unknown[]; readonly status: RecoveryStatus } = {
    about: [null],
    status: { state: 'off', reason: '', targets: [] },
  };

  constructor(supervision: Pick<Supervision, 'start'>, deps: RecoveryPartDependencies) {
    this.#deps = deps;
    this.worker = new RecorderWorker(supervision, deps);
    this.#guests = new GuestsPart({
      ...deps,
      records: () => this.#recovery?.records ?? new Map(),
      answers: (server) => this.#lookAt(server).answers,
      soon: () => this.soon(),
    });
    const isInOutage = (group: string): boolean => this.#isInOutage(group);
    this.restarts = new RestartPart({ ...deps, isInOutage, recovery: () => this.#recovery });
    this.#check = new KeptCheck({
      ...{ clock: deps.clock, configuration: deps.configuration, recovery: () => this.#recovery },
      drills: new DrillFile({ path: deps.directory.drills, bootId: deps.bootId, log: deps.log }),
      variablesOf: (ups) => deps.telemetry.variables(ups),
    });
    this.#requests = new Requests({
      ...{ path: deps.directory.requests, bootId: deps.bootId, clock: deps.clock, log: deps.log },
      knows: (server) => knownServers(deps.configuration()).some(({ name }) => name === server),
      record: (servers) => this.#recovery?.shutDownByHand(servers),
      begun: (machines) => this.#recovery?.shutdownBegins(machines),
    });
    this.#looks = new Looks({
      ...{ clock: deps.clock, guard: deps.guard },
      // Also the begin of an outage: a weak battery may give no second.
      changed: () => {
        this.soon();
        deps.changed();
      },
      request: (servers, withinMs) => deps.remote.look(servers, withinMs),
      isInOutage,
      isOpen: (group) => this.#isOpen(group),
      recordedAnswer: (server, group) => this.#recordedAnswer(server, group),
    });
  }

  /** Its copy of this boot is read when it is first enabled. */
  apply(configuration: Configuration): void {
    const { recovery } = configuration;
    this.#configHash = createHash('sha256').update(JSON.stringify(configuration.settings)).digest('hex');
    if (recovery.enabled) this.#recovery ??= this.#begin();
    this.#configureLooks();
  }

  /** While recovery is off: servers with guests that a shutdown has stopped, to know when they are up. */
  #configureLooks(): void {
    this.#waiting = this.#guests.ofServers;
    const servers = knownServers(this.#deps.configuration()).filter(
      // Of the others nothing is known, whatever a look has found before a reload.
      ({ name, isLookedAt }) => isLookedAt && (this.#isEnabled || this.#waiting.has(name)),
    );
    this.#looks.configure(servers);
  }

  /** A sequence has begun or ended. */
  soon(): void {
    this.#recovery?.soon();
  }

  /** What is known now is handed over. */
  update(): void {
    if (this.#isEnabled) this.#recovery?.update();
  }

  async untilSynced(): Promise<void> {
    if (this.#isEnabled) await this.#recovery?.untilSynced();
  }

  end(): void {
    this.#guests.end();
  }

  tick(): void {
    this.#guests.tick();
    if (!this.#isEnabled && this.#waiting !== this.#guests.ofServers) this.#configureLooks();
    if (!this.#isEnabled && this.#waiting.size === 0) return;
    this.#onBattery = groupsOnBattery(this.#deps.engine().state);
    this.#looks.tick();
    if (!this.#isEnabled) return;
    this.#recovery?.tick();
    if (this.#recovery?.isRecalled === true)
      this.#deps.guard.run('what was shut down by hand', () => this.#requests.tick());
  }

  /** The model is published ten times a second, and this changes seldom. */
  get status(): RecoveryStatus {
    const about = [
      this.#deps.configuration(),
      this.#looks.states,
      this.#recovery?.records,
      this.#recovery?.trouble,
      this.#guests.ofHost,
      this.#guests.ofServers,
    ];
    if (about.some((part, place) => part !== this.#shown.about[place]))
      this.#shown = { about, status: this.#statusNow() };
    return this.#shown.status;
  }

  #statusNow(): RecoveryStatus {
    const recovery = this.#recovery;
    return recoveryStatus({
      isEnabled: this.#isEnabled,
      trouble: recovery?.trouble ?? '',
      guests: this.#guests.ofHost,
      guestsOf: (server) => this.#guests.ofServers.get(server) ?? '',
      servers: knownServers(this.#deps.configuration()),
      ways: waysBackOf(this.#deps.configuration()),
      recordOf: (group, name) => targetsOf(recovery?.records.get(group)).get(name),
      lookAt: (server) => this.#lookAt(server),
    });
  }

  /** What was stopped on this host or a server and does not run; empty for nothing. */
  get guestsOff(): string {
    return this.#guests.notice;
  }

  get check(): RecoveryCheck {
    return this.#check.check;
  }

  /** By the id of a detail of /ready: why a machine may not come back. */
  get wayBack(): ReadonlyMap<string, string> {
    return this.#check.reasons;
  }

  /** The same object while nothing changes: it is asked for ten times a second, and at each tick. */
  get down(): ReadonlyMap<string, string> {
    if (!this.#isEnabled || this.#recovery === undefined) return noneDown;
    const about = [this.#deps.configuration(), this.#recovery.records] as const;
    if (about.some((part, place) => part !== this.#down.about[place])) {
      const [configuration, records] = about;
      this.#down = { about, servers: serversDown(knownServers(configuration), records) };
    }
    return this.#down.servers;
  }

  get #isEnabled(): boolean {
    return this.#deps.configuration().recovery.enabled;
  }

  #begin(): Recovery {
    const { clock, log, directory, bootId } = this.#deps;
    const file = new BootFile({
      ...{ path: directory.recovery, bootId, log, field: 'recovery', maxBytes: maxCopyBytes },
      words: {
        name: 'record of who was up',
        unread: 'what is on the disk is read in its place',
        unwritten: 'a restart of the daemon would forget who was up',
      },
    });
    return new Recovery({
      ...{ clock, log, file, recorder: this.worker },
      identity: () => this.#identity(),
      facts: () => this.#facts(),
    });
  }

  #identity(): Identity {
    const { machineId, configFile, bootId } = this.#deps;
    return { machineId, configFile, bootId, configHash: this.#configHash };
  }

  #facts() {
    const { engine, clock } = this.#deps;
    const { state, journal } = engine();
    this.#onBattery = groupsOnBattery(state);
    return recordedGroups(this.#deps.configuration())
      .filter(({ servers, feedsHost }) => servers.length > 0 || feedsHost)
      .map(({ group, feedsHost, servers }) => ({
        ...{ group, feedsHost, onBattery: this.#onBattery.has(group), powerOff: journal.powerOff },
        servers: servers.map(({ name, haltTimeoutSeconds, offCheck }) => ({
          ...{ name, isLookedAt: offCheck !== 'none' },
          haltTimeoutMs: haltTimeoutSeconds * 1000,
        })),
        sequence: journal.of(group),
        lookAt: (server: string) => this.#lookAt(server),
        isOutputOff: (ups: string) => this.#isOutputOff(ups),
        nowMs: clock.monotonicMs(),
        guestEnd: (server: string | null, guest: RecordedGuest) => this.#guests.endOf(server, guest),
        nowUnixSeconds: clock.wallSeconds(),
        isSettled: feedsHost && this.restarts.followLinePower(group),
      }));
  }

  #lookAt(server: string): Look {
    const known = this.#looks.states.get(server);
    if (known === undefined) return noLook;
    const { answer, outage, silence } = known;
    const { before, at } = outage === null || outage.stage === 'over' ? answer : outage.answer;
    const answers = answer.before === 'up' ? true : silence === null ? null : false;
    return { before, answers, unixSeconds: at?.unixSeconds ?? null };
  }

  /** Of a machine that is still to be brought back, or of an outage that a restart of the daemon has not ended. */
  #recordedAnswer(server: string, group: string): Answer | null {
    const record = this.#recovery?.records.get(group);
    const known = targetsOf(record).get(server);
    if (record === undefined || known === undefined) return null;
    if (!record.inOutage && known.command === 'none') return null;
    return { before: known.before, at: instantOf(known.lookedUnixSeconds) };
  }

  #isInOutage(group: string): boolean {
    return this.#onBattery.has(group) || this.#isOpen(group);
  }

  #isOpen(group: string): boolean {
    return this.#deps.engine().journal.of(group)?.over === null;
  }

  #isOutputOff(ups: string): boolean {
    const row = this.#deps.engine().rowOf(ups);
    const volts = row?.powerQuality.outputVoltage ?? '';
    return row?.status.split(' ').includes('OFF') === true || (volts !== '' && Number(volts) === 0);
  }
}

/** Of another boot its monotonic time says nothing. */
const instantOf = (unixSeconds: number | null): Answer['at'] =>
  unixSeconds === null ? null : { monotonicMs: 0, unixSeconds };
