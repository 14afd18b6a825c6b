// A link in memory for tests and the simulation: two connected ports. Like a real one it copies messages and delivers
// them later.
import { EmitterPort } from './emitter-port.js';
import { assertJson } from './assert-json.js';
import type { Port } from './port.js';

export function memoryPorts(): readonly [Port, Port] {
  const left = memoryPort(() => right);
  const right = memoryPort(() => left);
  return [left, right];
}

function memoryPort(peer: () => EmitterPort): EmitterPort {
  return new EmitterPort({
    postMessage: (message) => {
      assertJson(message);
      const copy: unknown = structuredClone(message);
      setImmediate(() => peer().arrive(copy));
    },
    close: () => void setImmediate(() => peer().close()),
  });
}
