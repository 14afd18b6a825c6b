// What a link stands on: anything shaped like a MessagePort. Three of them: a worker thread's parentPort,
// a process's IPC channel worn as one, and a pair in memory for tests. A worker cannot tell which it has.
import type { ChildProcess } from 'node:child_process';
import { isMainThread, parentPort } from 'node:worker_threads';
import type { MessagePort, Worker } from 'node:worker_threads';

export interface Port {
  /** Never throws and never waits; a frame sent into a closed port is lost. */
  post(frame: unknown): void;
  onFrame(listener: (frame: unknown) => void): void;
  /** The other side is gone. Called at most once. */
  onClosed(listener: () => void): void;
  close(): void;
}

/** The supervisor's end of a forked child's IPC channel (`serialization: 'advanced'`). */
export function childPort(child: ChildProcess): Port {
  return {
    post: (frame) => {
      // The callback keeps a failed send from becoming an 'error' event; a dead channel is told by 'disconnect'.
      if (child.connected) child.send(frame as object, () => undefined);
    },
    onFrame: (listener) => void child.on('message', listener),
    onClosed: (listener) => void child.once('disconnect', listener),
    close: () => {
      if (child.connected) child.disconnect();
    },
  };
}

/** A worker's end: parentPort in a thread, the IPC channel in a process. */
export function ownPort(): Port {
  if (!isMainThread && parentPort !== null) return threadPort(parentPort);
  return {
    post: (frame) => {
      if (process.connected) process.send?.(frame, undefined, undefined, () => undefined);
    },
    onFrame: (listener) => void process.on('message', listener),
    onClosed: (listener) => void process.once('disconnect', listener),
    close: () => {
      if (process.connected) process.disconnect();
    },
  };
}

/** A real MessagePort, or a Worker seen from its host. */
export function threadPort(port: MessagePort | Worker): Port {
  return {
    post: (frame) => port.postMessage(frame),
    onFrame: (listener) => void port.on('message', listener),
    onClosed: (listener) => void port.once('threadId' in port ? 'exit' : 'close', listener),
    close: () => {
      if ('close' in port) port.close();
    },
  };
}

/** Two ends of one wire in memory: delivery is asynchronous and by structured clone, as on the real ones. */
export function memoryPorts(): readonly [Port, Port] {
  const ends = [memoryEnd(), memoryEnd()] as const;
  ends[0].peer = ends[1];
  ends[1].peer = ends[0];
  return ends;
}

interface MemoryEnd extends Port {
  peer: MemoryEnd | undefined;
  deliver(frame: unknown): void;
  closed(): void;
}

function memoryEnd(): MemoryEnd {
  const frames: ((frame: unknown) => void)[] = [];
  const closings: (() => void)[] = [];
  let open = true;
  const end: MemoryEnd = {
    peer: undefined,
    post: (frame) => {
      const copy: unknown = structuredClone(frame);
      const { peer } = end;
      if (open) setImmediate(() => peer?.deliver(copy));
    },
    deliver: (frame) => {
      if (open) for (const listener of frames) listener(frame);
    },
    closed: () => {
      if (!open) return;
      open = false;
      for (const listener of closings) listener();
    },
    onFrame: (listener) => void frames.push(listener),
    onClosed: (listener) => void closings.push(listener),
    close: () => {
      const { peer } = end;
      end.closed();
      setImmediate(() => peer?.closed());
    },
  };
  return end;
}
