// Derives outages and their events from what another program saw, in the order in which it wrote it.
import type { OutageCause } from '../../../shared/domain/outage/outage.js';
import { sameOutageSeconds } from '../../../shared/domain/outage/outage.js';
import type { ImportedOutage } from '../../../shared/protocol/history-import.js';
import type { HistorySink } from './history-sink.js';

type Open = Omit<ImportedOutage, 'ended' | 'endSeen'> & { readonly last: number };
type Value = number | null;

export class OutagesSeen {
  readonly #sink: Pick<HistorySink, 'outage'>;
  #open: Open | undefined;
  /** It has ended; on battery again within a minute it goes on. */
  #ended: ImportedOutage | undefined;

  constructor(sink: Pick<HistorySink, 'outage'>) {
    this.#sink = sink;
  }

  /** The last time on battery of the outage under way. */
  get last(): number | undefined {
    return this.#open?.last;
  }

  begin(at: number, cause: OutageCause): void {
    this.end(null);
    const ended = this.#ended;
    this.#ended = undefined;
    const pause = ended?.endSeen === true ? at - ended.ended : Infinity;
    if (ended !== undefined && pause >= 0 && pause <= sameOutageSeconds) {
      this.#open = { ...ended, interruptions: ended.interruptions + 1, last: at };
      return;
    }
    if (ended !== undefined) this.#sink.outage(ended);
    this.#open = {
      started: at,
      last: at,
      cause,
      interruptions: 0,
      lowestCharge: null,
      lowestRuntimeSeconds: null,
    };
  }

  /** A reading on battery. */
  reading(at: number, charge: Value, runtime: Value): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = {
      ...open,
      last: at,
      lowestCharge: lowest(open.lowestCharge, charge),
      lowestRuntimeSeconds: lowest(open.lowestRuntimeSeconds, runtime),
    };
  }

  /** Null: nobody saw power come back, and the outage ended with its last reading. */
  end(at: number | null): void {
    if (this.#open === undefined) return;
    const { last, ...outage } = this.#open;
    this.#open = undefined;
    if (this.#ended !== undefined) this.#sink.outage(this.#ended);
    this.#ended = { ...outage, ended: at ?? last, endSeen: at !== null };
  }

  /** There is no more. */
  finish(): void {
    this.end(null);
    if (this.#ended !== undefined) this.#sink.outage(this.#ended);
    this.#ended = undefined;
  }
}

function lowest(a: Value, b: Value): Value {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}
