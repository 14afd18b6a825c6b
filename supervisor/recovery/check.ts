// The check of the way back of every machine: the configuration, the record, the last drills, and what each UPS shows. Pure.
import type { RecoveryRecord } from '../../shared/domain/recovery/record.js';
import type { CheckedMachine, Drilled, RecoveryCheck } from '../../shared/domain/recovery/recovery-check.js';
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
      drilled: machine.drilledAs === undefined ? undefined : drills.get(machine.drilledAs),
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
  const shown = thatFit(machines);
  const more = machines.length - shown.length;
  if (more > 0) reasons.push(`${String(more)} more machines are not shown, those with a warning being first`);
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

/** What a UPS shows now speaks against it before anything else; a drill knows its commands, without which nothing speaks for it. */
function returnsOf({ configuration, drilled, variablesOf }: CheckSources): (ups: string) => OutputReturn {
  const outputs = new Map(configuration.ups.map(({ policy, output }) => [policy.groupId, output]));
  const judged = new Map(drilled.outputs.map((output) => [output.ups, output]));
  return (ups) => {
    const output = outputs.get(ups) ?? null;
    if (output === null) return { verdict: 'unknown', reason: 'its output is not cut' };
    const now = outputReturn(output, variablesOf(ups), null);
    return now.verdict === 'unknown' ? (judged.get(ups) ?? now) : now;
  };
}

/** By machine, for the details of /ready. Those of an output have an entry of their own there. */
export function wayBackReasons({ machines }: RecoveryCheck): ReadonlyMap<string, string> {
  const reasons = machines.flatMap((machine): readonly (readonly [string, string])[] => {
    const texts = warningsOf(machine)
      .filter(({ kind }) => kind !== 'output')
      .map(({ text }) => text);
    const id = `${machine.group}/way_back/${machine.isHost ? 'this_host' : machine.name}`;
    return texts.length === 0 ? [] : [[id, `${machine.name} may not come back: ${texts.join('; ')}`]];
  });
  const more = reasons.length - maxReasons;
  const rest = `${String(more)} more machines may not come back: see ridethrough recovery check`;
  return new Map(more > 0 ? [...reasons.slice(0, maxReasons), ['way_back/more', rest]] : reasons);
}

const warningsOf = ({ findings }: CheckedMachine) => findings.filter(({ level }) => level === 'warning');
