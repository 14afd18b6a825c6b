// To be imported before anything else: keeps V8 from compiling what runs once. Node reads every CommonJS module that is
// imported (io-ts, for one) with a lexer written in JavaScript; V8 takes its loop for hot and optimises it, and what that
// leaves behind is 8 MB in each of our processes for as long as the daemon lives.
import { setFlagsFromString } from 'node:v8';

/**
 * How much must run before V8 optimises: 15 times its own value. What is hot for longer than a start, such as the reading
 * of answers, still becomes so. A V8 that has no such flag says a line and goes on.
 */
setFlagsFromString('--interrupt-budget=1000000');
