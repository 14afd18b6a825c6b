// The misbehaviours of a worker, as code that runs inside the real worker, injected through its debugger. Each works in a
// process and in a thread.
import { faultCode } from '../../fixtures/faults.js';

const inside = `const [{ workerData }, fs] = ['worker_threads', 'fs'].map((name) => process.getBuiltinModule(name));
const say = (frame) => {
  if (workerData?.link) return workerData.link.postMessage(frame);
  const text = Buffer.from(JSON.stringify(frame));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  fs.writeSync(3, Buffer.concat([length, text]));
};`;

/** 16 MB every 20 ms: reaches the limit within 0.5 s, and stops by itself at 1 GB. */
const leak = `const hoard = []; globalThis.hoard = hoard;
setInterval(() => { if (hoard.length < 64) hoard.push(Buffer.alloc(16e6, 1)); }, 20);`;

export interface Misbehaviour {
  /** The predicate of the fault's name, after the worker. */
  readonly effect: string;
  /** `event`: the first event of the worker's contract, if any. `fifo`: a pipe without a writer. */
  readonly code: (event: string | undefined, fifo: string) => string;
  /** The worker survives; the supervisor cannot detect the fault. */
  readonly survives?: true;
}

export const hangs: Misbehaviour = { effect: 'hangs in an endless loop', code: () => faultCode.spin };

export const misbehaviours: readonly Misbehaviour[] = [
  hangs,
  { effect: 'leaks memory', code: () => leak },
  { effect: 'floods its link', code: () => faultCode.flood },
  {
    effect: 'sends a malformed frame',
    code: () => `${inside} say({ kind: 'event', id: 'one', name: 5 });`,
  },
  { effect: 'sends a frame of another phase', code: () => `${inside} say({ kind: 'drained' });` },
  {
    effect: 'repeats a message number',
    code: (event) =>
      `${inside} say(${JSON.stringify(event === undefined ? { kind: 'answer', id: 1, result: {} } : { kind: 'event', id: 0, name: event, body: {} })});`,
  },
  {
    effect: 'is stuck in a system call',
    code: (_, fifo) => `process.getBuiltinModule('fs').readFileSync(${JSON.stringify(fifo)});`,
  },
];

/** Blocks name lookups, files and the database; the event loop keeps running. Only a process has a pool. */
export const stuckPool: Misbehaviour = {
  effect: 'has all threads of its native pool stuck',
  code: (_, fifo) =>
    `for (let job = 0; job < 4; job += 1) process.getBuiltinModule('fs').readFile(${JSON.stringify(fifo)}, () => undefined);`,
  survives: true,
};

/** For threads; processes are killed from outside. */
export const endOfThread: Misbehaviour = { effect: 'ends', code: () => 'process.exit(1);' };
