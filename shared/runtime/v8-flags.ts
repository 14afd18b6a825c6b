// The flags of V8 that keep the heap small and code that runs once from being optimised, and when they may be set.
// Node carries its modules compiled, and V8 takes that only while its flags are those of the compilation: with others it
// compiles crypto, tls, http and the like again, 25 to 35 ms in each process.
import { setFlagsFromString } from 'node:v8';

/** Node 24 does not count it among those flags. */
const heapLimit = '--max-old-space-size=';

/**
 * Before the modules of a program are loaded. V8 has read the limit of the heap from the command line when it made the
 * heap, and keeps to it.
 */
export function hideHeapLimit(): void {
  setFlagsFromString(`${heapLimit}0`);
}

/** Once, when the modules of a process are loaded. */
export function setV8Flags(): void {
  // Threads are started with it.
  const limit = process.execArgv.find((argument) => argument.startsWith(heapLimit));
  if (limit !== undefined) setFlagsFromString(limit);
  // How much code must run before V8 optimises it: 15 times the default. Code that stays hot, such as the decoding of answers,
  // is still optimised. V8 12 (Node 22) counts calls instead and does not know the flag.
  if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString('--interrupt-budget=1000000');
  // The space of new objects stays at 1 MB instead of growing to 16 (docs/decisions/0036-space-of-new-objects.md). With 1,000
  // UPSes all processes use 312 MB instead of 534; collections become more frequent, a poll costs 0.03 ms more.
  setFlagsFromString('--semi-space-growth-factor=1');
  // A small heap grows in small steps: 50 UPSes use 99 MB instead of 126, and a tenth more processor time. heap-growth.ts ends
  // that for a large one.
  setFlagsFromString('--optimize-for-size');
}
