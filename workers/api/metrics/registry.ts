// The text of GET /metrics: metrics of the read model, of this process, and of the requests it has answered.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ApiSettings, PublishedUps } from '../../../shared/protocol/api.js';
import { SerialWork } from '../../../shared/runtime/serial-work.js';
import type { Route } from '../http/route.js';
import type { Model } from '../model/model.js';
import type { SupervisorReads } from '../model/supervisor-requests.js';
import { daemonFamilies } from './daemon.js';
import type { Family } from './family.js';
import { headOf, linesOf } from './family.js';
import { nutExporterText } from './nut-exporter.js';
import { remoteFamilies } from './remote.js';
import { RequestTimes } from './request-times.js';
import type { TextFormat } from './text-format.js';
import { contentTypes, formatFor } from './text-format.js';
import { upsText } from './ups.js';
import { upsFamilies } from './ups-families.js';

interface RegistryDependencies {
  readonly version: string;
  readonly model: Model;
  readonly settings: () => ApiSettings;
  readonly supervisor: Pick<SupervisorReads, 'readings'>;
}

/** What depends on the prefix. */
interface Named {
  readonly prefix: string;
  readonly ofProcess: Promise<() => Promise<readonly Family[]>>;
  readonly others: readonly Family[];
  readonly ofUps: readonly Family<PublishedUps>[];
}

export class Metrics {
  readonly #deps: RegistryDependencies;
  readonly #requests = new RequestTimes();
  readonly #texts = new SerialWork();
  #named: Named | undefined;
  /** The next text of each format: scrapers that wait for its start share it. */
  readonly #next = new Map<TextFormat, Promise<Buffer>>();

  constructor(deps: RegistryDependencies) {
    this.#deps = deps;
  }

  answered(route: string, status: number, seconds: number): void {
    this.#requests.answered(route, status, seconds);
  }

  /** A later turn of the event loop: requests of one turn share a text, and no request gets a text begun before it. */
  #text(format: TextFormat): Promise<Buffer> {
    let next = this.#next.get(format);
    if (next === undefined) {
      next = this.#texts.run(async () => {
        await nextTurn();
        this.#next.delete(format);
        return this.#rendered(format);
      });
      this.#next.set(format, next);
    }
    return next;
  }

  /** A blank line parts the first families for Prometheus; OpenMetrics allows none. */
  async #rendered(format: TextFormat): Promise<Buffer> {
    const { model, settings, supervisor } = this.#deps;
    const { prefix, nutExporterNames } = settings().metrics;
    if (this.#named?.prefix !== prefix) this.#named = this.#opened(prefix);
    const { ofProcess, others, ofUps } = this.#named;
    const all = [...(await (await ofProcess)()), ...others];
    const texts = all.map((family) => headOf(family, format) + linesOf(family.name, family.samples()));
    const { ups } = model;
    const nutExporter = nutExporterNames
      ? await nutExporterText(ups, (group) => supervisor.readings(group))
      : '';
    return Buffer.concat([
      Buffer.from(texts.join(format === 'openmetrics' ? '' : '\n')),
      ...(await upsText(ofUps, ups, format)),
      Buffer.from(nutExporter + (format === 'openmetrics' ? '# EOF\n' : '')),
    ]);
  }

  /** prom-client is loaded with the first scrape: 25 ms and 2 MB of a start. */
  #opened(prefix: string): Named {
    const { version, model, settings } = this.#deps;
    return {
      prefix,
      ofProcess: import('./process.js').then(({ processFamilies }) => processFamilies(prefix)),
      others: [
        ...daemonFamilies(prefix, version, model, () => settings().summary.dryRun),
        ...remoteFamilies(prefix, model),
        {
          name: `${prefix}_http_request_duration_seconds`,
          help: 'Time to answer a request, by the path template of its route and the status of the answer.',
          type: 'histogram',
          samples: () => this.#requests.samples(),
        },
      ],
      ofUps: upsFamilies(prefix),
    };
  }

  /** GET /metrics; the route does not exist while metrics are off. */
  route(): Route {
    const metrics = (): ApiSettings['metrics'] => this.#deps.settings().metrics;
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
