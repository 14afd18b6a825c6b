// The name of a UPS as NUT writes it, NAME@HOST[:PORT], and the identifier made of it.

/** The IANA port of the NUT protocol (RFC 9271, section 7.1). */
export const nutPort = 3493;

export interface UpsAddress {
  /** The UPS as its server calls it: the part before the @. */
  readonly ups: string;
  readonly host: string;
  readonly port: number;
}

/** Splits NAME@HOST[:PORT]; NAME alone means @localhost, an IPv6 host stands in brackets. Undefined when malformed. */
export function parseUpsName(name: string): UpsAddress | undefined {
  const match = /^([^@\s"\\]{1,128})(?:@(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]{1,253})(?::(\d{1,5}))?)?$/.exec(
    name,
  );
  if (match === null) return undefined;
  const port = match[3] === undefined ? nutPort : Number(match[3]);
  if (port < 1 || port > 65535) return undefined;
  return { ups: match[1] ?? '', host: (match[2] ?? 'localhost').replace(/^\[|\]$/g, ''), port };
}

/** The full form NAME@HOST:PORT, by which two spellings of one UPS are told to be the same. */
export function fullUpsName(address: UpsAddress): string {
  const host = address.host.includes(':') ? `[${address.host}]` : address.host.toLowerCase();
  return `${address.ups}@${host}:${String(address.port)}`;
}

/** `groupId`: every character outside [A-Za-z0-9._-] becomes "-" (contract 1.6). */
export function groupIdOf(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]/g, '-');
}
