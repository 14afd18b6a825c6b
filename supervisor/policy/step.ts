// Policy as one total, synchronous function without clock, I/O or randomness. It should never throw: what a bug throws costs
// only the part that threw: the part of one UPS or group, or what is shown of it.
import { unreachable } from '../../shared/domain/base/unreachable.js';
import type { PolicyClock } from './base/clock.js';
import { advanced } from './base/clock.js';
import { configured } from './configure.js';
import type { Effect } from './base/effects.js';
import { resumeSequence } from './decision/resume.js';
import { fsdAfterOwn } from './trigger/fsd-latch.js';
import { groupAfterMemberStarted, groupAfterReading, groupEvaluated } from './decision/group.js';
import type { Input, PolicySettings } from './base/inputs.js';
import type { Loss } from './base/effect-collector.js';
import { EffectCollector } from './base/effect-collector.js';
import type { Shutdown } from './trigger/shutdown.js';
import { sequenceOver } from './trigger/shutdown.js';
import type { GroupState } from './state/group-state.js';
import { withRecalled } from './power/readings.js';
import type { PolicyState } from './state/state.js';
import { groupOf, upsOf } from './state/state.js';
import { upsAfterAssessment, upsAfterOwnTest, upsAfterPoll, upsAfterTick } from './decision/ups.js';
import type { UpsState } from './state/ups-state.js';

/** Redundancy groups are evaluated once a second (specification/policy.md#redundancy-groups). */
const evaluationMs = 1_000;

type Polled = Extract<Input, { kind: 'polled' }>;

export interface Stepped {
  readonly state: PolicyState;
  readonly effects: readonly Effect[];
  /** What threw; all else of the step stands. */
  readonly lost: readonly Loss[];
}

/**
 * Returns the next state and the effects of one input. `state` is not changed; the two share unchanged parts. An input
 * about an unknown UPS or group only moves the clock.
 */
export function step(state: PolicyState, input: Input): Stepped {
  const effects = new EffectCollector();
  const next = after({ ...state, clock: advanced(state.clock, input.at) }, input, effects);
  return { state: next, effects: effects.effects(), lost: effects.lost };
}

function after(state: PolicyState, input: Input, effects: EffectCollector): PolicyState {
  switch (input.kind) {
    case 'configured':
      return afterSettings(state, input.settings, effects);
    case 'polled':
      return afterPoll(state, input, effects);
    case 'ticked':
      return afterTick(state, effects);
    case 'tested':
      effects.requestSnapshot();
      return withUps(state, input.groupId, (ups) => upsAfterOwnTest(ups, input.running, state.clock));
    case 'forcedShutdown':
      effects.requestSnapshotFirst();
      return withUps(state, input.groupId, (ups) => ({
        ...ups,
        fsd: fsdAfterOwn(ups.fsd, input.state, state.clock),
      }));
    case 'assessed':
      return withUps(state, input.groupId, (ups) =>
        upsAfterAssessment(ups, input.estimate, state.clock, effects),
      );
    case 'gaugesRecalled':
      effects.requestSnapshot();
      return withUps(state, input.groupId, (ups) => ({
        ...ups,
        readings: { ...ups.readings, gauges: withRecalled(ups.readings.gauges, input.read) },
      }));
    case 'sequenceEnded':
      effects.requestSnapshot();
      return withShutdown(state, input.groupId, sequenceOver);
    case 'openSequenceFound':
      effects.requestSnapshot();
      return resumeSequence(state, input.groupId, input.request, input.sinceUnixSeconds, effects);
    default:
      return unreachable(input);
  }
}

function afterSettings(state: PolicyState, settings: PolicySettings, effects: EffectCollector): PolicyState {
  for (const { groupId } of [...settings.ups, ...settings.redundancyGroups]) effects.rowChanged(groupId);
  effects.requestSnapshot();
  return configured(settings, state.clock, {
    ups: (groupId) => upsOf(state, groupId),
    group: (groupId) => groupOf(state, groupId),
    evaluatedMs: state.evaluatedMs,
  });
}

