// All clients of the stream (specification/api-resources.md#stream): passes changes to each and limits their number. Each
// client has its own queue; nothing waits here.
import { categoryOf } from '../../../shared/domain/status/events.js';
import type { Clock } from '../../../shared/runtime/clock.js';
import type { ModelChange } from '../../../shared/protocol/api.js';
import { namedEvent } from '../history/named-event.js';
import type { Model } from '../model/model.js';
import type { StreamClientDependencies } from './stream-client.js';
import { StreamClient } from './stream-client.js';

/** Proxies close a connection that is silent for 30 to 60 s (specification/api-resources.md#stream). */
const heartbeatMs = 15_000;

export interface StreamsDependencies {
  readonly model: Model;
  readonly clock: Clock;
  /** The limit of counted clients. */
  readonly max: number;
  /** False: statistics are off, and no event is shown. */
  readonly showsEvents: () => boolean;
}

/** Streams of the control socket do not count, so that network clients cannot block them (specification/api.md#slow-clients). */
export type StreamPlace = 'counted' | 'uncounted';

export class Streams {
  readonly #deps: StreamsDependencies;
  readonly #clients = new Set<StreamClient>();
  #counted = 0;
  readonly #heartbeatTimer: NodeJS.Timeout;
  readonly #clientDependencies: StreamClientDependencies;
  #fingerprint = '';
  #sequence = '';

  constructor(deps: StreamsDependencies) {
    const { model, clock } = deps;
    this.#deps = deps;
    this.#clientDependencies = {
      monotonicMs: () => clock.monotonicMs(),
      status: () => model.statusJson(clock.wallSeconds()),
      sequence: () => this.#sequence,
    };
    this.#heartbeatTimer = setInterval(() => this.#heartbeat(), heartbeatMs);
    this.#heartbeatTimer.unref();
  }

  /** A new client, or null at the limit. */
  open(place: StreamPlace): StreamClient | null {
    const weight = place === 'counted' ? 1 : 0;
    if (this.#counted + weight > this.#deps.max) return null;
    this.#checkModel();
    const client = new StreamClient(this.#clientDependencies);
    this.#clients.add(client);
    this.#counted += weight;
    client.once('close', () => {
      this.#clients.delete(client);
      this.#counted -= weight;
    });
    return client;
  }

  /** Call it when the model has applied a change. */
  published({ events }: ModelChange): void {
    if (this.#clients.size === 0) return;
    const before = { fingerprint: this.#fingerprint, sequence: this.#sequence };
    this.#checkModel();
    const rows = this.#deps.showsEvents()
      ? events.map(({ type, ...row }) =>
          JSON.stringify(
            namedEvent(this.#deps.model, { ...row, eventType: type, category: categoryOf(type) }),
          ),
        )
      : [];
    for (const client of this.#clients) {
      if (this.#fingerprint !== before.fingerprint) client.statusChanged();
      for (const row of rows) client.event(row);
      if (this.#sequence !== before.sequence) client.sequenceChanged();
    }
  }

  /** Ends all streams; clients reconnect by themselves. */
  close(): void {
    clearInterval(this.#heartbeatTimer);
    for (const client of this.#clients) client.destroy();
  }

  /** Everything but `generatedAt` (specification/api-resources.md#status-fingerprint). */
  #checkModel(): void {
    const { model } = this.#deps;
    this.#fingerprint = model.fingerprint;
    this.#sequence = JSON.stringify(model.daemon?.sequence ?? { active: false });
  }

  #heartbeat(): void {
    for (const client of this.#clients) client.beat();
  }
}
