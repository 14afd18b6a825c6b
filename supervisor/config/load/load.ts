// Loads a configuration file: the result is a configuration or all its problems. Runs only in the reader process, because
// files may hang and the supervisor must not load the TOML parser.
import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { errorMessage } from '../../../shared/domain/base/error-message.js';
import type { Problem } from '../../../shared/domain/base/decode.js';
import { readBounded } from '../read/bounded-file.js';
import { readCertificates, readClientCertificate } from '../read/certificates.js';
import { checkRules } from '../check/rules.js';
import { boundWarnings, secondaryWarnings } from '../derive/bounds.js';
import { leftBehindWarnings } from '../derive/feeds.js';
import { wayBackWarnings } from '../derive/way-back.js';
import { upsmonArrangement } from '../derive/upsmon.js';
import type { Upsmon } from '../configuration/upsmon.js';
import { isContainer } from '../read/container.js';
import { Findings } from '../check/findings.js';
import type { Configuration, Loaded } from '../configuration/configuration.js';
import type { DecodedFile } from '../read/decode-file.js';
import { decodeFile } from '../read/decode-file.js';
import type { KnownUsers } from '../check/nut.js';
import type { FindUsers } from '../read/known-users.js';
import { usersQuery } from '../read/known-users.js';
import { configurationOf } from '../decode/configuration.js';
import { parseToml } from '../read/parse.js';
import { hookUserWarnings } from '../programs/hook-user.js';
import { sqliteWarnings } from '../programs/sqlite-binary.js';
import { pingWarnings } from '../programs/ping.js';
import { missingPrograms, needsIn, unmetNeeds, needMessage } from '../programs/programs.js';
import { readSecrets } from '../read/secrets.js';
import { readSshKeys } from '../read/ssh-keys.js';

/** Far larger than any real file; the parser needs less than a second for it. */
const maxBytes = 1_048_576;
/** The rest is counted. */
const maxProblems = 200;

/** Reads and checks the file at `path`. Without `findUsers` it checks as if users existed. */
export async function loadFile(
  path: string,
  environment: NodeJS.ProcessEnv,
  findUsers?: FindUsers,
  upsmon: Upsmon = { kind: 'none' },
): Promise<Loaded> {
  const read = readBounded(path, maxBytes);
  if (!read.ok) {
    const advice = 'give an existing file with --config FILE; without a configuration nothing is started';
    return { ok: false, problems: [{ path: '', message: `${path} ${read.fault}; ${advice}` }], warnings: [] };
  }
  const parsed = parseToml(read.text);
  if (!parsed.ok) return { ok: false, problems: [parsed.problem], warnings: [] };
  const decoded = decodeFile(parsed.tree);
  const loaded = checkFile(decoded, {
    environment,
    readableByAll: read.readableByAll ? path : undefined,
    inContainer: isContainer(environment),
    users: await usersFor(decoded, findUsers),
  });
  return loaded.ok ? { ok: true, configuration: besideUpsmon(loaded.configuration, upsmon) } : loaded;
}

function besideUpsmon(configuration: Configuration, found: Upsmon): Configuration {
  const upsmon = upsmonArrangement(configuration, found);
  const more = upsmon?.kind === 'conflict' ? [upsmon.text] : [];
  return { ...configuration, upsmon, warnings: [...configuration.warnings, ...more] };
}

async function usersFor(decoded: DecodedFile, findUsers: FindUsers | undefined): Promise<KnownUsers> {
  // If a key of `api` could not be decoded, `db_path` may be missing: its default may not be the right file.
  const isApiComplete = !decoded.problems.some(({ path }) => path.startsWith('api'));
  const query = decoded.file === undefined || !isApiComplete ? undefined : usersQuery(decoded.file);
  return query === undefined || findUsers === undefined ? { kind: 'notChecked' } : findUsers(query);
}

/** `readableByAll`: the path of a world-readable file. */
export function loadText(
  text: string,
  environment: NodeJS.ProcessEnv,
  readableByAll?: string,
  inContainer = isContainer(environment),
): Loaded {
  const parsed = parseToml(text);
  if (!parsed.ok) return { ok: false, problems: [parsed.problem], warnings: [] };
  return checkFile(decodeFile(parsed.tree), {
    environment,
    readableByAll,
    inContainer,
    users: { kind: 'notChecked' },
  });
}

