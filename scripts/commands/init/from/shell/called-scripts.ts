// The scripts that a script runs or reads: only the other machines that they call are taken from them. Pure.
import { shells } from './forms.js';
import type { Words } from './programs.js';
import type { Command, Remote, ScriptVerdict } from './verdict.js';

/** What they are given is no script of a shell. */
const others = /^(?:\/usr(?:\/local)?\/bin\/)?(?:python[\d.]*|perl)$/;

/** The text of a file; null where it is not text or cannot be read. */
export type ReadScript = (path: string) => string | null;

/** Of a program that is not known. */
export interface UnknownCall extends Command {
  readonly program: Words;
}

export type JudgeCalled = (
  text: string,
  call: { readonly args: Words; readonly shell: string | null; readonly readScript: ReadScript },
) => ScriptVerdict;

/** The `ssh` lines of them, each at the line that runs its script. */
export function remotesOfCalled(
  calls: readonly UnknownCall[],
  readScript: ReadScript,
  judgeCalled: JudgeCalled,
): readonly Remote[] {
  const seen = new Set<string>();
  return calls.flatMap(({ line, program }) => {
    const [first, ...rest] = program;
    const isOther = others.test(first ?? '');
    const isGiven = /^(?:\.|source)$/.test(first ?? '') || shells.test(first ?? '') || isOther;
    const [path, ...args] = isGiven ? rest : program;
    if (typeof path !== 'string' || !path.startsWith('/')) return [];
    const key = JSON.stringify(program);
    const text = seen.has(key) ? null : readScript(path);
    seen.add(key);
    if (text === null || isOther) return [];
    const shell = isGiven && shells.test(first ?? '') ? (first ?? null) : null;
    // A script that runs itself ends here.
    const readOthers: ReadScript = (other) => (other === path ? null : readScript(other));
    return judgeCalled(text, { args, shell, readScript: readOthers }).remotes.map((remote) => ({
      ...remote,
      line,
    }));
  });
}
