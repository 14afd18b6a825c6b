// "Orders keep their order, equal orders run together", by what the servers really do: a server of a later order gets its command
// when those before it are off, past their time, without a command, or the battery does not wait.
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import type { RecordedEvent } from '../../../supervisor/events/event-recorder.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import type { ServerSpec } from '../plant/plant.js';
import { isFed } from './courses.js';
import { Invariant } from './invariant.js';
import { serverKey } from './step-record.js';

/** The worker answers this long before the end of a wait; the rest is for timers and ticks. */
const slackMs = 1_000;
/** A daemon gets its first reading of a UPS within this. */
const firstReadingMs = 15_000;
const urgent = /\b(?:FSD|LOW_BATTERY_FLAG|OUTPUT_OFF|FAILSAFE)\b/;

export class ServerOrder extends Invariant {
  /** Servers for which a wait ended early with a good reason. */
  readonly #excused = new Set<string>();
  /** A try gives commands to servers of all orders together. */
  #isTrying = false;
  /** A trigger that leaves no time was met while sequences ran. */
  #isUrgent = false;

  recorded({ type, detail }: RecordedEvent): void {
    if ((type === 'SHUTDOWN_TRIGGERED' || type === 'TRIGGER_ADVISORY') && urgent.test(detail))
      this.#isUrgent = true;
  }

  began(step: PlanStep): void {
    if (step.action.kind === 'commandAgain') this.#isTrying = true;
  }

  /** Those of one order begin together: at its end none of them is still to begin. */
  #checkTogether(spec: ServerSpec): void {
    const { steps, nowMs, sequences, world } = this.facts;
    const own = steps.of(serverKey(spec.name));
    if (own === undefined || nowMs - own.beganMs < slackMs || sequences.running.length !== 1) return;
    if (sequences.running.some(({ crashes }) => crashes > 0) || world.daemon.stalled) return;
    const late = world.site.plant.servers.find(
      ({ name, owner, order, when }) =>
        owner === spec.owner && order === spec.order && when === spec.when && !steps.of(serverKey(name)),
    );
    if (late !== undefined)
      this.facts.violated('equal orders run together', `${late.name} not with ${spec.name}`);
  }

  ended({ action }: PlanStep, outcome: StepOutcome | null): void {
    const { servers } = this.facts.world.site.plant;
    if (action.kind === 'remote') {
      const own = servers.find(({ name }) => name === action.work.server);
      if (own !== undefined) this.#checkTogether(own);
    }
    if (action.kind !== 'awaitOff') return;
    const { server, followsSeconds } = action;
    const spec = servers.find(({ name }) => name === server);
    if (spec === undefined) return;
    if (outcome?.kind === 'done') {
      if (!this.#isOff(spec)) this.facts.violated('a server that is said to be off is off', server);
      return;
    }
    if (this.#isOff(spec) || this.#isPastItsTime(spec) || this.#agoMs(spec) === null) return;
    if (this.#isUrgent || this.#isBatteryShort(followsSeconds)) this.#excused.add(server);
    else this.facts.violated('a wait ends early only when the battery leaves no time', server);
  }

  commanded(server: string): void {
    const { servers } = this.facts.world.site.plant;
    const spec = servers.find(({ name }) => name === server);
    if (spec === undefined || this.#isTrying) return;
    const before = servers.filter(({ owner, order }) => owner === spec.owner && order < spec.order);
    const early = before.filter((one) => !this.#isSettled(one)).map(({ name }) => name);
    if (early.length > 0)
      this.facts.violated('an order waits for the one before it', `${server} before ${early.join(', ')}`);
  }

  checked(): void {
    if (this.facts.sequences.hasOpen || this.facts.steps.running.length > 0) return;
    this.#excused.clear();
    this.#isTrying = false;
    this.#isUrgent = false;
  }

  #isSettled(spec: ServerSpec): boolean {
    if (this.#isOff(spec) || this.#isPastItsTime(spec) || this.#excused.has(spec.name)) return true;
    return this.#isAwaited(spec) ? this.#agoMs(spec) === null && this.#isOver(spec) : this.#isOver(spec);
  }

  #isAwaited({ haltSeconds }: ServerSpec): boolean {
    return haltSeconds !== null;
  }

  /** Its step has ended: what follows one that was never reached does not wait. */
  #isOver({ name }: ServerSpec): boolean {
    const run = this.facts.steps.of(serverKey(name));
    return run === undefined || run.endedMs !== null;
  }

  #agoMs({ name }: ServerSpec): number | null {
    return this.facts.world.plant.remote.commandedAgoMs(name);
  }

  #isOff({ name }: ServerSpec): boolean {
    const inMs = this.facts.world.plant.remote.offInMs(name);
    return inMs !== null && inMs <= slackMs;
  }

  #isPastItsTime(spec: ServerSpec): boolean {
    const agoMs = this.#agoMs(spec);
    return agoMs !== null && spec.haltSeconds !== null && agoMs >= spec.haltSeconds * 1000 - slackMs;
  }

  /** By what any UPS has told the daemon, or not told it any more: whose sequence waits does not matter here. */
  #isBatteryShort(followsSeconds: number): boolean {
    const { nowMs, daemonStartedMs, world, courses } = this.facts;
    const isFirstDue = nowMs - daemonStartedMs >= firstReadingMs - slackMs;
    return world.policies.ups.some(({ groupId, triggers, grace, groups }) => {
      const { last: ofThisDaemon, recent, failures } = courses.of(groupId);
      const last = recent.at(-1);
      if (last === undefined || (isFirstDue && ofThisDaemon === null)) return isFirstDue;
      const { status, runtimeSeconds } = last.reading;
      const ofGroups = world.policies.groups.filter(({ members }) => members.includes(groupId));
      const failsafeMs = Math.min(triggers.failsafeMs, ...ofGroups.map((one) => one.triggers.failsafeMs));
      if (nowMs - last.atMs >= failsafeMs - slackMs) return true;
      const isGone = grace.enabled ? nowMs - last.atMs >= grace.durationMs - slackMs : failures.length > 0;
      if (isGone && groups.length > 0) return true;
      if (recent.some(({ reading }) => reading.status.includes('FSD'))) return true;
      const isShort = runtimeSeconds !== null && runtimeSeconds < followsSeconds;
      return !isFed(last.reading) && (status.includes('LB') || isShort);
    });
  }
}
