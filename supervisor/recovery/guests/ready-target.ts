// Whether a unit of this host waits for ridethrough-ready.target, which is not reached yet: then nothing is started either.
import type { LocalDependencies } from '../../sequence/phases/local-calls.js';
import { call } from '../../sequence/phases/local-calls.js';

const target = 'ridethrough-ready.target';
const answerSeconds = 10;

/** False also without systemd, and where it does not answer: the target must not keep a guest off for ever. */
export async function isTargetAwaited(deps: LocalDependencies, signal: AbortSignal): Promise<boolean> {
  const words = ['systemctl', 'show', '--property=ActiveState,WantedBy,RequiredBy', target];
  const outcome = await call(deps, signal, answerSeconds, words, 'listing');
  if (outcome.kind !== 'exited' || outcome.code !== 0) return false;
  const lines = outcome.output.split('\n');
  const isReached = lines.includes('ActiveState=active');
  return !isReached && lines.some((line) => /^(?:WantedBy|RequiredBy)=\S/.test(line));
}
