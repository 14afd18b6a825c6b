// One reading on a timeline, and those of one outage. A missing value is null and not drawn.
import type { UpsRow } from '../../../shared/domain/status/status-model.js';

export type SampleQuantity = 'charge' | 'runtime' | 'load';

export interface Sample {
  /** Unix seconds. */
  readonly ts: number;
  readonly charge: number | null;
  readonly runtime: number | null;
  readonly load: number | null;
}

export interface Samples {
  /** All samples of the outage, oldest first. */
  readonly samples: () => readonly Sample[];
  /** Adds the current values of `row` to the outage that began at `startedAt` (Unix seconds). */
  readonly add: (row: UpsRow, now: number, startedAt: number) => void;
}
