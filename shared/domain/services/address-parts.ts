// Splits a service address. `URL` cannot: it takes the `ABC` of `telegram://123:ABC/1` for a port and refuses it.

export interface AddressParts {
  /** Lower case, without `://`. */
  readonly scheme: string;
  /** Decoded; null without an `@`. */
  readonly user: string | null;
  /** Decoded; null without a `:` in front of the `@`. */
  readonly password: string | null;
  /** The text between `@` and the first `/`, verbatim. */
  readonly authority: string;
  /** From the first `/` to the `?`, verbatim. */
  readonly path: string;
  /** The parts of the path, decoded, without empty ones. */
  readonly segments: readonly string[];
  /** With its `?`, verbatim; empty without one. */
  readonly query: string;
}

export interface Credentials {
  readonly user: string;
  /** Null: there is only a token, in place of the user. */
  readonly password: string | null;
}

const shape = /^([a-z][a-z0-9+.-]*):\/\/(?:([^/?#@]*(?:@[^/?#@]+)*)@)?([^/?#@]+)(\/[^?#]*)?(\?[^#]*)?$/i;

/** Undefined for text that is not an address, or that has an invalid percent encoding. */
export function addressParts(url: string): AddressParts | undefined {
  const [, scheme = '', credentials, authority = '', path = '', query = ''] = shape.exec(url) ?? [];
  if (scheme === '' || /[^\x21-\x7e]/.test(url)) return undefined;
  const colon = credentials?.indexOf(':') ?? -1;
  try {
    return {
      scheme: scheme.toLowerCase(),
      user:
        credentials === undefined
          ? null
          : decodeURIComponent(colon < 0 ? credentials : credentials.slice(0, colon)),
      password: colon < 0 ? null : decodeURIComponent(credentials?.slice(colon + 1) ?? ''),
      authority,
      path,
      segments: path
        .split('/')
        .filter((segment) => segment !== '')
        .map((segment) => decodeURIComponent(segment)),
      query,
    };
  } catch {
    // An invalid percent encoding.
    return undefined;
  }
}

/** A plus is one, as in a mailbox (RFC 6068) and for Apprise, and no space. */
export const parametersOf = (query: string): URLSearchParams =>
  new URLSearchParams(query.replaceAll('+', '%2B'));

/** The first parameter that stands there twice; all of them but `lists` count once. */
export function repeatedIn(query: URLSearchParams, ...lists: readonly string[]): string | undefined {
  const names = [...query.keys()].filter((name) => !lists.includes(name));
  return names.find((name, index) => names.indexOf(name) < index);
}

export interface Place {
  /** `host` or `host:port`, as in an http URL. */
  readonly text: string;
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number | null;
}

/** Reads HOST[:PORT]; undefined for anything else. */
export function place(authority: string): Place | undefined {
  const [, bracketed, name, digits] =
    /^(?:\[([0-9a-f:.]+)\]|([a-z0-9](?:[a-z0-9._-]*[a-z0-9.])?))(?::(\d{1,5}))?$/i.exec(authority) ?? [];
  const host = bracketed ?? name;
  const port = digits === undefined ? null : Number(digits);
  if (host === undefined || (port !== null && (port < 1 || port > 65_535))) return undefined;
  return { text: authority, host, port };
}
