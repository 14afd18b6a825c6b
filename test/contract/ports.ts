// The kinds of port, each as a connected pair. The pair of a thread is a real MessageChannel, that of a process two ends
// of a real socket.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { memoryPorts } from '../../shared/runtime/memory-port.js';
import { pipePort } from '../../shared/runtime/pipe-port.js';
import type { Port } from '../../shared/runtime/port.js';
import { threadPort } from '../../shared/runtime/thread-port.js';

export type Pair = readonly [Port, Port];

function threadPair(): Pair {
  const { port1, port2 } = new MessageChannel();
  // The platform's own port has the shape of ours: a type error here says that it no longer has.
  void ([port1, port2] satisfies Pair);
  return [threadPort(port1), threadPort(port2)];
}

async function socketPair(): Promise<Pair> {
  const directory = mkdtempSync(join(tmpdir(), 'ridethrough-port-'));
  const server = createServer().listen(join(directory, 'socket'));
  await once(server, 'listening');
  const near = connect(join(directory, 'socket'));
  const [far] = (await once(server, 'connection')) as [Socket];
  server.close();
  rmSync(directory, { recursive: true });
  return [pipePort(near), pipePort(far)];
}

export const pairs: readonly { readonly kind: string; readonly pair: () => Promise<Pair> }[] = [
  { kind: 'in memory', pair: () => Promise.resolve(memoryPorts()) },
  { kind: 'of a thread', pair: () => Promise.resolve(threadPair()) },
  { kind: 'of a process', pair: socketPair },
];
