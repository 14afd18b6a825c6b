// Checks whether a case kept every promise, and computes its figures. Pure.
import type { Allowance } from './allowance.js';
import type { Case, Fault } from './fault.js';
import type { Observation } from './case-run.js';
import { delays } from './allowance.js';
import { tookHold } from './fault.js';
import { limits } from './limits.js';
import type { CommandRecord } from './command-log.js';
import { targets, upses } from './site.js';
import type { HealthWatch, PollWatch } from './watch.js';

/** A case and its outcome, as reported. Times in ms. */
export interface CaseResult {
  readonly of: Case;
  /** The broken promises, in words. */
  readonly broken: readonly string[];
  /** Of the UPSes that no fault hit. */
  readonly pollGapMs: number;
  /** From the report of upsd to the first command; null on line power. */
  readonly firstCommandMs: number | null;
  readonly sequence: {
    readonly tookMs: number;
    readonly boundMs: number;
    readonly commanded: number;
    readonly reachable: number;
  } | null;
  readonly api: { readonly slowestMs: number; readonly awayMs: number };
  /** From the end of the fault until the daemon had recovered; null if it did not. */
  readonly recoveryMs: number | null;
}

export function checkCase(
  of: Case,
  faults: readonly Fault[],
  observation: Observation,
  polls: Pick<PollWatch, 'longestGapMs'>,
  health: Pick<HealthWatch, 'within'>,
): CaseResult {
  const allowances = faults.map(({ allowance }) => allowance);
  const delay = delays(allowances);
  const hit = allowances.flatMap((allowance) => allowance.polls ?? []);
  const gaps = upses
    .filter((ups) => !hit.includes(ups))
    .map((ups) => polls.longestGapMs(ups, observation.span));
  const pollGapMs = Math.max(0, ...gaps);
  const api = health.within(observation.span);
  const recoveryMs = observation.recoveredMs === null ? null : observation.recoveredMs - observation.healedMs;
  const outcome =
    of.moment === 'mains' ? onMains(observation) : inOutage(of, allowances, delay.commands, observation);
  const broken = [
    ...outcome.broken,
    ...over(of, 'no poll of an untouched UPS', pollGapMs, limits.pollGapMs + delay.all),
    ...(allowances.some((allowance) => allowance.api === true)
      ? []
      : over(of, 'no answer of the API', api.awayMs, limits.apiAwayMs + delay.all)),
    ...(recoveryMs === null
      ? [`not well again after ${seconds(limits.recoveredMs * (of.patience ?? 1))}: ${observation.unhealthy}`]
      : over(of, 'not well again', recoveryMs, limits.recoveredMs)),
    ...tookEffect(faults, observation),
    ...(observation.ended ? ['the supervisor has ended'] : []),
    ...(/\bbug: /.test(observation.log) ? ['the daemon has logged a bug of its own'] : []),
  ];
  return { of, pollGapMs, api, recoveryMs, ...outcome, broken };
}

type Outcome = Pick<CaseResult, 'broken' | 'firstCommandMs' | 'sequence'>;

function onMains({ commandLog, sequences }: Observation): Outcome {
  const ran = commandLog.map(({ what, target }) => `${what} ${target}`);
  return {
    broken: [
      ...(ran.length > 0 ? [`on line power there ran: ${ran.join(', ')}`] : []),
      ...(sequences.length > 0 ? ['a sequence has begun on line power'] : []),
    ],
    firstCommandMs: null,
    sequence: null,
  };
}

function inOutage(
  of: Case,
  allowances: readonly Allowance[],
  lateMs: number,
  observation: Observation,
): Outcome {
  const { commandLog, sequences, lowBatteryMs } = observation;
  const [sequence] = sequences;
  const first = commandLog[0];
  const blind = allowances.some((allowance) => allowance.blind === true);
  const [powerOff, ...others] = commandLog.filter(({ what }) => what === 'power-off');
  if (lowBatteryMs === null || sequence === undefined || first === undefined || powerOff === undefined)
    return {
      broken: [`no sequence that came to its end: ${wordsOf(commandLog)}`],
      firstCommandMs: null,
      sequence: null,
    };
  const firstCommandMs = first.atMs - lowBatteryMs;
  // A fault during a sequence cannot have delayed the start of the sequence.
  const late = of.moment === 'outage' ? lateMs + (blind ? limits.failsafeMs : 0) : 0;
  const again = allowances.some((allowance) => allowance.again === true);
  const away = allowances.flatMap((allowance) => allowance.targets ?? []);
  const reachable = targets.filter((target) => !away.includes(target));
  const given = (target: string): readonly CommandRecord[] =>
    commandLog.filter((note) => note.what === 'goes-down' && note.target === target);
  const tookMs = powerOff.atMs - sequence.startedMs;
  const broken = [
    ...(sequences.length === 1 ? [] : [`${String(sequences.length)} sequences in one outage`]),
    ...(others.length > (again ? 1 : 0) ? [`${String(others.length + 1)} power-off commands`] : []),
    // The command log has a resolution of 10 ms.
    ...(firstCommandMs < -20 && !blind ? ['a command before the battery was low'] : []),
    ...over(of, 'no command after the trigger', firstCommandMs, limits.firstCommandMs + late),
    ...over(of, 'no power-off since the sequence began', tookMs, sequence.boundMs + lateMs),
    ...reachable.flatMap((target) => {
      const [one, ...more] = given(target);
      if (one === undefined) return [`${target} never had its command`];
      const afterMs = one.atMs - sequence.startedMs;
      return [
        ...over(of, `${target} without its command`, afterMs, sequence.deadlinesMs[target] + lateMs),
        // A starved server may not say in time whether it runs its command: it is tried once more (specification/sequence.md#waits).
        ...(more.length > (again || of.patience !== undefined ? 1 : 0)
          ? [`${target} was commanded ${String(more.length + 1)} times`]
          : []),
        // On a starved machine only a try beside the power-off may reach it (specification/sequence.md#tries).
        ...(one.atMs > powerOff.atMs && of.patience === undefined
          ? [`${target} was commanded after the power-off`]
          : []),
      ];
    }),
  ];
  const commanded = reachable.filter((target) => given(target).length > 0).length;
  return {
    broken,
    firstCommandMs,
    sequence: { tookMs, boundMs: sequence.boundMs, commanded, reachable: reachable.length },
  };
}

/** A fault without any trace proves nothing. */
function tookEffect(faults: readonly Fault[], { log }: Observation): readonly string[] {
  return faults.flatMap((fault) => (tookHold(fault, log) ? [] : [`"${fault.name}" did not take hold`]));
}

function over(of: Case, what: string, ms: number, ownLimitMs: number): readonly string[] {
  const limitMs = ownLimitMs * (of.patience ?? 1);
  return ms > limitMs ? [`${what} for ${seconds(ms)}, allowed are ${seconds(limitMs)}`] : [];
}

function wordsOf(commandLog: readonly CommandRecord[]): string {
  return commandLog.length === 0
    ? 'nothing ran'
    : commandLog.map(({ what, target }) => `${what} ${target}`).join(', ');
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}
