// A link to a process: JSON frames, each behind its length, over one socket pair. Not Node's own fork channel: there a
// child that writes one broken message throws in its parent, and nothing bounds a message before it is decoded.
import type { Duplex } from 'node:stream';
import type { Closing, FrameListener, Port } from './port.js';

/**
 * Longest frame that is read or written. The largest honest ones are a whole read model downwards and a batch of
 * history upwards, some hundred kilobytes; parsing 4 MiB takes some 30 ms, which the supervisor can afford once.
 */
export const longestFrameBytes = 4 * 1024 * 1024;
/** What may wait for a peer that does not read, before the port gives it up: a few of the largest frames. */
const longestBacklogBytes = 16 * 1024 * 1024;
/** Frames delivered per turn of the loop: a talkative peer must not hold up timers and the other links. */
const framesPerTurn = 128;
const headerBytes = 4;

export function pipePort(stream: Duplex): Port {
  return new PipePort(stream);
}

class PipePort implements Port {
  readonly #stream: Duplex;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #delivering = false;
  /** Set once no more bytes come: the reason is told after the frames that came before it. */
  #closing: Closing | undefined;
  #open = true;
  #frameListener: FrameListener = () => undefined;
  #closedListener: (why: Closing) => void = () => undefined;

  constructor(stream: Duplex) {
    this.#stream = stream;
    // EPIPE and ECONNRESET say what 'close', which follows every error, says too.
    stream.on('error', () => undefined);
    stream.once('close', () => {
      this.#closing ??= 'ended';
      if (!this.#delivering) this.#deliver();
    });
  }

  post(frame: unknown): void {
    const text = JSON.stringify(frame);
    const length = Buffer.byteLength(text);
    if (length > longestFrameBytes) throw new RangeError(`a frame of ${String(length)} bytes is too long`);
    if (!this.#open || !this.#stream.writable) return;
    const buffer = Buffer.allocUnsafe(headerBytes + length);
    buffer.writeUInt32BE(length, 0);
    buffer.write(text, headerBytes);
    this.#stream.write(buffer);
    if (this.#stream.writableLength > longestBacklogBytes) this.#finish('clogged');
  }

  onFrame(listener: FrameListener): void {
    this.#frameListener = listener;
    this.#stream.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#bytes += chunk.length;
      if (!this.#delivering) this.#deliver();
    });
  }

  onClosed(listener: (why: Closing) => void): void {
    this.#closedListener = listener;
  }

  close(): void {
    this.#finish('ended');
  }

  #deliver(): void {
    this.#delivering = false;
    for (let count = 0; this.#open; count += 1) {
      if (count === framesPerTurn) {
        this.#delivering = true;
        this.#stream.pause();
        setImmediate(() => this.#deliver());
        return;
      }
      const frame = this.#next();
      if (frame === 'incomplete') break;
      if (frame === 'malformed') {
        this.#finish('malformed');
        return;
      }
      this.#frameListener(frame.value, frame.bytes);
    }
    if (this.#closing !== undefined) this.#finish(this.#closing);
    else if (this.#stream.isPaused()) this.#stream.resume();
  }

  #next(): { readonly value: unknown; readonly bytes: number } | 'incomplete' | 'malformed' {
    if (this.#bytes < headerBytes) return 'incomplete';
    const length = this.#peek(headerBytes).readUInt32BE(0);
    if (length > longestFrameBytes) return 'malformed';
    if (this.#bytes < headerBytes + length) return 'incomplete';
    const whole = this.#peek(headerBytes + length);
    const text = whole.toString('utf8', headerBytes, headerBytes + length);
    this.#chunks[0] = whole.subarray(headerBytes + length);
    this.#bytes -= headerBytes + length;
    try {
      return { value: JSON.parse(text) as unknown, bytes: headerBytes + length };
    } catch {
      return 'malformed';
    }
  }

  /** The first chunk, made to hold at least `length` bytes; each byte is copied at most once per frame. */
  #peek(length: number): Buffer {
    const first = this.#chunks[0];
    if (first !== undefined && first.length >= length) return first;
    const joined = Buffer.concat(this.#chunks, this.#bytes);
    this.#chunks = [joined];
    return joined;
  }

  #finish(why: Closing): void {
    if (!this.#open) return;
    this.#open = false;
    this.#chunks = [];
    this.#bytes = 0;
    this.#stream.destroy();
    this.#closedListener(why);
  }
}
