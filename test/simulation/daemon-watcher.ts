// What a simulated daemon tells of itself.
import type { CommandLine } from '../../shared/domain/commands/command-line.js';
import type { PlanStep } from '../../shared/domain/outage/plan.js';
import type { UpsPolled } from '../../shared/protocol/poller.js';
import type { RecordedEvent } from '../../supervisor/events/event-recorder.js';
import type { CommandOutcome } from '../../supervisor/host/run-command.js';
import type { StepOutcome } from '../../supervisor/sequence/outcome.js';

/** Observes what the daemon does, in order. */
export interface DaemonWatcher {
  recorded(event: RecordedEvent): void;
  notified(event: RecordedEvent): void;
  /** The daemon has started a command on the machine. */
  ran(command: CommandLine, signal: AbortSignal): Promise<CommandOutcome>;
  began(step: PlanStep): void;
  ended(step: PlanStep, outcome: StepOutcome | null): void;
  /** What the journals of an earlier boot report; null for none. */
  recovered(done: string | null): void;
  loggedError(message: string): void;
  /** A tick starts: that of the supervision, before that of the engine. True when the supervision is quiet after it. */
  ticking(): boolean;
  /** An input has been handled, except for promises that are still open. */
  polled(groupId: string, poll: UpsPolled): void;
  ticked(): void;
  /** Something else has happened in the daemon: an timer, a cancellation. */
  handledOther(): void;
}
