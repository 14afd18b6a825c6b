// The prober: performs the probes that the state machine of remote health asks for and publishes its rows. Reloads and
// crashes of the prober keep the state; a new daemon starts with UNKNOWN and reads which messages were sent. Nothing
// waits for it.
import { randomUUID } from 'node:crypto';
import { unreachable } from '../../shared/domain/base/unreachable.js';
import type { RemoteHealthRow, RemoteHealthShort } from '../../shared/domain/status/status-model.js';
import type { RemoteWork } from '../../shared/domain/actions/remote-work.js';
import { linkFailure } from '../../shared/protocol/contract.js';
import type { Outcome } from '../../shared/protocol/contract.js';
import type { ProbeFinding, ProberSettings } from '../../shared/protocol/prober.js';
import { privilegesMs, probeCommandMs, proberContract } from '../../shared/protocol/prober.js';
import type { Obstacle } from '../../shared/protocol/remote.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Instant } from '../../shared/domain/base/instant.js';
import type { Configuration } from '../config/configuration/configuration.js';
import { plansOf } from '../config/derive/plans.js';
import { sshAccessOf } from '../config/derive/ssh-access.js';
import type { ShutdownEngine } from '../engine/engine.js';
import type { RecordedEvent } from '../events/event-recorder.js';
import { groupsOnBattery } from '../policy/decision/power.js';
import type { Publisher } from '../read-model/publisher.js';
import type { FailureMemory } from '../remote-health/failure-memory.js';
import { failureMemory } from '../remote-health/failure-memory.js';
import { rowOf, shortRowsOf } from '../remote-health/machine/rows.js';
import { healthSettings } from '../remote-health/machine/settings.js';
import type { HealthEffect, HealthInput, HealthState, ProbedServer } from '../remote-health/machine/state.js';
import { nothingProbed } from '../remote-health/machine/state.js';
import { failedServers, obstacleOf, step } from '../remote-health/machine/step.js';
import type { Supervision } from '../supervision/supervision.js';
import { SingleWorker, workerSpec } from './managed-worker.js';

/** In addition to the deadlines of the worker: the login, the logout and the link. */
const marginMs = 10_000;

/** Empty while remote_health.enabled is false: no server is logged in to. */
export function proberSettings(configuration: Configuration): ProberSettings {
  const { enabled, probeCommand, checkPrivileges } = configuration.remoteHealth;
  return {
    servers: enabled ? sshAccessOf(configuration) : [],
    probeCommand,
    works: enabled && checkPrivileges ? [...worksOf(configuration).values()] : [],
  };
}

/** Everything that shutdowns do on each server, merged: a delegate has work in several phases. */
function worksOf(configuration: Configuration): ReadonlyMap<string, RemoteWork> {
  const works = new Map<string, RemoteWork>();
  const steps = plansOf(configuration).flatMap(({ phases }) => phases.flatMap((phase) => phase.steps));
  for (const { action } of steps) {
    if (action.kind !== 'remote' && action.kind !== 'poweroffDelegate') continue;
    const { work } = action;
    const before = works.get(work.server);
    const texts = new Set(before?.actions.map((one) => JSON.stringify(one)));
    const added = work.actions.filter((one) => !texts.has(JSON.stringify(one)));
    works.set(work.server, {
      ...work,
      actions: [...(before?.actions ?? []), ...added],
      final: before?.final ?? work.final,
    });
  }
  return works;
}

export interface ProberWorkerDependencies {
  readonly storage: Parameters<typeof failureMemory>[0];
  readonly clock: Clock;
  /** Decides which servers are paused. */
  readonly engine: () => Pick<ShutdownEngine, 'isSequenceRunning' | 'state'>;
  /** By the record of who was up: servers that are still shut down. */
  readonly down: () => Pick<ReadonlySet<string>, 'has'>;
  readonly record: (event: RecordedEvent) => void;
  readonly notify: (event: RecordedEvent) => void;
  readonly publisher: Pick<Publisher, 'changed' | 'upsChanged'>;
}

export class ProberWorker extends SingleWorker<typeof proberContract> {
  readonly #deps: ProberWorkerDependencies;
  /** Different in every daemon. */
  readonly #seed = randomUUID();
  #state: HealthState = nothingProbed;
  #rows: readonly RemoteHealthRow[] = [];
  #short: ReadonlyMap<string, readonly RemoteHealthShort[]> = new Map();
  readonly #memory: FailureMemory;

