// The duration of requests, by route and status. Counts without prom-client, which hashes the labels of every observation: that
// would be the most expensive part of a request.
import type { MetricSample } from './family.js';
import { histogram, withLabels, labelText } from './family.js';

/** From an answer from memory to one that waited for the supervisor's deadline. */
const bounds = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10] as const;
const durations = histogram(bounds);

interface Times {
  readonly counts: number[];
  sum: number;
}

export class RequestTimes {
  readonly #byRoute = new Map<string, Map<number, Times>>();

  answered(route: string, status: number, seconds: number): void {
    let byStatus = this.#byRoute.get(route);
    if (byStatus === undefined) this.#byRoute.set(route, (byStatus = new Map<number, Times>()));
    let times = byStatus.get(status);
    if (times === undefined)
      byStatus.set(status, (times = { counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 }));
    let bucket = 0;
    while (bucket < bounds.length && seconds > (bounds[bucket] ?? Infinity)) bucket += 1;
    times.counts[bucket] = (times.counts[bucket] ?? 0) + 1;
    times.sum += seconds;
  }

  samples(): readonly MetricSample[] {
    return [...this.#byRoute].flatMap(([route, byStatus]) =>
      [...byStatus].flatMap(([status, times]) =>
        withLabels(labelText({ route, status: String(status) }), durations(times)),
      ),
    );
  }
}
