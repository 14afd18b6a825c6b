// The texts of events and notifications about a UPS. A notification says what happened, what it means and what to do.
import { causePrefix } from '../../../shared/domain/outage/outage.js';
import type { TriggerSettings } from '../../../shared/domain/triggers/table.js';
import { limitsOf } from '../../../shared/domain/triggers/table.js';
import { unreachable } from '../../../shared/domain/base/unreachable.js';
import type { PolicyClock } from '../base/clock.js';
import type { Conditions } from '../power/conditions.js';
import type { Connection, ConnectionChange } from '../connection/connection.js';
import { batteryTestKind } from '../trigger/inhibits.js';
import type { Line } from '../power/power-source.js';
import { isFreshOutage, onBatteryMs } from '../power/power-source.js';
import type { UpsSettings } from '../base/inputs.js';
import type { EffectCollector } from '../base/effect-collector.js';
import type { ShutdownRequest } from '../base/effects.js';
import type { ShutdownChange } from '../trigger/shutdown.js';
import type { UpsMemory } from '../state/ups-state.js';
import { formatBattery, formatMs, formatNumber } from '../../../shared/domain/base/format.js';

export function reportTransfer(
  before: UpsMemory,
  after: UpsMemory,
  policy: UpsSettings,
  nowMs: number,
  effects: EffectCollector,
): void {
  if (before.line.kind === after.line.kind) return;
  const { groupId, label, triggers } = policy;
  const battery = batteryOf(after);
  if (before.line.kind !== 'outage' && after.line.kind === 'outage') {
    const why = batteryTestKind(after.inhibits);
    const { startedMs, beganMs } = after.line.clock;
    const isResumed = startedMs < nowMs;
    const agoText = formatMs(nowMs - (beganMs ?? startedMs));
    const began =
      before.line.kind === 'unknown'
        ? `charge or runtime began to fall ${agoText} ago; `
        : `again, ${agoText} after the load first went on battery; `;
    const again = isResumed ? began : '';
    const detail = `${causePrefix(why)}${again}${battery}`;
    const what = policy.advisory ? 'its redundancy group is notified' : `shutdown${ofWhat(policy)} begins`;
    const meaning =
      why === null
        ? `The load runs from the battery; ${what} ${limitsInWords(triggers)}.`
        : `This is a ${why}, not an outage: charge and runtime shut nothing down while it lasts.`;
    effects.alert(groupId, 'ON_BATTERY', detail, `${label} is on battery (${battery}). ${meaning}`);
  }
  if (before.line.kind === 'outage') {
    const lasted = lastedText(before.line, nowMs);
    const { detail, text } = endOf(after, lasted);
    effects.alert(groupId, 'POWER_RESTORED', `${detail} after ${lasted}; ${battery}`, `${label} ${text}`);
  }
}

/** The time on battery. Where power was back in between, that is a sum. */
function lastedText(line: Extract<Line, { kind: 'outage' }>, nowMs: number): string {
  const { startedMs, beganMs } = line.clock;
  const sum = formatMs(onBatteryMs(line, nowMs));
  const isSum = beganMs !== null && startedMs > beganMs;
  return isSum ? `${sum} on battery in the last ${formatMs(nowMs - beganMs)}` : sum;
}

/** By what an outage is over. */
function endOf(ups: UpsMemory, lasted: string): { readonly detail: string; readonly text: string } {
  const battery = batteryOf(ups);
  if (ups.line.kind === 'unknown')
    return {
      detail: 'charge and runtime do not fall any more',
      text: `shows line power (OL) and battery (OB) at once, and its charge and runtime do not fall any more, after ${lasted} (${battery}). The outage counts as over; check the UPS and its NUT driver.`,
    };
  const source = ups.readings.last?.source;
  if (source === 'bypass')
    return {
      detail: 'on mains in bypass',
      text: `has its load on mains again, in bypass, after ${lasted} (${battery}). The battery does not protect it: check the UPS.`,
    };
  if (source === 'neither')
    return {
      detail: 'OB was not confirmed',
      text: `does not show battery (OB) any more, after ${lasted} (${battery}). Its status names no source of power: check the UPS and its NUT driver.`,
    };
  return {
    detail: 'on line power',
    text: `is on line power again after ${lasted} (${battery}). The battery recharges; nothing needs to be done.`,
  };
}

/** The two that most outages meet first; the page and `explain` have all. */
function limitsInWords(triggers: TriggerSettings): string {
  const limits = limitsOf(triggers).slice(0, 2);
  return limits.length === 0
    ? 'only when FSD is set, or when it cannot be read any more'
    : `at ${limits.join(' or ')}, or when another trigger is met`;
}

export function reportForcedShutdown(
  { fsd: before, line }: UpsMemory,
  { fsd: after, line: nextLine, readings }: UpsMemory,
  policy: UpsSettings,
  effects: EffectCollector,
): void {
  const { groupId, label } = policy;
  const isBack = line.kind === 'outage' && nextLine.kind === 'mains';
  if (isBack && after.kind !== 'latched' && readings.shownWords.includes('FSD')) {
    const who = after.kind === 'own' ? 'This daemon set it; a new outage counts as usual.' : '';
    effects.alert(
      groupId,
      'FSD_LATCHED',
      'line power is back, and FSD is still set at its NUT server',
      `${label} is on line power, and FSD is still set at its NUT server. ${who} A host with upsmon that starts now shuts down again: restart upsd on the NUT server, which clears it.`,
    );
  }
  if (after.kind === 'latched' && before.kind !== 'latched') {
    effects.alert(
      groupId,
      'FSD_LATCHED',
      'FSD was in the first reading of this boot, on line power: it is stale and shuts nothing down',
      `${label} shows FSD on line power since the first reading of this boot: a stale flag. It shuts nothing down until OB is seen or FSD is set again; clear it at the UPS or restart its NUT driver.`,
    );
  }
  if (after.kind === 'acting' && before.kind !== 'acting') {
    effects.alert(
      groupId,
      'FSD_DETECTED',
      'the UPS or its NUT primary demands a forced shutdown (FSD)',
      `${label} demands a forced shutdown (FSD): it will cut the power. ${policy.advisory ? 'Its redundancy group decides' : `The shutdown${ofWhat(policy)} starts now`}.`,
    );
  }
}

