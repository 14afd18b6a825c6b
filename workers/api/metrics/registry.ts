// The text of GET /metrics: metrics of the read model, of this process, and of the requests it has answered.
import type { Registry } from 'prom-client';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Model } from '../model/model.js';
import type { Route } from '../http/route.js';
import { registerDaemonMetrics } from './daemon.js';
import { registerRemoteMetrics } from './remote.js';
import { RequestTimes } from './request-times.js';
import { derive } from './sample.js';
import { UpsTexts } from './ups.js';

/** Prometheus text format. */
const contentType = 'text/plain; version=0.0.4; charset=utf-8';

export class Metrics {
  readonly #version: string;
  readonly #model: Model;
  readonly #isDryRun: () => boolean;
  readonly #requests = new RequestTimes();
  readonly #upsTexts = new UpsTexts();
  #registry: Promise<Registry> | undefined;
  /** The text in preparation, or the last one. */
  #underWay: Promise<unknown> = Promise.resolve();
  /** The next text: scrapers that wait for its start share it. */
  #next: Promise<Buffer> | undefined;

  constructor(version: string, model: Model, isDryRun: () => boolean) {
    this.#isDryRun = isDryRun;
    this.#version = version;
    this.#model = model;
  }

  answered(route: string, status: number, seconds: number): void {
    this.#requests.answered(route, status, seconds);
  }

  /** A later turn of the event loop: requests of one turn share a text, and no request gets a text begun before it. */
  #text(): Promise<Buffer> {
    this.#next ??= this.#underWay
      .then(
        () => nextTurn(),
        () => nextTurn(),
      )
      .then(() => {
        this.#next = undefined;
        const text = this.#rendered();
        this.#underWay = text;
        return text;
      });
    return this.#next;
  }

  async #rendered(): Promise<Buffer> {
    this.#registry ??= this.#opened();
    const others = await (await this.#registry).metrics();
    return this.#upsTexts.text(others, this.#model.ups);
  }

  /** prom-client is loaded with the first scrape: 25 ms and 2 MB of a start. */
  async #opened(): Promise<Registry> {
    const { processRegistry } = await import('./process.js');
    const registry = processRegistry();
    registerDaemonMetrics(registry, this.#version, this.#model, this.#isDryRun);
    registerRemoteMetrics(registry, this.#model);
    derive(registry, {
      name: 'svc_http_request_duration_seconds',
      help: 'Time to answer a request, by the path template of its route and the status of the answer.',
      type: 'histogram',
      samples: () => this.#requests.samples('svc_http_request_duration_seconds'),
    });
    return registry;
  }

  /** GET /metrics; the route does not exist while metrics are off. */
  route(enabled: () => boolean): Route {
    return {
      method: 'GET',
      path: '/metrics',
      description: 'All metrics in the Prometheus text format.',
      auth: 'read',
      role: 'metrics',
      served: enabled,
      text: 'text/plain',
      answer: async () => ({ status: 200, type: contentType, body: await this.#text() }),
    };
  }
}
