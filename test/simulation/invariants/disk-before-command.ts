// "The decision is on disk before its command starts; an ended power-off never runs again; a dry run runs nothing."
import type { CommandLine } from '../../../shared/domain/commands/command-line.js';
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import type { CommandOutcome } from '../../../supervisor/host/run-command.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import { isPowerOff } from '../configuration.js';
import { Invariant } from './invariant.js';

/** specification/sequence.md#power-off: the pause after a failure, and the look at a host that is still up. */
const retryMs = 5_000;
const verifyMs = 120_000;

const never = 'an ended power-off never runs again';
const notOnceBack = 'no power-off is tried again once power is back';

interface Attempt {
  readonly endedMs: number | null;
  readonly isDone: boolean;
  /** The daemon may not know its end. */
  readonly isUnknown: boolean;
}

export class DiskBeforeCommand extends Invariant {
  #isKept = false;
  #commands: { readonly text: string; readonly isKept: boolean }[] = [];
  #last: Attempt | null = null;
  #isVerified = false;
  /** A sequence that asks for the power-off began since the last attempt. */
  #isAskedAgain = false;
  /** Of this input, unless a sequence that begins in it has asked. */
  #again: { readonly rule: string; readonly text: string } | null = null;

  snapshotWritten(): void {
    this.#isKept = true;
  }

  ran(command: CommandLine): void {
    this.#begins(command.join(' '));
    if (isPowerOff(command)) this.#powersOff();
  }

  began(step: PlanStep): void {
    if (this.facts.world.site.dryRun) this.facts.violated('a dry run runs nothing', step.id);
    if (step.action.kind !== 'poweroffDelegate') return;
    this.#begins(step.id);
    this.#powersOff();
  }

  cut(ups: string): void {
    if (this.facts.world.site.dryRun) this.facts.violated('a dry run runs nothing', `output of ${ups}`);
  }

  commanded(server: string): void {
    if (this.facts.world.site.dryRun) this.facts.violated('a dry run runs nothing', server);
  }

  commandEnded(outcome: CommandOutcome, command: CommandLine): void {
    if (isPowerOff(command)) this.#ended(outcome.kind === 'exited' && outcome.code === 0);
  }

  ended({ action }: PlanStep, outcome: StepOutcome | null): void {
    if (action.kind === 'poweroffDelegate') this.#ended(outcome?.kind === 'done');
  }

  checked(): void {
    const { events, hostGroups } = this.facts;
    const starts = events.filter(({ type }) => type === 'SHUTDOWN_TRIGGERED');
    const isAsked = starts.some(({ source }) => hostGroups.includes(source));
    if (this.#again !== null && !isAsked) this.facts.violated(this.#again.rule, this.#again.text);
    this.#again = null;
    if (isAsked) {
      this.#isAskedAgain = true;
      const early = this.#commands.find(({ isKept }) => !isKept);
      if (early !== undefined) this.facts.violated('the decision is on disk before its command', early.text);
    }
    this.#commands = [];
    this.#isKept = false;
  }

  daemonDied(isWithin: boolean): void {
    const { nowMs, world } = this.facts;
    const last = this.#last;
    this.#again = null;
    if (last === null) return;
    const isUnwritten = last.endedMs === null || world.tmpfs.full || (isWithin && last.endedMs === nowMs);
    this.#last = { ...last, isUnknown: last.isUnknown || isUnwritten };
    // The daemon that would look at the host is gone.
    this.#isVerified = true;
  }

  lost(): void {
    if (this.#last !== null) this.#last = { ...this.#last, isUnknown: true };
  }

  hostDown(): void {
    this.#last = null;
    this.#isVerified = false;
    this.#isAskedAgain = false;
  }

  #begins(text: string): void {
    const { world } = this.facts;
    this.#commands.push({ text, isKept: this.#isKept || world.tmpfs.full });
    if (world.site.dryRun) this.facts.violated('a dry run runs nothing', text);
  }

  #ended(isDone: boolean): void {
    const { nowMs, world } = this.facts;
    // Also that of a command that outlasts its daemon.
    const isUnknown = this.#last?.isUnknown === true || world.tmpfs.full || world.daemon.stalled;
    this.#last = { endedMs: nowMs, isDone, isUnknown };
  }

  #powersOff(): void {
    const { nowMs } = this.facts;
    const last = this.#last;
    this.#last = { endedMs: null, isDone: false, isUnknown: false };
    const isAsked = this.#isAskedAgain;
    this.#isAskedAgain = false;
    if (last === null || last.isUnknown || isAsked) return;
    const agoMs = nowMs - (last.endedMs ?? nowMs);
    const isRetry = !last.isDone && agoMs >= retryMs;
    const isLook = last.isDone && agoMs >= verifyMs && !this.#isVerified;
    if (isLook) this.#isVerified = true;
    const rule = !isRetry && !isLook ? never : this.#isPowerBack() ? notOnceBack : null;
    if (rule !== null) this.#again = { rule, text: `after ${String(agoMs)} ms` };
  }

  #isPowerBack(): boolean {
    const { hostGroups } = this.facts;
    return hostGroups.length > 0 && hostGroups.every((group) => this.facts.isPowerBack(group));
  }
}
