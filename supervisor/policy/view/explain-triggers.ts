// Explains each trigger: threshold, reading, its age, refused values, margin and remaining waits. Reads the decisions;
// decides nothing.
import type { TriggerExplanation } from '../../../shared/domain/status/status-model.js';
import type { BatteryRule, TriggerSettings } from '../../../shared/domain/triggers/table.js';
import { batteryTriggers } from '../../../shared/domain/triggers/table.js';
import type { Facts } from '../../../shared/domain/triggers/trigger.js';
import type { PolicyClock } from '../base/clock.js';
import { unseenMs } from '../base/clock.js';
import { inhibitedBy } from '../trigger/inhibits.js';
import { isOnBattery } from '../power/power-source.js';
import type { AcceptedReading } from '../power/readings.js';
import type { Shutdown } from '../trigger/shutdown.js';
import { lackedBy } from '../power/reported-quantities.js';
import { staleLimitMs, staleWaitMs } from '../state/stale-driver.js';
import type { Confirmed, LatchedTrigger } from '../trigger/trigger-confirmations.js';
import type { UpsMemory, UpsState } from '../state/ups-state.js';
import { factsAt, factsOf } from '../state/ups-state.js';
import { formatNumber, formatMs } from '../../../shared/domain/base/format.js';

export interface Explanation {
  readonly triggers: readonly TriggerExplanation[];
  readonly text: string;
}

/** One UPS with one set of thresholds: its own, or those of a redundancy group. */
export interface TriggerCase {
  readonly ups: UpsState;
  readonly settings: TriggerSettings;
  readonly confirmed: Confirmed;
  /** Whether a trigger can still start a sequence. */
  readonly armed: boolean;
  readonly met: LatchedTrigger | null;
  readonly toleratedPolls: number;
  readonly now: PolicyClock;
}

export function explainTriggers(subject: TriggerCase): readonly TriggerExplanation[] {
  return [
    explainFsd(subject),
    ...batteryTriggers.map((trigger) => explainBattery(trigger, subject)),
    explainFailsafe(subject),
  ];
}

function explainBattery(trigger: BatteryRule, subject: TriggerCase): TriggerExplanation {
  const { ups, settings, now } = subject;
  const facts = factsOf(ups);
  const present = factsAt(ups, now.monotonicMs);
  const { threshold, reading, margin, words } = trigger.measure(present, settings);
  const enabled = trigger.isOn(settings);
  const refused = refusedFor(trigger, ups);
  const refusal = refused.length === 0 ? '' : ` (refused: ${refused.join('; ')})`;
  const lacked = subject.confirmed[trigger.name] > 0 ? null : lackedBy(trigger, ups, settings);
  const acts = facts !== null && trigger.sources.includes(facts.source);
  const why = acts ? waiting(trigger, subject, facts) : withoutFacts(ups, trigger);
  const hasReported = lacked !== null && typeof ups.reportedQuantities[lacked]?.anyMs === 'number';
  const since = hasReported ? 'for a minute or more' : 'so far';
  const state = lacked === null ? why : `the UPS has reported no ${lacked} ${since}, so it cannot fire`;
  return {
    name: trigger.name,
    armed: enabled && lacked === null && subject.armed,
    active: subject.met?.trigger === trigger.name,
    threshold,
    reading,
    readingAge: ageSeconds(ups, now),
    refused,
    margin,
    delay: trigger.delayMs(settings, present) / 1000,
    text: `${words}${refusal}; ${enabled ? state : 'switched off in the configuration'}`,
  };
}

function withoutFacts({ line }: UpsState, { name }: BatteryRule): string {
  if (line.kind === 'unknown') return 'it waits for OB without OL, or a fall of charge or runtime';
  const isInBypass = line.kind === 'outage' && line.bypass !== null;
  if (isInBypass) return 'it waits while the status is BYPASS';
  if (name !== 'OUTPUT_OFF') return 'it needs OB in the last good reading';
  return line.kind === 'outage' ? 'it needs OFF in the last good reading' : 'it needs an outage';
}

/** What delays a trigger on battery. */
function waiting(trigger: BatteryRule, subject: TriggerCase, facts: Facts): string {
  const { settings, now } = subject;
  const confirmed = subject.confirmed[trigger.name];
  const { last } = subject.ups.readings;
  const elapsedMs = facts.onBatteryMs + now.monotonicMs - (last?.askedMs ?? now.monotonicMs);
  if (subject.met?.trigger === trigger.name) return `met: ${subject.met.why}`;
  if (confirmed === 0) {
    const lacksValue = trigger.isMet(facts, settings) === null;
    const otherwise = lacksValue ? 'the last reading lacks the value' : 'not met';
    return trigger.unmet(facts, settings, elapsedMs) ?? otherwise;
  }
  const waits: string[] = [];
  const missing = trigger.confirmations(settings, facts) - confirmed;
  if (missing > 0) waits.push(`${String(missing)} more good reading(s) that confirm it`);
  const delayLeftMs = trigger.delayMs(settings, facts) - elapsedMs;
  if (delayLeftMs > 0) waits.push(`${formatMs(delayLeftMs + 999)} of ${trigger.delayName(settings, facts)}`);
  const doubtMs = trigger.doubtMs(settings, facts);
  if (doubtMs > 0)
    waits.push(`${formatMs(doubtMs + 999)} in which the device can contradict it (${trigger.doubtKey})`);
  const hold = inhibitedBy(subject.ups.inhibits, trigger.name, now.monotonicMs);
  if (hold !== null) waits.push(`the end of the ${hold}`);
  if (waits.length > 0) return `met by the last readings; waits for ${waits.join(' and ')}`;
  return subject.armed ? 'met; it acts with the next reading on battery' : 'met';
}

