// Policy as one total, synchronous function without clock, I/O or randomness. It should never throw: what a bug throws costs
// only the part that threw: the part of one UPS or group, or what is shown of it.
import { unreachable } from '../../shared/domain/base/unreachable.js';
import { advanced } from './base/clock.js';
import { configured } from './configure.js';
import type { Effect } from './base/effects.js';
import { resumeSequence } from './decision/resume.js';
import { fsdAfterOwn } from './trigger/fsd-latch.js';
import { groupAfterMemberStarted, groupAfterReading, groupEvaluated } from './decision/group.js';
import { evaluatedPart, readPart } from './effects/group-part.js';
import type { Part } from './effects/part.js';
import { inOrder, parts } from './effects/part.js';
import { upsPart } from './effects/ups-part.js';
import type { Input, PolicySettings } from './base/inputs.js';
import { sequenceOver, startedBy } from './trigger/shutdown.js';
import type { GroupState } from './state/group-state.js';
import { withRecalled } from './power/readings.js';
import type { PolicyState } from './state/state.js';
import { groupOf, upsOf } from './state/state.js';
import { unread, upsAfterOwnTest, upsAfterPoll, upsAfterTick } from './decision/ups.js';
import type { UpsState } from './state/ups-state.js';

/** Redundancy groups are evaluated once a second (specification/policy.md#redundancy-groups). */
const evaluationMs = 1_000;

type Polled = Extract<Input, { kind: 'polled' }>;

/** The next state and the effects of one input, in the order in which they are performed. */
export type Stepped = Part<PolicyState>;

/**
 * Returns the next state and the effects of one input. `state` is not changed; the two share unchanged parts. An input
 * about an unknown UPS or group changes the clock alone, and may save it.
 */
export function step(state: PolicyState, input: Input): Stepped {
  const { state: next, effects, lost } = after({ ...state, clock: advanced(state.clock, input.at) }, input);
  return { state: next, effects: inOrder(effects), lost };
}

function after(state: PolicyState, input: Input): Stepped {
  switch (input.kind) {
    case 'configured':
      return afterSettings(state, input.settings);
    case 'polled':
      return afterPoll(state, input);
    case 'ticked':
      return afterTick(state);
    case 'tested':
      return saved(withUps(state, input.groupId, (ups) => upsAfterOwnTest(ups, input.running, state.clock)));
    case 'forcedShutdown':
      return saved(
        withUps(state, input.groupId, (ups) => ({
          ...ups,
          fsd: fsdAfterOwn(ups.fsd, input.state, state.clock),
        })),
        true,
      );
    case 'assessed':
      return withPart(state, input.groupId, (ups) =>
        upsPart(ups, unread({ ...ups, estimate: input.estimate }), state.clock),
      );
    case 'gaugesRecalled':
      return saved(
        withUps(state, input.groupId, (ups) => ({
          ...ups,
          readings: { ...ups.readings, gauges: withRecalled(ups.readings.gauges, input.read) },
        })),
      );
    case 'sequenceEnded':
      return saved(withSequenceOver(state, input.groupId));
    case 'openSequenceFound': {
      const next = resumeSequence(state, input.groupId, input.request, input.sinceUnixSeconds);
      const changed = next.groups.filter(({ row }, place) => row !== state.groups[place]?.row);
      return saved(next, false, published(changed));
    }
    default:
      return unreachable(input);
  }
}

function saved(state: PolicyState, first = false, effects: readonly Effect[] = []): Stepped {
  return { state, effects: [{ kind: 'saveSnapshot', first }, ...effects], lost: [] };
}

function published(all: readonly { readonly policy: { readonly groupId: string } }[]): readonly Effect[] {
  return all.map(({ policy: { groupId } }) => ({ kind: 'publish', groupId }));
}

function afterSettings(state: PolicyState, settings: PolicySettings): Stepped {
  const next = configured(settings, state.clock, {
    ups: (groupId) => upsOf(state, groupId),
    group: (groupId) => groupOf(state, groupId),
    evaluatedMs: state.evaluatedMs,
  });
  return saved(next, false, published([...next.ups, ...next.groups]));
}

