// Waits for the record of who was up. A disk that does not answer costs the budget of the step, and nothing else waits for it.
import type { Performer } from '../actuator.js';

export interface RecordOnDisk {
  /** Hands over what is known now. */
  update(): void;
  /** Settles once all of it is on the disk. */
  untilSynced(): Promise<void>;
}

export function keepRecordPerformer(record: RecordOnDisk): Performer<'keepRecord'> {
  return async () => {
    record.update();
    await record.untilSynced();
    return { kind: 'done' };
  };
}
