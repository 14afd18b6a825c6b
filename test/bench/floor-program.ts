// A process of floor.ts: `supervisor` starts four `worker`s.
import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { oncePer } from '../../shared/runtime/period.js';
import { pipePort } from '../../shared/runtime/pipe-port.js';
import { linkFileDescriptor } from '../../shared/runtime/worker-runtime.js';

const workers = 4;
const tickMs = 500;
const heartbeatMs = 1_000;

if (process.argv[2] === 'supervisor') {
  let heard = 0;
  for (let count = 0; count < workers; count += 1) {
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'worker'], {
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    });
    pipePort(child.stdio[linkFileDescriptor] as Duplex).on('message', () => (heard += 1));
  }
  oncePer(tickMs, () => (heard += 0));
} else {
  const port = pipePort(new Socket({ fd: linkFileDescriptor, readable: true, writable: true }));
  port.on('close', () => process.exit());
  port.on('message', () => undefined);
  oncePer(heartbeatMs, () => port.postMessage({ kind: 'heartbeat' }));
}
