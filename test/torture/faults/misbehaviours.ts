// The misbehaviours of a worker, as code that runs inside the real worker, injected through its debugger.
import { faultCode } from '../../fixtures/faults.js';

/** In a process with members the frame comes from the one that ran last. */
const inside = `const fs = process.getBuiltinModule('fs');
const member = /^member-(\\d+)/.exec(fs.readFileSync('/proc/self/comm', 'utf8'))?.[1];
const say = (frame) => {
  const text = Buffer.from(JSON.stringify(member === undefined ? frame : { member: Number(member), frame }));
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

export const misbehaviours: readonly Misbehaviour[] = [
  { effect: 'hangs in an endless loop', code: () => faultCode.spin },
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

/** Blocks name lookups, files and the database; the event loop keeps running. */
export const stuckPool: Misbehaviour = {
  effect: 'has all threads of its native pool stuck',
  code: (_, fifo) =>
    `for (let job = 0; job < 4; job += 1) process.getBuiltinModule('fs').readFile(${JSON.stringify(fifo)}, () => undefined);`,
  survives: true,
};
