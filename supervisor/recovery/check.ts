// The check of the way back of every machine: the configuration, the record, the last drills, and what each UPS shows. Pure.
import type { RecoveryRecord } from '../../shared/domain/recovery/record.js';
import type {
  CheckedMachine,
  Drilled,
  DrilledOutput,
  RecoveryCheck,
} from '../../shared/domain/recovery/recovery-check.js';
import type { Machine } from '../../shared/domain/recovery/way-back.js';
import { checkedMachine } from '../../shared/domain/recovery/way-back.js';
import type { OutputReturn } from '../../shared/domain/ups/output-return.js';
import { outputReturn } from '../../shared/domain/ups/output-return.js';
import type { Variables } from '../../shared/domain/ups/reading.js';
import type { Configuration } from '../config/configuration/configuration.js';
import { machinesOf } from '../config/derive/way-back.js';

export interface CheckSources {
  readonly configuration: Configuration;
  readonly records: ReadonlyMap<string, RecoveryRecord>;
  /** Why nothing is recorded; empty while all is well. */
  readonly trouble: string;
  readonly drilled: Drilled;
  readonly variablesOf: (ups: string) => Variables;
}

/** In characters: an answer to the API worker is one frame, of 4 MiB. */
const maxShown = 1_000_000;
/** Of the details of /ready, which are published several times a second. */
const maxReasons = 50;

export function recoveryCheck(sources: CheckSources): RecoveryCheck {
  const { configuration, records, trouble, drilled } = sources;
  const returnOf = returnsOf(sources);
  const drills = new Map(drilled.machines.map((machine) => [machine.server, machine]));
  const proven = new Map(
    [...records].map(([group, { targets }]) => [
      group,
      new Map(targets.map((target) => [target.server, target.provenUnixSeconds])),
    ]),
  );
  const machines = machinesOf(configuration).map((machine: Machine) =>
    checkedMachine(machine, {
      proven: proven.get(machine.group)?.get(machine.server) ?? null,
      drilled: drills.get(machine.drilledAs),
      returnOf,
    }),
  );
  const reasons = [
    ...(configuration.recovery.enabled
      ? []
      : ['recovery is off: set [recovery] enabled = true to record when a machine was seen up again']),
    ...(configuration.dryRun ? ['behavior.dry_run = true: nothing is shut down or cut'] : []),
    ...(trouble === '' ? [] : [trouble]),
  ];
  return { reason: reasons.join('; '), machines };
}

/** What of it one answer holds: where that is not all, the machines with a warning first, and the count of the rest. */
export function shownCheck({ reason, machines }: RecoveryCheck): RecoveryCheck {
  const shown = thatFit(machines);
  const more = machines.length - shown.length;
  const rest = `${String(more)} more machines are not shown, those with a warning being first`;
  const reasons = [...(reason === '' ? [] : [reason]), ...(more > 0 ? [rest] : [])];
  return { reason: reasons.join('; '), machines: shown };
}

function thatFit(machines: readonly CheckedMachine[]): readonly CheckedMachine[] {
  if (JSON.stringify(machines).length <= maxShown) return machines;
  const hasWarning = (machine: CheckedMachine): boolean => warningsOf(machine).length > 0;
  const inOrder = [...machines.filter(hasWarning), ...machines.filter((machine) => !hasWarning(machine))];
  let left = maxShown;
  return inOrder.filter((machine) => {
    left -= JSON.stringify(machine).length;
    return left >= 0;
  });
}

/** A drill knows the commands of the UPS, without which nothing speaks for it; all else the UPS shows now. */
function returnsOf({ configuration, drilled, variablesOf }: CheckSources): (ups: string) => OutputReturn {
  const outputs = new Map(configuration.ups.map(({ policy, output }) => [policy.groupId, output]));
  const judged = new Map(drilled.outputs.map((output) => [output.ups, output]));
  const known = new Map<string, OutputReturn>();
  const judge = (ups: string): OutputReturn => {
    const output = outputs.get(ups) ?? null;
    if (output === null) return { verdict: 'unknown', reason: 'its output is not cut' };
    const now = outputReturn(output, variablesOf(ups), null);
    const drill = judged.get(ups);
    if (now.verdict !== 'unknown' || drill?.command !== output.command) return now;
    return drill.verdict === 'may_not_return'
      ? drill
      : outputReturn(output, variablesOf(ups), [drill.command]);
  };
  // A UPS may feed many machines.
  return (ups) => {
    const verdict = known.get(ups) ?? judge(ups);
    known.set(ups, verdict);
    return verdict;
  };
}

/** By the id of a detail of /ready, which has outputs by themselves: here only those of which a drill alone knows. */
export function wayBackReasons(
  { machines }: RecoveryCheck,
  sources: CheckSources,
): ReadonlyMap<string, string> {
  const outputs = drilledAgainst(sources).map(
    ({ ups, reason }) => [`${ups}/output_return`, `the output may not come back: ${reason}`] as const,
  );
  const reasons = machines.flatMap((machine): readonly (readonly [string, string])[] => {
    const texts = warningsOf(machine)
      .filter(({ kind }) => kind !== 'output')
      .map(({ text }) => text);
    const id = `${machine.group}/way_back/${machine.isHost ? 'this_host' : machine.name}`;
    return texts.length === 0 ? [] : [[id, `${machine.name} may not come back: ${texts.join('; ')}`]];
  });
  const more = reasons.length - maxReasons;
  const rest = `${String(more)} more machines may not come back: see ridethrough recovery check`;
  const shown = more > 0 ? [...reasons.slice(0, maxReasons), ['way_back/more', rest] as const] : reasons;
  return new Map([...outputs, ...shown]);
}

/** What the UPS shows without its commands does not say so. */
function drilledAgainst({ configuration, drilled, variablesOf }: CheckSources): readonly DrilledOutput[] {
  const outputs = new Map(configuration.ups.map(({ policy, output }) => [policy.groupId, output]));
  return drilled.outputs.filter(({ ups, command, verdict }) => {
    const output = outputs.get(ups) ?? null;
    if (verdict !== 'may_not_return' || output?.command !== command) return false;
    return outputReturn(output, variablesOf(ups), null).verdict === 'unknown';
  });
}

const warningsOf = ({ findings }: CheckedMachine) => findings.filter(({ level }) => level === 'warning');