interface LoadContext {
  readonly environment: NodeJS.ProcessEnv;
  readonly readableByAll: string | undefined;
  readonly inContainer: boolean;
  readonly users: KnownUsers;
}

function checkFile({ file, problems, upsesComplete }: DecodedFile, around: LoadContext): Loaded {
  const { environment, readableByAll, inContainer, users } = around;
  const findings = new Findings();
  if (file === undefined) return { ok: false, problems: firstProblems(problems), warnings: [] };
  checkRules(file, findings, { upsesComplete, users });
  const secrets = readSecrets(file, environment, findings);
  const caFile = file.nut?.ca_file;
  const caPem = caFile === undefined ? null : readCertificates(caFile, findings);
  const { cert_file: certFile, key_file: keyFile } = file.nut ?? {};
  const client =
    certFile === undefined || keyFile === undefined
      ? null
      : readClientCertificate(certFile, keyFile, findings);
  if (secrets.literal && readableByAll !== undefined) {
    const advice = `it holds a secret; run: chmod o-r ${readableByAll}, or use { file = "..." }`;
    findings.warning('', `every user may read ${readableByAll}, and ${advice}`);
  }
  const all = [...problems, ...findings.problems.filter((found) => !followsFrom(found, problems))];
  if (all.length > 0) return { ok: false, problems: firstProblems(all), warnings: findings.warnings };
  const keys = readSshKeys(file, environment, findings);
  const configuration = configurationOf(secrets.file, {
    secrets,
    keys,
    caPem,
    client,
    warnings: findings.warnings,
    inContainer,
  });
  const warnings = [
    ...configuration.warnings,
    ...boundWarnings(configuration),
    ...secondaryWarnings(configuration),
    ...flagWarnings(configuration, environment),
    ...leftBehindWarnings(configuration),
    ...wayBackWarnings(configuration),
  ];
  return {
    ok: true,
    configuration: withMissingPrograms({ ...configuration, warnings }, environment['PATH']),
  };
}

/** The daemon may run as another user, or in a container: only a warning. */
function flagWarnings(
  { localShutdown: { powerdownFlag } }: Configuration,
  environment: NodeJS.ProcessEnv,
): readonly string[] {
  if (powerdownFlag === null) return [];
  try {
    accessSync(dirname(powerdownFlag), constants.W_OK);
    return [];
  } catch (error) {
    // In the unit /etc is read-only, and the file is written in the view of PID 1 (host/host-facts.ts).
    const isUnit = (environment['SYSTEMD_EXEC_PID'] ?? '') !== '';
    if (isUnit && (error as NodeJS.ErrnoException).code === 'EROFS') return [];
    return [
      `local_shutdown.powerdown_flag: ${powerdownFlag} cannot be written (${errorMessage(error)}): NUT's late hook would not cut the power`,
    ];
  }
}

/** A missing program is only a warning: the file may be meant for another machine. */
function withMissingPrograms(configuration: Configuration, path: string | undefined): Configuration {
  const needs = needsIn(configuration);
  const missing = missingPrograms(needs, path);
  const warnings = [
    ...unmetNeeds(needs, missing).map(needMessage),
    ...pingWarnings(configuration),
    ...hookUserWarnings(configuration),
    ...sqliteWarnings(),
  ];
  return {
    ...configuration,
    missingPrograms: missing,
    warnings: [...configuration.warnings, ...new Set(warnings)],
  };
}

/** True for the finding of a rule that misses a value which decoding removed. */
function followsFrom({ path }: Problem, decoding: readonly Problem[]): boolean {
  return decoding.some(
    (cause) => cause.path === path || cause.path.startsWith(`${path}.`) || cause.path.startsWith(`${path}[`),
  );
}

function firstProblems(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= maxProblems) return problems;
  const more = `and ${String(problems.length - maxProblems)} more problems; correct these first`;
  return [...problems.slice(0, maxProblems), { path: '', message: more }];
}