  constructor(supervision: Pick<Supervision, 'start'>, deps: ProberWorkerDependencies) {
    super(proberContract, supervision);
    this.#deps = deps;
    const { storage, clock } = deps;
    this.#memory = failureMemory(storage, clock, (failed) => this.#take({ kind: 'recalled', failed }));
  }

  /** The full rows of all configured servers. */
  get rows(): readonly RemoteHealthRow[] {
    return this.#rows;
  }

  /** The error of the last probe that only an operator can correct, by the name of the server. */
  get obstacles(): ReadonlyMap<string, Obstacle> {
    const found = this.#state.servers.map((one) => [one.server.name, obstacleOf(one)] as const);
    return new Map(found.flatMap(([name, obstacle]) => (obstacle === null ? [] : [[name, obstacle]])));
  }

  /** By the name of the server: why its commands could not be checked. */
  get unchecked(): ReadonlyMap<string, string> {
    const found = this.#state.servers.map(({ server, health }) => {
      return [server.name, health.kind === 'HEALTHY' ? health.unchecked : ''] as const;
    });
    return new Map(found.filter(([, why]) => why !== ''));
  }

  /** Names of the servers that are not probed now, because of an outage or a sequence. */
  get paused(): ReadonlySet<string> {
    return new Set(
      this.#state.servers.flatMap(({ server, pause }) => (pause === 'none' ? [] : [server.name])),
    );
  }

  /** The short rows of a UPS or redundancy group. */
  shown(groupId: string): readonly RemoteHealthShort[] {
    return this.#short.get(groupId) ?? [];
  }

  apply(configuration: Configuration): void {
    const settings = proberSettings(configuration);
    // Its own process, apart from the remote worker: no probe delays a shutdown.
    const hosting = { kind: 'process', user: configuration.supervisor.workerUsers.ssh } as const;
    this.configure(
      workerSpec(proberContract, { hosting, settings, onEvent: {}, asks: {} }),
      settings.servers.length > 0,
    );
    const health = healthSettings(configuration, settings, this.#seed);
    this.#take({ kind: 'configured', at: this.#now(), settings: health });
    this.#show();
  }

  tick(): void {
    this.#memory.keep(failedServers(this.#state));
    if (!this.isStarted) return;
    const { isSequenceRunning: sequenceRuns, state } = this.#deps.engine();
    const { isReady: isProberReady } = this;
    this.#take({
      kind: 'ticked',
      at: this.#now(),
      isProberReady,
      sequenceRuns,
      onBattery: groupsOnBattery(state),
      down: this.#deps.down(),
    });
  }

  #take(input: HealthInput): void {
    const { state, effects } = step(this.#state, input);
    const isKnown = state.servers === this.#state.servers;
    this.#state = state;
    // Stored before the message is sent: after a crash it must not be sent twice.
    if (!isKnown) this.#memory.keep(failedServers(state));
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: HealthEffect): void {
    switch (effect.kind) {
      case 'probe':
        this.#probe(effect.probe, effect.server);
        return;
      case 'recordEvent':
        this.#deps.record(effect);
        return;
      case 'notify':
        this.#deps.notify({ source: effect.source, type: effect.type, detail: effect.text });
        return;
      case 'publish':
        this.#show();
        if (effect.status) this.#deps.publisher.upsChanged(effect.group);
        else this.#deps.publisher.changed();
        return;
      default:
        unreachable(effect);
    }
  }

  #probe(probe: number, { name, connectTimeoutMs }: ProbedServer): void {
    const deadlineMs = 2 * connectTimeoutMs + probeCommandMs + privilegesMs + marginMs;
    void this.request('probe', { server: name }, deadlineMs).then((outcome) => {
      const finding = findingOf(outcome);
      const at = this.#now();
      this.#take(
        finding === null ? { kind: 'interrupted', at, probe } : { kind: 'probed', at, probe, finding },
      );
    });
  }

  #show(): void {
    this.#rows = this.#state.servers.map(rowOf);
    this.#short = shortRowsOf(this.#state);
  }

  #now(): Instant {
    const { clock } = this.#deps;
    return { monotonicMs: clock.monotonicMs(), unixSeconds: clock.wallSeconds() };
  }
}

/** Null when the prober was lost: not a result for the server. */
function findingOf(outcome: Outcome<{ readonly finding: ProbeFinding }>): ProbeFinding | null {
  if (outcome.ok) return outcome.value.finding;
  if (outcome.error.code === linkFailure.gone) return null;
  const reason = `the probe did not end: ${outcome.error.message}`;
  return { ok: false, reason, obstacle: null, ownNetwork: false };
}
