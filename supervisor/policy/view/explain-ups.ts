// Explains one UPS in plain words: its state, what comes next, when and why.
import { joinNames } from '../../../shared/domain/outage/feed.js';
import { formatBattery, formatMs } from '../../../shared/domain/base/format.js';
import { batteryTriggers } from '../../../shared/domain/triggers/table.js';
import type { PolicyClock } from '../base/clock.js';
import type { TriggerCase, Explanation } from './explain-triggers.js';
import { explainSequence, explainTriggers } from './explain-triggers.js';
import { forecast } from './forecast.js';
import { batteryTestKind, inhibitedBy } from '../trigger/inhibits.js';
import type { UpsSettings } from '../base/inputs.js';
import type { Bypass } from '../power/power-source.js';
import { onBatteryMs } from '../power/power-source.js';
import { lackedBy } from '../power/reported-quantities.js';
import { ofWhat } from './power-words.js';
import { unknownSourceText } from './status-words.js';
import type { UpsState } from '../state/ups-state.js';
import { activeTrigger, factsAt, holdsOfUps } from '../state/ups-state.js';

export function explainUps(ups: UpsState, now: PolicyClock, dryRun: boolean): Explanation {
  const triggers = explainTriggers(caseOf(ups, now));
  const { advisory, groups } = ups.policy;
  const sequence = advisory
    ? 'It is a member of a redundancy group: its triggers start no shutdown; the group decides.'
    : groups.length === 0
      ? explainSequence(ups.shutdown, dryRun)
      : `${explainSequence(ups.shutdown, dryRun)} That is the sequence of what it alone feeds; in ${joinNames(groups, 'and')} it is a member.`;
  const lines = [situation(ups, now), prospect(ups, now), sequence, ...holds(ups)];
  return { triggers, text: [...lines, ...triggers.map(({ name, text }) => `  ${name}: ${text}`)].join('\n') };
}

function caseOf(ups: UpsState, now: PolicyClock): TriggerCase {
  return {
    ups,
    settings: ups.policy.triggers,
    confirmed: ups.confirmed,
    armed: ups.shutdown.kind === 'armed',
    met: ups.met,
    toleratedPolls: ups.policy.maxStaleDataTolerance,
    now,
  };
}

/** How long a jump of a value is in doubt; nothing before the first reading, which shows what the driver does. */
function holds(ups: UpsState): readonly string[] {
  if (ups.readings.last === null) return [];
  const { valueMs, statusMs } = holdsOfUps(ups, ups.policy);
  const all = [
    { what: 'value', ms: valueMs },
    { what: 'status', ms: statusMs },
  ];
  const held = all.filter(({ ms }) => ms > 0);
  const shown = held.map(
    ({ what, ms }, at) =>
      `a ${what} for ${formatMs(ms)}${at === 0 ? ' before it reads it again' : ''} (${what}_hold)`,
  );
  const until = 'what jumps below a threshold acts after that, or once the device confirms it';
  const lines = [
    ...(shown.length === 0 ? [] : [`Its NUT driver may show ${shown.join(', and ')}: ${until}.`]),
    ...all.filter(({ ms }) => ms === 0).map(({ what }) => `No ${what} is doubted (${what}_hold = 0).`),
  ];
  return [lines.join(' ')];
}

/** The state of the UPS by its last good reading. */
function situation(ups: UpsState, now: PolicyClock): string {
  const { label } = ups.policy;
  const { last } = ups.readings;
  if (last === null) return `${label}: no good reading yet (${ups.connection.detail}).`;
  const { reading } = last;
  const age = formatMs(now.monotonicMs - last.monotonicMs);
  const battery = formatBattery(reading.chargePercent, reading.runtimeSeconds);
  const seen = ups.connection.detail === 'OK' ? '' : `, cannot be read now (${ups.connection.detail})`;
  const status = `status ${reading.status.join(' ')}, ${battery}, read ${age} ago${seen}`;
  const but = ups.doubt.why === '' ? '' : `, but ${ups.doubt.why}`;
  if (ups.line.kind === 'unknown')
    return `${label}: the source of power is unknown, since ${unknownSourceText}; ${status}.`;
  if (ups.line.kind !== 'outage') {
    const state = ups.fsd.kind === 'acting' ? 'on line power, with an FSD' : 'no outage';
    return `${label}: ${state}${but}; ${status}.`;
  }
  if (ups.line.bypass !== null) {
    const stoodMs = onBatteryMs(ups.line, now.monotonicMs);
    return `${label}: in bypass, in an outage whose clock stands at ${formatMs(stoodMs)}; ${status}.`;
  }
  const why = batteryTestKind(ups.inhibits);
  const what = why === null ? 'on battery' : `on battery for a ${why}`;
  return `${label}: ${what} for ${formatMs(onBatteryMs(ups.line, now.monotonicMs))}; ${status}.`;
}

