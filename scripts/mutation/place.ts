// A place to break the program in: a copy of what is compiled, out of everybody's way, in which one file is replaced.
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository; this file runs as `dist/scripts/mutation/place.js` of it. */
export const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** What the tests of policy and the simulation need. */
const parts = [
  'shared',
  'supervisor',
  'workers/nut',
  'scripts/transcript',
  'scripts/simulation',
  'scripts/mutation',
  'test/supervisor',
  'test/fixtures',
];

export class Place {
  readonly #root: string;

  constructor() {
    this.#root = mkdtempSync(join(tmpdir(), 'ridethrough-mutation-'));
    writeFileSync(join(this.#root, 'package.json'), '{ "type": "module" }');
    for (const name of ['node_modules', 'supervisor', 'test'])
      symlinkSync(join(repository, name), join(this.#root, name));
    for (const part of parts) {
      const to = join(this.#root, 'dist', part);
      mkdirSync(to, { recursive: true });
      cpSync(join(repository, 'dist', part), to, {
        recursive: true,
        filter: (path) => !/\.(map|ts)$/.test(path),
      });
    }
  }

  /** A compiled file in here, by its source: `supervisor/policy/line.ts`. */
  compiled(source: string): string {
    return join(this.#root, 'dist', source.replace(/\.ts$/, '.js'));
  }

  write(source: string, text: string): void {
    writeFileSync(this.compiled(source), text);
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}
