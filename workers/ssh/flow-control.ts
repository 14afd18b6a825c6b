// Limits how much a server may send and leave unread. The rest waits in the kernel, and then on the server, whatever part of
// the protocol it is.
import type { Socket } from 'node:net';

/** A key exchange takes about 5 KB, greetings and banners little more. */
const maxBeforeLoginBytes = 262_144;
/** Unlimited part after the login: more than a normal command prints. */
const freeBytes = 1_048_576;
/** Above `freeBytes`, this many bytes in each `paceMs` (1.3 MB/s), so that dozens of flooding servers leave processor time. */
const pacedBytes = 65_536;
const paceMs = 50;
/** Limit for a server that does not read its answers. */
const maxUnsentBytes = 1_048_576;

export interface FlowControl {
  readonly receivedAny: boolean;
  loggedIn(): void;
}

/** Calls `abuse` once, with a reason, when the server exceeds a limit; the socket is then destroyed. */
export function controlFlow(socket: Socket, abuse: (reason: string) => void): FlowControl {
  let receivedAny = false;
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
  // ssh2 pauses the socket until its own listener is ready: this listener takes no data from it.
  socket.on('data', (chunk: Buffer) => {
    receivedAny = true;
    received += chunk.length;
    inPace += chunk.length;
    if (before && received > maxBeforeLoginBytes) end('sent more than 256 KiB before the login');
    else if (socket.writableLength > maxUnsentBytes) end('does not read the data sent to it');
    else if (!before && received > freeBytes && inPace > pacedBytes && !socket.isPaused()) {
      socket.pause();
      setTimeout(resume, paceMs);
    }
  });
  return {
    get receivedAny() {
      return receivedAny;
    },
    loggedIn: () => {
      before = false;
      received = 0;
    },
  };
}
