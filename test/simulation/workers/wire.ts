// The link between a simulated worker process and its supervisor: two ports, a moment apart.
import type { Closing, Port } from '../../../shared/runtime/port.js';

/** A frame takes this long, whichever way it goes. */
const transitMs = 1;

export interface Wire {
  readonly supervisor: Port;
  readonly worker: Port;
  /** Both ends are closed, at once; nothing arrives any more. */
  cut(): void;
}

/** `after` runs something on the machine; `whenAwake` runs it when the supervisor turns. */
export function wire(
  after: (ms: number, run: () => void) => void,
  whenAwake: (run: () => void) => void,
): Wire {
  const supervisor = new End();
  const worker = new End();
  supervisor.carry = (frame) => after(transitMs, () => worker.arrive(frame));
  worker.carry = (frame) => after(transitMs, () => whenAwake(() => supervisor.arrive(frame)));
  supervisor.closed = () => after(transitMs, () => worker.close());
  worker.closed = () => after(transitMs, () => whenAwake(() => supervisor.close()));
  return {
    supervisor,
    worker,
    cut: () => {
      supervisor.silence();
      worker.silence();
    },
  };
}

class End implements Port {
  carry: (frame: unknown) => void = () => undefined;
  closed: () => void = () => undefined;
  #open = true;
  #hear: (frame: unknown) => void = () => undefined;
  #end: (why: Closing) => void = () => undefined;

  post(frame: unknown): void {
    if (this.#open) this.carry(frame);
  }

  onFrame(listener: (frame: unknown) => void): void {
    this.#hear = listener;
  }

  onClosed(listener: (why: Closing) => void): void {
    this.#end = listener;
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#end('ended');
    this.closed();
  }

  arrive(frame: unknown): void {
    if (this.#open) this.#hear(frame);
  }

  silence(): void {
    this.#open = false;
  }
}
