// Splits the link of the host process: the frames of the host itself, and those of its threads, which it does not read.
import { decode } from '../../shared/domain/decode.js';
import { RelayedFrame, isRelayed } from '../../shared/protocol/host.js';
import type { Port } from '../../shared/runtime/port.js';

export interface MultiplexedPort {
  /** Frames without a thread: those of the host itself. */
  readonly own: Port;
  /** Sends a frame of a thread to the supervisor. Throws for a value that cannot be a frame. */
  readonly relay: (thread: number, frame: unknown) => void;
}

/** `down` gets every frame for a thread. */
export function partPort(port: Port, down: (thread: number, frame: unknown) => void): MultiplexedPort {
  return {
    own: {
      post: (frame) => port.post(frame),
      onFrame: (listener) => {
        port.onFrame((frame) => {
          const relayed = isRelayed(frame) ? decode(RelayedFrame, frame) : undefined;
          if (relayed?.ok === true) down(relayed.value.thread, relayed.value.frame);
          else listener(frame);
        });
      },
      onClosed: (listener) => port.onClosed(listener),
      close: () => port.close(),
    },
    relay: (thread, frame) => port.post({ thread, frame } satisfies RelayedFrame),
  };
}
