// A link to a process: JSON frames with a length prefix over a socket pair. Not Node's fork channel: there a malformed
// message of the child throws in the parent, and no bound applies before a message is decoded.
import type { Duplex } from 'node:stream';
import { EmitterPort } from './emitter-port.js';
import { assertJson } from './assert-json.js';
import type { CloseReason, Port } from './port.js';

/**
 * The longest frame read or written. The largest real ones, a complete read model and a batch of history, take some
 * hundred kB. Parsing 4 MiB takes some 30 ms, which the supervisor can afford once.
 */
export const maxFrameBytes = 4 * 1024 * 1024;
/** The backlog for a peer that does not read: a few of the largest frames. Beyond it the port closes. */
const maxBacklogBytes = 16 * 1024 * 1024;
/** More are written without waiting for the end of the turn, which may never come. */
const maxUnwrittenBytes = 65_536;
/** Frames delivered per turn of the loop, so that one peer cannot delay timers and other links. */
const framesPerTurn = 128;
const headerBytes = 4;

export function pipePort(stream: Duplex): Port {
  return new Pipe(stream).port;
}

class Pipe {
  readonly port: EmitterPort;
  readonly #stream: Duplex;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #delivering = false;
  /** Set when the stream has ended: the port ends after the frames received before. */
  #closing: CloseReason | undefined;
  /** Frames of this turn of the loop: one write carries them all. */
  #unwritten: Buffer[] = [];
  #unwrittenBytes = 0;

  constructor(stream: Duplex) {
    this.#stream = stream;
    this.port = new EmitterPort({
      postMessage: (message) => this.#write(message),
      start: () => this.#read(),
      close: () => {
        this.#chunks = [];
        this.#bytes = 0;
        stream.destroy();
      },
    });
    // 'close' follows every error and reports EPIPE and ECONNRESET too.
    stream.on('error', () => undefined);
    stream.once('close', () => {
      this.#closing ??= 'ended';
      if (!this.#delivering) this.#deliver();
    });
  }

  #write(message: unknown): void {
    assertJson(message);
    const text = JSON.stringify(message);
    const length = Buffer.byteLength(text);
    if (length > maxFrameBytes) throw new RangeError(`a frame of ${String(length)} bytes is too long`);
    if (!this.#stream.writable) return;
    const buffer = Buffer.allocUnsafe(headerBytes + length);
    buffer.writeUInt32BE(length, 0);
    buffer.write(text, headerBytes);
    this.#unwritten.push(buffer);
    this.#unwrittenBytes += buffer.length;
    if (this.#unwrittenBytes > maxUnwrittenBytes) this.#flush();
    else if (this.#unwritten.length === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const frames = this.#unwritten;
    this.#unwritten = [];
    this.#unwrittenBytes = 0;
    if (frames.length === 0 || !this.#stream.writable) return;
    this.#stream.write(frames.length === 1 ? frames[0] : Buffer.concat(frames));
    if (this.#stream.writableLength > maxBacklogBytes) this.port.end('overflow');
  }

  #read(): void {
    this.#stream.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#bytes += chunk.length;
      if (!this.#delivering) this.#deliver();
    });
  }

  #deliver(): void {
    this.#delivering = false;
    for (let count = 0; this.port.open; count += 1) {
      if (count === framesPerTurn) {
        this.#delivering = true;
        this.#stream.pause();
        setImmediate(() => this.#deliver());
        return;
      }
      const frame = this.#next();
      if (frame === 'incomplete') break;
      if (frame === 'malformed') {
        this.port.end('malformed');
        return;
      }
      this.port.arrive(frame.value, frame.bytes);
    }
    if (this.#closing !== undefined) this.port.end(this.#closing);
    else if (this.#stream.isPaused()) this.#stream.resume();
  }

  #next(): { readonly value: unknown; readonly bytes: number } | 'incomplete' | 'malformed' {
    if (this.#bytes < headerBytes) return 'incomplete';
    const length = this.#peek(headerBytes).readUInt32BE(0);
    if (length > maxFrameBytes) return 'malformed';
    if (this.#bytes < headerBytes + length) return 'incomplete';
    const frame = this.#peek(headerBytes + length);
    const text = frame.toString('utf8', headerBytes, headerBytes + length);
    this.#chunks[0] = frame.subarray(headerBytes + length);
    this.#bytes -= headerBytes + length;
    try {
      return { value: JSON.parse(text) as unknown, bytes: headerBytes + length };
    } catch {
      return 'malformed';
    }
  }

  /** The first chunk, joined until it has at least `length` bytes; each byte is copied at most once per frame. */
  #peek(length: number): Buffer {
    const first = this.#chunks[0];
    if (first !== undefined && first.length >= length) return first;
    const joined = Buffer.concat(this.#chunks, this.#bytes);
    this.#chunks = [joined];
    return joined;
  }
}
