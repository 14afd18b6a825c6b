// Which alerts of a battery are due. Each is raised once and again only after the score has recovered. Pure.
import type { EventType } from './events.js';
import type { BatteryHealth, BatterySettings } from '../ups/battery/health.js';

/** What has been recorded as an event and has not recovered since. */
export interface RaisedAlerts {
  readonly warning: boolean;
  readonly critical: boolean;
  readonly replacement: boolean;
}

export const noAlerts: RaisedAlerts = { warning: false, critical: false, replacement: false };

/** A score must rise this far above its limit, so that one at the limit is one alert. */
const recoveryPoints = 5;
/** A prediction must move beyond the horizon by this factor: the date of one battery moves by weeks. */
const recoveryHorizon = 2;

type BatteryEvent = Extract<
  EventType,
  'BATTERY_HEALTH_WARNING' | 'BATTERY_HEALTH_CRITICAL' | 'BATTERY_REPLACEMENT_PREDICTED'
>;

type Limits = Pick<BatterySettings, 'warnScore' | 'criticalScore' | 'thresholdScore' | 'horizonDays'>;
type Shown = Pick<BatteryHealth, 'score' | 'replacementDue' | 'replacementDaysRemaining' | 'replacement'>;

/** Forgets what has recovered. An unknown score changes nothing. */
export function withoutRecovered(raised: RaisedAlerts, health: Shown, limits: Limits): RaisedAlerts {
  const { score } = health;
  if (score === null) return raised;
  return {
    warning: raised.warning && score < limits.warnScore + recoveryPoints,
    critical: raised.critical && score < limits.criticalScore + recoveryPoints,
    replacement: raised.replacement && !isOutOfSight(score, health, limits),
  };
}

/** The date alone is no recovery: it comes and goes by months while the trend is uncertain, and the battery is as it was. */
function isOutOfSight(score: number, health: Shown, { thresholdScore, horizonDays }: Limits): boolean {
  const { replacementDue, replacementDaysRemaining: days, replacement } = health;
  if (replacementDue || replacement.state === 'unknown') return false;
  const isFar = days === null || days > horizonDays * recoveryHorizon;
  return isFar && score >= (thresholdScore + 100) / 2;
}

/** The alerts to raise now: of the two tiers only the worse. */
export function dueAlerts(raised: RaisedAlerts, health: Shown, limits: Limits): readonly BatteryEvent[] {
  // An unknown score is below no limit.
  const score = health.score ?? Infinity;
  const due: BatteryEvent[] = [];
  if (score < limits.criticalScore && !raised.critical) due.push('BATTERY_HEALTH_CRITICAL');
  else if (score < limits.warnScore && !raised.warning && !raised.critical)
    due.push('BATTERY_HEALTH_WARNING');
  if (health.replacementDue && !raised.replacement) due.push('BATTERY_REPLACEMENT_PREDICTED');
  return due;
}

/** After the event is recorded; any other event changes nothing. */
export function withRaised(raised: RaisedAlerts, type: EventType): RaisedAlerts {
  const isCritical = type === 'BATTERY_HEALTH_CRITICAL';
  return {
    warning: raised.warning || isCritical || type === 'BATTERY_HEALTH_WARNING',
    critical: raised.critical || isCritical,
    replacement: raised.replacement || type === 'BATTERY_REPLACEMENT_PREDICTED',
  };
}
