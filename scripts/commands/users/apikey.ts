// `ridethrough apikey`: credentials for programs. Shows a key once, at its creation; stores only its digest.
import { parseArgs } from 'node:util';
import { roles } from '../../../shared/domain/status/role.js';
import type { KeyRecord } from '../../../workers/api/auth/auth-store/administration.js';
import { isKeyLabel, nameRule } from '../../../workers/api/auth/auth-store/name-rules.js';
import { parseEnd } from '../time.js';
import { authIsOff, inDatabase, roleIn } from './authentication.js';
import { columns } from '../terminal/table.js';
import { localTime } from '../../../shared/domain/base/local-calendar.js';
import { complain, configOption, exitCode, jsonOption, UsageError } from '../usage.js';

type Verb = (args: readonly string[]) => Promise<number>;

const verbs: Readonly<Record<string, Verb>> = { create, list, revoke };

export async function apikey([verb, ...args]: readonly string[]): Promise<number> {
  const chosen = verb === undefined || !Object.hasOwn(verbs, verb) ? undefined : verbs[verb];
  if (chosen === undefined) throw new UsageError(`expected one of ${Object.keys(verbs).join(', ')}`);
  return chosen(args);
}

async function create(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      ...configOption,
      ...jsonOption,
      role: { type: 'string', default: 'control' },
      expires: { type: 'string' },
    },
    allowPositionals: true,
  });
  const label = labelIn(positionals);
  const nowSeconds = Date.now() / 1000;
  const role = roleIn(roles, values.role);
  const expiresAt = values.expires === undefined ? null : parseEnd(values.expires, nowSeconds);
  return inDatabase({
    command: 'apikey create',
    configPath: values.config,
    create: true,
    run: async (database, { api }) => {
      const key = await database?.createKey(label, nowSeconds, { role, expiresAt });
      if (key === undefined || key === null)
        return complain(
          'apikey create',
          `the key ${label} exists already; use another label, or revoke that key first`,
        );
      if (values.json) process.stdout.write(`${JSON.stringify({ label, key, role, expiresAt })}\n`);
      else {
        const until = expiresAt === null ? '' : ` until ${localTime(expiresAt)}`;
        process.stderr.write(`The key ${label} (${role}${until}), which is not shown again:\n`);
        process.stdout.write(`${key}\n`);
      }
      if (api.auth.enabled === false) complain('apikey create', authIsOff);
      else if (api.auth.enabled === null && (await database?.users())?.length === 0)
        complain(
          'apikey create',
          'authentication is off, so the key is not accepted yet. Create a user, or set api.auth.enabled = true.',
        );
      return exitCode.fine;
    },
  });
}

async function list(args: readonly string[]): Promise<number> {
  const options = { ...configOption, ...jsonOption };
  const { values } = parseArgs({ args: [...args], options });
  return inDatabase({
    command: 'apikey list',
    configPath: values.config,
    run: async (database) => {
      const keys = (await database?.keys()) ?? [];
      const now = Date.now() / 1000;
      const rows = keys.map((key) => rowOf(key, now));
      if (values.json) process.stdout.write(`${JSON.stringify({ keys })}\n`);
      else
        process.stdout.write(
          keys.length === 0
            ? 'There is no API key.\n'
            : columns([['LABEL', 'ROLE', 'CREATED', 'EXPIRES', 'LAST USED'], ...rows]),
        );
      return exitCode.fine;
    },
  });
}

function rowOf(
  { label, role, createdAt, expiresAt, usedAt }: KeyRecord,
  nowSeconds: number,
): readonly string[] {
  const expired = expiresAt !== null && expiresAt <= nowSeconds ? ' (expired)' : '';
  const expires = expiresAt === null ? 'never' : `${localTime(expiresAt)}${expired}`;
  return [label, role, localTime(createdAt), expires, usedAt === null ? 'never' : localTime(usedAt)];
}

async function revoke(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: configOption,
    allowPositionals: true,
  });
  const label = labelIn(positionals);
  return inDatabase({
    command: 'apikey revoke',
    configPath: values.config,
    run: async (database) => {
      if ((await database?.revokeKey(label)) !== true)
        return complain('apikey revoke', `there is no key ${label}; see: ridethrough apikey list`);
      process.stdout.write(`The key ${label} is revoked.\n`);
      return exitCode.fine;
    },
  });
}

function labelIn(positionals: readonly string[]): string {
  const [label, ...more] = positionals;
  if (label === undefined) throw new UsageError('the label of the key is missing');
  if (more.length > 0) throw new UsageError('expected one label');
  if (!isKeyLabel(label))
    throw new UsageError(`${JSON.stringify(label)} is not a label of a key: expected ${nameRule}`);
  return label;
}
