// The supervisor's side of remote health: performs what its machine asks for and shows what it knows. A reload and the
// end of the prober leave the states as they are; a new daemon begins with UNKNOWN, and reads which messages were sent.
// Nothing waits for it.
import { randomUUID } from 'node:crypto';
import { unreachable } from '../../shared/domain/unreachable.js';
import type { RemoteHealthRow, RemoteHealthShort } from '../../shared/domain/status-model.js';
import { linkFailure } from '../../shared/protocol/contract.js';
import type { Outcome } from '../../shared/protocol/contract.js';
import type { ProbeFinding, proberContract } from '../../shared/protocol/prober.js';
import { privilegesMs, probeCommandMs } from '../../shared/protocol/prober.js';
import type { Obstacle } from '../../shared/protocol/remote.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Instant } from '../../shared/domain/instant.js';
import type { Configuration } from '../config/configuration/configuration.js';
import type { ShutdownEngine } from '../engine/engine.js';
import type { RecordedEvent } from '../events/event-recorder.js';
import { groupsOnBattery } from '../policy/power.js';
import type { Publisher } from '../read-model/publisher.js';
import { proberSpec } from '../workers/worker-specs.js';
import type { Supervision } from '../supervision/supervision.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';
import { rowOf, shortRowsOf } from './rows.js';
import { healthSettings, proberSlice } from './settings.js';
import type { HealthEffect, HealthInput, HealthState, ProbedServer } from './state.js';
import { nothingProbed } from './state.js';
import type { FailureMemoryDependencies } from './failure-memory.js';
import { FailureMemory } from './failure-memory.js';
import { failedServers, obstacleOf, step } from './step.js';

/** Beyond all deadlines of the worker's own: a login and its parting, and the way there and back. */
const marginMs = 10_000;

export interface RemoteHealthDependencies {
  readonly supervision: Pick<Supervision, 'start'>;
  readonly storage: FailureMemoryDependencies['storage'];
  readonly clock: Clock;
  /** Which servers are left alone follows from them. */
  readonly decisions: () => Pick<ShutdownEngine, 'isSequenceRunning' | 'state'>;
  readonly record: (event: RecordedEvent) => void;
  readonly notify: (event: RecordedEvent) => void;
  readonly publisher: Pick<Publisher, 'changed' | 'upsChanged'>;
}

export class RemoteHealth {
  readonly #tools: RemoteHealthDependencies;
  /** Another text in every daemon. */
  readonly #seed = randomUUID();
  #state: HealthState = nothingProbed;
  #rows: readonly RemoteHealthRow[] = [];
  #short: ReadonlyMap<string, readonly RemoteHealthShort[]> = new Map();
  #worker: WorkerHandle<typeof proberContract> | undefined;
  readonly #memory: FailureMemory;

  constructor(tools: RemoteHealthDependencies) {
    this.#tools = tools;
    const { storage, clock } = tools;
    const recalled: FailureMemoryDependencies['recalled'] = (failed) =>
      this.#take({ kind: 'recalled', failed });
    this.#memory = new FailureMemory({ storage, clock, recalled });
  }

  /** Of the worker; none when it was never needed. */
  get names(): readonly string[] {
    return this.#worker === undefined ? [] : [this.#worker.name];
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

  /** Names of the servers that are not probed now, because of an outage or a sequence. */
  get resting(): ReadonlySet<string> {
    return new Set(this.#state.servers.flatMap(({ server, rest }) => (rest === 'none' ? [] : [server.name])));
  }

  /** The short rows of a UPS or redundancy group. */
  shown(groupId: string): readonly RemoteHealthShort[] {
    return this.#short.get(groupId) ?? [];
  }

  /** Makes a newly loaded configuration the running one. A worker that was needed once stays, idle without servers. */
  apply(configuration: Configuration): void {
    const slice = proberSlice(configuration);
    if (this.#worker !== undefined) this.#worker.reconfigure(slice);
    else if (slice.servers.length > 0)
      this.#worker = this.#tools.supervision.start(proberSpec(configuration, slice));
    const settings = healthSettings(configuration, this.#seed);
    this.#take({ kind: 'configured', at: this.#now(), settings });
    this.#show();
  }

  /** To be called every 250 ms. */
  tick(): void {
    this.#memory.keep(failedServers(this.#state));
    if (this.#worker === undefined) return;
    const { isSequenceRunning, state } = this.#tools.decisions();
    const able = this.#worker.state === 'ready';
    this.#take({
      kind: 'ticked',
      at: this.#now(),
      able,
      sequenceRuns: isSequenceRunning,
      onBattery: groupsOnBattery(state),
    });
  }

  #take(input: HealthInput): void {
    const { state, effects } = step(this.#state, input);
    const isKnown = state.servers === this.#state.servers;
    this.#state = state;
    // Before the message leaves: a daemon that ends in between must not send it again.
    if (!isKnown) this.#memory.keep(failedServers(state));
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: HealthEffect): void {
    switch (effect.kind) {
      case 'probe':
        this.#probe(effect.probe, effect.server);
        return;
      case 'recordEvent':
        this.#tools.record(effect);
        return;
      case 'notify':
        this.#tools.notify({ source: effect.source, type: effect.type, detail: effect.text });
        return;
      case 'publish':
        this.#show();
        if (effect.status) this.#tools.publisher.upsChanged(effect.group);
        else this.#tools.publisher.changed();
        return;
      default:
        unreachable(effect);
    }
  }

  #probe(probe: number, { name, connectTimeoutMs }: ProbedServer): void {
    const deadlineMs = 2 * connectTimeoutMs + probeCommandMs + privilegesMs + marginMs;
    void this.#worker?.request('probe', { server: name }, deadlineMs).then((outcome) => {
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
    const { clock } = this.#tools;
    return { monotonicMs: clock.monotonicMs(), unixSeconds: clock.wallSeconds() };
  }
}

/** Null when the prober was lost meanwhile, which says nothing of the server. */
function findingOf(outcome: Outcome<{ readonly finding: ProbeFinding }>): ProbeFinding | null {
  if (outcome.ok) return outcome.value.finding;
  if (outcome.error.code === linkFailure.gone) return null;
  return { ok: false, reason: `the probe did not end: ${outcome.error.message}`, obstacle: null };
}
