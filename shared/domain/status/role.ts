// What a user or an API key may do (specification/security.md#roles). Each role may do everything that the ones before it may.
import { oneOf } from '../base/units.js';

export const roles = ['metrics', 'read', 'control'] as const;
export const Role = oneOf(...roles);
export type Role = (typeof roles)[number];

export function suffices(held: Role, needed: Role): boolean {
  return roles.indexOf(held) >= roles.indexOf(needed);
}
