// The account of one UPS: where it stands, what comes next, when and why. In plain words.
import type { TriggerExplanation } from '../../shared/domain/status-model.js';
import { unreachable } from '../../shared/domain/unreachable.js';
import type { PolicyClock } from './clock.js';
import type { Case, Explanation } from './explain-triggers.js';
import { explainSequence, explainTriggers } from './explain-triggers.js';
import { exercise } from './holds.js';
import type { UpsPolicy } from './inputs.js';
import { onBatteryMs } from './line.js';
import type { UpsState } from './ups-state.js';
import { activeTrigger } from './ups-state.js';
import { spoken, spokenBattery, spokenMs } from './wording.js';

export function explainUps(ups: UpsState, now: PolicyClock): Explanation {
  const triggers = explainTriggers(caseOf(ups, now));
  const sequence = ups.policy.advisory
    ? 'It is a member of a redundancy group: its triggers only advise.'
    : explainSequence(ups.shutdown);
  const lines = [situation(ups, now), prospect(ups, triggers, now), sequence];
  return { triggers, text: [...lines, ...triggers.map(({ name, text }) => `  ${name}: ${text}`)].join('\n') };
}

function caseOf(ups: UpsState, now: PolicyClock): Case {
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

/** Where the UPS stands, by its last good reading. */
function situation(ups: UpsState, now: PolicyClock): string {
  const { label } = ups.policy;
  const { last } = ups.readings;
  if (last === null) return `${label}: no good reading yet (${ups.connection.detail}).`;
  const { reading } = last;
  const age = spokenMs(now.monotonicMs - last.monotonicMs);
  const battery = spokenBattery(reading.chargePercent, reading.runtimeSeconds);
  const seen = ups.connection.sight.kind === 'ok' ? '' : `, cannot be seen now (${ups.connection.detail})`;
  const status = `status ${reading.status.join(' ')}, ${battery}, read ${age} ago${seen}`;
  if (ups.line.kind !== 'outage') return `${label}: no outage; ${status}.`;
  const why = exercise(ups.holds);
  const what = why === null ? 'on battery' : `on battery for a ${why}`;
  return `${label}: ${what} for ${spokenMs(onBatteryMs(ups.line, now.monotonicMs))}; ${status}.`;
}

/** What comes next, when and why. */
function prospect(ups: UpsState, triggers: readonly TriggerExplanation[], now: PolicyClock): string {
  const { policy } = ups;
  const active = activeTrigger(ups);
  if (active !== null) return `Trigger met: ${active.trigger}, ${active.why}.`;
  if (ups.fsd.kind === 'latched') return 'Next: nothing. The FSD shown is a flag left from before this boot.';
  if (ups.line.kind !== 'outage') {
    return `Next: nothing while there is no outage. After a transfer to battery ${limits(policy)}; FSD acts at once.`;
  }
  const due = nextOnBattery(ups, triggers, now);
  const verb = policy.advisory ? 'its redundancy group is told' : 'the shutdown starts';
  return due === null
    ? `Next: ${verb} when ${limits(policy)}; at the present course none of it is in sight.`
    : `Next: ${verb} ${due}, if power is not back before.`;
}

function limits({ triggers }: UpsPolicy): string {
  const parts = [
    `charge below ${spoken(triggers.lowBatteryPercent)} %`,
    `runtime below ${spokenMs(triggers.criticalRuntimeSeconds * 1000)}`,
    `depletion above ${spoken(triggers.depletion.criticalRate)} %/min`,
  ];
  if (triggers.extendedTime.enabled)
    parts.push(`more than ${spokenMs(triggers.extendedTime.thresholdMs)} on battery`);
  if (triggers.lowBatteryFlag) parts.push('the LB flag');
  const confirmed = `${String(triggers.confirmations)} readings in a row`;
  return `any of these in ${confirmed}, after ${spokenMs(triggers.stabilizationMs)}, starts the shutdown: ${parts.join(', ')}`;
}

/** The trigger that will fire first on the present course, with the time until then. */
function nextOnBattery(
  ups: UpsState,
  triggers: readonly TriggerExplanation[],
  now: PolicyClock,
): string | null {
  const settings = ups.policy.triggers;
  const elapsedMs = onBatteryMs(ups.line, now.monotonicMs);
  const rate = ups.depletion.rate ?? 0;
  const candidates = triggers.flatMap(({ name, armed, margin }) => {
    const inMs = armed && margin !== null ? untilMs(name, margin, rate) : null;
    return inMs === null ? [] : [{ name, inMs: Math.max(inMs, settings.stabilizationMs - elapsedMs, 0) }];
  });
  const first = candidates.reduce<(typeof candidates)[number] | null>(
    (a, b) => (a === null || b.inMs < a.inMs ? b : a),
    null,
  );
  return first === null ? null : `in about ${spokenMs(first.inMs)} by ${first.name}`;
}

/** Milliseconds until `margin` is used up; null when nothing moves towards the threshold. */
function untilMs(name: TriggerExplanation['name'], margin: number, rate: number): number | null {
  switch (name) {
    case 'LOW_BATTERY':
      if (margin < 0) return 0;
      return rate > 0 ? (margin / rate) * 60_000 : null;
    case 'CRITICAL_RUNTIME':
    case 'EXTENDED_TIME':
      return Math.max(0, margin * 1000);
    case 'DEPLETION':
      return margin < 0 ? 0 : null;
    case 'FSD':
    case 'LOW_BATTERY_FLAG':
    case 'FAILSAFE':
      return null;
    default:
      return unreachable(name);
  }
}