function afterPoll(state: PolicyState, input: Polled): Stepped {
  const { outcome, tookMs = 0, groupId } = input;
  const { clock: now } = state;
  const askedMs = Math.min(input.askedMs ?? Infinity, now.monotonicMs);
  const { voltageHysteresisMs } = state.settings;
  const polled = withPart(state, groupId, (before) => {
    const decided = upsAfterPoll(before, { outcome, tookMs, askedMs, voltageHysteresisMs }, now);
    return upsPart(before, decided, now, tookMs);
  });
  const before = upsOf(state, groupId);
  const ups = upsOf(polled.state, groupId);
  const groups = state.groupsOfUps.get(groupId) ?? [];
  if (before === undefined || ups === undefined || groups.length === 0) return polled;
  const isRead = ups.readings.last !== before.readings.last;
  const read = withGroups(polled, isRead ? groups : [], 'a reading', (group) =>
    readPart(group, groupAfterReading(group, ups, now), before, ups),
  );
  return withMembersStarted(read, startedBy(before.shutdown, ups.shutdown) === null ? [] : groups);
}

/** The groups of the UPSes that have started in `after`. */
function groupIndexesOfStarted(
  { ups: before, groupsOfUps }: PolicyState,
  after: readonly UpsState[],
): readonly number[] {
  return after.flatMap((now, place) => {
    const known = before[place];
    if (known === undefined || startedBy(known.shutdown, now.shutdown) === null) return [];
    return groupsOfUps.get(now.policy.groupId) ?? [];
  });
}

/** `indexes`: the groups of the UPSes whose own sequences have started at this input. */
function withMembersStarted(stepped: Stepped, indexes: readonly number[]): Stepped {
  const { state } = stepped;
  const lookup = (groupId: string) => upsOf(state, groupId);
  return withGroups(stepped, indexes, 'a start', (group) => {
    const evaluated = groupAfterMemberStarted(group, lookup, state.clock);
    return evaluated === null ? null : evaluatedPart(group, evaluated, lookup);
  });
}

/** What the input means for these groups: an exception in one costs no other group, and no UPS, its decision. */
function withGroups(
  { state, effects, lost }: Stepped,
  indexes: readonly number[],
  input: string,
  act: (group: GroupState) => Part<GroupState> | null,
): Stepped {
  if (indexes.length === 0) return { state, effects, lost };
  const groups = parts(input, state.groups, (group, place) => (indexes.includes(place) ? act(group) : null));
  return {
    state: { ...state, groups: groups.state },
    effects: [...effects, ...groups.effects],
    lost: [...lost, ...groups.lost],
  };
}

function afterTick(state: PolicyState): Stepped {
  const { clock: now, groups, evaluatedMs } = state;
  const ups = parts('a tick', state.ups, (before) => {
    const decided = upsAfterTick(before, now);
    return decided && upsPart(before, decided, now);
  });
  const started = groupIndexesOfStarted(state, ups.state);
  const ticked = withMembersStarted({ ...ups, state: { ...state, ups: ups.state } }, started);
  if (groups.length === 0 || now.monotonicMs - evaluatedMs < evaluationMs) return ticked;
  const lookup = (groupId: string) => upsOf(ticked.state, groupId);
  const evaluated = withGroups(ticked, [...groups.keys()], 'a tick', (group) =>
    evaluatedPart(group, groupEvaluated(group, lookup, now), lookup),
  );
  return { ...evaluated, state: { ...evaluated.state, evaluatedMs: now.monotonicMs } };
}

function withSequenceOver(state: PolicyState, group: string): PolicyState {
  const changed = withUps(state, group, (ups) => ({ ...ups, shutdown: sequenceOver(ups.shutdown) }));
  const groups = changed.groups.map((before) =>
    before.policy.groupId === group ? { ...before, shutdown: sequenceOver(before.shutdown) } : before,
  );
  return { ...changed, groups };
}

function withUps(state: PolicyState, groupId: string, change: (ups: UpsState) => UpsState): PolicyState {
  return withPart(state, groupId, (ups) => ({ state: change(ups), effects: [], lost: [] })).state;
}

/** An unknown UPS changes nothing. */
function withPart(state: PolicyState, groupId: string, act: (ups: UpsState) => Part<UpsState>): Stepped {
  const place = state.upsIndex.get(groupId);
  const ups = upsOf(state, groupId);
  if (place === undefined || ups === undefined) return { state, effects: [], lost: [] };
  const { state: next, effects, lost } = act(ups);
  return { state: { ...state, ups: state.ups.with(place, next) }, effects, lost };
}
