// One try to get an answer from an address, by a SYN or by ping. Any answer proves a live kernel; sends no data.
import { spawn } from 'node:child_process';
import { connect } from 'node:net';

/** A try has this long (specification/remote-servers.md#off); a second SYN would follow after it. */
export const tryMs = 1_000;
/** A try that ends this much later was delayed by this process: its silence does not count. */
export const lateMs = 250;
/** Nothing listens there: the kernel of a gateway refuses it, or drops it and is no witness. */
export const discardPort = 9;

/** `fault`: this machine could not ask, so no answer means nothing. */
export type TryEnd = 'answer' | 'silence' | 'fault';

export interface Asked {
  readonly method: 'tcp' | 'ping';
  readonly address: string;
  readonly port: number;
}

/** `settle` is called at most once; never after the returned function, which abandons the try. */
export type OffAttempt = (asked: Asked, settle: (end: TryEnd) => void) => () => void;

export const attempt: OffAttempt = (asked, settle) =>
  asked.method === 'tcp' ? attemptTcp(asked, settle) : attemptPing(asked, settle);

function attemptTcp({ address, port }: Asked, settle: (end: TryEnd) => void): () => void {
  const socket = connect({ host: address, port });
  let isOver = false;
  const end = (result: TryEnd): void => {
    if (isOver) return;
    isOver = true;
    // With a reset: the server keeps no half-closed connection.
    socket.resetAndDestroy();
    settle(result);
  };
  socket.once('connect', () => end('answer'));
  // Stays: an error after the end must not become an exception.
  socket.on('error', (error: NodeJS.ErrnoException) => end(meaningOf(error.code)));
  return () => {
    isOver = true;
    socket.destroy();
  };
}

/** ARP without an answer, or a router that gets none, is silence. ENETUNREACH and every other error is of this side. */
export function meaningOf(code: string | undefined): TryEnd {
  switch (code) {
    case 'ECONNREFUSED':
    case 'ECONNRESET':
      return 'answer';
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'EHOSTDOWN':
      return 'silence';
    case undefined:
    default:
      return 'fault';
  }
}

function attemptPing({ address }: Asked, settle: (end: TryEnd) => void): () => void {
  const child = spawn('ping', ['-n', '-c', '1', '-W', '1', address], { stdio: 'ignore' });
  let isOver = false;
  const end = (result: TryEnd): void => {
    if (isOver) return;
    isOver = true;
    settle(result);
  };
  child.once('error', () => end('fault'));
  // ping(8): 0 with an answer, 1 without, 2 for any other error.
  child.once('close', (code) => end(code === 0 ? 'answer' : code === 1 ? 'silence' : 'fault'));
  return () => {
    isOver = true;
    child.kill('SIGKILL');
  };
}
