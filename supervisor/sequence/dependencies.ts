// What sequences work with. Their maker guards the tools of all sequences; what is made for one sequence is guarded here.
import type { EventType } from '../../shared/domain/events.js';
import type { PlanStep } from '../../shared/domain/plan.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Guard } from '../guard/guard.js';
import type { Actuator, Performers } from './actuator.js';
import type { SetTimer } from './budget.js';
import type { RunCommand } from '../host/run-command.js';
import type { Journal, JournalStore } from './journal/journal.js';
import type { SequenceObserver } from './observer.js';
import { silent } from './observer.js';
import { failed, internalError } from './outcome.js';

export interface SequencesDependencies {
  readonly guard: Guard;
  readonly run: RunCommand;
  readonly setTimer: SetTimer;
  readonly clock: Clock;
  readonly log: Logger;
  readonly journals: JournalStore;
  /** Of all kinds of actions but the two that are commands of this host itself; for the delegate, one try. */
  readonly performers: Omit<Performers, 'wall' | 'poweroff'>;
  /** Records an event and tells people. */
  readonly record: (group: string, type: EventType, detail: string) => void;
  /** The read model of the sequence has changed. */
  readonly changed: () => void;
  /** A sequence is over: policy re-arms the group by this and by nothing else. */
  readonly ended: (group: string, cancelled: boolean) => void;
  /** True when the group's power is confirmed to be back. */
  readonly powerIsBack: (group: string) => boolean;
  /** True when a reading since the start of this daemon shows the group on battery. */
  readonly isSeenOnBattery: (group: string) => boolean;
}

/** What one sequence works with. */
export interface SequenceDependencies {
  readonly guard: Guard;
  readonly clock: Clock;
  readonly actuator: Actuator;
  readonly setTimer: SetTimer;
  readonly journal: Journal;
  /** What a step has to wait for that is no part of it and no time of its own; null: nothing. */
  gate(step: PlanStep): Promise<void> | null;
  /** When a daemon before this one began with what the step shares with other sequences; undefined: it did not. */
  begunMs(step: PlanStep): number | undefined;
  /** Looked at once more right before the first destructive step. */
  powerIsBack(): boolean;
  readonly observer: SequenceObserver;
}

/** A step whose gate cannot be found does not wait: a step that never begins is the greater harm. */
export function guarded(tools: SequenceDependencies): SequenceDependencies {
  const { guard, observer, actuator } = tools;
  const questions = guard.tool<Pick<SequenceDependencies, 'gate' | 'begunMs' | 'powerIsBack'>>(
    'a sequence',
    tools,
    {
      gate: () => null,
      begunMs: () => undefined,
      powerIsBack: () => false,
    },
  );
  return {
    ...tools,
    ...questions,
    observer: guard.listener('the observer of a sequence', observer, silent),
    actuator: guard.tool('the actuator', actuator, {
      perform: () => Promise.resolve(failed(internalError)),
    }),
  };
}
