// The second pass over a source: sorts it into buckets and sends them, as fast as they are taken.
import type { ImportResult } from '../../../shared/protocol/history-import.js';
import { Buckets } from './buckets.js';
import type { Destination } from './destination.js';
import type { HistorySink, HistorySource } from './history-sink.js';
import { ImportSender } from './sender.js';

export interface Filled {
  /** Lines or rows that were read. */
  readonly read: number;
  /** Unix seconds of the first and the last reading; null without any. */
  readonly from: number | null;
  readonly to: number | null;
  readonly added: Omit<ImportResult, 'present' | 'refused'>;
  /** Buckets, events and outages that the history has. */
  readonly present: number;
  readonly leftOut: {
    readonly older: number;
    readonly future: number;
    /** The clock had been set back. */
    readonly repeated: number;
    readonly damaged: number;
    readonly omitted: number;
    /** Lines of other UPSes. */
    readonly foreign: number;
    readonly refused: number;
  };
}

export async function fill(
  source: HistorySource,
  destination: Destination,
  options: { readonly groupId: string; readonly isDryRun: boolean; readonly nowSeconds: number },
): Promise<Filled> {
  const { groupId, isDryRun, nowSeconds } = options;
  const sender = new ImportSender({ groupId, isDryRun, source: source.source }, destination.sender());
  const buckets = new Buckets(destination.retention, nowSeconds, (bucket) => sender.bucket(bucket));
  const seen = { from: Infinity, to: -Infinity, damaged: 0, omitted: 0, foreign: 0 };
  const span = (at: number): void => {
    seen.from = Math.min(seen.from, at);
    seen.to = Math.max(seen.to, at);
  };
  const sink: HistorySink = {
    reading: (at, values) => {
      span(at);
      buckets.reading(at, values);
    },
    mean: (seconds, at, rows) => {
      span(at);
      buckets.mean(seconds, at, rows);
    },
    event: (at, type, detail) => {
      if (at < buckets.oldest) buckets.leftOut.older += 1;
      else sender.event({ at, type, detail });
    },
    outage: (outage) => sender.outage(outage),
    problem: () => (seen.damaged += 1),
    omitted: () => (seen.omitted += 1),
    foreign: () => (seen.foreign += 1),
  };
  const read = await source.read(sink, async () => {
    await sender.flush();
    return true;
  });
  buckets.close();
  const { present, refused, ...added } = await sender.finish();
  const { damaged, omitted, foreign } = seen;
  return {
    read,
    from: Number.isFinite(seen.from) ? seen.from : null,
    to: Number.isFinite(seen.to) ? seen.to : null,
    added,
    present,
    leftOut: { ...buckets.leftOut, damaged, omitted, foreign, refused },
  };
}
