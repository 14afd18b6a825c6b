// What the API and the command line show of the record. Pure.
import type { RecordedTarget } from '../../shared/domain/recovery/record.js';
import type { WayBack } from '../../shared/domain/recovery/recovery-check.js';
import type { RecoveryStatus, RecoveryTarget } from '../../shared/domain/recovery/recovery-status.js';
import { localTime } from '../../shared/domain/base/local-calendar.js';
import type { Look } from './target-record.js';

export interface ShownServer {
  readonly name: string;
  readonly group: string;
  /** False: its off check is `none`. */
  readonly isLookedAt: boolean;
}

export interface StatusSources {
  readonly isEnabled: boolean;
  readonly trouble: string;
  /** What does not run on this host; empty for nothing. */
  readonly guests: string;
  /** The same of a server. */
  readonly guestsOf: (server: string) => string;
  readonly servers: readonly ShownServer[];
  /** By server; one that no plan shuts down has none. */
  readonly ways: ReadonlyMap<string, WayBack>;
  readonly recordOf: (group: string, server: string) => RecordedTarget | undefined;
  readonly lookAt: (server: string) => Look;
}

const recoveryIsOff = 'recovery is off: set [recovery] enabled = true to record who was up';

export function recoveryStatus(sources: StatusSources): RecoveryStatus {
  const { isEnabled, trouble, guests, servers } = sources;
  const reasons = [isEnabled ? trouble : recoveryIsOff, guests].filter((reason) => reason !== '');
  const targets = servers.map((server) => targetOf(server, sources));
  return { state: isEnabled ? 'idle' : 'off', reason: reasons.join('; '), targets };
}

function targetOf(
  { name, group, isLookedAt }: ShownServer,
  { isEnabled, ways, recordOf, lookAt, guestsOf }: StatusSources,
): RecoveryTarget {
  const record = recordOf(group, name);
  const way = ways.get(name) ?? 'by_itself';
  const look = lookAt(name);
  const isDown = record !== undefined && (record.command !== 'none' || record.byHandUnixSeconds !== null);
  const isUp = !isDown && look.answers === true;
  return {
    ...{ name, group, before: record?.before ?? 'unknown', state: isUp ? 'up' : 'skipped' },
    level: look.answers === true ? 'reachable' : look.answers === false ? 'off' : 'unknown',
    ...{ way, attempts: 0, since: null },
    reason: [
      isUp ? '' : isEnabled ? reasonOf(record, look, { isLookedAt, way }) : recoveryIsOff,
      guestsOf(name),
    ]
      .filter((reason) => reason !== '')
      .join('; '),
  };
}

function reasonOf(
  record: RecordedTarget | undefined,
  { answers }: Look,
  { isLookedAt, way }: { readonly isLookedAt: boolean; readonly way: WayBack },
): string {
  if (record === undefined) return 'it is not recorded yet';
  const { before, command, byHandUnixSeconds, isOff } = record;
  if (byHandUnixSeconds !== null)
    return `it was shut down by hand on ${localTime(byHandUnixSeconds)}; start it by hand`;
  if (before === 'off') return 'it was off before the outage';
  if (command === 'none' && !isLookedAt) return 'nothing looks whether it is up: its off_check is "none"';
  if (command === 'none')
    return answers === null
      ? 'no look has shown whether it is up'
      : 'it does not answer, and got no command of this daemon';
  const given = command === 'given' ? 'it was shut down' : 'it may have been shut down';
  const then = isOff ? ' and was found off' : '';
  const orWait = way === 'never' ? '' : ', or let it start with the power';
  return `${given}${then}; this version starts no machine: start it by hand${orWait}`;
}
