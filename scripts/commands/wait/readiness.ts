// Whether the UPSes could carry another outage, and since when. Without clock and I/O of its own.
import { noBreakSpace, durationInWords } from '../../../shared/domain/base/duration.js';
import { joinNames } from '../../../shared/domain/outage/feed.js';
import type { RedundancyRow, UpsRow } from '../../../shared/domain/status/status-model.js';
import { onBattery } from '../../../shared/domain/status/wording.js';
import { statusWords } from '../../../shared/domain/ups/status-words.js';
import { UpsNames } from '../../../shared/domain/ups/ups-name.js';

export interface PowerStatus {
  readonly ups: readonly UpsRow[];
  readonly redundancyGroups: readonly RedundancyRow[];
  /** A shutdown, which may go on to its end although power is back. */
  readonly sequenceRuns: boolean;
}

export interface ReadyRule {
  /** As the operator names it; null: what powers this machine. */
  readonly ups: string | null;
  readonly chargePercent: number;
  readonly stableMs: number;
  readonly timeoutMs: number;
}

export interface ReadyDependencies {
  /** The status, or why there is none. */
  readonly read: () => Promise<PowerStatus | string>;
  readonly monotonicMs: () => number;
  readonly pause: () => Promise<void>;
  readonly say: (text: string) => void;
}

/** A state that lasts is printed again after this. */
const repeatMs = 5 * 60_000;

/** What is still missing; null: nothing does. `kind` is the same while only its numbers change. */
type Obstacle = { readonly kind: string; readonly text: string } | null;

/** Null when the rule is met or its time is over; else why it can never be met: there is no such UPS. */
export async function untilReady(deps: ReadyDependencies, rule: ReadyRule): Promise<string | null> {
  const startMs = deps.monotonicMs();
  let goodSinceMs: number | null = null;
  let lastPrinted = { kind: '', ms: -Infinity };
  for (;;) {
    const status = await deps.read();
    const nowMs = deps.monotonicMs();
    const missing = typeof status === 'string' ? null : missingIn(status, rule);
    if (missing !== null) return missing;
    const found: Obstacle =
      typeof status === 'string' ? { kind: 'daemon', text: status } : obstacle(status, rule);
    goodSinceMs = found === null ? (goodSinceMs ?? nowMs) : null;
    const leftMs = goodSinceMs === null ? rule.stableMs : goodSinceMs + rule.stableMs - nowMs;
    if (found === null && leftMs <= 0) {
      deps.say('ready: the battery could carry another outage');
      return null;
    }
    const { kind, text } = found ?? { kind: 'stable', text: `ready; this must last for ${words(leftMs)}` };
    if (nowMs - startMs >= rule.timeoutMs) {
      deps.say(`ended at the time-out of ${words(rule.timeoutMs)}, although not ready: ${text}`);
      return null;
    }
    if (kind !== lastPrinted.kind || nowMs - lastPrinted.ms >= repeatMs) {
      deps.say(text);
      lastPrinted = { kind, ms: nowMs };
    }
    await deps.pause();
  }
}

function missingIn({ ups }: PowerStatus, { ups: asked }: ReadyRule): string | null {
  if (asked === null || upsNamed(ups, asked) !== undefined) return null;
  return `there is no UPS "${asked}"; there are ${joinNames(
    ups.map(({ name }) => name),
    'and',
  )}`;
}

/** Why the UPSes could not carry another outage now. */
export function obstacle(status: PowerStatus, rule: Pick<ReadyRule, 'ups' | 'chargePercent'>): Obstacle {
  if (status.sequenceRuns) return { kind: 'sequence', text: 'a shutdown sequence runs' };
  const { needed, of } = requiredUpses(status, rule.ups);
  const found = of.flatMap((row) => obstacleOf(row, rule.chargePercent) ?? []);
  if (of.length - found.length >= needed) return null;
  return found[0] ?? { kind: 'none', text: 'the daemon watches no UPS' };
}

/** The UPSes that count, and how many of them must be good. */
function requiredUpses(
  { ups, redundancyGroups }: PowerStatus,
  name: string | null,
): { needed: number; of: readonly UpsRow[] } {
  if (name !== null) {
    const row = upsNamed(ups, name);
    return { needed: 1, of: row === undefined ? [] : [row] };
  }
  const own = ups.filter(({ isLocal }) => isLocal);
  if (own.length > 0) return { needed: own.length, of: own };
  const group = redundancyGroups.find(({ isLocal }) => isLocal);
  if (group === undefined) return { needed: Math.max(1, ups.length), of: ups };
  return { needed: group.minHealthy, of: ups.filter((row) => group.upsSources.includes(row.name)) };
}

function upsNamed(ups: readonly UpsRow[], asked: string): UpsRow | undefined {
  const name = new UpsNames(ups.map((row) => row.name)).find(asked);
  return ups.find((row) => row.name === name);
}

function obstacleOf(row: UpsRow, chargePercent: number): Obstacle {
  const { name, label, connectionState, batteryCharge: charge, triggerActive, triggerReason } = row;
  const because = (kind: string, text: string): Obstacle => ({
    kind: `${name} ${kind}`,
    text: `${label} ${text}`,
  });
  if (connectionState !== 'OK') return because('unseen', 'cannot be read');
  const status = statusWords(row.status);
  if (!status.includes('OL') || onBattery(row)) return because('battery', 'is not on line power');
  if (triggerActive) return because('trigger', `has the trigger ${triggerReason}`);
  if (charge === null || charge >= chargePercent) return null;
  return because('charge', `has ${String(Math.floor(charge))} % charge of ${String(chargePercent)} %`);
}

const words = (ms: number): string => durationInWords(ms / 1000).replaceAll(noBreakSpace, ' ');
