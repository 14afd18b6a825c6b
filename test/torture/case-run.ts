// Runs one case: brings the daemon to the moment, injects the faults, waits for the end of the outage, heals the faults,
// and waits until the daemon has recovered. Records and times everything; checks nothing.
import { setTimeout as pause } from 'node:timers/promises';
import { firstSeen } from '../bench/reaction.js';
import { isAbove, until } from '../fixtures/until.js';
import type { Case, Fault } from './fault.js';
import { delays } from './allowance.js';
import { tookHold } from './fault.js';
import type { Testbed } from './testbed.js';
import type { StartedSequence } from './journals.js';
import { startedSequence, sequencesOf } from './journals.js';
import { limits } from './limits.js';
import type { CommandRecord } from './command-log.js';
import { nowMs } from './command-log.js';
import type { FaultSet } from './fault-set.js';
import { betweenFaultsMs } from './fault-set.js';
import { nearlyEmptyStatus } from './case-configuration.js';
import type { Span } from './watch.js';

/** Minimum time of observation on line power: longer than the supervisor tolerates a hung worker. */
const minObservationMs = 3_500;
/** Time on battery before the fault, so that the daemon has seen OB. */
const onBatteryMs = 1_500;
/** Wait after the power-off: a command that runs twice has started by then. */
const settleMs = 1_000;

/** The supervisor reads the memory of workers every 10 s. */
const slowestCheckMs = 12_000;

/** What was observed in a case; times by `nowMs`. */
export interface Observation {
  readonly injectedMs: number;
  readonly healedMs: number;
  /** Null: the daemon did not recover within the limit. */
  readonly recoveredMs: number | null;
  /** What was missing at the limit; empty after a recovery. */
  readonly unhealthy: string;
  /** When upsd reported the nearly empty battery, or would have without its hang; null on line power. */
  readonly lowBatteryMs: number | null;
  readonly commandLog: readonly CommandRecord[];
  readonly sequences: readonly StartedSequence[];
  readonly span: Span;
  readonly log: string;
  /** The supervisor ended, and no fault had killed it. */
  readonly ended: boolean;
}

export async function runCase(
  testbed: Testbed,
  { moment, patience = 1 }: Case,
  faultSet: FaultSet,
): Promise<Observation> {
  const { faults, random } = faultSet;
  let ended = false;
  const { daemon } = testbed;
  void daemon.exited.then(() => (ended = true));
  let lowBatteryMs: number | null = null;
  try {
    if (moment === 'outage') {
      await testbed.power('onBattery');
      await pause(onBatteryMs + random() * 1_000);
    }
    if (moment === 'sequence') {
      lowBatteryMs = await emptyBattery(testbed, null);
      await until(() => testbed.commandLog.all().length, isAbove(0));
      await pause(random() * betweenFaultsMs);
    }
    const injectedMs = nowMs();
    await faultSet.inject(testbed);
    if (moment === 'outage') {
      await pause(random() * betweenFaultsMs);
      lowBatteryMs = await emptyBattery(testbed, faults);
    }
    if (moment === 'mains') await pause(Math.max(minObservationMs, ...faults.map(({ lastsMs }) => lastsMs)));
    else await untilPoweredOff(testbed, faults, patience);
    await untilTookHold(testbed, faults, patience);
    await faultSet.heal();
    const healedMs = nowMs();
    const unhealthy = await testbed.untilHealthy(limits.recoveredMs * patience).then(
      () => '',
      (error: unknown) => String(error),
    );
    const recoveredMs = nowMs();
    return {
      injectedMs,
      healedMs,
      recoveredMs: unhealthy === '' ? recoveredMs : null,
      unhealthy,
      lowBatteryMs,
      commandLog: testbed.commandLog.all(),
      sequences: startedSequences(testbed),
      span: { fromMs: injectedMs, toMs: nowMs() },
      log: testbed.log(),
      ended: ended && testbed.daemon === daemon,
    };
  } finally {
    await faultSet.heal();
  }
}

/** Sets a nearly empty battery; settles with the time at which upsd reports it. A hung upsd counts from the change. */
async function emptyBattery(testbed: Testbed, faults: readonly Fault[] | null): Promise<number> {
  const { port } = testbed.servers.upsd.house;
  const blind = faults?.some(({ allowance }) => allowance.blind === true) ?? false;
  const startedSequences = blind ? null : firstSeen(port, nearlyEmptyStatus).then(nowMs);
  await testbed.power('nearlyEmpty');
  return (await startedSequences) ?? nowMs();
}

/**
 * From the journals. A supervisor without a free descriptor writes none: then from the log, with the first command as the
 * start.
 */
function startedSequences(testbed: Testbed): readonly StartedSequence[] {
  const written = sequencesOf(testbed.directory);
  if (written.length > 0) return written;
  const [first] = testbed.commandLog.all();
  const logged = testbed.log().match(/shutdown sequence of \S+ started/g) ?? [];
  return logged.map(() => startedSequence(testbed.plan, first?.atMs ?? NaN));
}

/** Waits until the supervisor has noticed the faults, at most for its slowest check; the checker reports one it has not. */
async function untilTookHold(testbed: Testbed, faults: readonly Fault[], patience: number): Promise<void> {
  const end = nowMs() + slowestCheckMs * patience;
  while (nowMs() < end && !faults.every((fault) => tookHold(fault, testbed.log()))) await pause(100);
}

/** Waits for the power-off, at most for the time that the plan and the allowances permit; the checker reports the rest. */
async function untilPoweredOff(testbed: Testbed, faults: readonly Fault[], patience: number): Promise<void> {
  const bound = testbed.plan.boundSeconds * 1000;
  const allowances = faults.map(({ allowance }) => allowance);
  const failsafe = allowances.some(({ blind }) => blind === true) ? limits.failsafeMs : 0;
  const end = nowMs() + (bound + delays(allowances).commands + failsafe + limits.firstCommandMs) * patience;
  while (nowMs() < end && !testbed.commandLog.all().some(({ what }) => what === 'power-off')) await pause(20);
  await pause(settleMs);
}
