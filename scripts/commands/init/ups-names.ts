// Names of UPSes that a configuration can have.
import { groupIdOf } from '../../../shared/domain/ups/ups-name.js';
import { upsKeys } from '../../../supervisor/config/schema/ups.js';

/** A configuration can have a UPS of this name: well-formed, and with an identifier that nothing else has. */
export function isUpsName(name: string): boolean {
  const id = groupIdOf(name);
  return upsKeys.name.codec.is(name) && id !== 'daemon' && !id.startsWith('redundancy-');
}

/** Undefined for a name that a configuration can have. */
export const upsNameFault = (name: string): string | undefined =>
  isUpsName(name) ? undefined : `${JSON.stringify(name.slice(0, 80))}: expected ${upsKeys.name.codec.name}`;
