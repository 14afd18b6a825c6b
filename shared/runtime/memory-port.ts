// A link in memory: two ends of one wire, for tests and the simulation.
import type { Closing, Port } from './port.js';

/** Delivery is asynchronous and by structured clone, as on the real ones. */
export function memoryPorts(): readonly [Port, Port] {
  const left = new MemoryPort();
  const right = new MemoryPort();
  left.join(right);
  right.join(left);
  return [left, right];
}

class MemoryPort implements Port {
  #peer: MemoryPort | undefined;
  #open = true;
  #waiting: unknown[] = [];
  #frameListener: ((frame: unknown) => void) | undefined;
  #closedListener: (why: Closing) => void = () => undefined;

  join(peer: MemoryPort): void {
    this.#peer = peer;
  }

  post(frame: unknown): void {
    const copy: unknown = structuredClone(frame);
    if (this.#open) setImmediate(() => this.#peer?.arrive(copy));
  }

  onFrame(listener: (frame: unknown) => void): void {
    this.#frameListener = listener;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const frame of waiting) this.arrive(frame);
  }

  onClosed(listener: (why: Closing) => void): void {
    this.#closedListener = listener;
  }

  close(): void {
    this.ended();
    setImmediate(() => this.#peer?.ended());
  }

  arrive(frame: unknown): void {
    if (!this.#open) return;
    if (this.#frameListener === undefined) this.#waiting.push(frame);
    else this.#frameListener(frame);
  }

  ended(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#closedListener('ended');
  }
}
