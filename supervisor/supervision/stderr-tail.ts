// The end of what a worker process wrote to standard error, for the log. Nothing else reads it.
import type { Readable } from 'node:stream';

/** Enough for a stack trace and the lines before it. */
const maxTailBytes = 4096;
/** Per second. A worker that writes more is not read until the second is over; its writes then block. */
const bytesPerWindow = 256 * 1024;
const windowMs = 1000;

export class StderrTail {
  readonly #stream: Readable;
  #tail = Buffer.alloc(0);
  #windowBytes = 0;
  #resume: NodeJS.Timeout | undefined;

  constructor(stream: Readable) {
    this.#stream = stream;
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  /** Stops reading and returns the text. */
  end(): string {
    clearTimeout(this.#resume);
    this.#stream.destroy();
    return this.#tail.toString('utf8').trim();
  }

  #take(chunk: Buffer): void {
    this.#tail = Buffer.concat([this.#tail, chunk]).subarray(-maxTailBytes);
    this.#windowBytes += chunk.length;
    if (this.#windowBytes < bytesPerWindow || this.#resume !== undefined) return;
    this.#stream.pause();
    this.#resume = setTimeout(() => {
      this.#resume = undefined;
      this.#windowBytes = 0;
      this.#stream.resume();
    }, windowMs);
  }
}
