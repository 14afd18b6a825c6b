// All readers of the stream (specification/api-resources.md#stream): passes changes to each and bounds their number. Each
// reader has its own queue; nothing waits here.
import { categoryOf } from '../../../shared/domain/events.js';
import type { Clock } from '../../../shared/runtime/clock.js';
import type { ModelChange } from '../../../shared/protocol/api.js';
import { namedEvent } from '../history/named-event.js';
import type { Model } from '../model/model.js';
import type { ReaderDependencies } from './reader.js';
import { Reader } from './reader.js';

/** Proxies close a connection that is silent for 30 to 60 s (specification/api-resources.md#stream). */
const heartbeatMs = 15_000;

export interface StreamsDependencies {
  readonly model: Model;
  readonly clock: Clock;
  /** The limit of counted readers. */
  readonly most: number;
  /** False: statistics are off, and no event is shown. */
  readonly showsEvents: () => boolean;
}

/** Streams of the control socket do not count, so that network clients cannot block them (specification/api.md#slow-clients). */
export type StreamPlace = 'counted' | 'uncounted';

export class Streams {
  readonly #tools: StreamsDependencies;
  readonly #readers = new Set<Reader>();
  #counted = 0;
  readonly #heart: NodeJS.Timeout;
  readonly #asked: ReaderDependencies;
  #fingerprint = '';
  #sequence = '';

  constructor(tools: StreamsDependencies) {
    const { model, clock } = tools;
    this.#tools = tools;
    this.#asked = {
      monotonicMs: () => clock.monotonicMs(),
      status: () => model.statusJson(clock.wallSeconds()),
      sequence: () => this.#sequence,
    };
    this.#heart = setInterval(() => this.#beat(), heartbeatMs);
    this.#heart.unref();
  }

  /** A new reader, or null at the limit. */
  open(place: StreamPlace): Reader | null {
    const weight = place === 'counted' ? 1 : 0;
    if (this.#counted + weight > this.#tools.most) return null;
    this.#look();
    const reader = new Reader(this.#asked);
    this.#readers.add(reader);
    this.#counted += weight;
    reader.once('close', () => {
      this.#readers.delete(reader);
      this.#counted -= weight;
    });
    return reader;
  }

  /** Call it when the model has applied a change. */
  published({ events }: ModelChange): void {
    if (this.#readers.size === 0) return;
    const before = { fingerprint: this.#fingerprint, sequence: this.#sequence };
    this.#look();
    const rows = this.#tools.showsEvents()
      ? events.map(({ type, ...row }) =>
          JSON.stringify(
            namedEvent(this.#tools.model, { ...row, eventType: type, category: categoryOf(type) }),
          ),
        )
      : [];
    for (const reader of this.#readers) {
      if (this.#fingerprint !== before.fingerprint) reader.statusChanged();
      for (const row of rows) reader.event(row);
      if (this.#sequence !== before.sequence) reader.sequenceChanged();
    }
  }

  /** Ends all streams; clients reconnect by themselves. */
  close(): void {
    clearInterval(this.#heart);
    for (const reader of this.#readers) reader.destroy();
  }

  /** Everything but `generatedAt` (specification/api-resources.md#status-fingerprint). */
  #look(): void {
    const { model } = this.#tools;
    this.#fingerprint = model.fingerprint;
    this.#sequence = JSON.stringify(model.daemon?.sequence ?? { active: false });
  }

  #beat(): void {
    for (const reader of this.#readers) reader.beat();
  }
}
