// The MONITOR lines of upsmon.conf: the UPSes, which of them power this machine, how many it needs, and the logins.
import type { DraftTable } from '../../../../shared/domain/setup/config-draft.js';
import { fullUpsName, groupIdOf, parseUpsName } from '../../../../shared/domain/ups/ups-name.js';
import { ownNutKeys } from '../../../../supervisor/config/schema/nut.js';
import { upsKeys } from '../../../../supervisor/config/schema/ups.js';
import { isUpsName } from '../ups-names.js';
import type { UpsmonLine } from './upsmon-lines.js';
import { lastOf, leadingNumber } from './upsmon-lines.js';
import type { DraftSecrets } from './source.js';
import { carry } from './source.js';

export interface Supply {
  readonly number: number;
  readonly name: string;
  readonly power: number;
  readonly username: string;
  readonly password: string;
  readonly isPrimary: boolean;
}

/** Usable MONITOR lines, each UPS once. */
export function suppliesOf(lines: readonly UpsmonLine[]): readonly Supply[] {
  const seen = new Set<string>();
  return lines.flatMap(
    ({ number, key, words: [name = '', power = '', username = '', password = '', role = ''] }) => {
      const address = parseUpsName(name);
      if (key !== 'MONITOR' || address === undefined || !isUpsName(name)) return [];
      const ids = [fullUpsName(address), groupIdOf(name)];
      if (ids.some((id) => seen.has(id))) return [];
      ids.forEach((id) => seen.add(id));
      const isPrimary = /^(?:primary|master)$/i.test(role);
      return [{ number, name, power: Math.max(0, leadingNumber(power) ?? 0), username, password, isPrimary }];
    },
  );
}

const groupName = 'this-machine';
/** The most members of a group, and UPSes of a file that this command writes. */
const maxUpses = 100;

/** Returns the table of each UPS by its name. */
export function addSupplies(
  file: DraftTable,
  lines: readonly UpsmonLine[],
  place: { readonly secrets: DraftSecrets; readonly folder: string },
): ReadonlyMap<string, DraftTable> {
  const all = suppliesOf(lines);
  const supplies = all.slice(0, maxUpses);
  const needed = leadingNumber(lastOf(lines, 'MINSUPPLIES') ?? '1') ?? 1;
  const feeding = needed <= 0 ? [] : supplies.filter(({ power }) => power > 0);
  const poll = Math.min(
    ...['POLLFREQ', 'POLLFREQALERT'].map((key) => leadingNumber(lastOf(lines, key) ?? '5') ?? 5),
  );
  const upses = new Map<string, DraftTable>();
  for (const supply of supplies) {
    const row = file.row('ups').set('name', supply.name, `upsmon.conf line ${String(supply.number)}`);
    upses.set(supply.name, row);
    if (feeding.length === 1 && feeding[0] === supply)
      row.set('is_local', true, `power value ${String(supply.power)}`);
    carry(row, 'check_interval', upsKeys.check_interval.codec, poll, {
      what: `POLLFREQ ${String(poll)}`,
      comment: 'POLLFREQ',
    });
    if (feeding.includes(supply)) addRole(row, supply, place);
  }
  for (const { number, key, words } of lines)
    if (key === 'MONITOR' && !supplies.some((supply) => supply.number === number))
      file.leavesOut(
        `upsmon.conf line ${String(number)}, MONITOR`,
        all.some(({ name }) => name === words[0]) && all.length <= maxUpses
          ? 'the UPS has a line before this one'
          : `not NAME@HOST[:PORT], the same as a line before, or above ${String(maxUpses)} UPSes`,
      );
  if (feeding.length > 1) addGroup(file, feeding, needed);
  if (feeding.length === 0)
    file
      .table('local_shutdown')
      .set('trigger_on', 'none', 'no UPS has a power value, or MINSUPPLIES is 0: this machine stays on');
  return upses;
}

function addRole(
  row: DraftTable,
  supply: Supply,
  { secrets, folder }: { secrets: DraftSecrets; folder: string },
): void {
  const { username, password, isPrimary, number } = supply;
  const file = secrets.add('nut', password, `the password of MONITOR ${supply.name} for upsd`);
  if (file === null || username === '' || !ownNutKeys.username.codec.is(username)) {
    row.leavesOut(
      `upsmon.conf line ${String(number)}, the login`,
      'it has no user name and password that a request can hold; nut_role needs them',
    );
    return;
  }
  row.set('nut_role', isPrimary ? 'primary' : 'secondary');
  row
    .table('nut')
    .set('username', username)
    .set('password', { file: `${folder}/${file}` });
}

function addGroup(file: DraftTable, feeding: readonly Supply[], needed: number): void {
  const group = file.row('redundancy_groups');
  const powers = feeding.map(({ power }) => power).sort((a, b) => a - b);
  let sum = 0;
  const enough = powers.findIndex((power) => (sum += power) >= needed) + 1;
  const least = enough === 0 ? powers.length : enough;
  group.note('The UPSes of this machine: it goes down when too few of them can carry it.');
  group
    .set('name', groupName)
    .set(
      'ups_sources',
      feeding.map(({ name }) => name),
    )
    .set('min_healthy', least, `MINSUPPLIES ${String(needed)}`)
    // recalc() of upsmon.c; one that it saw on battery is critical after DEADTIME, as by the failsafe here.
    .set('unknown_counts_as', 'healthy', 'upsmon takes a UPS that it cannot read for one on line power')
    .set('is_local', true);
  if (powers.some((power) => power !== powers[0]))
    group.leavesOut(
      `power values ${powers.join(', ')}`,
      'members of a group have no weights; min_healthy is the number of any of them that gives MINSUPPLIES',
    );
  if (enough === 0)
    group.leavesOut(`MINSUPPLIES ${String(needed)}`, 'it is more than the power values together');
}
