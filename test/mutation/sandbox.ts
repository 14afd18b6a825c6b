// A private copy of the compiled program in which a mutant replaces one file.
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** The sources in a folder of the tree, by their paths. */
export function sourcesIn(folder: string): readonly string[] {
  return readdirSync(join(repository, folder), { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .toSorted()
    .map((name) => `${folder}/${name}`);
}

const exported = /^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm;

/** The compiled modules of a split source. */
export function originalPart(source: string): string {
  return source.replace(/\.ts$/, '.sound.js');
}

export function mutantPart(source: string, index: number): string {
  return source.replace(/\.ts$/, `.broken-${String(index)}.js`);
}

export class Sandbox {
  readonly root: string;

  /** `sources`: folders of the tree that are copied, because they are to be changed; all others are linked. */
  constructor(sources: readonly string[] = []) {
    this.root = mkdtempSync(join(tmpdir(), 'ridethrough-mutation-'));
    for (const name of readdirSync(repository)) {
      if (name === 'dist') continue;
      const to = join(this.root, name);
      if (sources.includes(name)) cpSync(join(repository, name), to, { recursive: true });
      else symlinkSync(join(repository, name), to);
    }
    cpSync(join(repository, 'dist'), join(this.root, 'dist'), {
      recursive: true,
      filter: (path) => !path.endsWith('.map'),
    });
  }

  /** The path of a compiled file by its source, such as `supervisor/policy/power/power-source.ts`. */
  compiled(source: string): string {
    return join(this.root, 'dist', source.replace(/\.ts$/, '.js'));
  }

  write(source: string, text: string): void {
    writeFileSync(this.compiled(source), text);
  }

  writeSource(source: string, text: string): void {
    writeFileSync(join(this.root, source), text);
  }

  /**
   * Splits the files of these mutants: each re-exports another module, which a mutant, known by its place in the list, can
   * replace while the program runs. Returns the function that undoes it.
   */
  part(mutants: readonly { readonly file: string; readonly text: string }[]): () => void {
    const wholes = new Map(mutants.map(({ file }) => [file, readFileSync(this.compiled(file), 'utf8')]));
    const parts = mutants.map(({ file }, index) => mutantPart(file, index));
    for (const [index, { text }] of mutants.entries()) this.write(parts[index] ?? '', text);
    for (const [file, whole] of wholes) {
      const names = [...whole.matchAll(exported)].map(([, name = '']) => name).join(', ');
      this.write(originalPart(file), whole);
      this.write(
        file,
        `import * as sound from './${basename(originalPart(file))}';\n` +
          `export let { ${names} } = sound;\n` +
          `(globalThis.mutationParts ??= new Map()).set('${file}', (part) => ({ ${names} } = part));\n`,
      );
    }
    return () => {
      for (const part of parts) rmSync(this.compiled(part));
      for (const [file, whole] of wholes) {
        rmSync(this.compiled(originalPart(file)));
        this.write(file, whole);
      }
    };
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
