// Reads every secret of the file, from the text, a file or the environment, and collects them for redaction. No message ever
// contains one.
import { createHash } from 'node:crypto';
import { checkBroker } from '../check/broker.js';
import type { OutboundProxies } from '../../../shared/domain/services/outbound-proxies.js';
import { proxiesOf, proxyNamedFor } from '../../../shared/domain/services/outbound-proxies.js';
import type { RuledService } from '../check/services.js';
import { checkServices } from '../check/services.js';
import type { Findings } from '../check/findings.js';
import { readBounded } from './bounded-file.js';
import { upsLabel } from '../schema/labels.js';
import type { ConfigFile } from '../schema/file.js';
import { mqttKeys } from '../schema/mqtt.js';
import type { SecretSource } from '../schema/secret.js';
import { secretFault } from '../schema/secret.js';
import {
  credentialsIn,
  heartbeatFault,
  isKey,
  secretsOfService,
  serviceFault,
} from '../schema/service-url.js';

export interface Secrets {
  readonly readPassword: string | null;
  /** By configured name; only UPSes with their own. */
  readonly readPasswords: ReadonlyMap<string, string>;
  readonly controlPassword: string | null;
  /** By configured name; only UPSes with their own password. */
  readonly upsPasswords: ReadonlyMap<string, string>;
  readonly mqtt: { readonly broker: string | null; readonly password: string | null };
  readonly heartbeat: string | null;
  /** Of the environment. */
  readonly proxies: OutboundProxies;
  /** The addresses of `notifications.urls`, by their place in the list. */
  readonly services: readonly { readonly index: number; readonly url: string }[];
  /** The same of `notifications.services`, with their headers. */
  readonly ruledServices: readonly RuledService[];
  /** Texts that the log must redact. */
  readonly redacted: readonly string[];
  /** A digest of each secret by path: reveals a change without the secret. */
  readonly digests: Readonly<Record<string, string>>;
  /** True when the configuration file itself contains a secret. */
  readonly literal: boolean;
}

/** Larger than any secret; a longer file is the wrong one. */
const maxBytes = 4096;
/** Redacting shorter ones would make the log unreadable and protect nothing. */
const minRedactedChars = 4;

/** A digest of `value`: short enough to read, long enough never to collide. */
export const digestOf = (value: string): string =>
  `sha256:${createHash('sha256').update(value).digest('hex').slice(0, 16)}`;

