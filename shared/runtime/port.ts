// What a link stands on: anything shaped like a MessagePort. A worker cannot tell which kind it has.
// The kinds: pipe-port.ts (a process), thread-port.ts (a worker thread), memory-port.ts (tests and simulation).

/**
 * Why a port closed. `ended`: either side closed it or is gone. `malformed`: what arrived is no frame.
 * `clogged`: the other side does not read, and what waits for it has reached its bound.
 */
export type Closing = 'ended' | 'malformed' | 'clogged';

/** `bytes`: what the frame took on the way; none where it was never bytes. */
export type FrameListener = (frame: unknown, bytes?: number) => void;

export interface Port {
  /**
   * Never waits; a frame sent into a closed port is lost. Throws only for what can be no frame on any port (not plain
   * data, or too long): a bug of the speaker.
   */
  post(frame: unknown): void;
  /** One listener; frames that arrive before there is one wait. */
  onFrame(listener: FrameListener): void;
  /** One listener, called once, after the last frame, also when this side closed the port. */
  onClosed(listener: (why: Closing) => void): void;
  /** Frames not yet delivered are dropped: nothing is heard from a port that was closed here. */
  close(): void;
}
