// What a source of history gives, piece by piece, and who takes it. A source is read twice: to check it, then to add it.
import type { MetricValues } from '../../../shared/domain/status/metrics.js';
import type {
  ImportedEventType,
  ImportedOutage,
  ImportSource,
} from '../../../shared/protocol/history-import.js';

/** Times are Unix seconds, whole. */
export interface HistorySink {
  reading(at: number, values: MetricValues): void;
  /** A mean of 300 or 3600 seconds from `at`; rows of metric, readings, mean, lowest, highest. */
  mean(seconds: 300 | 3600, at: number, rows: readonly (readonly number[])[]): void;
  event(at: number, type: ImportedEventType, detail: string): void;
  outage(outage: ImportedOutage): void;
  /** `where`: "line 17". */
  problem(where: string, message: string): void;
  /** Something the source has and this history has no place for. */
  omitted(): void;
  /** A line of another UPS, as upslog names it. */
  foreign(ups: string): void;
}

export interface HistorySource {
  readonly source: ImportSource;
  /** For the report: "1,200 lines" is a number of these. */
  readonly unit: string;
  /**
   * Gives all to `sink`. Between two pieces of bounded size it waits for `pause`, which ends the reading with false. Returns
   * the number of lines or rows. Throws an ImportError for a source that cannot be read.
   */
  read(sink: HistorySink, pause: () => Promise<boolean>): Promise<number>;
  close(): Promise<void>;
}

/** An expected failure, with a text for the operator. */
export class ImportError extends Error {}
