// The kinds of port, each as a connected pair. That of a process is two ends of a real socket.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import type { MessageChannel } from 'node:worker_threads';
import { memoryPorts } from '../../shared/runtime/memory-port.js';
import { pipePort } from '../../shared/runtime/pipe-port.js';
import type { Port } from '../../shared/runtime/port.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

export type Pair = readonly [Port, Port];

/** The platform's own port has the shape of ours: a type error here says that it no longer has. */
void (({ port1, port2 }: MessageChannel): Pair => [port1, port2]);

async function socketPair(): Promise<Pair> {
  const directory = temporaryFolder();
  const server = createServer().listen(join(directory, 'socket'));
  await once(server, 'listening');
  const near = connect(join(directory, 'socket'));
  const [far] = (await once(server, 'connection')) as [Socket];
  server.close();
  return [pipePort(near), pipePort(far)];
}

export const pairs: readonly { readonly kind: string; readonly pair: () => Promise<Pair> }[] = [
  { kind: 'in memory', pair: () => Promise.resolve(memoryPorts()) },
  { kind: 'of a process', pair: socketPair },
];
