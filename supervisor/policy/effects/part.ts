// The part of one UPS or group in a step: its state and its effects, of which none stays when it throws.
import type { Effect } from '../base/effects.js';
import type { Guarded, Loss } from '../base/loss.js';
import type { GroupState } from '../state/group-state.js';
import type { UpsState } from '../state/ups-state.js';
import type { Shutdown } from '../trigger/shutdown.js';
import { shutdownChange } from '../trigger/shutdown.js';
import type { Fact } from '../view/events.js';
import { worded } from '../view/events.js';

export interface Part<S> {
  readonly state: S;
  readonly effects: readonly Effect[];
  /** What threw; all else of the part stands. */
  readonly lost: readonly Loss[];
}

/** Null: nothing changes. When `act` throws, `before` stays. */
export function part<S extends UpsState | GroupState>(
  input: string,
  before: S,
  act: () => Part<S> | null,
): Part<S> | null {
  const { groupId } = before.policy;
  try {
    return act();
  } catch (error) {
    return {
      state: before,
      effects: [],
      lost: [{ place: `${input} of ${groupId}`, error, undecided: groupId }],
    };
  }
}

/** The commands for the sequence of a group, by what has changed. */
export function commands(groupId: string, before: Shutdown, after: Shutdown): readonly Effect[] {
  const change = shutdownChange(before, after);
  if (change === null || after.kind === 'armed') return [];
  const { trigger, why } = after;
  return [
    change === 'started'
      ? { kind: 'startSequence', groupId, trigger, why }
      : { kind: 'powerReturned', groupId },
  ];
}

/** Finds the facts in a change of a UPS or group. */
export type Report<C> = readonly [place: string, facts: (change: C) => readonly Fact[]];

/** Events and messages. A report that throws is lost alone. */
export function reported<C>(
  change: C,
  reports: readonly Report<C>[],
  source: string,
  label: () => string,
): Guarded<readonly Effect[]> {
  const value: Effect[] = [];
  const lost: Loss[] = [];
  for (const [place, factsOf] of reports) {
    try {
      const facts = factsOf(change);
      if (facts.length > 0) value.push(...facts.flatMap((fact) => worded(fact, source, label())));
    } catch (error) {
      lost.push({ place, error, undecided: null });
    }
  }
  return { value, lost };
}

/** As they are performed: commands, what is shown, one snapshot, rows. */
export function inOrder(effects: readonly Effect[]): readonly Effect[] {
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
