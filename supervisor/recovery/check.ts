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

export function recoveryCheck(sources: CheckSources): RecoveryCheck {
  const { configuration, records, trouble, drilled } = sources;
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
      returnOf: (ups) => returnOf(ups, sources),
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

/** What a UPS shows now speaks against it before anything else; a drill knows its commands, without which nothing speaks for it. */
function returnOf(ups: string, { configuration, drilled, variablesOf }: CheckSources): OutputReturn {
  const output = configuration.ups.find(({ policy }) => policy.groupId === ups)?.output ?? null;
  if (output === null) return { verdict: 'unknown', reason: 'this version does not cut it' };
  const now = outputReturn(output, variablesOf(ups), null);
  const known = drilled.outputs.find((one) => one.ups === ups);
  return now.verdict !== 'unknown' || known === undefined ? now : known;
}

/** By machine, for the details of /ready. Those of an output have an entry of their own there. */
export function wayBackReasons({ machines }: RecoveryCheck): ReadonlyMap<string, string> {
  return new Map(
    machines.flatMap((machine) => {
      const texts = warningsOf(machine)
        .filter(({ kind }) => kind !== 'output')
        .map(({ text }) => text);
      const id = `${machine.group}/way_back/${machine.isHost ? 'this_host' : machine.name}`;
      return texts.length === 0 ? [] : [[id, `${machine.name} may not come back: ${texts.join('; ')}`]];
    }),
  );
}

const warningsOf = ({ findings }: CheckedMachine) => findings.filter(({ level }) => level === 'warning');
