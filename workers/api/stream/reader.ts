// One reader of the stream: its queue, and when it is closed. A newer status replaces a waiting one, events wait in a
// bounded queue; nothing else is kept for it.
import { Readable } from 'node:stream';

/** Four a second (specification/api-resources.md#stream). */
const statusPauseMs = 250;
/** The events of an hour of a bad outage; a reader behind by more is closed and reads the list of events. */
const mostEvents = 1000;
/** Enough for the status of a few dozen UPSes; above it the next message waits here, where a newer one replaces it. */
const bufferBytes = 64 * 1024;

export interface ReaderDependencies {
  readonly monotonicMs: () => number;
  /** The newest body of each, as JSON; called when there is room for it. */
  readonly status: () => string;
  readonly sequence: () => string;
}

export class Reader extends Readable {
  readonly #tools: ReaderDependencies;
  #wanted = false;
  #statusWaits = true;
  #sequenceWaits = true;
  #beatWaits = false;
  readonly #events: string[] = [];
  #statusAtMs = -Infinity;
  #statusTimer: NodeJS.Timeout | undefined;
  /** Whether it has taken anything since the last heartbeat. */
  #took = true;

  /** Begins with the present status and sequence. */
  constructor(tools: ReaderDependencies) {
    super({ highWaterMark: bufferBytes });
    this.#tools = tools;
  }

  statusChanged(): void {
    const leftMs = this.#statusAtMs + statusPauseMs - this.#tools.monotonicMs();
    if (leftMs > 0) {
      this.#statusTimer ??= setTimeout(() => {
        this.#statusTimer = undefined;
        this.#say(() => (this.#statusWaits = true));
      }, leftMs);
    } else this.#say(() => (this.#statusWaits = true));
  }

  sequenceChanged(): void {
    this.#say(() => (this.#sequenceWaits = true));
  }

  /** A new event row, as JSON. */
  event(row: string): void {
    if (this.#events.length >= mostEvents) this.destroy();
    else this.#say(() => this.#events.push(row));
  }

  /** The heartbeat. Closes a reader that has taken nothing since the last one although data was waiting. */
  beat(): void {
    if (!this.#took && this.#waits) {
      this.destroy();
      return;
    }
    this.#took = false;
    this.#say(() => (this.#beatWaits = true));
  }

  override _read(): void {
    this.#took = true;
    this.#wanted = true;
    this.#pump();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#statusTimer);
    done(error);
  }

  get #waits(): boolean {
    return this.#statusWaits || this.#sequenceWaits || this.#beatWaits || this.#events.length > 0;
  }

  #say(note: () => unknown): void {
    if (this.destroyed) return;
    note();
    this.#pump();
  }

  #pump(): void {
    while (this.#wanted) {
      const next = this.#next();
      if (next === undefined) return;
      this.#wanted = this.push(next);
    }
  }

  #next(): string | undefined {
    if (this.#statusWaits) {
      this.#statusWaits = false;
      this.#statusAtMs = this.#tools.monotonicMs();
      return frame('status', this.#tools.status());
    }
    if (this.#sequenceWaits) {
      this.#sequenceWaits = false;
      return frame('sequence', this.#tools.sequence());
    }
    const event = this.#events.shift();
    if (event !== undefined) return frame('event', event);
    if (!this.#beatWaits) return undefined;
    this.#beatWaits = false;
    return ': heartbeat\n\n';
  }
}

/** JSON from `JSON.stringify` has no line breaks. */
function frame(name: string, json: string): string {
  return `event: ${name}\ndata: ${json}\n\n`;
}
