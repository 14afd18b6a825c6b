// Timers of upssched that shut down, as the time on battery of their UPS.
import type { DraftTable } from '../../../../shared/domain/setup/config-draft.js';
import { setPowerOff } from '../../../../shared/domain/setup/setup.js';
import type { ScriptVerdict } from './shell/verdict.js';
import { carryTimeOnBattery } from './source.js';
import type { UpsmonLine } from './upsmon-lines.js';
import { isIdleLine, lastOf } from './upsmon-lines.js';

/** Its shutdown is not cancelled by the return of power. */
export const goesOn =
  'carried; but there it went on when the power was back, and the machine went down all the same: here it does not';

export interface Timer {
  /** Undefined: every UPS. */
  readonly ups: string | undefined;
  /** Until the machine goes down. */
  readonly seconds: number;
  readonly where: string;
}

/** The shortest of several timers of a UPS counts, as under upssched. */
export function addTimers(
  file: DraftTable,
  upses: ReadonlyMap<string, DraftTable>,
  timers: readonly Timer[],
): void {
  const shortest = (ups: string | undefined): Timer | undefined =>
    timers.filter((timer) => timer.ups === ups).toSorted((a, b) => a.seconds - b.seconds)[0];
  const all = shortest(undefined);
  for (const [ups, owner] of [[undefined, file] as const, ...upses]) {
    const timer = shortest(ups);
    if (timer === undefined || (ups !== undefined && all !== undefined && all.seconds <= timer.seconds))
      continue;
    const { seconds, where } = timer;
    carryTimeOnBattery(owner.table('triggers'), seconds, { what: where, comment: where });
  }
  tellOfOthers(file, upses, timers);
}

/** The power-off of a script that does not ask upsmon for it: without one in SHUTDOWNCMD it is the only one that there was. */
export function keepOwnPowerOff(
  file: DraftTable,
  lines: readonly UpsmonLine[],
  verdicts: readonly ScriptVerdict[],
): void {
  const isOwn = verdicts.some(
    (verdict) => verdict.kind === 'down' && !/(?:^|[/ ])upsmon$/.test(verdict.command.text),
  );
  const command = lastOf(lines, 'SHUTDOWNCMD') ?? '';
  if (!isOwn || (command !== '' && !isIdleLine(command))) return;
  const shutdown = file.table('local_shutdown');
  shutdown.remove('enabled');
  setPowerOff(shutdown);
  shutdown.leavesOut(
    'SHUTDOWNCMD',
    `${command === '' ? 'no line sets it' : 'it powers nothing off'}, and a script shut this machine down itself: local_shutdown.command is the power-off. LB and FSD, at which upsmon ${command === '' ? 'had no command' : 'ran only that'}, shut this machine down here too`,
  );
}

/** upssched shuts down for any UPS that MONITOR names; here its UPS, or its group, must power this machine. */
function tellOfOthers(
  file: DraftTable,
  upses: ReadonlyMap<string, DraftTable>,
  timers: readonly Timer[],
): void {
  const grouped = new Set(
    file.rowsOf('redundancy_groups').flatMap((group) => group.get('ups_sources') as readonly string[]),
  );
  for (const { ups, where } of timers) {
    const concerned = ups === undefined ? [...upses.keys()] : [ups];
    if (concerned.some((name) => grouped.has(name)))
      file.leavesOut(
        where,
        'carried; but there one UPS on battery was enough, here the group decides (min_healthy)',
      );
    const idle = concerned.filter((name) => !grouped.has(name) && upses.get(name)?.get('is_local') !== true);
    if (idle.length > 0)
      file.leavesOut(
        where,
        `for ${idle.slice(0, 5).join(', ')}: it shut this machine down there; here it does not, since its power value is 0 (is_local)`,
      );
  }
}
