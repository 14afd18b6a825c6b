// The UPS of a program that has one and drives it itself: apcupsd and PowerPanel. Here NUT drives it, under a name.
import type { DraftTable } from '../../../../shared/domain/setup/config-draft.js';
import { tableWithHead, setPowerOff } from '../../../../shared/domain/setup/setup.js';
import { search } from '../search.js';

/** As the documentation of NUT names a UPS. */
const usualName = 'ups@localhost';

export interface OneUps {
  readonly name: string;
  /** Why it is this name, as a comment. */
  readonly reason: string;
}

/** The one that the operator names; else the only one of the NUT server on this machine. */
export async function oneUps(given: string | undefined): Promise<OneUps> {
  if (given !== undefined) return { name: given, reason: '' };
  const { upses } = await search({ host: 'localhost', port: 3493 }, null);
  const found = upses.ok ? upses.value : [];
  const [only] = found;
  if (only !== undefined && found.length === 1)
    return { name: only.name, reason: 'the only UPS of NUT on this machine' };
  return { name: usualName, reason: 'NUT does not show one UPS on this machine: write its name here' };
}

/** The configuration of a program with one UPS, which powers this machine. */
export function oneUpsDraft(
  by: string,
  { name, reason }: OneUps,
): { readonly file: DraftTable; readonly ups: DraftTable } {
  const file = tableWithHead(by);
  file.table('behavior').set('dry_run', true, 'false: a shutdown is real');
  const ups = file.row('ups').set('name', name, reason).set('is_local', true);
  setPowerOff(file.table('local_shutdown'));
  return { file, ups };
}
