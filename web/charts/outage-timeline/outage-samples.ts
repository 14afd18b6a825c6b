// The readings of one outage: those of the history and those this page has received since. Bounded.
import type { HistoryBody } from '../../../shared/http/bodies.js';
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import { RequestError } from '../../daemon/api-client.js';
import type { ApiClient } from '../../daemon/api-client.js';
import { Refresh } from '../../daemon/refresh.js';
import type { Sample, SampleQuantity, Samples } from './sample.js';

const quantities: readonly SampleQuantity[] = ['charge', 'runtime', 'load'];

/** The daemon writes readings to the history every 10 s. */
const refreshMs = 20_000;
/** Two hours at one reading a second; older ones come from the history. */
const maxSamples = 7_200;
/** About one point per pixel of a chart. */
const historyPoints = 600;

export class OutageSamples implements Samples {
  #history: readonly Sample[] = [];
  readonly #received: Sample[] = [];
  readonly #refresh = new Refresh();
  #startedAt = 0;

  constructor(
    readonly groupId: string,
    readonly api: ApiClient,
    readonly changed: () => void,
  ) {}

  samples(): readonly Sample[] {
    const last = this.#history.at(-1)?.ts ?? 0;
    return [...this.#history, ...this.#received.filter(({ ts }) => ts > last)];
  }

  add(row: UpsRow, now: number, startedAt: number): void {
    if (Math.abs(startedAt - this.#startedAt) > 60) {
      // A new outage: drop the readings of the last one.
      this.#startedAt = startedAt;
      this.#history = [];
      this.#received.length = 0;
      this.#refresh.forget();
    }
    const last = this.#received.at(-1);
    if (last === undefined || now - last.ts >= 1) {
      const { batteryCharge: charge, runtime, load, connectionState } = row;
      const disconnected = connectionState !== 'OK';
      this.#received.push({
        ts: now,
        charge: disconnected ? null : charge,
        runtime: disconnected ? null : runtime,
        load: disconnected ? null : load,
      });
      if (this.#received.length > maxSamples) this.#received.shift();
    }
    if (this.#refresh.isDue(refreshMs)) void this.#load(Math.floor(startedAt), Math.ceil(now));
  }

  async #load(from: number, to: number): Promise<void> {
    const isCurrent = this.#refresh.begin();
    const span = `from=${String(from)}&to=${String(to)}&points=${String(historyPoints)}`;
    const path = `/api/v1/ups/${encodeURIComponent(this.groupId)}/history?${span}&metric=`;
    try {
      const series = await Promise.all(
        quantities.map(async (metric) => (await this.api.get<HistoryBody>(`${path}${metric}`)).data),
      );
      if (isCurrent()) this.#history = mergeSeries(series);
    } catch (error) {
      // Without a history the page shows the readings it has received.
      if (!(error instanceof RequestError)) throw error;
    }
    this.changed();
  }
}

/** One sample for each time at which at least one quantity was read. */
function mergeSeries(series: readonly HistoryBody['data'][]): readonly Sample[] {
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
