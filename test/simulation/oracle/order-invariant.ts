// Judges what "order means off" promises (specification/sequence.md#waits), by what the servers really do: a server of a
// later order gets its command when those before it are off, past their time, without a command, or the battery does not wait.
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import type { ServerSpec } from '../plant/plant.js';
import type { OracleContext } from './oracle-context.js';

/** The worker answers this long before the end of a wait; the rest is for timers and ticks. */
const slackMs = 1_000;
/** A daemon gets its first reading of a UPS within this. */
const firstReadingMs = 15_000;
const urgent = /\b(?:FSD|LOW_BATTERY_FLAG|OUTPUT_OFF|FAILSAFE)\b/;

export class OrderInvariant {
  readonly #context: OracleContext;
  /** Servers for which a wait ended early with a good reason. */
  readonly #excused = new Set<string>();
  /** A try gives commands to servers of all orders together. */
  #isTrying = false;
  /** Servers that a try may still reach which its sequence has left behind: until when. */
  readonly #triedUntilMs = new Map<string, number>();
  /** A trigger that leaves no time has started a sequence. */
  #isUrgent = false;

  constructor(context: OracleContext) {
    this.#context = context;
  }

  triggered(detail: string): void {
    if (urgent.test(detail)) this.#isUrgent = true;
  }

  began({ action }: PlanStep): void {
    if (action.kind === 'commandAgain') this.#isTrying = true;
  }

  ended({ action }: PlanStep, outcome: StepOutcome | null): void {
    const nowMs = this.#context.world.machine.monotonicMs();
    if (action.kind === 'commandAgain' && outcome === null)
      for (const { server, connectTimeoutSeconds, commandTimeoutSeconds } of action.works)
        this.#triedUntilMs.set(server, nowMs + (connectTimeoutSeconds + commandTimeoutSeconds) * 1000);
    if (action.kind !== 'awaitOff') return;
    const { server, followsSeconds } = action;
    const spec = this.#context.world.site.plant.servers.find(({ name }) => name === server);
    if (spec === undefined) return;
    if (outcome?.kind === 'done') {
      if (!this.#isOff(spec)) this.#context.violated('a server that is said to be off is off', server);
      return;
    }
    if (this.#isOff(spec) || this.#isPastItsTime(spec) || this.#agoMs(spec) === null) return;
    if (this.#isUrgent || this.#isBatteryShort(followsSeconds)) this.#excused.add(server);
    else
      this.#context.violated(
        'a wait ends early only when the battery leaves no time',
        `${server}: ${JSON.stringify(outcome)}`,
      );
  }

  commanded(server: string): void {
    const { servers } = this.#context.world.site.plant;
    const spec = servers.find(({ name }) => name === server);
    const isTried = this.#context.world.machine.monotonicMs() <= (this.#triedUntilMs.get(server) ?? 0);
    if (spec === undefined || this.#isTrying || isTried) return;
    const before = servers.filter(({ owner, order }) => owner === spec.owner && order < spec.order);
    const early = before.filter((one) => !this.#isSettled(one));
    if (early.length > 0)
      this.#context.violated(
        'an order is not commanded before the one before it is off or past its time',
        `${server} before ${early.map(({ name }) => name).join(', ')}`,
      );
  }

  /** No sequence runs any more. */
  over(): void {
    this.#excused.clear();
    this.#isTrying = false;
    this.#isUrgent = false;
  }

  #isSettled(spec: ServerSpec): boolean {
    return (
      spec.haltSeconds === null ||
      this.#isOff(spec) ||
      this.#isPastItsTime(spec) ||
      this.#agoMs(spec) === null ||
      this.#excused.has(spec.name)
    );
  }

  #agoMs({ name }: ServerSpec): number | null {
    return this.#context.world.plant.remote.commandedAgoMs(name);
  }

  #isOff({ name }: ServerSpec): boolean {
    const inMs = this.#context.world.plant.remote.offInMs(name);
    return inMs !== null && inMs <= slackMs;
  }

  #isPastItsTime(spec: ServerSpec): boolean {
    const agoMs = this.#agoMs(spec);
    return agoMs !== null && spec.haltSeconds !== null && agoMs >= spec.haltSeconds * 1000 - slackMs;
  }

  /** By what any UPS has told the daemon, or not told it any more: whose sequence waits does not matter here. */
  #isBatteryShort(followsSeconds: number): boolean {
    const { memory, daemonStartedMs, world } = this.#context;
    const { policies, machine } = world;
    const isFirstDue = machine.monotonicMs() - daemonStartedMs >= firstReadingMs;
    return policies.ups.some(({ groupId, triggers, grace }) => {
      const { upsHistory: history, active = null } = this.#context.ups(groupId)?.memory ?? {};
      const last = history?.last ?? null;
      // Met once in this outage, as by a time out of sight, and met until its end.
      if (active !== null && urgent.test(active)) return true;
      // FSD is met until a reading on line power without it, whatever the last one says.
      if (history?.fsd === 'acting') return true;
      if (isFirstDue && (last === null || memory.unseen.has(groupId))) return true;
      if (last === null) return false;
      const { words, onBattery, runtimeSeconds, atMs } = last;
      const delays = policies.groups.filter(({ members }) => members.includes(groupId));
      const failsafeMs = Math.min(triggers.failsafeMs, ...delays.map((group) => group.triggers.failsafeMs));
      const isOutOfSight = onBattery && machine.monotonicMs() - atMs >= failsafeMs - slackMs;
      if (isOutOfSight) return true;
      // FAILED on line power; a group does not count on such a member.
      const unreadMs = memory.watchedMs - last.watchedMs;
      const isLost = grace.enabled ? unreadMs >= grace.durationMs - slackMs : (history?.failedPolls ?? 0) > 0;
      if (isLost && delays.length > 0) return true;
      const isShort = runtimeSeconds !== null && runtimeSeconds < followsSeconds;
      return words.includes('FSD') || (onBattery && (words.includes('LB') || isShort));
    });
  }
}
