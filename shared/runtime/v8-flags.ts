// Keeps V8 from compiling code that runs once, and its heap small; import it first. Node reads every imported CommonJS module (io-ts, for
// example) with a lexer in JavaScript. V8 optimises its loop, which costs 8 MB in each process for the life of the
// daemon.
import { setFlagsFromString } from 'node:v8';

/**
 * How much code must run before V8 optimises it: 15 times the default. Code that stays hot, such as the decoding of
 * answers, is still optimised. V8 12 (Node 22) counts calls instead and does not know the flag.
 */
if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString('--interrupt-budget=1000000');

/**
 * The space of new objects stays at 1 MB instead of growing to 16 (docs/decisions/0036-space-of-new-objects.md). With 1,000
 * UPSes all processes use 312 MB instead of 534; collections become more frequent, a poll costs 0.03 ms more.
 */
setFlagsFromString('--semi-space-growth-factor=1');

/**
 * A small heap grows in small steps: 50 UPSes use 99 MB instead of 126, and a tenth more processor time. heap-growth.ts
 * ends that for a large one.
 */
setFlagsFromString('--optimize-for-size');