export function reportConditions(
  { conditions: before, transfer, line }: UpsMemory,
  { conditions: after, line: nextLine }: UpsMemory,
  policy: UpsSettings,
  now: PolicyClock,
  effects: EffectCollector,
): void {
  if (before === after) return;
  const { groupId, label } = policy;
  if (before.avr !== after.avr) reportAvr(after, policy, effects);
  const isTold = transfer.isFlagTold && !isFreshOutage(line, nextLine, now);
  if (after.lowBattery && !before.lowBattery && !isTold) {
    const { lowBatteryFlag, confirmations } = policy.triggers;
    const counts =
      confirmations === 1 ? '' : ` as soon as ${String(confirmations)} readings in a row show it`;
    const meaning = lowBatteryFlag
      ? `It counts as a trigger${counts}.`
      : 'trigger_on_low_battery_flag is off, so this alone shuts nothing down.';
    effects.alert(groupId, 'LOW_BATTERY_FLAG', 'LB on battery', `${label} reports a low battery. ${meaning}`);
  }
}

function reportAvr(after: Conditions, { groupId }: UpsSettings, effects: EffectCollector): void {
  switch (after.avr) {
    case 'BOOST':
      effects.event(groupId, 'AVR_BOOST_ACTIVE', 'the UPS raises a low input voltage');
      return;
    case 'TRIM':
      effects.event(groupId, 'AVR_TRIM_ACTIVE', 'the UPS lowers a high input voltage');
      return;
    case 'INACTIVE':
      effects.event(groupId, 'AVR_INACTIVE', 'the input voltage passes unchanged');
      return;
    default:
      unreachable(after.avr);
  }
}

export function reportConnectionChange(
  change: ConnectionChange,
  { detail }: Connection,
  policy: UpsSettings,
  effects: EffectCollector,
): void {
  const { groupId, label, name } = policy;
  switch (change) {
    case 'lost':
      effects.alert(
        groupId,
        'CONNECTION_LOST',
        `no good reading any more: ${detail}`,
        `${label} cannot be read any more (${detail}). Until it can be read again, the daemon does not notice changes of its power; check the NUT server of ${name}, its driver and the cable.`,
      );
      return;
    case 'restored':
      effects.alert(
        groupId,
        'CONNECTION_RESTORED',
        'good readings again',
        `${label} can be read again. Nothing needs to be done.`,
      );
      return;
    case 'flapping':
      effects.alert(
        groupId,
        'CONNECTION_FLAPPING',
        `${String(policy.grace.flapThreshold)} recoveries in 24 h`,
        `The connection to ${label} was lost and came back ${String(policy.grace.flapThreshold)} times in 24 hours. Check the cable, the NUT driver and the network.`,
      );
      return;
    default:
      unreachable(change);
  }
}

/** What the sequence of a UPS shuts down: of a member only what it owns. */
export function ofWhat({ groups }: UpsSettings): string {
  return groups.length === 0 ? '' : ' of what it alone feeds';
}

/** A trigger was met: the sequence it starts, or why it starts none. */
export function reportTrigger(
  request: ShutdownRequest,
  change: ShutdownChange,
  policy: UpsSettings,
  effects: EffectCollector,
): void {
  const { groupId, label } = policy;
  const what = `${request.trigger}: ${request.why}`;
  if (change === 'started') {
    effects.alert(
      groupId,
      'SHUTDOWN_TRIGGERED',
      what,
      `${label}: shutdown${ofWhat(policy)} begins. ${what}.`,
    );
  } else if (policy.advisory) {
    effects.event(groupId, 'TRIGGER_ADVISORY', `${what}; its redundancy group decides`);
  } else {
    effects.event(
      groupId,
      'TRIGGER_ADVISORY',
      `${what}; recorded only: a sequence of this group was started before and it is not armed again yet`,
    );
  }
}

function batteryOf({ readings }: UpsMemory): string {
  const reading = readings.last?.reading;
  return formatBattery(reading?.chargePercent ?? null, reading?.runtimeSeconds ?? null);
}

/** A poll that takes this long records SLOW_NUT_RESPONSE (specification/policy.md#connection). */
const slowMs = 2_000;
/** A slow server is reported no more often than this. */
const slowPauseMs = 5 * 60_000;

/** Reports a poll that took `tookMs` if it was slow; returns the time of the last report. */
export function reportSlowPoll(
  lastReportMs: number | null,
  tookMs: number,
  nowMs: number,
  { groupId }: UpsSettings,
  effects: EffectCollector,
): number | null {
  if (tookMs < slowMs || (lastReportMs !== null && nowMs - lastReportMs < slowPauseMs)) return lastReportMs;
  effects.event(groupId, 'SLOW_NUT_RESPONSE', `the poll took ${formatNumber(tookMs / 1000)} s`);
  return nowMs;
}
