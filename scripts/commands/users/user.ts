// `ridethrough user`: the users of the API. Writes the authentication database, which the daemon reads at every request.
import { parseArgs } from 'node:util';
import type { Configuration } from '../../../supervisor/config/configuration/configuration.js';
import type { UserRecord, UserRole } from '../../../workers/api/auth/auth-store/administration.js';
import { isUserName, nameRule } from '../../../workers/api/auth/auth-store/name-rules.js';
import { authIsOff, inDatabase, roleIn } from './authentication.js';
import type { Entered } from './password-entry.js';
import { checkChoice, enterPassword, passwordOptions } from './password-entry.js';
import { columns } from '../terminal/table.js';
import { localTime } from '../../../shared/domain/base/local-calendar.js';
import { complain, configOption, exitCode, jsonOption, UsageError } from '../usage.js';

type Verb = (args: readonly string[]) => Promise<number>;
type Taken = Extract<Entered, { ok: true }>;

const verbs: Readonly<Record<string, Verb>> = { create, list, show, passwd, role, delete: remove };
const userRoles: readonly UserRole[] = ['read', 'control'];

export async function user([verb, ...args]: readonly string[]): Promise<number> {
  const chosen = verb === undefined || !Object.hasOwn(verbs, verb) ? undefined : verbs[verb];
  if (chosen === undefined) throw new UsageError(`expected one of ${Object.keys(verbs).join(', ')}`);
  return chosen(args);
}

function create(args: readonly string[]): Promise<number> {
  return withPassword('create', args, async ({ name, entered, json, role }, database, { api }) => {
    if (!(await database?.createUser(name, entered.password, Date.now() / 1000, role)))
      return `the user ${name} exists already; for a new password: ridethrough user passwd ${name}`;
    if (json) printJson(name, entered);
    else printResult(`The user ${name} can log in${role === 'read' ? ' and read' : ''}.`, entered);
    if (api.auth.enabled === false) complain('user create', authIsOff);
    return null;
  });
}

function passwd(args: readonly string[]): Promise<number> {
  return withPassword('passwd', args, async ({ name, entered, json }, database) => {
    if (!(await database?.setPassword(name, entered.password, Date.now() / 1000))) return unknownUser(name);
    if (json) printJson(name, entered);
    else printResult(`The user ${name} has a new password. All sessions of the user are ended.`, entered);
    return null;
  });
}

const roleOption = { role: { type: 'string', default: 'control' } } as const;

/** `store` returns null, or the reason of its failure. */
async function withPassword(
  verb: 'create' | 'passwd',
  args: readonly string[],
  store: (
    selected: {
      readonly name: string;
      readonly entered: Taken;
      readonly json: boolean;
      readonly role: UserRole;
    },
    ...place: Parameters<Parameters<typeof inDatabase>[0]['run']>
  ) => Promise<string | null>,
): Promise<number> {
  const { values, positionals } = parseOptions(args, {
    ...configOption,
    ...jsonOption,
    ...passwordOptions,
    ...(verb === 'create' ? roleOption : {}),
  });
  const name = nameIn(positionals);
  const role = roleIn(userRoles, 'role' in values ? String(values.role) : 'control');
  checkChoice(values);
  const command = `user ${verb}`;
  let entered: Entered | undefined;
  return inDatabase({
    command,
    configPath: values.config,
    ...(verb === 'create' ? { create: true } : {}),
    prepare: async () => {
      entered = await enterPassword(values, name);
      if (!entered.ok) complain(command, `${entered.message}.`);
      return entered.ok;
    },
    run: async (database, configuration) => {
      if (entered?.ok !== true) return exitCode.failed;
      const refusal = await store({ name, entered, json: values.json, role }, database, configuration);
      return refusal === null ? exitCode.fine : complain(command, refusal);
    },
  });
}

async function role(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, configOption);
  const wanted = roleIn(userRoles, positionals[1] ?? '');
  const name = nameIn([...positionals.slice(0, 1), ...positionals.slice(2)]);
  return inDatabase({
    command: 'user role',
    configPath: values.config,
    run: async (database) => {
      if ((await database?.setRole(name, wanted)) !== true) return complain('user role', unknownUser(name));
      process.stdout.write(`The role of ${name} is ${wanted} now, also in open sessions.\n`);
      return exitCode.fine;
    },
  });
}

async function remove(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, configOption);
  const name = nameIn(positionals);
  return inDatabase({
    command: 'user delete',
    configPath: values.config,
    run: async (database, configuration) => {
      if ((await database?.deleteUser(name)) !== true) return complain('user delete', unknownUser(name));
      process.stdout.write(`The user ${name} is deleted. All sessions of the user are ended.\n`);
      if (configuration.api.auth.enabled === null && (await database?.users())?.length === 0)
        complain('user delete', wasTheLast(configuration));
      return exitCode.fine;
    },
  });
}

async function list(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, { ...configOption, ...jsonOption });
  if (positionals.length > 0) throw new UsageError('list takes no name');
  return inDatabase({
    command: 'user list',
    configPath: values.config,
    run: async (database) => {
      const users = (await database?.users()) ?? [];
      if (values.json) process.stdout.write(`${JSON.stringify({ users })}\n`);
      else process.stdout.write(users.length === 0 ? 'There is no user.\n' : table(users));
      return exitCode.fine;
    },
  });
}

async function show(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, { ...configOption, ...jsonOption });
  const name = nameIn(positionals);
  return inDatabase({
    command: 'user show',
    configPath: values.config,
    run: async (database) => {
      const found = await database?.user(name);
      if (found === undefined || found === null) return complain('user show', unknownUser(name));
      process.stdout.write(values.json ? `${JSON.stringify(found)}\n` : table([found]));
      return exitCode.fine;
    },
  });
}

function parseOptions<O extends NonNullable<Parameters<typeof parseArgs>[0]>['options']>(
  args: readonly string[],
  options: O,
) {
  return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
}

function nameIn(positionals: readonly string[]): string {
  const [name, ...more] = positionals;
  if (name === undefined) throw new UsageError('the name of the user is missing');
  if (more.length > 0) throw new UsageError('expected one name; a password is never an argument');
  if (!isUserName(name))
    throw new UsageError(`${JSON.stringify(name)} is not a user name: expected ${nameRule}`);
  return name;
}

function table(users: readonly UserRecord[]): string {
  return columns([
    ['NAME', 'ROLE', 'CREATED', 'PASSWORD SET'],
    ...users.map(({ name, role, createdAt, passwordAt }) => [
      name,
      role,
      localTime(createdAt),
      localTime(passwordAt),
    ]),
  ]);
}

/** Shows a generated password only here; alone on standard output, for a script. */
function printResult(message: string, entered: Taken): void {
  if (!entered.generated) process.stdout.write(`${message}\n`);
  else {
    process.stderr.write(`${message} The password, which is not shown again:\n`);
    process.stdout.write(`${entered.password}\n`);
  }
}

function printJson(name: string, { generated, password }: Taken): void {
  process.stdout.write(`${JSON.stringify({ name, ...(generated ? { password } : {}) })}\n`);
}

function wasTheLast({ summary }: Configuration): string {
  const now = 'this was the last user: authentication is off now, and the API is read-only.';
  if (!summary.nutControl.enabled) return now;
  return `${now} With nut_control.enabled = true the daemon refuses to start or reload until a user exists.`;
}

function unknownUser(name: string): string {
  return `there is no user ${name}; see: ridethrough user list`;
}
