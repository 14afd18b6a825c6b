// The link between a simulated worker process and its supervisor: two ports, a moment apart.
import { EmitterPort } from '../../../shared/runtime/emitter-port.js';
import { assertJson } from '../../../shared/runtime/assert-json.js';
import type { Port } from '../../../shared/runtime/port.js';

/** A frame takes this long, whichever way it goes. */
const transitMs = 1;

export interface Wire {
  readonly supervisor: Port;
  readonly worker: Port;
  /** From now on nothing arrives at either end. */
  cut(): void;
}

/** `after` runs something on the machine; `whenAwake` runs it when the supervisor turns. */
export function wire(
  after: (ms: number, run: () => void) => void,
  whenAwake: (run: () => void) => void,
): Wire {
  let whole = true;
  const transit = (run: () => void): void =>
    after(transitMs, () => {
      if (whole) run();
    });
  const supervisor = new EmitterPort({
    postMessage: (frame) => {
      assertJson(frame);
      transit(() => worker.arrive(frame));
    },
    close: () => transit(() => worker.close()),
  });
  const worker = new EmitterPort({
    postMessage: (frame) => {
      assertJson(frame);
      transit(() => whenAwake(() => supervisor.arrive(frame)));
    },
    close: () => transit(() => whenAwake(() => supervisor.close())),
  });
  return { supervisor, worker, cut: () => (whole = false) };
}
