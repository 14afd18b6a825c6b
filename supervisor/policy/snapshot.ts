// The part of the state that survives a restart on the same boot, and the way back. Whether it is the same boot is the
// supervisor's to know.
import type { Decoded } from '../../shared/domain/decode.js';
import { decode } from '../../shared/domain/decode.js';
import type { Instant } from '../../shared/domain/instant.js';
import type { UpsSnapshot } from '../../shared/domain/outage-snapshot.js';
import { OutageSnapshot, snapshotVersion } from '../../shared/domain/outage-snapshot.js';
import { advanced } from './clock.js';
import { configured } from './configure.js';
import type { PolicySettings } from './inputs.js';
import type { PolicyState } from './state.js';
import type { UpsMemory, UpsState } from './ups-state.js';

/** Everything a decision can depend on, as plain data for JSON. */
export function snapshotOf(state: PolicyState): OutageSnapshot {
  return { version: snapshotVersion, clock: state.clock, ups: state.ups.map(upsSnapshot) };
}

/**
 * The state as it was when `snapshot` was taken, at the moment `at` of the same boot and under the settings of now.
 * The time between is no watched time: that nobody listened is not held against a UPS. Monotonic clocks ran on.
 */
export function restored(snapshot: unknown, settings: PolicySettings, at: Instant): Decoded<PolicyState> {
  const decoded = decode(OutageSnapshot, snapshot);
  if (!decoded.ok) return decoded;
  const { clock, ups } = decoded.value;
  const known = new Map(ups.map((one) => [one.groupId, one]));
  const state = configured(settings, { ...advanced(clock, at), watchedMs: clock.watchedMs }, (groupId) => {
    const one = known.get(groupId);
    return one === undefined ? undefined : upsMemory(one);
  });
  return { ok: true, value: state };
}

/** The groups whose sequence was asked for and has not ended, as far as this state knows. */
export function openSequences(
  state: PolicyState,
): readonly { readonly group: string; readonly trigger: string; readonly why: string }[] {
  return state.ups.flatMap(({ policy, shutdown }) =>
    shutdown.kind === 'fired' && !shutdown.sequenceOver
      ? [{ group: policy.groupId, trigger: shutdown.trigger, why: shutdown.why }]
      : [],
  );
}

function upsSnapshot({ policy, row, readings, ...memory }: UpsState): UpsSnapshot {
  void row;
  return {
    ...memory,
    groupId: policy.groupId,
    last: readings.last,
    runtimeDistrusted: readings.runtimeDistrusted,
  };
}

function upsMemory({ groupId, last, runtimeDistrusted, ...memory }: UpsSnapshot): UpsMemory {
  void groupId;
  const shownWords = last?.reading.status ?? [];
  return { ...memory, readings: { last, shownWords, variables: {}, runtimeDistrusted } };
}
