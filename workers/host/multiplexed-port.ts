// Parts the link of the host process: the host's own frames, and those of its threads, which it does not read.
import { decode } from '../../shared/domain/decode.js';
import { RelayedFrame, isRelayed } from '../../shared/protocol/host.js';
import { EmitterPort } from '../../shared/runtime/emitter-port.js';
import type { Port } from '../../shared/runtime/port.js';

export interface MultiplexedPort {
  /** Frames without a thread: what the host itself says and is told. */
  readonly own: Port;
  /** Sends up a frame of a thread. Throws for what can be no frame. */
  readonly relay: (thread: number, frame: unknown) => void;
}

/** `down` is given every frame for a thread. */
export function partPort(port: Port, down: (thread: number, frame: unknown) => void): MultiplexedPort {
  const own = new EmitterPort({
    postMessage: (frame) => port.postMessage(frame),
    start: () =>
      void port.on('message', (frame) => {
        const relayed = isRelayed(frame) ? decode(RelayedFrame, frame) : undefined;
        if (relayed?.ok === true) down(relayed.value.thread, relayed.value.frame);
        else own.arrive(frame);
      }),
    close: () => port.close(),
  });
  port.on('close', ({ reason }) => own.end(reason));
  return { own, relay: (thread, frame) => port.postMessage({ thread, frame } satisfies RelayedFrame) };
}
