// Whether a shell script shuts this host down when it is called with certain arguments. Nothing of it runs. Pure.
import type { JudgeCalled, ReadScript } from './called-scripts.js';
import { remotesOfCalled } from './called-scripts.js';
import { hasFormsOfBash } from './forms.js';
import type { Words } from './programs.js';
import { ShellState } from './state.js';
import { scriptOf } from './syntax.js';
import { notKnown, notRead, Unsure } from './unsure.js';
import type { Remote, ScriptVerdict } from './verdict.js';
import { Walk } from './walk.js';
import { Unreadable } from './words.js';

export interface Call {
  /** From $1 on; null: not known. */
  readonly args: Words;
  readonly variables: ReadonlyMap<string, string | null>;
  /** The shell that it is given to; null: its first line names it. */
  readonly shell?: string | null;
  /** The words of SHUTDOWNCMD. */
  readonly shutdownCommand: readonly string[];
  /** Of the scripts that it runs; undefined: none is read. */
  readonly readScript?: ReadScript;
}

/** Scripts that run scripts: more are not followed. */
const maxDepth = 4;

export function judge(text: string, call: Call, depth = 0): ScriptVerdict {
  const shebang = /^#!.*/.exec(text)?.[0] ?? '';
  const unreadable = (line: number): ScriptVerdict => ({
    kind: 'unsure',
    why: notRead,
    commands: [{ line, text: 'the script' }],
    remotes: [],
  });
  const [line, named = 'sh', option = '--'] =
    /^#![ \t]*(?:\/usr|\/nix\/store\/[\w.+-]+|\/run\/current-system\/sw)?\/bin\/(?:env (?=\w+\s*$))?((?:ba|da|a|k)?sh)(?:\s+(\S.*?))?\s*$/.exec(
      shebang,
    ) ?? [];
  if (shebang !== '' && line === undefined) return unreadable(1);
  const state = new ShellState(call.args, call.variables);
  const ownShell = call.shell ?? null;
  if (ownShell === null && !/^--?$/.test(option))
    state.builtin(['set', /^[-+]/.test(option) ? option : null]);
  state.isBash = hasFormsOfBash(ownShell ?? named);
  const walk = new Walk(call.shutdownCommand);
  const remotesOf = ({ remotes, unknowns }: Walk): readonly Remote[] => {
    const { readScript } = call;
    if (readScript === undefined || depth === maxDepth) return remotes;
    const judgeCalled: JudgeCalled = (called, how) => judge(called, { ...call, ...how }, depth + 1);
    return [...remotes, ...remotesOfCalled(unknowns, readScript, judgeCalled)];
  };
  try {
    walk.list(scriptOf(text, { firstLine: 1, isBash: state.isBash }), state);
  } catch (error) {
    if (error instanceof Unreadable) return unreadable(error.line);
    if (error instanceof Unsure)
      return { kind: 'unsure', why: error.why, commands: [error.command], remotes: remotesOf(walk) };
    throw error;
  }
  const { others, unknowns } = walk;
  const remotes = remotesOf(walk);
  if (state.down !== null) {
    const rest = others.filter((command) => command !== state.down?.command);
    return { kind: 'down', ...state.down, others: rest, remotes };
  }
  if (unknowns.length > 0)
    return {
      kind: 'unsure',
      why: notKnown,
      commands: unknowns.map(({ line, text }) => ({ line, text })),
      remotes,
    };
  const { cancels } = walk;
  const onlyCancels = cancels && others.length === 0 && remotes.length === 0;
  return { kind: 'no', cancels, onlyCancels, remotes };
}
