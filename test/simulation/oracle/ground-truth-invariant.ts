// Checks by the true state of the world alone: nothing is shut down while the power is good, and the daemon has detected
// an outage in time.
import type { UpsPolled } from '../../../shared/protocol/poller.js';
import type { Device } from '../device.js';
import type { Truth } from '../truth.js';
import { BatteryTruthInvariant } from './battery-truth-invariant.js';
import type { OracleContext } from './oracle-context.js';

/** The limit of a self test (specification/policy.md#self-tests). */
const testLimitMs = 15 * 60_000;

export class GroundTruthInvariant {
  readonly #context: OracleContext;
  readonly #battery: BatteryTruthInvariant;
  /** The last absence of the daemon; its end is null while it lasts. World times. */
  #absence: { readonly sinceMs: number; readonly untilMs: number | null } | null = null;
  /** World time of the last good answer of each UPS. */
  readonly #answeredMs = new Map<string, number>();
  /** UPSes that have named no source since they last named mains. */
  readonly #nameless = new Set<string>();

  constructor(context: OracleContext) {
    this.#context = context;
    this.#battery = new BatteryTruthInvariant(context);
  }

  answered(groupId: string, { outcome }: UpsPolled, truth: Truth | undefined): void {
    this.#answeredMs.set(groupId, truth?.atMs ?? this.#context.world.nowMs);
    const words = outcome.kind === 'reading' ? outcome.reading.status : ['OB'];
    if (!words.some((word) => /^(?:O[LBF]F?|TRIM|BOOST|BYPASS)$/.test(word))) this.#nameless.add(groupId);
    else if (!words.includes('OB')) this.#nameless.delete(groupId);
    if (outcome.kind === 'reading' && truth !== undefined)
      this.#battery.answered(groupId, outcome, truth.battery, truth.atMs);
  }

  /** The daemon is killed or stalled, or its machine is suspended. */
  absent(): void {
    this.#battery.absent();
    if (this.#absence === null || this.#absence.untilMs !== null) {
      this.#absence = { sinceMs: this.#context.world.nowMs, untilMs: null };
    }
  }

  present(): void {
    if (this.#absence === null || this.#absence.untilMs !== null) return;
    this.#absence = { ...this.#absence, untilMs: this.#context.world.nowMs };
  }

  /** After every input. */
  check(): void {
    const context = this.#context;
    this.#battery.check();
    for (const { source, type, detail } of context.events) {
      if (type !== 'SHUTDOWN_TRIGGERED') continue;
      const sources = this.#sources(source);
      const isOfGroup = !sources.includes(source);
      if (!sources.some((groupId) => this.#isInTrouble(groupId, detail, isOfGroup))) {
        context.violated('nothing is shut down while power is truly fine', `${source}: ${detail}`);
      }
    }
  }

  #sources(group: string): readonly string[] {
    return this.#context.world.policies.groups.find(({ groupId }) => groupId === group)?.members ?? [group];
  }

  /** By its own thresholds and by those of its groups. */
  #leastConfirmations(groupId: string, own: number): number {
    const groups = this.#context.world.policies.groups.filter(({ members }) => members.includes(groupId));
    return Math.min(own, ...groups.map(({ triggers }) => triggers.confirmations));
  }

  #isInTrouble(groupId: string, detail: string, isOfGroup: boolean): boolean {
    const device = this.#context.world.devices.get(groupId);
    const ups = this.#context.ups(groupId);
    if (device === undefined || ups === null) return false;
    const { policy, memory } = ups;
    const { nowMs } = this.#context.world;
    const answeredMs = this.#answeredMs.get(groupId) ?? nowMs;
    // How old the cause may be: the confirming answers, each late by its deadline, and an absence of the daemon.
    const confirmMs = (policy.triggers.confirmations + 1) * (policy.checkIntervalMs + policy.pollDeadlineMs);
    const { last } = memory.upsHistory;
    // A daemon that went back to an older snapshot, and has read nothing since, knows the state of then.
    const rememberedMs = last === null ? 0 : this.#context.world.machine.monotonicMs() - last.atMs;
    const windowMs = confirmMs + Math.max(nowMs - answeredMs, rememberedMs);
    const absence = this.#absence;
    const awayMs =
      absence === null || nowMs - (absence.untilMs ?? nowMs) > windowMs ? nowMs : absence.sinceMs;
    const isRecent = (lastMs: number) => lastMs >= awayMs - windowMs;
    // A test that began before enough readings with OL could end the outage keeps it (specification/policy.md#outage).
    const testingMs = device.exerciseSinceMs === null ? 0 : nowMs - device.exerciseSinceMs;
    if (device.outageSinceMs !== null || isRecent(device.lastOutageMs + testingMs)) return true;
    if (device.demanded || isRecent(device.lastDemandMs + testingMs)) return true;
    // The failsafe's conditions were judged by what was told; so is a UPS that tells the same lie again and again.
    if (memory.active === 'FAILSAFE' || detail.includes('FAILSAFE')) return true;
    if (memory.mostFalseReadings >= this.#leastConfirmations(groupId, policy.triggers.confirmations))
      return true;
    if (!device.outputOn || isRecent(device.lastOutputOffMs)) return true;
    // "Any other word in an outage counts as OB": a UPS that names mains by none stays in the outage.
    if (last?.onBattery === true && !last.words.includes('OB')) return true;
    const { outageMs, unconfirmed, failedPolls } = memory.upsHistory;
    if (this.#nameless.has(groupId) && outageMs !== null && unconfirmed === null) return true;
    // BYPASS ends no outage before `bypass_end_delay`: a UPS that is lost in it, or a group that has lost others, falls.
    if (last?.inBypass === true && outageMs !== null && (failedPolls > 0 || isOfGroup)) return true;
    // One sample, which the driver shows for longer than the settings let the daemon wait.
    const isShort = device.spec.driver.statusMs > (policy.holds.statusMs ?? Infinity);
    if (isShort && detail.includes('its output is off') && last?.words.includes('OFF') === true) return true;
    // OFF and TEST: a firmware that names the battery so.
    if (device.exerciseSinceMs !== null && detail.includes('its output is off') && last?.onLine === false)
      return true;
    // "They act at once when the word goes and OB stays": so they do when the firmware is late with OL after a test.
    return (
      isRecent(device.lastExerciseMs) || actsInExercise(device, nowMs, detail, memory.mostFalseReadings > 0)
    );
  }
}

/**
 * LB and an overload in a test, a test past its limit, and OB without TEST or CAL act immediately
 * (specification/policy.md#self-tests).
 */
function actsInExercise(device: Device, nowMs: number, detail: string, isFalseReading: boolean): boolean {
  if (detail.includes('LOW_BATTERY_FLAG') || detail.includes('overloaded on battery')) return true;
  const { exerciseSinceMs } = device;
  return exerciseSinceMs !== null && (isFalseReading || nowMs - exerciseSinceMs > testLimitMs);
}
