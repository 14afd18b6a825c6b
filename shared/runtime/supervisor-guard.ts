// Loaded with --require before all code of a worker process: a worker without its supervisor does not start, and the
// kernel's OOM killer takes a worker before the supervisor. It must not import anything that could fail first.
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { errorMessage } from '../domain/base/error-message.js';
import { hideHeapLimit } from './v8-flags.js';

/**
 * setpriv requests SIGKILL at the death of its parent, but a parent that died before that sends none. The request was
 * made before this line: either the parent is alive, or the signal is on its way. worker-runtime.ts has the name of the
 * variable.
 */
if (process.env['RIDETHROUGH_SUPERVISOR'] !== String(process.ppid)) process.kill(process.pid, 'SIGKILL');

/** Half of the scale above the supervisor, which keeps its own score. Raising it needs no privilege. */
const outOfMemoryScore = '500';
try {
  writeFileSync('/proc/self/oom_score_adj', outOfMemoryScore);
} catch (error) {
  // Not available in this kernel or sandbox: the worker runs, and the kernel chooses what to kill.
  process.stderr.write(`cannot raise oom_score_adj: ${errorMessage(error)}\n`);
}

// Threads load this file too, and share the flags.
if (isMainThread) hideHeapLimit();
