// What the engine is constructed from, and its observer. Types only.
import type { RecordedEvent } from '../events/event-recorder.js';
import type { SequencesDependencies } from '../sequence/dependencies.js';
import type { SnapshotStore } from './snapshot-file.js';

export interface EngineObserver {
  record(event: RecordedEvent): void;
  /** Sends a notification. */
  notify(event: RecordedEvent): void;
  upsChanged(groupId: string): void;
  sequenceChanged(): void;
  sequenceEnded(): void;
  /** A UPS has gone on battery: workers that will be needed get ready. */
  prepare(group: string): void;
  /** A policy step has been completed and performed. */
  stepped(): void;
}

/** What the performers of steps share with the engine; guarded. */
export type StepDependencies = Pick<SequencesDependencies, 'guard' | 'clock' | 'log' | 'run' | 'setTimer'>;

/** Any of these may throw: the engine uses only what `guardDependencies` makes of them. */
export interface EngineDependencies extends Omit<StepDependencies, 'guard'> {
  readonly snapshot: SnapshotStore;
  readonly journals: SequencesDependencies['journals'];
  readonly performers: (deps: StepDependencies) => SequencesDependencies['performers'];
  readonly observer: EngineObserver;
}
