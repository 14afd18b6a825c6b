// The programs whose configuration `ridethrough init` carries over; each importer is loaded only when it is asked for.
import { upsNameFault } from '../ups-names.js';
import type { ImportedSource } from './source.js';

type Importer = (path: string, ups: string | undefined) => Promise<ImportedSource> | ImportedSource;

export const programs: Readonly<
  Record<'upsmon' | 'eneru' | 'apcupsd' | 'powerpanel', () => Promise<Importer>>
> = {
  upsmon: async () => (await import('./upsmon.js')).importUpsmon,
  eneru: async () => (await import('./eneru.js')).importEneru,
  apcupsd: async () => (await import('./apcupsd.js')).importApcupsd,
  powerpanel: async () => (await import('./powerpanel.js')).importPowerpanel,
};

export async function importDraft(
  program: keyof typeof programs,
  path: string,
  ups: string | undefined,
): Promise<ImportedSource> {
  const fault = ups === undefined ? undefined : upsNameFault(ups);
  if (fault !== undefined) return { ok: false, message: fault };
  const importer = await programs[program]();
  return importer(path, ups);
}
