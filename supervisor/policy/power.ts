// Whether the power of a group is there: what a sequence asks right before its first destructive step, and a restarted
// daemon before it takes a sequence up again.
import type { PolicyState } from './state.js';
import type { UpsState } from './ups-state.js';
import { isCalm } from './ups-state.js';

/** No outage and no FSD of the group stands any more, confirmed as for every other decision. */
export function powerIsBack(state: PolicyState, group: string): boolean {
  const ups = upsOf(state, group);
  return ups !== undefined && isCalm(ups);
}

/** A reading not older than `sinceMs` shows the group on battery, or demanded to shut down. */
export function isSeenOnBattery(state: PolicyState, group: string, sinceMs: number): boolean {
  const ups = upsOf(state, group);
  const last = ups?.readings.last;
  if (ups === undefined || !last || last.monotonicMs < sinceMs) return false;
  return last.source === 'battery' || ups.fsd.kind === 'acting';
}

function upsOf(state: PolicyState, group: string): UpsState | undefined {
  const index = state.upsIndex.get(group);
  return index === undefined ? undefined : state.ups[index];
}
