// The addresses of brokers and notification services: which schemes there are, and what in them is secret.
// Nothing here ever repeats an address: it is a secret itself.

/** Contract 6, "Services by URL". */
const services = [
  'discord',
  'slack',
  'telegram',
  'tgram',
  'ntfy',
  'ntfys',
  'gotify',
  'mailto',
  'mailtos',
  'webhook+https',
  'webhook+http',
];

/** Why `url` names no broker; undefined when it does. */
export function brokerFault(url: string): string | undefined {
  const parsed = parse(url);
  if (parsed === undefined || !['mqtt:', 'mqtts:'].includes(parsed.protocol) || parsed.hostname === '') {
    return 'expected mqtt://HOST[:PORT] or mqtts://HOST[:PORT]';
  }
  return parsed.pathname.length > 1 || parsed.search !== '' || parsed.hash !== ''
    ? 'expected nothing behind the host and port of the broker'
    : undefined;
}

/** Why `url` names no notification service; undefined when it does. What the service needs, its own code checks. */
export function serviceFault(url: string): string | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\/[^\s/]/i.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined && services.includes(scheme)) return undefined;
  return `expected the address of a service: ${services.map((name) => `${name}://`).join(', ')} (what was found is not shown)`;
}

/** The parts of `url` that are secret of themselves: the password, or the user where there is only one. */
export function credentialsIn(url: string): readonly string[] {
  const parsed = parse(url);
  if (parsed === undefined) return [];
  const { username, password } = parsed;
  const secret = password === '' ? username : password;
  if (secret === '') return [];
  return [...new Set([secret, decoded(secret)])];
}

function parse(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: the text stands for itself.
    return text;
  }
}
