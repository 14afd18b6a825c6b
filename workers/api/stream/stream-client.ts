// One client of the stream: its queue, and when it is closed. A newer status replaces a waiting one; events wait in a bounded
// queue. It keeps nothing else.
import { Readable } from 'node:stream';

/** Four a second (specification/api-resources.md#stream). */
const statusPauseMs = 250;
/** The events of an hour of a severe outage. A client further behind is closed and reads the list of events. */
const maxEvents = 1000;
/** Enough for the status of a few dozen UPSes; above it the next message waits here, where a newer one replaces it. */
const bufferBytes = 64 * 1024;

export interface StreamClientDependencies {
  readonly monotonicMs: () => number;
  /** The newest body of each, as JSON; called when there is room for it. */
  readonly status: () => string;
  readonly sequence: () => string;
}

export class StreamClient extends Readable {
  readonly #deps: StreamClientDependencies;
  #mayPush = false;
  #statusWaits = true;
  #sequenceWaits = true;
  #beatWaits = false;
  readonly #events: string[] = [];
  #statusAtMs = -Infinity;
  #statusTimer: NodeJS.Timeout | undefined;
  /** Whether the client has read anything since the last heartbeat. */
  #hasRead = true;

  /** Begins with the current status and sequence. */
  constructor(deps: StreamClientDependencies) {
    super({ highWaterMark: bufferBytes });
    this.#deps = deps;
  }

  statusChanged(): void {
    const leftMs = this.#statusAtMs + statusPauseMs - this.#deps.monotonicMs();
    if (leftMs > 0) {
      this.#statusTimer ??= setTimeout(() => {
        this.#statusTimer = undefined;
        this.#enqueue(() => (this.#statusWaits = true));
      }, leftMs);
    } else this.#enqueue(() => (this.#statusWaits = true));
  }

  sequenceChanged(): void {
    this.#enqueue(() => (this.#sequenceWaits = true));
  }

  event(row: string): void {
    if (this.#events.length >= maxEvents) this.destroy();
    else this.#enqueue(() => this.#events.push(row));
  }

  /** The heartbeat. Closes a client that has read nothing since the last one although data was waiting. */
  beat(): void {
    if (!this.#hasRead && this.#hasPending) {
      this.destroy();
      return;
    }
    this.#hasRead = false;
    this.#enqueue(() => (this.#beatWaits = true));
  }

  override _read(): void {
    this.#hasRead = true;
    this.#mayPush = true;
    this.#pump();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#statusTimer);
    done(error);
  }

  get #hasPending(): boolean {
    return this.#statusWaits || this.#sequenceWaits || this.#beatWaits || this.#events.length > 0;
  }

  #enqueue(add: () => unknown): void {
    if (this.destroyed) return;
    add();
    this.#pump();
  }

  #pump(): void {
    while (this.#mayPush) {
      const next = this.#next();
      if (next === undefined) return;
      this.#mayPush = this.push(next);
    }
  }

  #next(): string | undefined {
    if (this.#statusWaits) {
      this.#statusWaits = false;
      this.#statusAtMs = this.#deps.monotonicMs();
      return frame('status', this.#deps.status());
    }
    if (this.#sequenceWaits) {
      this.#sequenceWaits = false;
      return frame('sequence', this.#deps.sequence());
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
