// The dependencies of sequences. The engine guards the shared ones; `guardSequence` guards those of one sequence.
import type { EventType } from '../../shared/domain/status/events.js';
import type { PlanStep } from '../../shared/domain/outage/plan.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { SequenceCause } from '../../shared/domain/status/states.js';
import type { Guard } from '../guard/guard.js';
import type { Actuator, Performers } from './actuator.js';
import type { SetTimer } from '../host/timer.js';
import type { RunCommand } from '../host/run-command.js';
import type { SequenceEntry } from './journal/entries.js';
import type { StepRecord } from './journal/fold.js';
import type { SequenceRecord } from './journal/record.js';
import type { SequenceObserver } from './observer.js';
import { noSequenceObserver } from './observer.js';
import { failureOf, internalError } from './outcome.js';
import type { HostRestarts } from './restart-rule.js';

export interface SequencerDependencies {
  readonly guard: Guard;
  readonly run: RunCommand;
  readonly setTimer: SetTimer;
  readonly clock: Clock;
  readonly log: Logger;
  readonly journal: SequenceRecord;
  /**
   * For every kind of action but two that run on this host itself, and the tries, which use `remote`. `poweroffDelegate` makes
   * one attempt.
   */
  readonly performers: Omit<Performers, 'wall' | 'poweroff' | 'commandAgain'>;
  /** Records an event and sends its notification. */
  readonly record: (group: string, type: EventType, detail: string) => void;
  readonly changed: () => void;
  /** Call it at the end of a sequence. Only this call re-arms the group in policy. */
  readonly ended: (group: string, cancelled: boolean) => void;
  readonly powerIsBack: (group: string) => boolean;
  /** Why a sequence of the group may not wait, with steps that take up to `followsSeconds` after the wait; null: it may. */
  readonly noTimeToWait: (group: string, trigger: SequenceCause, followsSeconds: number) => string | null;
  /** The outage of the group is over, and policy knows the end of its sequence: nobody needs the record of it. */
  readonly isPast: (group: string) => boolean;
  /** There is a reading of the group since the start of this daemon. */
  readonly isSeen: (group: string) => boolean;
  /** True when a reading since the start of this daemon shows the group on battery. */
  readonly isSeenOnBattery: (group: string) => boolean;
  /** Absent: this host is never restarted in place of a power-off. */
  readonly restarts?: HostRestarts | undefined;
}

export interface SequenceDependencies {
  readonly guard: Guard;
  readonly clock: Clock;
  readonly actuator: Actuator;
  readonly setTimer: SetTimer;
  /** Adds an entry to the record. */
  write(entry: SequenceEntry): void;
  /** The gate of a step, outside its budget; null: it does not wait. */
  gate(step: PlanStep): Promise<void> | null;
  /** When the part of the step that other sequences share began, monotonic ms; undefined: it has not. */
  sharedSinceMs(step: PlanStep): number | undefined;
  /** How and when the server got its command, in whichever sequence; undefined: not yet. */
  serverEnd(server: string): StepRecord['ended'] | undefined;
  /** Why the step, a wait, may not wait; null: it may. */
  noWait(step: PlanStep): string | null;
  /** Checked again directly before the first destructive step. */
  powerIsBack(): boolean;
  readonly observer: SequenceObserver;
}

/** A step whose gate throws does not wait: a step that never starts does more harm. */
export function guardSequence(deps: SequenceDependencies): SequenceDependencies {
  const { guard, observer, actuator } = deps;
  type Queries = Pick<
    SequenceDependencies,
    'gate' | 'sharedSinceMs' | 'serverEnd' | 'powerIsBack' | 'noWait'
  >;
  const queries = guard.withFallback<Queries>('a sequence', deps, {
    gate: () => null,
    sharedSinceMs: () => undefined,
    serverEnd: () => undefined,
    powerIsBack: () => false,
    noWait: () => internalError,
  });
  return {
    ...deps,
    ...queries,
    observer: guard.listener('the observer of a sequence', observer, noSequenceObserver),
    actuator: guard.withFallback('the actuator', actuator, {
      perform: () => Promise.resolve(failureOf(internalError)),
    }),
  };
}
