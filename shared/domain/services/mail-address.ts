// Reads mailto:// and mailtos://: the mail server, the security of the connection, sender and recipients.
import { parameterName } from './address-options.js';
import type { AddressParts } from './address-parts.js';
import { parametersOf, place, repeatedIn } from './address-parts.js';
import { mailProvider } from './mail-providers.js';

export interface MailAddress {
  readonly kind: 'mail';
  readonly host: string;
  readonly port: number;
  /**
   * `tls`: from the first byte. `starttls`: required. `opportunistic`: STARTTLS where the server offers it; a password is
   * sent only over a verified connection or to this machine.
   */
  readonly security: 'tls' | 'starttls' | 'opportunistic';
  /** Null: without authentication. */
  readonly login: { readonly user: string; readonly password: string } | null;
  /** Null: `ridethrough` at the name of this host. */
  readonly from: string | null;
  readonly to: readonly string[];
}

const expected =
  'mailto://[USER:PASSWORD@]HOST[:PORT]?to=ADDRESS[,ADDRESS][&from=ADDRESS] (mailtos:// over TLS; ?mode=starttls or ?mode=ssl selects how)';

/** The well-known ports: a relay (RFC 5321), submission (RFC 6409), submission over TLS (RFC 8314). */
const ports = { relay: 25, submission: 587, tls: 465 } as const;
/** For more recipients a mailing list is one address. */
const maxRecipients = 20;
const known = new Set(['to', 'from', 'mode', 'smtp']);

/** The address, or the expected form. */
export function mailAddress(parts: AddressParts): MailAddress | string {
  const query = parametersOf(parts.query);
  const domain = place(parts.authority);
  const named = place(query.get('smtp') ?? parts.authority);
  const provider = query.has('smtp') || domain === undefined ? undefined : mailProvider(domain.host);
  const server = named === undefined ? undefined : { ...named, ...provider };
  if (domain === undefined || server === undefined || parts.path.length > 1) return expected;
  const other = [...query.keys()].find((key) => !known.has(key));
  if (other !== undefined) return `${expected}, without ${parameterName(other)}`;
  const repeated = repeatedIn(query, 'to');
  if (repeated !== undefined) return `${expected}, with ${parameterName(repeated)} once`;
  const { user, password } = parts;
  if ((user === null) !== (password === null)) return expected;
  const own = user === null ? null : user.includes('@') ? user : `${user}@${domain.host}`;
  // `DOMAIN\user` of Exchange is a login and no mailbox.
  const ownMailbox = own === null || isMailbox(own) ? own : null;
  const from = query.get('from') ?? ownMailbox;
  const given = query.getAll('to').join(',');
  const to = (query.has('to') ? given : (ownMailbox ?? '')).split(',').map((one) => one.trim());
  if (to.length > maxRecipients || !to.every(isMailbox) || (from !== null && !isMailbox(from)))
    return expected;
  const mode = query.get('mode') ?? (provider?.onlyStarttls === true ? 'starttls' : null);
  const security = securityOf(parts.scheme, mode, server.port);
  if (security === undefined) return expected;
  const usual =
    security === 'tls'
      ? ports.tls
      : user === null && security === 'opportunistic'
        ? ports.relay
        : ports.submission;
  return {
    kind: 'mail',
    host: server.host,
    port: server.port ?? usual,
    security,
    // Such a provider asks for the whole address.
    login:
      user === null || password === null
        ? null
        : { user: provider === undefined ? user : (own ?? user), password },
    from,
    to,
  };
}

/** mailtos on a port that begins in cleartext means STARTTLS. */
function securityOf(
  scheme: string,
  mode: string | null,
  port: number | null,
): MailAddress['security'] | undefined {
  if (mode === 'ssl') return 'tls';
  if (mode === 'starttls') return 'starttls';
  if (mode !== null) return undefined;
  if (scheme === 'mailto') return 'opportunistic';
  return port === ports.relay || port === ports.submission ? 'starttls' : 'tls';
}

/** Has no character that could end a line or an angle bracket of SMTP (RFC 5321, 4.1.2). */
function isMailbox(text: string): boolean {
  return text.length <= 254 && /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(text);
}
