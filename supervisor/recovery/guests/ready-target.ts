// What the guests of this host wait for: what starts by itself has its time from the boot, and a unit may wait for
// ridethrough-ready.target.
import { formatSeconds } from '../../../shared/domain/base/duration.js';
import type { LocalDependencies } from '../../sequence/phases/local-calls.js';
import { call } from '../../sequence/phases/local-calls.js';

const target = 'ridethrough-ready.target';
/** systemd answers at once, except while it reloads its units. */
const answerSeconds = 10;

/** Empty: for nothing. `left`: why nothing would be started; null: it would. */
export async function hostWaitsFor(
  deps: LocalDependencies,
  { bootTimeoutMs, left }: { readonly bootTimeoutMs: number; readonly left: string | null },
  signal: AbortSignal,
): Promise<string> {
  const leftMs = bootTimeoutMs - deps.clock.monotonicMs();
  if (leftMs > 0)
    return `what starts by itself has ${formatSeconds(Math.ceil(leftMs / 1000))} more (recovery.boot_timeout)`;
  const isAwaited = left === null && (await isTargetAwaited(deps, signal));
  return isAwaited ? `${target} is not reached, and a unit waits for it` : '';
}

/** False also without systemd, and where it does not answer: the target must not keep a guest off for ever. */
async function isTargetAwaited(deps: LocalDependencies, signal: AbortSignal): Promise<boolean> {
  const words = ['systemctl', 'show', '--property=ActiveState,WantedBy,RequiredBy', target];
  const outcome = await call(deps, signal, answerSeconds, words, 'listing');
  if (outcome.kind !== 'exited' || outcome.code !== 0) return false;
  const lines = outcome.output.split('\n');
  const isReached = lines.includes('ActiveState=active');
  return !isReached && lines.some((line) => /^(?:WantedBy|RequiredBy)=\S/.test(line));
}
