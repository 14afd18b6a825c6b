// Judges the commands that power off the host: exactly those that contract 4 asks for.
import type { CommandOutcome } from '../../../supervisor/sequence/command.js';
import type { Court } from './court.js';

const retryMs = 5_000;
const verifyMs = 120_000;

export class HostJudge {
  readonly #court: Court;
  /** Of this life of the daemon. */
  #running = 0;
  /** Of this boot: the journal keeps the tries of a power-off. */
  #last: { readonly atMs: number; readonly succeeded: boolean } | null = null;
  /** A try was running when the daemon died: it may run again. */
  #isInterrupted = false;
  #verified = false;
  /** An outage of this boot ended with a success: its end is known. */
  powerOffs = 0;

  constructor(court: Court) {
    this.#court = court;
  }

  daemonDied(): void {
    this.#isInterrupted ||= this.#running > 0 && this.#last?.succeeded !== true;
    this.#running = 0;
    // Looking whether it has worked ends with the daemon that looks.
    this.#verified = true;
  }

  hostUp(): void {
    this.#running = 0;
    this.#last = null;
    this.#isInterrupted = false;
  }

  commandEnded(outcome: CommandOutcome): void {
    this.#running = Math.max(0, this.#running - 1);
    const succeeded = outcome.kind === 'exited' && outcome.code === 0;
    this.#last = { atMs: this.#court.world.machine.monotonicMs(), succeeded };
  }

  judge(): void {
    const court = this.#court;
    const begun = court.events
      .filter(({ type }) => type === 'SHUTDOWN_TRIGGERED' || type === 'SHUTDOWN_RESUMED')
      .filter(({ source }) => court.powersHost(source));
    const stillOn = begun.filter(({ source }) => !court.has(source, 'SHUTDOWN_CANCELLED'));
    if (court.world.site.dryRun) {
      const [first] = court.commands;
      if (first !== undefined) court.violated('a dry run runs nothing', first.text);
      return;
    }
    const isTriggered = begun.some(({ type }) => type === 'SHUTDOWN_TRIGGERED');
    for (const { text, isCommitted } of court.commands) {
      if (isTriggered && !isCommitted) court.violated('the commit precedes the act', text);
      this.#judgeCommand(text, begun.length > 0);
    }
    if (stillOn.length > 0 && court.commands.length === 0 && this.#running === 0 && this.#last === null) {
      const groups = stillOn.map(({ source }) => source).join(', ');
      court.violated('the command follows the trigger at once', `${groups}: nothing was run`);
    }
  }

  /** Every UPS whose end is the host's has ended its outage; whether a group's has is not for certain from outside. */
  #isPowerBack(): boolean {
    const { world, memory } = this.#court;
    const wanted = [...world.policies.ups, ...world.policies.groups]
      .map(({ groupId }) => groupId)
      .filter((groupId) => this.#court.powersHost(groupId));
    const isGroup = wanted.some((groupId) =>
      world.policies.groups.some((group) => group.groupId === groupId),
    );
    const isCalm = (groupId: string) => {
      const diary = memory.ups.get(groupId)?.diary;
      return diary === undefined || (diary.outageMs === null && diary.fsd !== 'acting');
    };
    return !isGroup && wanted.every(isCalm);
  }

  #judgeCommand(command: string, isAsked: boolean): void {
    const nowMs = this.#court.world.machine.monotonicMs();
    this.#running += 1;
    this.powerOffs += 1;
    if (isAsked) {
      this.#verified = false;
      return;
    }
    const agoMs = this.#last === null ? -1 : nowMs - this.#last.atMs;
    const mayRunAgain = this.#isInterrupted;
    this.#isInterrupted = false;
    if (mayRunAgain || (this.#last?.succeeded === false && agoMs >= retryMs)) {
      if (this.#isPowerBack()) {
        this.#court.violated('a failed power-off is not tried again once power is back', command);
      }
      return;
    }
    if (this.#last?.succeeded === true && agoMs >= verifyMs && !this.#verified) {
      this.#verified = true;
      return;
    }
    this.#court.violated('the power-off never runs again once its end is known', command);
  }
}