/** What comes next, when and why. */
function prospect(ups: UpsState, now: PolicyClock): string {
  const { policy } = ups;
  const active = activeTrigger(ups);
  if (active !== null) return `Trigger met: ${active.trigger}, ${active.why}.`;
  if (ups.fsd.kind === 'latched') return 'Next: nothing. The FSD is a stale flag from before this boot.';
  if (ups.line.kind === 'unknown')
    return `Next: charge, runtime and LB count as on battery. OB without OL, or a fall of charge or runtime, begins an outage, in which ${limits(ups)}; FSD fires immediately.`;
  if (ups.line.kind !== 'outage' && ups.doubt.acts)
    return `Next: charge and runtime count as on battery (trust = "charge"); FSD fires immediately.`;
  if (ups.line.kind !== 'outage') {
    return `Next: nothing while there is no outage. After a transfer to battery ${limits(ups)}; FSD fires immediately.`;
  }
  const verb = policy.advisory ? 'its redundancy group is notified' : `the shutdown${ofWhat(policy)} starts`;
  const hold = inhibitedBy(ups.inhibits, 'LOW_BATTERY', now.monotonicMs);
  const held = hold === null ? '' : ` While the ${hold} lasts, ${inhibitedQuantities(ups, now)} wait.`;
  const next = forecast(ups, now);
  if (next === null && ups.line.bypass !== null)
    return `Next: nothing in bypass but FSD and the failsafe. ${endInBypass(ups.line.bypass, policy, now)}`;
  return next === null
    ? `Next: ${limits(ups)}; at the present rate none of them will be met.${held}`
    : `Next: ${verb} in about ${formatMs(next.inMs)} by ${next.trigger}, if nothing improves before.${held}`;
}

/** When a stay in bypass ends the outage. */
function endInBypass(
  { mainsSinceMs }: Bypass,
  { triggers }: UpsSettings,
  { monotonicMs }: PolicyClock,
): string {
  const { bypassEndMs } = triggers;
  if (bypassEndMs === 0) return 'It does not end the outage (bypass_end_delay 0 s).';
  if (mainsSinceMs === null)
    return 'It ends the outage only with more than half of the nominal input voltage.';
  const leftMs = Math.max(0, mainsSinceMs + bypassEndMs - monotonicMs);
  return `It ends the outage in ${formatMs(leftMs)} (bypass_end_delay ${formatMs(bypassEndMs)}).`;
}

/** The enabled triggers that a self test or calibration inhibits. */
function inhibitedQuantities(ups: UpsState, now: PolicyClock): string {
  const { triggers } = ups.policy;
  const facts = factsAt(ups, now.monotonicMs);
  const held = batteryTriggers.filter(({ isOn, inhibit }) => inhibit === 'battery test' && isOn(triggers));
  return joinNames(
    held.map(({ measure }) => measure(facts, triggers).what),
    'and',
  );
}

/** The triggers that can fire on this UPS; OUTPUT_OFF has no other delay or confirmation than its own. */
function limits(ups: UpsState): string {
  const { policy } = ups;
  const { triggers } = policy;
  const able = batteryTriggers.filter(
    (trigger) => trigger.isOn(triggers) && lackedBy(trigger, ups, triggers) === null,
  );
  const off = able.find(({ name }) => name === 'OUTPUT_OFF');
  const others = able.filter((trigger) => trigger !== off).map(({ limit }) => limit(triggers));
  const list = others.length === 0 ? 'none' : others.join(', ');
  const alone = off === undefined ? '' : `; ${off.limit(triggers)} does so at once`;
  const confirmed = `${String(triggers.confirmations)} readings in a row`;
  const does = policy.advisory ? 'notifies its redundancy group' : `starts the shutdown${ofWhat(policy)}`;
  return `any of these in ${confirmed}, after ${formatMs(triggers.stabilizationMs)}, ${does}: ${list}${alone}`;
}
