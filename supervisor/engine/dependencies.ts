// What decisions work with, and who hears of them. Types only.
import type { RecordedEvent } from '../events/event-recorder.js';
import type { SequencesDependencies } from '../sequence/dependencies.js';
import type { SnapshotStore } from './snapshot-file.js';

export interface DecisionsObserver {
  record(event: RecordedEvent): void;
  /** A message to people. */
  notify(event: RecordedEvent): void;
  upsChanged(groupId: string): void;
  sequenceChanged(): void;
  sequenceEnded(): void;
  /** A UPS has gone on battery: workers that will be needed get ready. */
  prepare(group: string): void;
  /** A policy step has been completed and performed. */
  stepped(): void;
}

/** The tools that the steps of a plan share with decisions, guarded. */
export type StepTools = Pick<SequencesDependencies, 'guard' | 'clock' | 'log' | 'run' | 'setTimer'>;

/** None of them is trusted not to throw: `guardedTools` makes what decisions really work with. */
export interface EngineDependencies extends Omit<StepTools, 'guard'> {
  readonly snapshot: SnapshotStore;
  readonly journals: SequencesDependencies['journals'];
  readonly performers: (tools: StepTools) => SequencesDependencies['performers'];
  readonly observer: DecisionsObserver;
}
