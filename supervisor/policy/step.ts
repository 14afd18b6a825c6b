// Policy as one function. Total, synchronous, without clock, I/O or randomness; it never throws.
import { unreachable } from '../../shared/domain/unreachable.js';
import type { PolicyClock } from './clock.js';
import { advanced } from './clock.js';
import { configured } from './configure.js';
import type { Effect } from './effects.js';
import type { Input, PolicySettings } from './inputs.js';
import { Said } from './said.js';
import { sequenceOver } from './shutdown.js';
import type { PolicyState } from './state.js';
import type { UpsState } from './ups-state.js';
import { upsAfterOwnTest, upsAfterPoll, upsAfterTick } from './ups.js';

export interface Stepped {
  readonly state: PolicyState;
  readonly effects: readonly Effect[];
}

/** One input in, the next state and what is to be done about it out. An input about a UPS or group that is not configured does nothing. */
export function step(state: PolicyState, input: Input): Stepped {
  const clock = advanced(state.clock, input.at);
  const said = new Said();
  const next = after({ ...state, clock }, input, clock, said);
  return { state: next, effects: said.effects() };
}

function after(state: PolicyState, input: Input, clock: PolicyClock, said: Said): PolicyState {
  switch (input.kind) {
    case 'configured':
      return afterSettings(state, input.settings, clock, said);
    case 'polled':
      return changed(state, input.groupId, (ups) => upsAfterPoll(ups, input.outcome, clock, said));
    case 'ticked':
      return afterTick(state, clock, said);
    case 'tested':
      said.mustSurvive();
      return changed(state, input.groupId, (ups) => upsAfterOwnTest(ups, input.running, clock));
    case 'sequenceEnded':
      said.mustSurvive();
      return changed(state, input.group, (ups) => ({ ...ups, shutdown: sequenceOver(ups.shutdown) }));
    default:
      return unreachable(input);
  }
}

function afterSettings(
  state: PolicyState,
  settings: PolicySettings,
  clock: PolicyClock,
  said: Said,
): PolicyState {
  const next = configured(settings, clock, (groupId) => upsOf(state, groupId));
  for (const { groupId } of [...settings.ups, ...settings.redundancyGroups]) said.rowChanged(groupId);
  said.mustSurvive();
  return next;
}

function afterTick(state: PolicyState, clock: PolicyClock, said: Said): PolicyState {
  let ups: UpsState[] | null = null;
  state.ups.forEach((before, index) => {
    const next = upsAfterTick(before, clock, said);
    if (next === before) return;
    ups ??= [...state.ups];
    ups[index] = next;
  });
  return ups === null ? state : { ...state, ups };
}

function changed(state: PolicyState, groupId: string, change: (ups: UpsState) => UpsState): PolicyState {
  const index = state.upsIndex.get(groupId);
  const before = index === undefined ? undefined : state.ups[index];
  if (index === undefined || before === undefined) return state;
  return { ...state, ups: state.ups.with(index, change(before)) };
}

function upsOf(state: PolicyState, groupId: string): UpsState | undefined {
  const index = state.upsIndex.get(groupId);
  return index === undefined ? undefined : state.ups[index];
}
