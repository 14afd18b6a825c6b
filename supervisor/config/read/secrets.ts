// Reads every secret of the file, from the text, a file or the environment, and collects them for redaction. No message ever
// contains one.
import { createHash } from 'node:crypto';
import type { Keys, Secret } from '../../../shared/domain/base/keys.js';
import type { OutboundProxies } from '../../../shared/domain/services/outbound-proxies.js';
import {
  hasOnlyAllProxy,
  proxiesOf,
  proxyNamedFor,
} from '../../../shared/domain/services/outbound-proxies.js';
import { checkBroker } from '../check/broker.js';
import type { Findings } from '../check/findings.js';
import { checkServices } from '../check/services.js';
import type { ConfigFile } from '../schema/file.js';
import { fileKeys } from '../schema/file.js';
import { elementLabel } from '../schema/labels.js';
import type { SecretSource } from '../schema/secret.js';
import { secretFault } from '../schema/secret.js';
import { readBounded } from './bounded-file.js';

export interface Secrets {
  /** With the text of each secret in the place of its source; "" where it cannot be read. */
  readonly file: ConfigFile;
  /** Of the environment. */
  readonly proxies: OutboundProxies;
  /** Texts that the log must redact. */
  readonly redacted: readonly string[];
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
  let literal = false;
  const read = (path: string, source: SecretSource, { faultOf, hides, evenShort }: Secret): string => {
    const value = valueOf(path, source, environment, findings);
    if (value === undefined) return '';
    const fault = faultOf(value);
    if (fault !== undefined) findings.problem(path, fault);
    const hidden = hides(value, typeof source === 'string').filter((text) => text !== '');
    if (typeof source === 'string' && hidden.length > 0) literal = true;
    for (const text of hidden)
      if (evenShort || text.length >= minRedactedChars) redacted.add(text);
      else
        findings.warning(
          path,
          `is shorter than ${String(minRedactedChars)} characters and cannot be hidden from the log`,
        );
    return value;
  };
  const texts = withTexts(fileKeys, file, '', read) as ConfigFile;
  checkBroker(texts.mqtt, findings);
  checkServices(texts.notifications, findings);
  const proxies = readProxies(environment, findings, (secret) => redacted.add(secret));
  return { file: texts, proxies, redacted: [...redacted], literal };
}

type Read = (path: string, source: SecretSource, secret: Secret) => string;

/** A copy of a table in which each secret is its text. */
function withTexts(keys: Keys, given: object, path: string, read: Read): object {
  const changed = Object.entries(given).map(([name, value]: [string, unknown]): [string, unknown] => {
    const entry = keys[name];
    const here = path === '' ? name : `${path}.${name}`;
    if (entry === undefined || value === undefined) return [name, value];
    if (entry.kind === 'table') return [name, withTexts(entry.keys, value as object, here, read)];
    if (entry.kind === 'rows') {
      const rows = (value as object[]).map((row, index) =>
        withTexts(entry.keys, row, elementLabel(here, nameOf(row) ?? index), read),
      );
      return [name, rows];
    }
    return [name, entry.secret === null ? value : textsOf(value, here, entry.secret, read)];
  });
  return Object.fromEntries(changed);
}

const nameOf = (row: object): string | undefined => ('name' in row ? String(row.name) : undefined);

/** Of one secret, or of the list or table of several. */
function textsOf(value: unknown, path: string, secret: Secret, read: Read): unknown {
  if (!secret.several) return read(path, value as SecretSource, secret);
  const single = { ...secret, several: false };
  if (Array.isArray(value))
    return value.map((each, at) => textsOf(each, elementLabel(path, at), single, read));
  const named = Object.entries(value as object).map(([name, each]) => [
    name,
    textsOf(each, `${path}.${name}`, single, read),
  ]);
  return Object.fromEntries(named);
}

/** HTTP_PROXY and HTTPS_PROXY; one that cannot be used, and ALL_PROXY alone, is a warning, and requests go directly. */
function readProxies(
  environment: NodeJS.ProcessEnv,
  findings: Findings,
  redact: (secret: string) => void,
): OutboundProxies {
  const proxies = proxiesOf(environment, false);
  if (hasOnlyAllProxy(environment))
    findings.warning(
      'notifications',
      'ALL_PROXY in the environment is not used: requests go directly; for a proxy set HTTPS_PROXY and HTTP_PROXY',
    );
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