const noFsd = ['no FSD; it fires immediately when it is set'] as const;

/** And why an FSD that is shown shuts nothing down. */
const fsdWords: Readonly<Record<UpsState['fsd']['kind'], readonly [words: string, refused?: string]>> = {
  unseen: noFsd,
  absent: noFsd,
  acting: ['FSD demands the shutdown'],
  latched: [
    'FSD was in the first reading of this boot, on line power',
    'a latched FSD shuts nothing down until a reading has OB, or FSD is cleared and set again',
  ],
  own: [
    'FSD was set by this daemon',
    'an FSD of this daemon shuts nothing down; another counts after a reading without it',
  ],
};

function explainFsd({ ups, armed, now }: TriggerCase): TriggerExplanation {
  const shown = ups.readings.last?.reading.status.includes('FSD') ?? false;
  const [words, refused] = fsdWords[ups.fsd.kind];
  return {
    name: 'FSD',
    armed: armed && refused === undefined,
    active: ups.fsd.kind === 'acting',
    threshold: null,
    reading: shown ? 1 : 0,
    readingAge: ageSeconds(ups, now),
    refused: refused === undefined ? [] : [refused],
    margin: null,
    delay: 0,
    text: words,
  };
}

function explainFailsafe({
  ups,
  settings,
  armed,
  met,
  toleratedPolls,
  now,
}: TriggerCase): TriggerExplanation {
  const { last } = ups.readings;
  const waitMs = staleWaitMs(ups, ups.policy) ?? 0;
  const threshold = Math.max(settings.failsafeMs, waitMs) / 1000;
  const blind = last === null ? null : blindness(last, now);
  const onBattery = isOnBattery(ups.line);
  const polls = `${String(ups.connection.failedPolls)} failed poll(s) in a row of ${String(toleratedPolls)}`;
  const seen =
    blind === null
      ? 'never seen'
      : `unseen for ${String(blind.seconds)} s of ${formatNumber(threshold)} s${blind.notCounted}`;
  const why = onBattery
    ? 'the last known status has OB, so failed polls count'
    : ups.line.kind === 'unknown'
      ? 'the source of power is unknown, so failed polls shut nothing down'
      : 'the last known status has no OB, so failed polls shut nothing down';
  return {
    name: 'FAILSAFE',
    armed: armed && onBattery,
    active: met?.trigger === 'FAILSAFE',
    threshold,
    reading: blind?.seconds ?? null,
    readingAge: ageSeconds(ups, now),
    refused: [],
    margin: blind === null ? null : Math.max(0, threshold - blind.seconds),
    delay: 0,
    text: `${polls}, ${seen}${staleInWords(ups, settings.failsafeMs)}; ${why}`,
  };
}

/** What the failsafe waits beyond its delay for a driver that is stale, or would be. */
function staleInWords(ups: UpsState, failsafeMs: number): string {
  const limitMs = ups.line.kind === 'unknown' ? 0 : (staleLimitMs(ups, ups.policy) ?? 0);
  if (limitMs <= failsafeMs || !ups.connection.onlyStale) return '';
  const { failsafeShare } = ups.policy.triggers;
  const why = `failsafe_share ${String(failsafeShare)} of the last runtime, failsafe_delay ${formatMs(failsafeMs)} otherwise`;
  return staleWaitMs(ups, ups.policy) === null
    ? ` (${formatMs(limitMs)} while the server answers DATA-STALE: ${why})`
    : ` (the server answers DATA-STALE, and the battery was good: ${why})`;
}

/** How long the failsafe has waited, and why it is late if the daemon was away. */
function blindness(
  last: AcceptedReading,
  now: PolicyClock,
): { readonly seconds: number; readonly notCounted: string } {
  const seconds = Math.floor(unseenMs(last.watchedMs, now) / 1000);
  const away = Math.floor((now.monotonicMs - last.monotonicMs) / 1000) - seconds;
  const notCounted =
    away < 1 ? '' : ` (${String(away)} s more are not counted: the daemon did not run or received no input)`;
  return { seconds, notCounted };
}

function refusedFor({ quantity: needed }: BatteryRule, { readings }: UpsMemory): readonly string[] {
  return (readings.last?.refused ?? []).flatMap(({ quantity, why }) =>
    quantity === needed?.name ? [why] : [],
  );
}

function ageSeconds({ readings }: UpsMemory, now: PolicyClock): number | null {
  return readings.last === null
    ? null
    : Math.max(0, Math.round(now.monotonicMs - readings.last.monotonicMs)) / 1000;
}

/** Whether the sequence can start, or what re-arms it. `dryRun`: what it is, or was. */
export function explainSequence(shutdown: Shutdown, dryRun: boolean): string {
  if (shutdown.kind === 'armed')
    return `The shutdown sequence is armed${dryRun ? ', as a dry run: nothing is commanded' : ''}.`;
  const sequence = shutdown.sequenceOver ? 'has ended' : 'was started and has not ended';
  const wait = shutdown.outageOver ? 'when the sequence has ended' : 'when power is back, confirmed';
  const cause = `(${shutdown.trigger}: ${shutdown.why})`;
  const what = dryRun ? 'dry run of the shutdown sequence' : 'shutdown sequence';
  const effect = dryRun ? ': it commands nothing, and nothing else is commanded in this outage' : '';
  return `The ${what} ${sequence} ${cause}${effect}. It is armed again ${wait}.`;
}
