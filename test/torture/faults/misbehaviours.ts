// The ways in which a worker goes wrong, as code that runs inside of it: the worker is the real one, entered through its
// debugger. Each works in a process and in a thread.
import { faultCode } from '../../fixtures/faults.js';

const inside = `const [{ workerData }, fs] = ['worker_threads', 'fs'].map((name) => process.getBuiltinModule(name));
const say = (frame) => {
  if (workerData?.link) return workerData.link.postMessage(frame);
  const text = Buffer.from(JSON.stringify(frame));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  fs.writeSync(3, Buffer.concat([length, text]));
};`;

/** 16 MB every 20 ms: past the limit in half a second, and ended at a GB if nobody else ends it. */
const leak = `const hoard = []; globalThis.hoard = hoard;
setInterval(() => { if (hoard.length < 64) hoard.push(Buffer.alloc(16e6, 1)); }, 20);`;

export interface Misbehaviour {
  /** As the report says it, after the worker's name. */
  readonly effect: string;
  /** `event`: the first event of the worker's contract, if it has one. `fifo`: nobody ever writes to it. */
  readonly code: (event: string | undefined, fifo: string) => string;
  /** It lives on, and its supervisor cannot see it. */
  readonly survives?: true;
}

export const hangs: Misbehaviour = { effect: 'hangs in an endless loop', code: () => faultCode.spin };

export const misbehaviours: readonly Misbehaviour[] = [
  hangs,
  { effect: 'leaks memory', code: () => leak },
  { effect: 'floods its link', code: () => faultCode.flood },
  {
    effect: 'sends what cannot be read',
    code: () => `${inside} say({ kind: 'event', id: 'one', name: 5 });`,
  },
  { effect: 'says what it may not say', code: () => `${inside} say({ kind: 'drained' });` },
  {
    effect: 'says the same once more',
    code: (event) =>
      `${inside} say(${JSON.stringify(event === undefined ? { kind: 'answer', id: 1, result: {} } : { kind: 'event', id: 0, name: event, body: {} })});`,
  },
  {
    effect: 'is stuck in a system call',
    code: (_, fifo) => `process.getBuiltinModule('fs').readFileSync(${JSON.stringify(fifo)});`,
  },
];

/** Name lookups, files and the database wait behind these; the loop goes on turning. Only a process has a pool. */
export const stuckPool: Misbehaviour = {
  effect: 'has all threads of its native pool stuck',
  code: (_, fifo) =>
    `for (let job = 0; job < 4; job += 1) process.getBuiltinModule('fs').readFile(${JSON.stringify(fifo)}, () => undefined);`,
  survives: true,
};

/** Only a thread ends like this; a process is killed from outside. */
export const endOfThread: Misbehaviour = { effect: 'ends', code: () => 'process.exit(1);' };
