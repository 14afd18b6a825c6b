// The name of a UPS as NUT writes it, NAME@HOST[:PORT], the identifier derived from it, and the look-up of a name.

/** The IANA port of the NUT protocol (RFC 9271, section 7.1). */
const nutPort = 3493;

export interface UpsAddress {
  /** The UPS as its server calls it: the part before the @. */
  readonly ups: string;
  readonly host: string;
  readonly port: number;
}

/** Splits NAME@HOST[:PORT]; NAME alone means @localhost, an IPv6 host is in brackets, with its zone (%eth0) where it has one. Undefined when malformed. */
export function parseUpsName(name: string): UpsAddress | undefined {
  const match =
    /^([^@\s"\\]{1,128})(?:@(\[[0-9A-Fa-f:.]+(?:%[A-Za-z0-9._-]{1,15})?\]|[A-Za-z0-9._-]{1,253})(?::(\d{1,5}))?)?$/.exec(
      name,
    );
  if (match === null) return undefined;
  const port = match[3] === undefined ? nutPort : Number(match[3]);
  if (port < 1 || port > 65535) return undefined;
  return { ups: match[1] ?? '', host: (match[2] ?? 'localhost').replace(/^\[|\]$/g, ''), port };
}

/** The full form NAME@HOST:PORT, equal for all spellings of one UPS. */
export function fullUpsName(address: UpsAddress): string {
  const host = address.host.includes(':') ? `[${address.host}]` : address.host.toLowerCase();
  return `${address.ups}@${host}:${String(address.port)}`;
}

/** `groupId`: every character outside [A-Za-z0-9._-] becomes "-" (specification/nut.md#names-of-upses). */
export function groupIdOf(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]/g, '-');
}

/**
 * Finds the configured UPS of a name (specification/api.md#ups-names). A configured name or groupId wins. Every other
 * spelling of NAME@HOST[:PORT], and the identifier made of it, is an alias. An alias that two UPSes share finds neither.
 */
export class UpsNames {
  /** By name and by groupId: the configured name. */
  readonly #own = new Map<string, string>();
  /** Null where UPSes share it. */
  readonly #aliases = new Map<string, string | null>();

  /** `configured`: names that the configuration has accepted, so no two have the same groupId. */
  constructor(readonly configured: readonly string[]) {
    for (const name of configured) this.#own.set(groupIdOf(name), name).set(name, name);
    for (const name of configured)
      for (const alias of aliasesOf(name)) this.#aliases.set(alias, this.#aliases.has(alias) ? null : name);
  }

  /** The configured name of the UPS; undefined for an unknown or ambiguous name. */
  find(asked: string): string | undefined {
    const own = this.#own.get(asked);
    if (own !== undefined) return own;
    const address = parseUpsName(asked);
    const meant = [asked, ...(address === undefined ? [] : [fullUpsName(address)])]
      .map((form) => this.#own.get(form) ?? this.#aliases.get(form))
      .filter((name) => name !== undefined);
    const [first, ...others] = new Set(meant);
    return others.length === 0 ? (first ?? undefined) : undefined;
  }
}

/** All spellings of a name, itself included, and the identifier of each. */
function aliasesOf(name: string): ReadonlySet<string> {
  const address = parseUpsName(name);
  if (address === undefined) return new Set();
  const { ups, host, port } = address;
  const hosts = host.includes(':') ? [`[${host}]`] : [host, host.toLowerCase()];
  const spellings = hosts.flatMap((one) => [
    `${ups}@${one}:${String(port)}`,
    ...(port === nutPort ? [`${ups}@${one}`] : []),
    ...(port === nutPort && one === 'localhost' ? [ups] : []),
  ]);
  return new Set(spellings.flatMap((spelling) => [spelling, groupIdOf(spelling)]));
}
