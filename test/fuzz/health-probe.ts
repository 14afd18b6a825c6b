// Requests /health periodically in a separate thread until a message comes; then reports the duration of each request.
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const everyMs = 20;
/** Usual limit of a health check. */
const longestMs = 10_000;

const { port } = workerData as { readonly port: number };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const healthMs: number[] = [];
let healthFailures = 0;
let enough = false;
parentPort?.once('message', () => (enough = true));

function asked(): Promise<boolean> {
  return new Promise((resolve) => {
    const call = request(
      { host: '127.0.0.1', port, path: '/health', agent, timeout: longestMs },
      (answer) => {
        answer.resume();
        answer.once('end', () => resolve(answer.statusCode === 200));
      },
    );
    call.once('timeout', () => call.destroy());
    call.once('error', () => resolve(false));
    call.end();
  });
}

while (!enough) {
  const startedMs = performance.now();
  if (await asked()) healthMs.push(performance.now() - startedMs);
  else healthFailures += 1;
  await pause(everyMs);
}
agent.destroy();
parentPort?.postMessage({ healthMs, healthFailures });
