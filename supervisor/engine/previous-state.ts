// The state of policy under the previous daemon of this boot, from its snapshot. Reads only.
import type { Instant } from '../../shared/domain/base/instant.js';
import type { OutageSnapshot } from '../../shared/domain/outage/outage-snapshot.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Guard } from '../guard/guard.js';
import type { PolicySettings } from '../policy/base/inputs.js';
import { restored } from '../policy/snapshot.js';
import type { PolicyState } from '../policy/state/state.js';
import { initialState } from '../policy/state/state.js';
import type { SnapshotStore } from './snapshot-file.js';

export interface PreviousState {
  readonly state: PolicyState;
  /** When it was saved, monotonic ms; -Infinity: there is none that can be used. */
  readonly takenMs: number;
  /** An exception has cost it. */
  readonly isForgotten: boolean;
}

const noPreviousState: PreviousState = { state: initialState, takenMs: -Infinity, isForgotten: false };

interface Sources {
  readonly snapshot: SnapshotStore;
  readonly log: Logger;
  readonly guard: Guard;
}

/** No content of a file on tmpfs may prevent the start of the daemon. */
export function previousStateOf(sources: Sources, settings: PolicySettings, at: Instant): PreviousState {
  let previous = noPreviousState;
  // A bug that throws now and then costs nothing.
  const read = () =>
    sources.guard.run('the outage snapshot', () => (previous = readPreviousState(sources, settings, at)));
  return read() || read() ? previous : { ...noPreviousState, isForgotten: true };
}

function readPreviousState({ snapshot, log }: Sources, settings: PolicySettings, at: Instant): PreviousState {
  const content = snapshot.read();
  if (content === null) return noPreviousState;
  const state = restored(content, settings, at);
  if (state.ok)
    return { state: state.value, takenMs: (content as OutageSnapshot).clock.monotonicMs, isForgotten: false };
  const where = state.problems[0];
  log.warning(
    `the outage snapshot cannot be used (${where?.path ?? ''}: ${where?.message ?? ''}): starting without it`,
  );
  return noPreviousState;
}
