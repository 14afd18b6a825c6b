// "Nothing is shut down while power is fine", by the true state of the world: not by one bad reading, a restart, a clock, a self
// test, a calibration.
import type { UpsPolled } from '../../../shared/protocol/poller.js';
import type { Device } from '../device.js';
import { lookBackMs } from '../scenario.js';
import type { Truth } from '../truth.js';
import { isFed } from './courses.js';
import { Invariant } from './invariant.js';

/** The limit of a self test (specification/policy.md#self-tests). */
const testLimitMs = 15 * 60_000;

/** What the answers of a UPS were worth, whatever daemon got them. World times. */
interface Told {
  readonly answeredMs: number;
  readonly wrong: number;
  /** The most wrong readings in a row in what may be one outage. */
  readonly mostWrong: number;
  readonly isFailsafeMet: boolean;
}

const nothingTold: Told = { answeredMs: -Infinity, wrong: 0, mostWrong: 0, isFailsafeMet: false };

/** A wrong power source, or a battery test without TEST or CAL. Words that name no source are not wrong. */
export function isWrong(status: readonly string[], { onBattery, words }: Truth): boolean {
  const saysBattery = status.includes('OB');
  const saysLine = !saysBattery && ['OL', 'TRIM', 'BOOST', 'BYPASS'].some((word) => status.includes(word));
  if (saysLine ? onBattery : saysBattery && !onBattery) return true;
  return !saysLine && words.some((word) => !status.includes(word));
}

export class ShutdownWithCause extends Invariant {
  readonly #told = new Map<string, Told>();
  /** World times of the last absence of the daemon; Infinity: it lasts. */
  #away = { sinceMs: -Infinity, untilMs: -Infinity };

  polled(ups: string, { outcome }: UpsPolled): void {
    this.#present();
    const { last, recent, fedReadings } = this.facts.courses.of(ups);
    if (outcome.kind === 'failed' || last === null || last !== recent.at(-1)) return;
    if (outcome.reading !== last.reading || last.truth === undefined) return;
    const before = this.#told.get(ups) ?? nothingTold;
    const wrong = isWrong(last.reading.status, last.truth) ? before.wrong + 1 : 0;
    const isOver = fedReadings >= (this.facts.policy(ups)?.triggers.confirmations ?? 1);
    this.#told.set(ups, {
      answeredMs: last.truth.atMs,
      wrong,
      mostWrong: isOver ? wrong : Math.max(wrong, before.mostWrong),
      isFailsafeMet: before.isFailsafeMet && !isOver,
    });
  }

  ticked(): void {
    this.#present();
  }

  daemonDied(): void {
    this.#absent();
  }

  worldChanged({ kind }: { readonly kind: string }): void {
    if (kind === 'stall' || kind === 'suspend') this.#absent();
  }

  checked(): void {
    for (const { ups, name } of this.facts.triggers)
      if (name === 'FAILSAFE')
        this.#told.set(ups, { ...(this.#told.get(ups) ?? nothingTold), isFailsafeMet: true });
    for (const { source, type, detail } of this.facts.events) {
      if (type !== 'SHUTDOWN_TRIGGERED') continue;
      const feeds = this.facts.feeds(source);
      const isOfGroup = this.facts.group(source) !== undefined;
      if (!feeds.some((ups) => this.#isInTrouble(ups, detail, isOfGroup)))
        this.facts.violated('nothing is shut down while power is truly fine', `${source}: ${detail}`);
    }
  }

  #absent(): void {
    const { nowMs } = this.facts.world;
    if (this.#away.untilMs !== Infinity) this.#away = { sinceMs: nowMs, untilMs: Infinity };
  }

  #present(): void {
    if (this.#away.untilMs === Infinity) this.#away.untilMs = this.facts.world.nowMs;
  }

  #isInTrouble(ups: string, detail: string, isOfGroup: boolean): boolean {
    const { world } = this.facts;
    const { nowMs } = world;
    const device = world.devices.get(ups);
    const policy = this.facts.policy(ups);
    if (device === undefined || policy === undefined) return false;
    const { last, mayBeOutSinceMs, failures } = this.facts.courses.of(ups);
    const told = this.#told.get(ups) ?? nothingTold;
    // How old the cause may be: the confirming answers, each late by its deadline, and an absence of the daemon.
    const confirmMs = (policy.triggers.confirmations + 1) * (policy.checkIntervalMs + policy.pollDeadlineMs);
    const silentMs = told.answeredMs === -Infinity ? 0 : nowMs - told.answeredMs;
    const rememberedMs = last === null || this.facts.sequences.hasLost ? lookBackMs(world.site) : 0;
    const windowMs = confirmMs + Math.max(silentMs, rememberedMs);
    const { sinceMs, untilMs } = this.#away;
    const awayMs = nowMs - Math.min(nowMs, untilMs) > windowMs ? nowMs : sinceMs;
    const isRecent = (lastMs: number) => lastMs >= awayMs - windowMs;
    // A test that began before enough readings with OL could end the outage keeps it (specification/policy.md#outage).
    const testingMs = device.exerciseSinceMs === null ? 0 : nowMs - device.exerciseSinceMs;
    if (device.outageSinceMs !== null || isRecent(device.lastOutageMs + testingMs)) return true;
    if (device.demanded || isRecent(device.lastDemandMs)) return true;
    if (!device.outputOn || isRecent(device.lastOutputOffMs)) return true;
    // The failsafe's conditions are judged by what was told; so is a UPS that tells the same lie again and again.
    if (told.isFailsafeMet || told.mostWrong >= this.#leastConfirmations(ups)) return true;
    // "Any other word in an outage counts as OB": a UPS that names mains by none stays in the outage.
    if (last !== null && !isFed(last.reading) && !last.reading.status.includes('OB')) return true;
    // BYPASS ends no outage before `bypass_end_delay`: a UPS that is lost in it, or a group that has lost others, falls.
    const isInBypass = last?.reading.status.includes('BYPASS') === true && mayBeOutSinceMs !== null;
    if (isInBypass && (failures.length > 0 || isOfGroup)) return true;
    // "They act at once when the word goes and OB stays": so they do when the firmware is late with OL after a test.
    if (isRecent(device.lastExerciseMs)) return true;
    return actsInExercise(device, nowMs, detail, told.mostWrong > 0);
  }

  /** By its own thresholds and by those of its groups. */
  #leastConfirmations(ups: string): number {
    const { policies } = this.facts.world;
    const all = [...policies.groups.filter(({ members }) => members.includes(ups)), this.facts.policy(ups)];
    return Math.min(...all.flatMap((one) => one?.triggers.confirmations ?? []));
  }
}

/** LB, an overload and OFF in a test, a test past its limit, and OB without TEST or CAL act (specification/policy.md#self-tests). */
function actsInExercise(device: Device, nowMs: number, detail: string, wasWrong: boolean): boolean {
  if (detail.includes('LOW_BATTERY_FLAG') || detail.includes('overloaded on battery')) return true;
  const { exerciseSinceMs } = device;
  if (exerciseSinceMs === null) return false;
  return wasWrong || nowMs - exerciseSinceMs > testLimitMs || detail.includes('its output is off');
}
