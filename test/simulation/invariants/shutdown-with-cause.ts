// "Nothing is shut down while power is fine", by the true state of the world: not by one bad reading, a restart, a clock, a self
// test, a calibration.
import type { Device } from '../device.js';
import { lookBackMs } from '../scenario.js';
import type { Truth } from '../truth.js';
import { isOff } from './conditions.js';
import { isFed, namesSource } from './courses.js';
import { holdsOf } from './holds.js';
import type { Invariant } from './invariant.js';

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

export const shutdownWithCause: Invariant = (facts) => {
  const { world } = facts;
  const told = new Map<string, Told>();
  /** World times of the last absence of the daemon; Infinity: it lasts. */
  let away = { sinceMs: -Infinity, untilMs: -Infinity };
  function absent(): void {
    if (away.untilMs !== Infinity) away = { sinceMs: world.nowMs, untilMs: Infinity };
  }
  function present(): void {
    if (away.untilMs === Infinity) away.untilMs = world.nowMs;
  }

  /** By its own thresholds and by those of its groups. */
  function leastConfirmations(ups: string): number {
    const all = [facts.policy(ups), ...facts.groupsOf(ups)];
    return Math.min(...all.flatMap((one) => one?.triggers.confirmations ?? []));
  }

  /** One sample with OFF, which the driver shows for longer than the settings let the daemon wait. */
  function isOffByOneSample(ups: string, { spec: { driver } }: Device): boolean {
    const { last } = facts.courses.of(ups);
    const policy = facts.policy(ups);
    if (last === null || policy === undefined || !isOff(last)) return false;
    const delays = [policy, ...facts.groupsOf(ups)].map(({ triggers }) => triggers.outputOffMs);
    const leastMs = Math.min(...delays.filter((ms) => ms > 0));
    return driver.statusMs + driver.lateMs > Math.max(leastMs, holdsOf(last, policy, 0).statusMs);
  }

  function isInTrouble(ups: string, detail: string, isOfGroup: boolean): boolean {
    const { nowMs } = world;
    const device = world.devices.get(ups);
    const policy = facts.policy(ups);
    if (device === undefined || policy === undefined) return false;
    const course = facts.courses.of(ups);
    const { last, mayBeOutSinceMs, failures, recent, isObConfirmed } = course;
    const { answeredMs, isFailsafeMet, mostWrong } = told.get(ups) ?? nothingTold;
    // How old the cause may be: the confirming answers, each late by its deadline, and an absence of the daemon.
    const confirmMs = (policy.triggers.confirmations + 1) * (policy.checkIntervalMs + policy.pollDeadlineMs);
    const silentMs = answeredMs === -Infinity ? 0 : nowMs - answeredMs;
    const rememberedMs = last === null || facts.sequences.hasLost ? lookBackMs(world.site) : 0;
    const windowMs = confirmMs + Math.max(silentMs, rememberedMs);
    const { sinceMs, untilMs } = away;
    const awayMs = nowMs - Math.min(nowMs, untilMs) > windowMs ? nowMs : sinceMs;
    const isRecent = (lastMs: number) => lastMs >= awayMs - windowMs;
    // A test that began before enough readings with OL could end the outage, or FSD, keeps it (specification/policy.md#outage).
    const testingMs = device.exerciseSinceMs === null ? 0 : nowMs - device.exerciseSinceMs;
    if (device.outageSinceMs !== null || isRecent(device.lastOutageMs + testingMs)) return true;
    const demandMs = device.lastDemandMs + (/\bFSD\b/.test(detail) ? testingMs : 0);
    if (device.demanded || isRecent(demandMs)) return true;
    if (!device.outputOn || isRecent(device.lastOutputOffMs)) return true;
    // The failsafe's conditions are judged by what was told; so is a UPS that tells the same lie again and again.
    if (isFailsafeMet || mostWrong >= leastConfirmations(ups)) return true;
    // "Any other word in an outage counts as OB": a UPS that names mains by none stays in the outage.
    const isNameless = last !== null && !isFed(last.reading) && !last.reading.status.includes('OB');
    if (isNameless && course.hasShownOb) return true;
    if (detail.includes('its output is off') && isOffByOneSample(ups, device)) return true;
    const sinceFed = recent.slice(recent.findLastIndex(({ reading }) => isFed(reading)) + 1);
    if (isObConfirmed && sinceFed.some(({ reading }) => !namesSource(reading))) return true;
    // BYPASS ends no outage before `bypass_end_delay`: a UPS that is lost in it, or a group that has lost others, falls.
    const isInBypass = last?.reading.status.includes('BYPASS') === true && mayBeOutSinceMs !== null;
    if (isInBypass && (failures.length > 0 || isOfGroup)) return true;
    // "They act at once when the word goes and OB stays": so they do when the firmware is late with OL after a test.
    if (isRecent(device.lastExerciseMs)) return true;
    return actsInExercise(device, nowMs, detail, mostWrong > 0);
  }

  return {
    polled: present,
    ticked: present,
    daemonDied: absent,
    worldChanged({ kind }) {
      if (kind === 'stall' || kind === 'suspend') absent();
    },
    answered(ups, { reading, truth }, { fedReadings }, { triggers }) {
      if (truth === undefined) return;
      const before = told.get(ups) ?? nothingTold;
      const wrong = isWrong(reading.status, truth) ? before.wrong + 1 : 0;
      const isOver = fedReadings >= triggers.confirmations;
      told.set(ups, {
        answeredMs: truth.atMs,
        wrong,
        mostWrong: isOver ? wrong : Math.max(wrong, before.mostWrong),
        isFailsafeMet: before.isFailsafeMet && !isOver,
      });
    },
    triggered(ups, name) {
      if (name === 'FAILSAFE') told.set(ups, { ...(told.get(ups) ?? nothingTold), isFailsafeMet: true });
    },
    checked() {
      for (const { source, detail } of facts.starts) {
        const isOfGroup = facts.group(source) !== undefined;
        if (!facts.feeds(source).some((ups) => isInTrouble(ups, detail, isOfGroup)))
          facts.violated('nothing is shut down while power is truly fine', `${source}: ${detail}`);
      }
    },
  };
};

/** LB, an overload and OFF in a test, a test past its limit, and OB without TEST or CAL act (specification/policy.md#self-tests). */
function actsInExercise(device: Device, nowMs: number, detail: string, wasWrong: boolean): boolean {
  if (detail.includes('LOW_BATTERY_FLAG') || detail.includes('overloaded on battery')) return true;
  const { exerciseSinceMs } = device;
  if (exerciseSinceMs === null) return false;
  return wasWrong || nowMs - exerciseSinceMs > testLimitMs || detail.includes('its output is off');
}
