// "Nothing destructive begins once power is back; after that point a sequence runs to its end", and "power that is back cancels a
// sequence that has begun nothing destructive". Where one sequence runs: whose step it is leaves nothing open.
import type { CommandLine } from '../../../shared/domain/commands/command-line.js';
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import type { RecordedEvent } from '../../../supervisor/events/event-recorder.js';
import { isPowerOff } from '../configuration.js';
import { Invariant } from './invariant.js';

/** Two ticks, and what else may come between. */
const promptMs = 1_500;

export class PointOfNoReturn extends Invariant {
  #isPast = false;
  /** A kill or a full disk may have lost the record of the first destructive step. */
  #isInDoubt = false;
  #backSinceMs: number | null = null;

  began(step: PlanStep): void {
    if (!step.destructive) return;
    const only = this.#only();
    if (only !== null && !this.#isPast && !this.#isInDoubt && this.facts.isPowerBack(only))
      this.facts.violated('nothing destructive begins once power is back', `${step.id} of ${only}`);
    this.#isPast = true;
    if (this.facts.world.tmpfs.full || this.facts.world.daemon.stalled) this.#isInDoubt = true;
  }

  ran(command: CommandLine): void {
    if (isPowerOff(command)) this.#isPast = true;
  }

  /** Before the record has it. */
  recorded({ type, source, detail }: RecordedEvent): void {
    const isAlone = this.#only() === source;
    if (type === 'SHUTDOWN_CANCELLED' && isAlone && this.#isPast && !this.#isInDoubt)
      this.facts.violated('past the point of no return a sequence runs to its end', `${source}: ${detail}`);
  }

  checked(): void {
    const { sequences } = this.facts;
    if (sequences.running.length > 0) return;
    this.#isPast = false;
    this.#isInDoubt = false;
    this.#backSinceMs = null;
  }

  ticked(): void {
    const { nowMs } = this.facts;
    const only = this.#only();
    const isBack = only !== null && !this.#isPast && !this.#isInDoubt && this.facts.isPowerBack(only);
    if (!isBack) this.#backSinceMs = null;
    else this.#backSinceMs ??= nowMs;
    if (this.#backSinceMs !== null && nowMs - this.#backSinceMs > promptMs)
      this.facts.violated('power that is back ends what can still be ended', String(only));
  }

  daemonDied(): void {
    this.#isInDoubt = true;
    this.#backSinceMs = null;
  }

  /** The group whose sequence runs alone, and has since the last was over. */
  #only(): string | null {
    const { running } = this.facts.sequences;
    const [one] = running;
    return running.length === 1 && one !== undefined && one.crashes === 0 ? one.group : null;
  }
}
