// Judges the commands that power off the host: exactly those of specification/sequence.md#power-off.
import type { OracleContext } from './oracle-context.js';

const retryMs = 5_000;
const verifyMs = 120_000;

export class HostInvariant {
  readonly #context: OracleContext;
  /** Since the start of the daemon. */
  #running = 0;
  /** Of this boot: the journal keeps the attempts of a power-off. */
  #last: {
    readonly atMs: number;
    readonly succeeded: boolean;
    /** The disk was full, or the daemon was stalled and not notified. */
    readonly isLost: boolean;
    /** The daemon was stalled: the try may have been past its budget when it could hear of the end. */
    readonly isUnheard: boolean;
  } | null = null;
  /** An attempt was running when the daemon died; it may run again. */
  #isInterrupted = false;
  #verified = false;
  /** An outage of this boot ended with a success: its end is known. */
  powerOffs = 0;

  constructor(context: OracleContext) {
    this.#context = context;
  }

  daemonDied(isWithin: boolean): void {
    const { machine } = this.#context.world;
    // Killed between the end and its record: the next daemon does not know the end.
    const isUnwritten =
      this.#last !== null && (this.#last.isLost || (isWithin && this.#last.atMs === machine.monotonicMs()));
    this.#isInterrupted ||= isUnwritten || (this.#running > 0 && this.#last?.succeeded !== true);
    this.#running = 0;
    // The daemon that would verify the power-off is gone.
    this.#verified = true;
  }

  /** The end of an attempt is not known any more. */
  journalsLost(): void {
    this.#isInterrupted ||= this.#last !== null;
  }

  hostUp(): void {
    this.#running = 0;
    this.#last = null;
    this.#isInterrupted = false;
  }

  /** An attempt has ended. */
  ended(succeeded: boolean): void {
    this.#running = Math.max(0, this.#running - 1);
    const { machine, tmpfs, daemon } = this.#context.world;
    this.#last = {
      atMs: machine.monotonicMs(),
      succeeded,
      isLost: tmpfs.full || daemon.stalled,
      isUnheard: daemon.stalled,
    };
  }

  /** `isAsked`: a plan has started the power-off. */
  check(isAsked: boolean): void {
    const context = this.#context;
    if (context.world.site.dryRun) {
      const [first] = context.commands;
      if (first !== undefined) context.violated('a dry run runs nothing', first.text);
      return;
    }
    const isTriggered = context.events.some(
      ({ type, source }) => type === 'SHUTDOWN_TRIGGERED' && context.powersOffHost(source),
    );
    let isFirst = isAsked;
    for (const { text, isCommitted, isPowerOff } of context.commands) {
      if (isTriggered && !isCommitted) context.violated('the commit precedes the act', text);
      if (!isPowerOff) continue;
      this.#checkCommand(text, isFirst);
      isFirst = false;
    }
  }

  /** Of every UPS that powers off the host, by a reading of this daemon: one from before a restart does not count. */
  #isPowerBack(): boolean {
    const { ups, groups } = this.#context.world.policies;
    return [...ups, ...groups]
      .filter(({ groupId }) => this.#context.powersOffHost(groupId))
      .every(({ groupId }) => this.#context.isPowerBack(groupId) && this.#isSeen(groupId));
  }

  #isSeen(groupId: string): boolean {
    const last = this.#context.ups(groupId)?.memory.upsHistory.last ?? null;
    return last !== null && last.atMs >= this.#context.daemonStartedMs;
  }

  #checkCommand(command: string, isAsked: boolean): void {
    const nowMs = this.#context.world.machine.monotonicMs();
    this.#running += 1;
    this.powerOffs += 1;
    if (isAsked) {
      this.#verified = false;
      return;
    }
    const agoMs = this.#last === null ? -1 : nowMs - this.#last.atMs;
    const mayRunAgain = this.#isInterrupted || this.#last?.isUnheard === true;
    this.#isInterrupted = false;
    if (mayRunAgain || (this.#last?.succeeded === false && agoMs >= retryMs)) {
      if (this.#isPowerBack()) {
        this.#context.violated('a failed power-off is not tried again once power is back', command);
      }
      return;
    }
    if (this.#last?.succeeded === true && agoMs >= verifyMs && !this.#verified) {
      this.#verified = true;
      if (this.#isPowerBack())
        this.#context.violated('the one command after a success is not run once power is back', command);
      return;
    }
    this.#context.violated('the power-off never runs again once its end is known', command);
  }
}