/** Reads the secrets of `file` from its text, from files and from `environment`; problems go to `findings`. */
export function readSecrets(file: ConfigFile, environment: NodeJS.ProcessEnv, findings: Findings): Secrets {
  const redacted = new Set<string>();
  const digests: Record<string, string> = {};
  const services: { index: number; url: string }[] = [];
  let literal = false;

  const redact = (path: string, value: string): void => {
    if (value.length >= minRedactedChars) redacted.add(value);
    else if (value !== '') {
      const advice = `is shorter than ${String(minRedactedChars)} characters and cannot be hidden from the log`;
      findings.warning(path, advice);
    }
  };
  const read = (path: string, source: SecretSource | undefined): string | null => {
    if (source === undefined) return null;
    const value = valueOf(path, source, environment, findings);
    if (value !== undefined) digests[path] = digestOf(value);
    return value ?? null;
  };
  const password = (path: string, source: SecretSource | undefined): string | null => {
    const value = read(path, source);
    if (value !== null) redact(path, value);
    if (typeof source === 'string' && source !== '') literal = true;
    return value;
  };

  const readPassword = password('nut.password', file.nut?.password);
  const readPasswords = new Map<string, string>();
  for (const { name, nut } of file.ups ?? []) {
    const own = password(`${upsLabel(name)}.nut.password`, nut?.password);
    if (own !== null) readPasswords.set(name, own);
  }
  const controlPassword = password('nut_control.password', file.nut_control?.password);
  const upsPasswords = new Map<string, string>();
  for (const { name, nut_control } of file.ups ?? []) {
    const own = password(`${upsLabel(name)}.nut_control.password`, nut_control?.password);
    if (own !== null) upsPasswords.set(name, own);
  }

  const mqttPassword = password('mqtt.password', file.mqtt?.password);
  const broker = read('mqtt.broker', file.mqtt?.broker ?? mqttKeys.broker.fallback);
  if (broker !== null) {
    checkBroker(broker, file.mqtt, findings);
    const credentials = credentialsIn(broker);
    if (credentials.length > 0) [broker, ...credentials].forEach((secret) => redacted.add(secret));
    if (typeof file.mqtt?.broker === 'string' && credentials.length > 0) literal = true;
  }
  const serviceUrl = (
    path: string,
    source: SecretSource | undefined,
    faultOf = serviceFault,
  ): string | null => {
    const url = read(path, source);
    if (url === null) return null;
    const fault = faultOf(url);
    if (fault !== undefined) findings.problem(path, fault);
    [url, ...secretsOfService(url)].forEach((secret) => redact(path, secret));
    if (typeof source === 'string') literal = true;
    return url;
  };
  (file.notifications?.urls ?? []).forEach((source, index) => {
    const url = serviceUrl(`notifications.urls[${String(index)}]`, source);
    if (url !== null) services.push({ index, url });
  });
  const ruledServices = (file.notifications?.services ?? []).flatMap((entry, index): RuledService[] => {
    const path = `notifications.services[${String(index)}]`;
    const url = serviceUrl(`${path}.url`, entry.url);
    const headers = Object.entries(entry.headers ?? {}).map(([name, source]) => {
      const at = `${path}.headers.${name}`;
      // A priority or a tag in the file is no secret.
      const isPlain = typeof source === 'string' && !isKey(source);
      return { name, value: (isPlain ? read(at, source) : password(at, source)) ?? '' };
    });
    return url === null ? [] : [{ index, url, headers }];
  });
  checkServices(services, ruledServices, findings);
  const heartbeat = serviceUrl('heartbeat.url', file.heartbeat?.url, heartbeatFault);
  const proxies = readProxies(environment, findings, (secret) => redacted.add(secret));
  const mqtt = { broker, password: mqttPassword };
  return {
    readPassword,
    readPasswords,
    controlPassword,
    upsPasswords,
    mqtt,
    heartbeat,
    proxies,
    services,
    ruledServices,
    redacted: [...redacted],
    digests,
    literal,
  };
}

/** HTTP_PROXY and HTTPS_PROXY; one that cannot be used is a warning, and requests go directly. */
function readProxies(
  environment: NodeJS.ProcessEnv,
  findings: Findings,
  redact: (secret: string) => void,
): OutboundProxies {
  const proxies = proxiesOf(environment, false);
  for (const [protocol, name] of [
    ['http:', 'HTTP_PROXY'],
    ['https:', 'HTTPS_PROXY'],
  ] as const) {
    const proxy = proxyNamedFor(protocol, proxies);
    if (proxy === 'invalid')
      findings.warning(
        'notifications',
        `${name} in the environment is not http://[USER:PASSWORD@]HOST[:PORT] and is not used (what was found is not shown)`,
      );
    else if (proxy !== null && proxy.login !== null && proxy.login.password.length >= minRedactedChars)
      redact(proxy.login.password);
  }
  return proxies;
}

/** The secret; undefined, with a problem, when it cannot be read. */
function valueOf(
  path: string,
  source: SecretSource,
  environment: NodeJS.ProcessEnv,
  findings: Findings,
): string | undefined {
  if (typeof source === 'string') return source;
  const refuse = (message: string): undefined => {
    findings.problem(path, message);
    return undefined;
  };
  let value: string | undefined;
  let where: string;
  if ('file' in source) {
    where = `the secret file ${source.file}`;
    const read = readBounded(source.file, maxBytes);
    if (!read.ok) return refuse(`${where} ${read.fault}`);
    if (read.readableByAll) {
      findings.warning(path, `every user may read ${where}; run: chmod o-r ${source.file}`);
    }
    value = read.text.replace(/\r?\n$/, '');
  } else {
    where = `the environment variable ${source.env}`;
    value = environment[source.env]?.replace(/\r?\n$/, '');
    if (value === undefined) {
      return refuse(`${where} is not set; set it in the daemon's environment (systemd: EnvironmentFile=)`);
    }
  }
  if (value === '') return refuse(`${where} is empty`);
  const fault = secretFault(value);
  return fault === undefined ? value : refuse(`${where} ${fault}`);
}
