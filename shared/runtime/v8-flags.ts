// Keeps V8 from compiling code that runs once; import it first. Node reads every imported CommonJS module (io-ts, for
// example) with a lexer in JavaScript. V8 optimises its loop, which costs 8 MB in each process for the life of the
// daemon.
import { setFlagsFromString } from 'node:v8';

/**
 * How much code must run before V8 optimises it: 15 times the default. Code that stays hot, such as the decoding of
 * answers, is still optimised. A V8 without this flag prints a line and continues.
 */
setFlagsFromString('--interrupt-budget=1000000');
