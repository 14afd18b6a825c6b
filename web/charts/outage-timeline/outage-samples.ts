// The readings of one outage: what the history has kept of it, and what this page has seen since. Bounded.
import type { HistoryBody } from '../../shared/http/bodies.js';
import type { UpsRow } from '../../shared/domain/status-model.js';
import { Refusal } from '../daemon/requests.js';
import type { Requests } from '../daemon/requests.js';
import type { Sample } from './sample.js';

type Quantity = 'charge' | 'runtime' | 'load';
const quantities: readonly Quantity[] = ['charge', 'runtime', 'load'];

/** Readings reach the history every 10 s; asking more often brings nothing. */
const askEveryMs = 20_000;
/** Two hours at one a second; older ones come from the history. */
const mostSamples = 7_200;
/** More than a strip has pixels. */
const historyPoints = 600;

export class FilmData {
  #history: readonly Sample[] = [];
  readonly #seen: Sample[] = [];
  #askedMs = -Infinity;
  #since = 0;

  constructor(
    readonly groupId: string,
    readonly requests: Requests,
    readonly changed: () => void,
  ) {}

  /** All samples since `since` (Unix seconds), oldest first. */
  samples(): readonly Sample[] {
    const last = this.#history.at(-1)?.ts ?? 0;
    return [...this.#history, ...this.#seen.filter(({ ts }) => ts > last)];
  }

  /** What the row says now belongs to the film that began at `since`. */
  see(row: UpsRow, now: number, since: number): void {
    if (Math.abs(since - this.#since) > 60) {
      // Another outage: nothing of the last one belongs to it.
      this.#since = since;
      this.#history = [];
      this.#seen.length = 0;
      this.#askedMs = -Infinity;
    }
    const last = this.#seen.at(-1);
    if (last === undefined || now - last.ts >= 1) {
      const { batteryCharge: charge, runtime, load, connectionState } = row;
      const unseen = connectionState !== 'OK';
      this.#seen.push({
        ts: now,
        charge: unseen ? null : charge,
        runtime: unseen ? null : runtime,
        load: unseen ? null : load,
      });
      if (this.#seen.length > mostSamples) this.#seen.shift();
    }
    if (performance.now() - this.#askedMs < askEveryMs) return;
    this.#askedMs = performance.now();
    void this.#ask(Math.floor(since), Math.ceil(now));
  }

  async #ask(from: number, to: number): Promise<void> {
    const span = `from=${String(from)}&to=${String(to)}&points=${String(historyPoints)}`;
    const path = `/api/v1/ups/${encodeURIComponent(this.groupId)}/history?${span}&metric=`;
    try {
      const series = await Promise.all(
        quantities.map(async (metric) => (await this.requests.get<HistoryBody>(`${path}${metric}`)).data),
      );
      this.#history = merged(series);
    } catch (error) {
      // Without a history there is what this page has seen itself.
      if (!(error instanceof Refusal)) throw error;
    }
    this.changed();
  }
}

/** One row per time at which anything was read. */
function merged(series: readonly HistoryBody['data'][]): readonly Sample[] {
  const rows = new Map<
    number,
    { ts: number; charge: number | null; runtime: number | null; load: number | null }
  >();
  series.forEach((data, index) => {
    const quantity = quantities[index] ?? 'charge';
    for (const { ts, value } of data) {
      const row = rows.get(ts) ?? { ts, charge: null, runtime: null, load: null };
      row[quantity] = value;
      rows.set(ts, row);
    }
  });
  return [...rows.values()].sort((a, b) => a.ts - b.ts);
}
