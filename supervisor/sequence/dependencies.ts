// The dependencies of sequences. The engine guards the shared ones; `guardSequence` guards those of one sequence.
import type { EventType } from '../../shared/domain/events.js';
import type { PlanStep } from '../../shared/domain/plan.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Guard } from '../guard/guard.js';
import type { Actuator, Performers } from './actuator.js';
import type { FedLoads } from './fed-loads.js';
import type { SetTimer } from '../host/timer.js';
import type { RunCommand } from '../host/run-command.js';
import type { Journal, JournalStore } from './journal/journal.js';
import type { SequenceObserver } from './observer.js';
import { noSequenceObserver } from './observer.js';
import { failed, internalError } from './outcome.js';

export interface SequencesDependencies {
  readonly guard: Guard;
  readonly run: RunCommand;
  readonly setTimer: SetTimer;
  readonly clock: Clock;
  readonly log: Logger;
  readonly journals: JournalStore;
  /** Told of plans and sequences; the cut of an output asks it. */
  readonly fedLoads: FedLoads;
  /** For every kind of action but the two that run on this host itself. `poweroffDelegate` makes one attempt. */
  readonly performers: Omit<Performers, 'wall' | 'poweroff'>;
  /** Records an event and sends its notification. */
  readonly record: (group: string, type: EventType, detail: string) => void;
  readonly changed: () => void;
  /** Call it at the end of a sequence. Only this call re-arms the group in policy. */
  readonly ended: (group: string, cancelled: boolean) => void;
  readonly powerIsBack: (group: string) => boolean;
  /** True when a reading since the start of this daemon shows the group on battery. */
  readonly isSeenOnBattery: (group: string) => boolean;
}

export interface SequenceDependencies {
  readonly guard: Guard;
  readonly clock: Clock;
  readonly actuator: Actuator;
  readonly setTimer: SetTimer;
  readonly journal: Journal;
  /** The gate of a step, outside its budget; null: it does not wait. */
  gate(step: PlanStep): Promise<void> | null;
  /** The time when a previous daemon started the part of the step that other sequences share; undefined: it did not. */
  commandedSinceMs(step: PlanStep): number | undefined;
  /** Checked again directly before the first destructive step. */
  powerIsBack(): boolean;
  readonly observer: SequenceObserver;
}

/** A step whose gate throws does not wait: a step that never starts does more harm. */
export function guardSequence(deps: SequenceDependencies): SequenceDependencies {
  const { guard, observer, actuator } = deps;
  const queries = guard.withFallback<Pick<SequenceDependencies, 'gate' | 'commandedSinceMs' | 'powerIsBack'>>(
    'a sequence',
    deps,
    {
      gate: () => null,
      commandedSinceMs: () => undefined,
      powerIsBack: () => false,
    },
  );
  return {
    ...deps,
    ...queries,
    observer: guard.listener('the observer of a sequence', observer, noSequenceObserver),
    actuator: guard.withFallback('the actuator', actuator, {
      perform: () => Promise.resolve(failed(internalError)),
    }),
  };
}
