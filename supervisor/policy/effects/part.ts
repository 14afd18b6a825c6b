// The part of one UPS or group in a step: its state and its effects, of which none stays when it throws.
import type { Effect } from '../base/effects.js';
import type { GroupSettings, UpsSettings } from '../base/inputs.js';
import { isEqual } from '../base/comparison.js';
import type { Guarded, Loss } from '../base/loss.js';
import { shown } from '../base/loss.js';
import type { GroupState } from '../state/group-state.js';
import type { UpsState } from '../state/ups-state.js';
import type { Shutdown } from '../trigger/shutdown.js';
import { hasPowerReturned, startedBy } from '../trigger/shutdown.js';
import type { Report } from '../view/events.js';
import { worded } from '../view/events.js';

export interface Part<S> {
  readonly state: S;
  readonly effects: readonly Effect[];
  /** What threw; all else of the part stands. */
  readonly lost: readonly Loss[];
}

/** The parts of `all` in an input: where `act` throws, the state before stays. Null: nothing changes. */
export function parts<S extends UpsState | GroupState>(
  input: string,
  all: readonly S[],
  act: (before: S, place: number) => Part<S> | null,
): Part<readonly S[]> {
  const done = all.map((before, place) => {
    try {
      return act(before, place);
    } catch (error) {
      const { groupId: undecided } = before.policy;
      return { state: before, effects: [], lost: [{ place: `${input} of ${undecided}`, error, undecided }] };
    }
  });
  if (done.every((part) => part === null)) return { state: all, effects: [], lost: [] };
  return {
    state: all.map((before, place) => done[place]?.state ?? before),
    effects: done.flatMap((part) => part?.effects ?? []),
    lost: done.flatMap((part) => part?.lost ?? []),
  };
}

/** The commands for the sequence of a group, by what has changed. */
export function commands(groupId: string, before: Shutdown, after: Shutdown): Effect[] {
  const request = startedBy(before, after);
  if (request !== null)
    return [{ kind: 'startSequence', groupId, trigger: request.trigger, why: request.why }];
  return hasPowerReturned(before, after) ? [{ kind: 'powerReturned', groupId }] : [];
}

/** Events and messages. A report that throws is lost alone. */
export function reported<C>(
  change: C,
  reports: readonly Report<C>[],
  policy: UpsSettings | GroupSettings,
): Guarded<readonly Effect[]> {
  const value: Effect[] = [];
  const lost: Loss[] = [];
  for (const { place, factsOf } of reports) {
    try {
      for (const fact of factsOf(change)) value.push(...worded(fact, policy));
    } catch (error) {
      lost.push({ place, error, undecided: null });
    }
  }
  return { value, lost };
}

/** The part with its row, which is published when it looks another way. One that throws stays as it was. */
export function withRow<S extends UpsState | GroupState>(
  place: string,
  { state, effects, lost }: Part<S>,
  rowOf: () => S['row'],
): Part<S> {
  const row = shown(place, state.row, rowOf);
  if (isEqual(row.value, state.row)) return { state, effects, lost: [...lost, ...row.lost] };
  const publish = { kind: 'publish', groupId: state.policy.groupId } as const;
  return { state: { ...state, row: row.value }, effects: [...effects, publish], lost };
}

/** As they are performed: commands, what is shown, one snapshot, rows. */
export function inOrder(effects: readonly Effect[]): readonly Effect[] {
  if (effects.length < 2) return effects;
  const [urgent, rest, rows]: [Effect[], Effect[], Effect[]] = [[], [], []];
  let save: Effect | null = null;
  for (const effect of effects) {
    if (effect.kind === 'startSequence' || effect.kind === 'powerReturned') urgent.push(effect);
    else if (effect.kind === 'publish') rows.push(effect);
    else if (effect.kind !== 'saveSnapshot') rest.push(effect);
    else if (save === null || effect.first) save = effect;
  }
  return [...urgent, ...rest, ...(save === null ? [] : [save]), ...rows];
}
