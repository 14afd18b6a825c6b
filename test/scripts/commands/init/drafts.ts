// Checks a draft as the daemon checks a file, with its secrets in a folder.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Configuration } from '../../../../supervisor/config/configuration/configuration.js';
import { loadText } from '../../../../supervisor/config/load/load.js';
import type { ImportedSource } from '../../../../scripts/commands/init/from/source.js';

export interface Checked {
  readonly text: string;
  readonly configuration: Configuration;
  /** What was left, as "what: why". */
  readonly left: readonly string[];
  readonly secrets: readonly string[];
}

export function checked(imported: ImportedSource): Checked {
  if (!imported.ok) throw new Error(imported.message);
  const { compose, secrets } = imported.draft;
  return inFolder({}, (folder) => {
    for (const { name, text } of secrets) writeFileSync(join(folder, name), text);
    const table = compose(folder);
    const text = table.text();
    const loaded = loadText(text, {}, undefined, false);
    expect(loaded.ok ? [] : loaded.problems, text).to.deep.equal([]);
    if (!loaded.ok) throw new Error('not valid');
    expect(loaded.configuration.dryRun).to.equal(true);
    const left = table.allLeftOut().map(({ what, why }) => `${what}: ${why}`);
    return { text, configuration: loaded.configuration, left, secrets: secrets.map((secret) => secret.text) };
  });
}

/** Calls `work` in a new folder with these files; FOLDER in their text stands for it. */
export function inFolder<T>(files: Readonly<Record<string, string>>, work: (folder: string) => T): T {
  const folder = folderWith(files);
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function inFolderAsync<T>(
  files: Readonly<Record<string, string>>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = folderWith(files);
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Names that end in .sh are programs. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'init-test-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    const mode = name.includes('.sh') ? 0o755 : 0o600;
    writeFileSync(join(folder, name), text.replaceAll('FOLDER', folder), { mode });
  }
  return folder;
}
