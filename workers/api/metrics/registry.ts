// The text of GET /metrics: metrics of the read model, of this process, and of the requests it has answered.
import type { Registry } from 'prom-client';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ApiSettings } from '../../../shared/protocol/api.js';
import type { Route } from '../http/route.js';
import type { Model } from '../model/model.js';
import type { SupervisorReads } from '../model/supervisor-requests.js';
import { registerDaemonMetrics } from './daemon.js';
import { nutExporterText } from './nut-exporter.js';
import { registerRemoteMetrics } from './remote.js';
import { RequestTimes } from './request-times.js';
import { derive } from './sample.js';
import type { TextFormat } from './text-format.js';
import { contentTypes, converted, formatFor } from './text-format.js';
import { UpsTexts } from './ups.js';

interface Parts {
  readonly version: string;
  readonly model: Model;
  readonly settings: () => ApiSettings;
  readonly supervisor: Pick<SupervisorReads, 'readings'>;
}

/** What depends on the prefix. */
interface Named {
  readonly prefix: string;
  readonly upsTexts: UpsTexts;
  readonly registry: Promise<Registry>;
}

export class Metrics {
  readonly #parts: Parts;
  readonly #requests = new RequestTimes();
  #named: Named | undefined;
  /** The text in preparation, or the last one. */
  #underWay: Promise<unknown> = Promise.resolve();
  /** The next text of each format: scrapers that wait for its start share it. */
  readonly #next = new Map<TextFormat, Promise<Buffer>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  answered(route: string, status: number, seconds: number): void {
    this.#requests.answered(route, status, seconds);
  }

  /** A later turn of the event loop: requests of one turn share a text, and no request gets a text begun before it. */
  #text(format: TextFormat): Promise<Buffer> {
    let next = this.#next.get(format);
    if (next === undefined) {
      next = this.#underWay
        .then(
          () => nextTurn(),
          () => nextTurn(),
        )
        .then(() => {
          this.#next.delete(format);
          return this.#rendered(format);
        });
      this.#next.set(format, next);
      // A text of the other format waits for this one: they share what is kept of each UPS.
      this.#underWay = next;
    }
    return next;
  }

  async #rendered(format: TextFormat): Promise<Buffer> {
    const { model, settings, supervisor } = this.#parts;
    const { prefix, nutExporterNames } = settings().metrics;
    if (this.#named?.prefix !== prefix)
      this.#named = { prefix, upsTexts: new UpsTexts(prefix), registry: this.#opened(prefix) };
    const { registry, upsTexts } = this.#named;
    const others = converted(await (await registry).metrics(), format);
    const second = nutExporterNames
      ? await nutExporterText(model.ups, (group) => supervisor.readings(group))
      : '';
    const after = format === 'openmetrics' ? `${second}# EOF\n` : second;
    return upsTexts.text({ before: others, after, format }, model.ups);
  }

  /** prom-client is loaded with the first scrape: 25 ms and 2 MB of a start. */
  async #opened(prefix: string): Promise<Registry> {
    const { version, model, settings } = this.#parts;
    const { processRegistry } = await import('./process.js');
    const registry = processRegistry(prefix);
    registerDaemonMetrics(registry, prefix, version, model, () => settings().summary.dryRun);
    registerRemoteMetrics(registry, prefix, model);
    const name = `${prefix}_http_request_duration_seconds`;
    derive(registry, {
      name,
      help: 'Time to answer a request, by the path template of its route and the status of the answer.',
      type: 'histogram',
      samples: () => this.#requests.samples(name),
    });
    return registry;
  }

  /** GET /metrics; the route does not exist while metrics are off. */
  route(): Route {
    const metrics = (): ApiSettings['metrics'] => this.#parts.settings().metrics;
    return {
      method: 'GET',
      path: '/metrics',
      description: 'All metrics, in the text format of Prometheus or in that of OpenMetrics.',
      auth: 'read',
      role: 'metrics',
      served: () => metrics().enabled,
      text: 'text/plain',
      answer: async ({ accept }) => {
        const format = formatFor(accept);
        return {
          status: 200,
          type: contentTypes[format],
          body: await this.#text(format),
          headers: { Vary: 'Accept' },
        };
      },
    };
  }
}
