// Sets FSD at the NUT server of a UPS, so that hosts which know only NUT shut down, and waits until they have logged out. Asks
// again, within the step's budget, when the poller was restarted.
import { formatSeconds } from '../../../shared/domain/base/duration.js';
import { listNames } from '../../../shared/domain/base/list-names.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import { controlFailure } from '../../../shared/protocol/poller.js';
import type { ForcedShutdownState } from '../../policy/base/inputs.js';
import type { Performer } from '../actuator.js';
import type { StepOutcome } from '../outcome.js';
import { failureOf } from '../outcome.js';
import type { LocalDependencies } from './local-calls.js';
import { pause, StepTime } from './local-calls.js';
import { retryMs } from './remote-servers.js';

/** `fsd.set` of a poller; settles within the deadline. WORKER_GONE immediately while there is none. */
export type SetFsd = (
  ups: string,
  hostsyncMs: number,
  deadlineMs: number,
) => Promise<Outcome<{ readonly clients: readonly string[] }>>;

export interface NutSecondaries {
  /** Why the hosts of this UPS stay up; null: it is on battery, or CRITICAL. */
  readonly needsNone: (ups: string) => string | null;
  /** Before the flag is asked for, and with its end: the flag that is read back is our own. */
  readonly noted: (ups: string, state: ForcedShutdownState) => void;
  readonly set: SetFsd;
}

/** For the answer of the worker. */
const replyMarginSeconds = 0.25;

export function secondariesPerformer(
  deps: Pick<LocalDependencies, 'clock' | 'setTimer'>,
  { needsNone, noted, set }: NutSecondaries,
): Performer<'forceShutdown'> {
  return async ({ ups, hostsyncSeconds }, { budgetSeconds }, signal) => {
    const reason = needsNone(ups);
    if (reason !== null) return { kind: 'skipped', reason };
    noted(ups, 'asked');
    const time = new StepTime(deps.clock, budgetSeconds - replyMarginSeconds);
    for (;;) {
      const outcome = await set(ups, hostsyncSeconds * 1000, time.leftSeconds * 1000);
      if (outcome.ok) {
        noted(ups, 'set');
        return done(outcome.value.clients, hostsyncSeconds);
      }
      const { code, message } = outcome.error;
      // Only the server's own answer says that it is not set.
      if (code === controlFailure.nut) noted(ups, 'refused');
      if (code !== 'WORKER_GONE' || signal.aborted || time.leftSeconds === 0) return failureOf(message);
      await pause(deps, signal, retryMs);
    }
  };
}

function done(clients: readonly string[], hostsyncSeconds: number): StepOutcome {
  if (clients.length === 0) return { kind: 'done', detail: 'FSD set; nobody else is logged in' };
  const others = `${listNames(clients)} (this host may be one of them)`;
  return {
    kind: 'done',
    detail: `FSD set; after ${formatSeconds(hostsyncSeconds)} still logged in: ${others}`,
  };
}
