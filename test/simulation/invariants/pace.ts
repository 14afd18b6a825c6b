// "The first steps begin at the reading that triggers; the sequence ends within the bound of its plan." In between something is
// always under way.
import { Invariant } from './invariant.js';
import { hostKey } from './step-record.js';

/** Two ticks, the pause before another try of the power-off, and timers of the last step. */
const idleMs = 6_500;
/** A resumed sequence looks for 15 s. */
const lookMs = 16_000;
const slackMs = 5_000;

export class Pace extends Invariant {
  #idleSinceMs: number | null = null;
  /** By group: when it must have ended. */
  readonly #latestMs = new Map<string, number>();

  checked(): void {
    const { events, nowMs, world, steps } = this.facts;
    if (world.daemon.pendingKillMs !== null || world.site.dryRun) return;
    for (const { type, source } of events) {
      const isAlone = this.facts.sequences.running.every(({ group }) => group === source);
      const isWhole = isAlone && this.facts.sequences.last(source)?.isUncertain === false;
      if (type === 'SHUTDOWN_TRIGGERED' && isWhole && steps.movedMs < nowMs && this.#hasWork(source))
        this.facts.violated('the first steps begin at the trigger', source);
    }
  }

  ticked(): void {
    this.#checkIdle();
    this.#checkBounds();
  }

  daemonStarted(): void {
    this.#idleSinceMs = null;
    this.#latestMs.clear();
  }

  hostDown(): void {
    this.#latestMs.clear();
  }

  worldChanged(worldEvent: { readonly kind: string; readonly ms?: number }): void {
    this.#idleSinceMs = null;
    for (const [group, latestMs] of this.#latestMs)
      this.#latestMs.set(group, latestMs + (worldEvent.kind === 'stall' ? (worldEvent.ms ?? 0) : 0));
  }

  /** What a plan of the group begins with is never a wait for another. */
  #hasWork(group: string): boolean {
    const { site } = this.facts.world;
    const isOwner = site.plant.servers.some(({ owner }) => owner === group);
    return isOwner || this.facts.hostGroups.includes(group);
  }

  #checkIdle(): void {
    const { sequences, steps, nowMs, world } = this.facts;
    const { running } = sequences;
    // A restarted daemon may have only the rest of the two minutes after a power-off left.
    const isUnderWay = running.length > 0 && running.every(({ crashes }) => crashes === 0);
    const isTried = steps.of(hostKey) !== undefined;
    if (!isUnderWay || isTried || steps.running.length > 0 || world.site.dryRun || steps.movedMs === nowMs)
      this.#idleSinceMs = null;
    else this.#idleSinceMs ??= nowMs;
    if (this.#idleSinceMs !== null && nowMs - this.#idleSinceMs > idleMs)
      this.facts.violated('a sequence goes on', sequences.running.map(({ group }) => group).join(', '));
  }

  /** Sequences wait for each other: each ends within the bounds of all that run. */
  #checkBounds(): void {
    const { sequences, nowMs, world } = this.facts;
    const plans = world.daemon.journal?.groups ?? [];
    const boundMs = plans.reduce((sum, { plan }) => sum + Math.max(30_000, plan.boundSeconds * 1000), 0);
    const { running } = sequences;
    for (const group of this.#latestMs.keys())
      if (!running.some((one) => one.group === group)) this.#latestMs.delete(group);
    for (const { group } of running) {
      const latestMs = Math.max(
        this.#latestMs.get(group) ?? 0,
        nowMs === 0 ? 0 : this.#beganMs(group) + boundMs,
      );
      this.#latestMs.set(group, latestMs);
      if (nowMs > latestMs + lookMs + slackMs)
        this.facts.violated('a sequence ends within the bound of its plan', group);
    }
  }

  #beganMs(group: string): number {
    const last = this.facts.sequences.last(group);
    return Math.max(last?.sinceMs ?? 0, this.facts.daemonStartedMs);
  }
}
