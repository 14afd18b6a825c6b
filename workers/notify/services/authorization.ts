// The header with the credentials of an address.
import type { Credentials } from '../../../shared/domain/services/address-parts.js';

/** A token is in place of the user, without a password. */
export function authorization(credentials: Credentials | null): Record<string, string> {
  if (credentials === null) return {};
  const { user, password } = credentials;
  if (password === null) return { Authorization: `Bearer ${user}` };
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}