function afterPoll(state: PolicyState, input: Polled, effects: EffectCollector): PolicyState {
  const { outcome, tookMs = 0, groupId } = input;
  const askedMs = Math.min(input.askedMs ?? Infinity, state.clock.monotonicMs);
  const { voltageHysteresisMs } = state.settings;
  const polled = withUps(state, groupId, (ups) =>
    upsAfterPoll(ups, { outcome, tookMs, askedMs, voltageHysteresisMs }, state.clock, effects),
  );
  const before = upsOf(state, groupId);
  const ups = upsOf(polled, groupId);
  const groupIndexes = polled.groupsOfUps.get(groupId) ?? [];
  if (before === undefined || ups === undefined || groupIndexes.length === 0) return polled;
  const isRead = ups.readings.last !== before.readings.last;
  const groups = !isRead
    ? polled.groups
    : polled.groups.map((group, place) =>
        groupIndexes.includes(place)
          ? ofGroup('a reading', group, effects, () =>
              groupAfterReading(group, before, ups, state.clock, effects),
            )
          : group,
      );
  const started = hasStarted(before, ups) ? groupIndexes : [];
  return withMembersStarted({ ...polled, groups }, started, effects);
}

const hasStarted = (before: UpsState, after: UpsState): boolean =>
  before.shutdown.kind === 'armed' && after.shutdown.kind === 'fired';

/** The groups of the UPSes that have started in `after`. */
function groupIndexesOfStarted(
  { ups: before, groupsOfUps }: PolicyState,
  after: readonly UpsState[],
): readonly number[] {
  return after.flatMap((one, place) => {
    const known = before[place];
    if (known === undefined || !hasStarted(known, one)) return [];
    return groupsOfUps.get(one.policy.groupId) ?? [];
  });
}

/** `groupIndexes`: the groups of the UPSes whose own sequences have started at this input. */
function withMembersStarted(
  state: PolicyState,
  groupIndexes: readonly number[],
  effects: EffectCollector,
): PolicyState {
  if (groupIndexes.length === 0) return state;
  const lookup = (groupId: string) => upsOf(state, groupId);
  const groups = state.groups.map((group, place) =>
    groupIndexes.includes(place)
      ? ofGroup('a start', group, effects, () => groupAfterMemberStarted(group, lookup, state.clock, effects))
      : group,
  );
  return { ...state, groups };
}

/** What the input means for one group: an exception there costs no other group, and no UPS, its decision. */
function ofGroup(
  input: string,
  group: GroupState,
  effects: EffectCollector,
  act: () => GroupState,
): GroupState {
  return effects.part(input, group.policy.groupId, group, act);
}

function afterTick(state: PolicyState, effects: EffectCollector): PolicyState {
  const ups = upsAfterTicks(state.ups, state.clock, effects);
  const ticked = withMembersStarted({ ...state, ups }, groupIndexesOfStarted(state, ups), effects);
  const { monotonicMs } = state.clock;
  if (ticked.groups.length === 0 || monotonicMs - state.evaluatedMs < evaluationMs) return ticked;
  const lookup = (groupId: string) => upsOf(ticked, groupId);
  const groups = ticked.groups.map((group) =>
    ofGroup('a tick', group, effects, () => groupEvaluated(group, lookup, state.clock, effects)),
  );
  return { ...ticked, groups, evaluatedMs: monotonicMs };
}

/** Most ticks change no UPS; then the same array is returned. */
function upsAfterTicks(
  all: readonly UpsState[],
  clock: PolicyClock,
  effects: EffectCollector,
): readonly UpsState[] {
  let changed: UpsState[] | null = null;
  all.forEach((before, place) => {
    const { groupId } = before.policy;
    const ups = effects.part('a tick', groupId, before, () => upsAfterTick(before, clock, effects));
    if (ups === before) return;
    changed ??= [...all];
    changed[place] = ups;
  });
  return changed ?? all;
}

function withShutdown(
  state: PolicyState,
  group: string,
  change: (shutdown: Shutdown) => Shutdown,
): PolicyState {
  const changed = withUps(state, group, (ups) => ({ ...ups, shutdown: change(ups.shutdown) }));
  const groups = changed.groups.map((one) =>
    one.policy.groupId === group ? { ...one, shutdown: change(one.shutdown) } : one,
  );
  return { ...changed, groups };
}

function withUps(state: PolicyState, groupId: string, change: (ups: UpsState) => UpsState): PolicyState {
  const place = state.upsIndex.get(groupId);
  const ups = upsOf(state, groupId);
  if (place === undefined || ups === undefined) return state;
  return { ...state, ups: state.ups.with(place, change(ups)) };
}
