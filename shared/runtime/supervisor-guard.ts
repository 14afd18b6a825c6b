// Loaded with --import before any code of a worker process: a worker whose supervisor is gone does not begin, and the
// kernel's out-of-memory killer takes a worker before the supervisor. It must import nothing that could fail first.
import './v8-flags.js';
import { writeFileSync } from 'node:fs';
import { errorMessage } from '../domain/error-message.js';

/**
 * setpriv asks for SIGKILL at the parent's death, but a parent that died before it asked sends none. By now it has
 * asked: from here on either the parent is alive or the signal is on its way. The name is home.ts's supervisorPidVariable.
 */
if (process.env['RIDETHROUGH_SUPERVISOR'] !== String(process.ppid)) process.kill(process.pid, 'SIGKILL');

/** Half of the scale above the supervisor, which keeps its own (0, or what its unit says). Raising needs no privilege. */
const outOfMemoryScore = '500';
try {
  writeFileSync('/proc/self/oom_score_adj', outOfMemoryScore);
} catch (error) {
  // A kernel or sandbox without it: the worker runs, the order of killing is the kernel's own.
  process.stderr.write(`cannot raise oom_score_adj: ${errorMessage(error)}\n`);
}
