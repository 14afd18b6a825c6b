// Splits the link of the host process: the frames of the host itself, and those of its threads, which it does not read.
import { decode } from '../../shared/domain/decode.js';
import { RelayedFrame, isRelayed } from '../../shared/protocol/host.js';
import { EmitterPort } from '../../shared/runtime/emitter-port.js';
import type { Port } from '../../shared/runtime/port.js';

export interface MultiplexedPort {
  /** Frames without a thread: those of the host itself. */
  readonly own: Port;
  /** Sends a frame of a thread to the supervisor. Throws for a value that cannot be a frame. */
  readonly relay: (thread: number, frame: unknown) => void;
}

/** `down` gets every frame for a thread. */
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
