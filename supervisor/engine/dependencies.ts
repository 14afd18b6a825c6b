// The dependencies of the engine, and its observer. Types only.
import type { Instant } from '../../shared/domain/base/instant.js';
import type { RecordedEvent } from '../events/event-recorder.js';
import type { Guard } from '../guard/guard.js';
import type { Input } from '../policy/base/inputs.js';
import type { SequencerDependencies } from '../sequence/dependencies.js';
import type { JournalStore } from '../sequence/journal/journal.js';
import type { OpenSequence } from '../sequence/open-sequences.js';
import type { EventHoldDependencies } from './event-hold.js';
import type { Followed } from './reserve-watch.js';
import type { SnapshotStore } from './snapshot-file.js';

export interface EngineObserver {
  record(event: RecordedEvent): void;
  notify(event: RecordedEvent): void;
  upsChanged(groupId: string): void;
  sequenceChanged(): void;
  /** Its first step has started. */
  sequenceStarted(group: string): void;
  sequenceEnded(group: string): void;
  /** A UPS runs on battery: workers that will be needed get ready. */
  prepare(): void;
  /** A policy step is complete, with its effects. */
  stepped(): void;
}

/** The dependencies that the performers of steps share with the engine; guarded. */
export type StepDependencies = Pick<SequencerDependencies, 'guard' | 'clock' | 'log' | 'run' | 'setTimer'>;

/** Any of these may throw: the engine uses only the result of `guardDependencies`. */
export interface EngineDependencies
  extends Omit<StepDependencies, 'guard'>, Pick<EventHoldDependencies, 'commitIntervalMs'> {
  readonly snapshot: SnapshotStore;
  /** The memory of the reserve. */
  readonly reserve: SnapshotStore;
  readonly journals: JournalStore;
  readonly performers: (deps: StepDependencies) => SequencerDependencies['performers'];
  readonly observer: EngineObserver;
  readonly restarts?: SequencerDependencies['restarts'] | undefined;
}

export interface StandbyDependencies {
  readonly guard: Guard;
  readonly file: SnapshotStore;
  now(): Instant;
  /** When policy, by its state, has decided the group's sequence of this outage; null: it has decided none. */
  firedAt(group: string): number | null;
  /** By policy's state. */
  knownOf(ups: string): Followed | undefined;
  /** The group has a plan with steps, and no sequence of it runs or is open. */
  mayStart(group: string): boolean;
  start(requests: readonly OpenSequence[]): void;
  powerReturned(group: string): void;
  post(input: Input): void;
  record(event: RecordedEvent): void;
}
