// Whether a battery test may start now (specification/policy.md#self-tests). Pure.
import type { MemberHealth } from '../../../shared/domain/status/states.js';
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import type { UpsTests } from './state.js';

/** A battery that was used recharges for about this long; its charge is known exactly only afterwards. */
const restMs = 60 * 60_000;
const fullPercent = 90;

export interface TestConditions {
  readonly row: UpsRow;
  readonly tests: UpsTests;
  readonly nowMs: number;
  /** Since when the UPS has been watched, where no history tells of outages before; else null. */
  readonly watchedSinceMs: number | null;
  readonly isSequenceRunning: boolean;
  /** The other members of its redundancy groups. */
  readonly others: readonly {
    readonly name: string;
    readonly health: MemberHealth;
    readonly isTesting: boolean;
    /** What would end the test at the next poll, in words; null: nothing. */
    readonly problem: string | null;
  }[];
  readonly isBatteryCritical: boolean;
}

/** The first condition that is not met, named; null when the test may start. */
export function objectionTo(conditions: TestConditions, isScheduled: boolean): string | null {
  const { row, tests, nowMs, watchedSinceMs, isSequenceRunning, others } = conditions;
  const words = row.status.split(' ');
  const busy = others.find(({ isTesting }) => isTesting);
  const unfit = others.find(({ health, problem }) => health !== 'HEALTHY' || problem !== null);
  const checks: readonly (readonly [boolean, string])[] = [
    [row.connectionState !== 'OK' || row.status === '', 'connection: the UPS has no current reading'],
    [tests.running !== null || words.includes('TEST'), 'no other test: a test of this UPS runs'],
    [words.includes('CAL'), 'no other test: a calibration of this UPS runs'],
    [
      !words.includes('OL') || words.includes('OB') || row.triggerActive,
      'on line: the UPS has no line power',
    ],
    [isSequenceRunning, 'no sequence: a shutdown sequence runs'],
    // On battery nothing bypasses the inverter: many a UPS drops a load that is too high for it.
    [words.includes('OVER'), 'load: the UPS is overloaded (OVER)'],
    [
      (row.batteryCharge ?? 0) < fullPercent || words.includes('LB'),
      `full: the charge is ${row.batteryCharge === null ? 'unknown' : `${String(row.batteryCharge)} %`}; a test needs ${String(fullPercent)} %`,
    ],
    [
      tests.outageMs !== null && nowMs - tests.outageMs < restMs,
      'no outage in the last hour: the battery may not be charged yet',
    ],
    [
      watchedSinceMs !== null && nowMs - watchedSinceMs < restMs,
      'no outage in the last hour: not known: no history has been read, and the UPS has been watched for less than an hour',
    ],
    [busy !== undefined, `one of a group at a time: ${busy?.name ?? ''}, of the same group, is in a test`],
    [
      unfit !== undefined,
      `group healthy: ${unfit?.name ?? ''}, of the same group, ${unfit?.problem ?? `is ${unfit?.health ?? ''}`}`,
    ],
  ];
  const scheduled: readonly (readonly [boolean, string])[] = [
    [words.includes('RB'), 'battery: the UPS asks for a new battery (RB)'],
    [
      tests.verdict?.result === 'FAILED',
      'last test: it failed; start the next one with ridethrough self-test',
    ],
    [conditions.isBatteryCritical, 'battery health: the score is critical'],
  ];
  const failing = [...checks, ...(isScheduled ? scheduled : [])].find(([isNotMet]) => isNotMet);
  return failing?.[1] ?? null;
}
