// Writes a composed configuration and its secrets, or prints it; only what the daemon's own check accepts.
import { link, lstat, mkdir, mkdtemp, open, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { DraftTable } from '../../../shared/domain/setup/config-draft.js';
import { errorMessage } from '../../../shared/domain/base/error-message.js';
import type { Configuration } from '../../../supervisor/config/configuration/configuration.js';
import { readConfiguration } from '../../../supervisor/config/load/read.js';
import { defaultConfigPath } from '../usage.js';
import { refusal } from '../validate/validate.js';

export interface Draft {
  /** Secrets are files of this folder. */
  readonly compose: (directory: string) => DraftTable;
  /** Of what each is the secret is for the report; the text is never shown. */
  readonly secrets: readonly { readonly name: string; readonly text: string; readonly of: string }[];
  /** The UPSes that were asked and could not be read. */
  readonly unread: readonly string[];
}

export type Delivered =
  | {
      readonly ok: true;
      readonly configuration: Configuration;
      readonly table: DraftTable;
      /** For standard output; null when a file was written. */
      readonly text: string | null;
      readonly written: readonly string[];
    }
  /** `isInvalid`: the composed configuration has problems; else a file could not be written. */
  | { readonly ok: false; readonly message: string; readonly isInvalid: boolean };

/** As systemd/install.sh gives to the file that it installs. */
const fileMode = 0o640;
const secretMode = 0o600;
const directoryMode = 0o750;

/** Why `path` must not be written; checked before anybody is asked anything. */
export async function refusalToWrite(path: string, force: boolean): Promise<string | null> {
  if (path === '-') return null;
  const found = await lstat(path).catch(() => null);
  if (found === null) return null;
  if (found.isDirectory()) return `${path} is a directory; give a file with --output FILE`;
  return force
    ? null
    : `${path} exists and is left as it is; --force replaces it, --output FILE writes another, --output - prints`;
}

export async function deliver(draft: Draft, output: string, force: boolean): Promise<Delivered> {
  const made: string[] = [];
  const aside = new Map<string, string>();
  try {
    return output === '-' ? await print(draft, made) : await write(draft, output, force, made, aside);
  } catch (error) {
    const denied = ['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '');
    const advice = denied ? '; use sudo, or --output FILE' : '';
    return { ok: false, message: `${errorMessage(error)}${advice}`, isInvalid: false };
  } finally {
    for (const path of made) await rm(path, { recursive: true, force: true });
    // The configuration that stays names them.
    for (const [path, place] of aside) await rename(place, path);
  }
}

/** `made`: removed at the end. */
async function print({ compose, secrets }: Draft, made: string[]): Promise<Delivered> {
  const folder = await mkdtemp(join(tmpdir(), 'ridethrough-init-'));
  made.push(folder);
  for (const { name, text } of secrets) await create(join(folder, name), text, secretMode);
  const checked = await check(compose(folder), join(folder, 'config.toml'), 'the configuration');
  if (!checked.ok) return checked;
  const table = compose(dirname(defaultConfigPath));
  return { ...checked, table, text: table.text(), written: [] };
}

async function write(
  { compose, secrets }: Draft,
  output: string,
  force: boolean,
  made: string[],
  aside: Map<string, string>,
): Promise<Delivered> {
  const path = resolve(output);
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: directoryMode });
  const temporary = `${path}.${randomUUID()}`;
  const files = secrets.map(({ name, text }) => ({ path: join(folder, name), text }));
  for (const { path: file, text } of files) {
    if (await holds(file, text)) continue;
    if (!force && (await exists(file)))
      return {
        ok: false,
        message: `${file} exists and is another secret; --force replaces it`,
        isInvalid: false,
      };
    if (await exists(file)) {
      const place = `${file}.${randomUUID()}`;
      await rename(file, place);
      aside.set(file, place);
    }
    made.push(file);
    await create(file, text, secretMode);
  }
  made.push(temporary);
  const table = compose(folder);
  const checked = await check(table, temporary, output);
  if (!checked.ok) return checked;
  // A link fails where the file exists by now; a file of another program is never replaced without the flag.
  if (force) await rename(temporary, path);
  else await link(temporary, path);
  made.splice(0, made.length, ...(force ? [] : [temporary]), ...aside.values());
  aside.clear();
  return {
    ...checked,
    table,
    text: null,
    written: [output, ...secrets.map(({ name }) => join(dirname(output), name))],
  };
}

/** By the code of `ridethrough validate`. `name`: what the problems are about. */
async function check(table: DraftTable, path: string, name: string): Promise<Delivered> {
  await create(path, table.text(), fileMode);
  const loaded = await readConfiguration(path);
  if (loaded.ok) return { ok: true, configuration: loaded.configuration, table, text: null, written: [] };
  const hint = `What would have been written to ${basename(name)}`;
  return { ok: false, message: refusal(hint, loaded).replaceAll(path, name), isInvalid: true };
}

async function create(path: string, text: string, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    // The umask does not take the group's right away.
    await file.chmod(mode);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

const exists = async (path: string): Promise<boolean> => (await lstat(path).catch(() => null)) !== null;

async function holds(path: string, text: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found?.isFile() === true && found.size < 8192 && (await readFile(path, 'utf8')) === text;
}
