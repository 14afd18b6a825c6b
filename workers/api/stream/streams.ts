// Everybody who follows the daemon live (specification/api-resources.md#stream): tells each of what has changed, and bounds how
// many there are. It holds nothing for anybody; what waits for a reader is the reader's.
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
  /** How many at once of those that are counted. */
  readonly most: number;
  /** False: the history is switched off, and no event is shown anywhere. */
  readonly showsEvents: () => boolean;
}

/** Streams of the control socket do not count: a client on the network cannot take one from an administrator (specification/api.md#slow-clients). */
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

  /** One more reader, or null while there are too many. */
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

  /** The model has taken this change. */
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

  /** Ends them all; a client connects again by itself. */
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
