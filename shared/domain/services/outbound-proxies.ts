// The HTTP proxies of the daemon's environment, as the supervisor hands them to the workers that send requests.
import * as t from 'io-ts';
import { orNull, textUpTo } from '../base/units.js';

export const OutboundProxies = t.readonly(
  t.type({
    /** For http:// and https:// addresses, as HTTP_PROXY and HTTPS_PROXY have them. Secrets: they may have a password. */
    http: orNull(textUpTo(4096)),
    https: orNull(textUpTo(4096)),
    /** NO_PROXY. */
    except: textUpTo(16_384),
    /** Loopback and private addresses go through the proxy too. */
    includePrivate: t.boolean,
  }),
  'OutboundProxies',
);
export type OutboundProxies = t.TypeOf<typeof OutboundProxies>;

export const noProxies: OutboundProxies = { http: null, https: null, except: '', includePrivate: false };

type Environment = Readonly<Record<string, string | undefined>>;

/** Lower case wins, as in curl and most programs; an empty one is none. `docker --env-file` keeps the quotes around a value. */
function variable(environment: Environment, name: string): string | null {
  const written = (environment[name] ?? environment[name.toUpperCase()] ?? '').trim();
  const value = (/^(["'])(.*)\1$/.exec(written)?.[2] ?? written).trim();
  return value === '' ? null : value;
}

/** Whether ALL_PROXY, which curl takes for every protocol, stands there alone: no request uses it. */
export function hasOnlyAllProxy(environment: Environment): boolean {
  const isNamed = (name: string): boolean => variable(environment, name) !== null;
  return isNamed('all_proxy') && !isNamed('http_proxy') && !isNamed('https_proxy');
}

export function proxiesOf(environment: Environment, includePrivate: boolean): OutboundProxies {
  return {
    http: variable(environment, 'http_proxy'),
    https: variable(environment, 'https_proxy'),
    except: variable(environment, 'no_proxy') ?? '',
    includePrivate,
  };
}

export interface Proxy {
  /** For messages: which variable names it. */
  readonly variable: 'HTTP_PROXY' | 'HTTPS_PROXY';
  /** Whether the connection to the proxy itself is TLS. */
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  readonly login: { readonly user: string; readonly password: string } | null;
}

/** A name or an address; `URL` takes a quote, a `$` or a `{` into the host too. */
const hostForm = /^(?:[\w.-]+|\[[\da-f:.]+\])$/;

/** The proxy of an http:// or https:// address; `invalid` where its variable cannot be used, null where there is none. */
export function proxyNamedFor(protocol: string, proxies: OutboundProxies): Proxy | 'invalid' | null {
  const isSecure = protocol === 'https:';
  const text = isSecure ? proxies.https : proxies.http;
  if (text === null) return null;
  // `URL` takes a backslash, as in DOMAIN\user, for the end of the host.
  const escaped = text.replaceAll('\\', '%5C');
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(escaped) ? escaped : `http://${escaped}`;
  if (!URL.canParse(full)) return 'invalid';
  const { protocol: own, hostname, port, username, password } = new URL(full);
  if (!['http:', 'https:'].includes(own) || !hostForm.test(hostname) || port === '0') return 'invalid';
  const login = loginOf(username, password);
  if (login === undefined) return 'invalid';
  return {
    variable: isSecure ? 'HTTPS_PROXY' : 'HTTP_PROXY',
    secure: own === 'https:',
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (own === 'https:' ? 443 : 80) : Number(port),
    login,
  };
}

/** Undefined for an invalid percent encoding. */
function loginOf(user: string, password: string): Proxy['login'] | undefined {
  if (user === '' && password === '') return null;
  try {
    return { user: decodeURIComponent(user), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}
