// What decisions work with, and who hears of them. Types only.
import type { RecordedEvent } from '../events/event-recorder.js';
import type { SequencesTools } from '../sequence/dependencies.js';
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
export type StepTools = Pick<SequencesTools, 'guard' | 'clock' | 'log' | 'run' | 'later'>;

/** None of them is trusted not to throw: `guardedTools` makes what decisions really work with. */
export interface DecisionsTools extends Omit<StepTools, 'guard'> {
  readonly snapshot: SnapshotStore;
  readonly journals: SequencesTools['journals'];
  readonly performers: (tools: StepTools) => SequencesTools['performers'];
  readonly observer: DecisionsObserver;
}
