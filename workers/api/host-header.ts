// Which Host headers are let in (contract 1.3): the defence against DNS rebinding. Judged from the raw headers,
// because a parsed header hides that there were two of them. Decides only; never answers.
import { isIPv4, isIPv6 } from 'node:net';
import { valuesOf } from './raw-headers.js';

export type HostVerdict =
  | { readonly ok: true }
  /** `name` is the DNS name that was refused, null when the header is missing, doubled or malformed. */
  | { readonly ok: false; readonly name: string | null; readonly reason: string };

/** Judges the flat list of names and values that Node calls `rawHeaders`. */
export function judgeHost(rawHeaders: readonly string[], allowedHosts: readonly string[]): HostVerdict {
  const values = valuesOf(rawHeaders, 'host');
  if (values.length === 0) return refused('The request has no Host header');
  if (values.length > 1) return refused('The request has more than one Host header');
  const value = values[0] ?? '';

  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(value);
  if (bracketed !== null) {
    // A zone ("%eth0") is a matter of the client's own machine and has no place in a Host header.
    const address = bracketed[1] ?? '';
    return isIPv6(address) && !address.includes('%') ? { ok: true } : refused('The Host header is malformed');
  }

  const match = /^([A-Za-z0-9._-]{0,254}[A-Za-z0-9_-])\.?(?::\d+)?$/.exec(value);
  if (match === null) return refused('The Host header is malformed');
  const name = (match[1] ?? '').toLowerCase();
  if (isIPv4(name) || name === 'localhost' || allowedHosts.some((allowed) => canonical(allowed) === name))
    return { ok: true };
  return { ok: false, name, reason: `The Host name "${name}" is not one of this server's` };
}

function refused(reason: string): HostVerdict {
  return { ok: false, name: null, reason };
}

function canonical(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
