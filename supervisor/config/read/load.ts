// A configuration file to a configuration, or to everything that is wrong with it. Runs only in the reader process:
// it touches files that may hang, and it loads the TOML parser.
import type { Problem } from '../../../shared/domain/decode.js';
import { readBounded } from './bounded-file.js';
import { readCertificates } from './certificates.js';
import { checkRules } from '../check/rules.js';
import { boundWarnings } from '../derive/bounds.js';
import { isContainer } from './container.js';
import { Findings } from '../check/findings.js';
import type { Configuration, Loaded } from '../configuration.js';
import type { DecodedFile } from './decode-file.js';
import { decodeFile } from './decode-file.js';
import type { KnownUsers, LookForUsers } from './known-users.js';
import { usersQuery } from './known-users.js';
import { buildConfiguration } from '../build/build.js';
import { parseToml } from './parse.js';
import { missingPrograms, needsIn, unmetNeeds, needMessage } from '../programs/programs.js';
import { readSecrets } from './secrets.js';
import { readSshKeys } from './ssh-keys.js';

/** Far above any real file, far below what the parser needs seconds for. */
const maxBytes = 1_048_576;
/** More problems than this help nobody; the rest is counted. */
const maxProblems = 200;

/** Reads and judges the file at `path`. Without `look` it is judged as if there were users. */
export async function loadFile(
  path: string,
  environment: NodeJS.ProcessEnv,
  look?: LookForUsers,
): Promise<Loaded> {
  const read = readBounded(path, maxBytes);
  if (!read.ok) {
    const advice = 'give an existing file with --config FILE; without a configuration nothing is started';
    return { ok: false, problems: [{ path: '', message: `${path} ${read.fault}; ${advice}` }], warnings: [] };
  }
  const parsed = parseToml(read.text);
  if (!parsed.ok) return { ok: false, problems: [parsed.problem], warnings: [] };
  const decoded = decodeFile(parsed.tree);
  return checkFile(decoded, {
    environment,
    readableByAll: read.readableByAll ? path : undefined,
    inContainer: isContainer(environment),
    users: await usersFor(decoded, look),
  });
}

async function usersFor(decoded: DecodedFile, look: LookForUsers | undefined): Promise<KnownUsers> {
  // What could not be decoded was cut out: its default may lie elsewhere.
  const whole = !decoded.problems.some(({ path }) => path.startsWith('api'));
  const question = decoded.file === undefined || !whole ? undefined : usersQuery(decoded.file);
  return question === undefined || look === undefined ? { kind: 'unasked' } : look(question);
}

/** `readableByAll`: the path of the file when every user of the machine may read it. */
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
    users: { kind: 'unasked' },
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
  if (file === undefined) return { ok: false, problems: bounded(problems), warnings: [] };
  checkRules(file, findings, { upsesComplete, users });
  const secrets = readSecrets(file, environment, findings);
  const caFile = file.nut?.ca_file;
  const caPem = caFile === undefined ? null : readCertificates(caFile, findings);
  if (secrets.literal && readableByAll !== undefined) {
    const advice = `it holds a secret; run: chmod o-r ${readableByAll}, or use { file = "..." }`;
    findings.warning('', `every user may read ${readableByAll}, and ${advice}`);
  }
  const all = [...problems, ...findings.problems.filter((found) => !followsFrom(found, problems))];
  if (all.length > 0) return { ok: false, problems: bounded(all), warnings: findings.warnings };
  const keys = readSshKeys(file, environment, findings);
  const configuration = buildConfiguration(file, {
    secrets,
    keys,
    caPem,
    warnings: findings.warnings,
    inContainer,
  });
  const outlook = [...configuration.warnings, ...boundWarnings(configuration)];
  const whole = { ...configuration, warnings: outlook };
  return { ok: true, configuration: withMissingPrograms(whole, environment['PATH']) };
}

/** What is missing is a warning: the machine may be one for which the file is only being written. */
function withMissingPrograms(configuration: Configuration, path: string | undefined): Configuration {
  const needs = needsIn(configuration);
  const missing = missingPrograms(needs, path);
  const warnings = unmetNeeds(needs, missing).map(needMessage);
  return {
    ...configuration,
    missingPrograms: missing,
    warnings: [...configuration.warnings, ...new Set(warnings)],
  };
}

/** What could not be decoded was cut out: a rule that misses just that has nothing new to say. */
function followsFrom({ path }: Problem, decoding: readonly Problem[]): boolean {
  return decoding.some(
    (cause) => cause.path === path || cause.path.startsWith(`${path}.`) || cause.path.startsWith(`${path}[`),
  );
}

function bounded(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= maxProblems) return problems;
  const more = `and ${String(problems.length - maxProblems)} more problems; mend these first`;
  return [...problems.slice(0, maxProblems), { path: '', message: more }];
}
