// Parts the link of the host process: the host's own frames, and those of its threads, which it does not read.
import { decode } from '../../shared/domain/decode.js';
import { RelayedFrame, isRelayed } from '../../shared/protocol/host.js';
import type { Port } from '../../shared/runtime/port.js';

export interface MultiplexedPort {
  /** Frames without a thread: what the host itself says and is told. */
  readonly own: Port;
  /** Sends up a frame of a thread. Throws for what can be no frame. */
  readonly relay: (thread: number, frame: unknown) => void;
}

/** `down` is given every frame for a thread. */
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
