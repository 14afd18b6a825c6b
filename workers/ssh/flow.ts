// Holds a server to what a login can use: how much it may send and leave unread. The rest waits in the kernel, and so
// on the server itself, whatever of the protocol it is.
import type { Socket } from 'node:net';

/** A key exchange takes some 5 KB, greetings and banners little more. */
const mostBeforeLoginBytes = 262_144;
/** Sent freely after the login: all that an honest command says. */
const freeBytes = 1_048_576;
/** Beyond it this much in each `paceMs`: 1.3 MB/s, so that dozens of flooding servers leave the processor to the others. */
const pacedBytes = 65_536;
const paceMs = 50;
/** A server that reads nothing of what it asks to be sent. */
const mostUnsentBytes = 1_048_576;

export interface Flow {
  /** True once anything at all has come. */
  readonly heard: boolean;
  loggedIn(): void;
}

/** `abuse` is told once, in plain words, when the server goes beyond what is bearable; the socket is then gone. */
export function controlFlow(socket: Socket, abuse: (reason: string) => void): Flow {
  let heard = false;
  let before = true;
  let received = 0;
  let inPace = 0;
  const end = (reason: string): void => {
    abuse(reason);
    socket.destroy();
  };
  const resume = (): void => {
    inPace = 0;
    if (!socket.destroyed) socket.resume();
  };
  // ssh2 has paused the socket until it listens itself: this takes nothing away from it.
  socket.on('data', (chunk: Buffer) => {
    heard = true;
    received += chunk.length;
    inPace += chunk.length;
    if (before && received > mostBeforeLoginBytes) end('sent more than 256 KiB before the login');
    else if (socket.writableLength > mostUnsentBytes) end('does not read what it is sent');
    else if (!before && received > freeBytes && inPace > pacedBytes && !socket.isPaused()) {
      socket.pause();
      setTimeout(resume, paceMs);
    }
  });
  return {
    get heard() {
      return heard;
    },
    loggedIn: () => {
      before = false;
      received = 0;
    },
  };
}
