// Decides which Host headers are accepted, against DNS rebinding (specification/api.md#host-header). Reads the raw headers:
// parsed headers hide a repeated one. Never answers.
import { isIPv4, isIPv6 } from 'node:net';
import { unreachable } from '../../../shared/domain/base/unreachable.js';
import { valuesOf } from './raw-headers.js';

/** `unlisted`: a well-formed DNS name that is neither localhost nor in api.allowed_hosts. */
export type HostFault = 'unlisted' | 'missing' | 'doubled' | 'malformed';

export type HostVerdict =
  | { readonly ok: true }
  /** `sent`: the header of the client, cut and printable; empty without one. */
  | { readonly ok: false; readonly fault: HostFault; readonly sent: string; readonly reason: string };

/** Longest part of a Host header in the log. */
const maxShown = 100;

/**
 * RFC 3986, 3.2.2 and 3.2.3, with the zone of RFC 6874: ZoneID = 1*( unreserved / pct-encoded ) after "%25". Older clients
 * write a bare "%" before the zone. A zone is ignored and an address is never looked up, so it allows no DNS rebinding. 64
 * is four times the longest name of an interface (IF_NAMESIZE).
 */
const bracketedHost =
  /^\[([0-9A-Fa-f:.]{2,45})(?:%(?:25|(?!25))(?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2}){1,64})?\](?::\d*)?$/;

/** An IPv4 address or a name, with one trailing dot at most. */
const plainHost = /^([A-Za-z0-9._-]{0,254}[A-Za-z0-9_-])\.?(?::\d*)?$/;

/** Judges the flat list of names and values of Node's `rawHeaders`. */
export function checkHostHeader(rawHeaders: readonly string[], allowedHosts: readonly string[]): HostVerdict {
  const values = valuesOf(rawHeaders, 'host');
  const [value = ''] = values;
  if (values.length > 1)
    return refusal('doubled', values.join(', '), 'The request has more than one Host header');
  if (value === '') return refusal('missing', '', 'The request has no Host');

  const bracketed = bracketedHost.exec(value);
  if (bracketed !== null && isIPv6(bracketed[1] ?? '')) return { ok: true };

  const match = plainHost.exec(value);
  if (match === null) return refusal('malformed', value, 'The Host header is malformed');
  const name = (match[1] ?? '').toLowerCase();
  if (isIPv4(name) || name === 'localhost' || allowedHosts.some((allowed) => canonical(allowed) === name))
    return { ok: true };
  return refusal('unlisted', name, `The Host name "${name}" is not one of this server's`);
}

/** The log line of the first refused Host of each kind: the reason and the remedy. */
export function refusalInLog(fault: HostFault, sent: string, peer: string): string {
  const from = `refused a request from ${peer}`;
  const rest = 'Further requests of this kind are refused and not logged.';
  switch (fault) {
    case 'unlisted':
      return `${from} for the host ${JSON.stringify(sent)}: if this is a name of this machine, add it to api.allowed_hosts. ${rest}`;
    case 'missing':
      return `${from} without a Host: HTTP/1.1 requires the header. Make the client send one, such as "Host: localhost"; an HTTP/1.0 client sends none by default. ${rest}`;
    case 'doubled':
      return `${from} with more than one Host header (${JSON.stringify(sent)}), which HTTP/1.1 forbids. Check for a proxy in front of the daemon that adds a Host instead of replacing it. ${rest}`;
    case 'malformed':
      return `${from} with the malformed Host ${JSON.stringify(sent)}: expected an IPv4 address, an IPv6 address in brackets, localhost or a name of api.allowed_hosts, each with or without :PORT. Correct the address in the client or the proxy. ${rest}`;
    default:
      return unreachable(fault);
  }
}

function refusal(fault: HostFault, sent: string, reason: string): HostVerdict {
  return { ok: false, fault, sent: sent.slice(0, maxShown).replace(/[^\x20-\x7e]/g, '?'), reason };
}

function canonical(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
