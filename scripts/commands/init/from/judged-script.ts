// A script that upsmon or upssched runs: what it does to this host, and what of it the configuration does not have.
import { statSync } from 'node:fs';
import type { DraftTable } from '../../../../shared/domain/setup/config-draft.js';
import { remoteServerRow } from './proposed-server.js';
import { judge } from './shell/judge.js';
import { notKnown, notRead } from './shell/unsure.js';
import type { Command, ScriptVerdict } from './shell/verdict.js';
import type { Words } from './shell/programs.js';
import { unwrapWords } from './shell/programs.js';
import { readSource, shellCommand } from './source.js';
import { isThisHost } from './this-host.js';
import { lineOfSsh } from './unread-calls.js';

export interface ScriptCall {
  readonly args: Words;
  /** What is exported to it; null: not known. */
  readonly variables: ReadonlyMap<string, string | null>;
}

/** How the other program ends the machine, and as which user it runs scripts. */
export interface Runner {
  readonly name: string;
  /** Undefined: the one of its package. */
  readonly user: string | undefined;
  readonly shutdownCommand: readonly string[];
}

export class JudgedScript {
  /** Null where it cannot be read. */
  readonly #text: string | null;
  readonly #ownArguments: readonly string[];
  /** That is given the script, in place of the one in its first line. */
  readonly #shell: string | null;
  readonly #mayBeRun: boolean;
  readonly #isOfWindows: boolean;
  /** A script that can be read. */
  readonly isFile: boolean;
  readonly #isRoot: boolean;
  readonly #told = new Set<string>();
  /** The scripts that it runs. */
  readonly #called = new Map<string, string | null>();

  /** `name`: of the key in its file. */
  constructor(
    readonly file: DraftTable,
    readonly name: string,
    command: string,
    readonly runner: Runner,
  ) {
    const started = unwrapWords(shellCommand(command));
    const words = (started?.words ?? []).flatMap((word) => word ?? []);
    this.#isRoot = started?.asRoot === true || runner.user === 'root';
    const [shell] = /^(?:\/(?:usr\/)?bin\/)?(?:ba|da)?sh$/.exec(words[0] ?? '') ?? [null];
    const [path = '', ...ownArguments] = shell === null ? words : words.slice(1);
    const source = path.startsWith('/') ? readSource(path) : null;
    this.isFile = source?.ok === true;
    this.#isOfWindows = source?.ok === true && source.hasCarriageReturns;
    // A text for a shell gets what follows at its end.
    const [line, ...more] = ownArguments;
    const isLine = shell !== null && path === '-c' && line !== undefined && more.length === 0;
    this.#text = source?.ok === true ? source.text : isLine ? `${line} "$@"` : null;
    this.#shell = shell;
    this.#mayBeRun = shell !== null || this.#text === null || isExecutable(path);
    this.#ownArguments = isLine ? [] : ownArguments;
  }

  verdict({ args, variables }: ScriptCall): ScriptVerdict {
    const asWhole = (why: string): ScriptVerdict => ({
      kind: 'unsure',
      why,
      commands: [{ line: 0, text: '' }],
      remotes: [],
    });
    if (this.#text === null) return asWhole('it cannot be read here');
    if (!this.#mayBeRun)
      return asWhole(`its mode has no x, so ${this.runner.name} could not start it, and nothing of it ran`);
    if (this.#isOfWindows)
      return asWhole('its lines end with CR LF, which no shell reads, so nothing of it is known to have run');
    return withoutOwn(
      judge(this.#text, {
        shell: this.#shell,
        args: [...this.#ownArguments, ...args],
        variables,
        shutdownCommand: this.runner.shutdownCommand,
        readScript: (path) => this.#read(path),
      }),
    );
  }

  #read(path: string): string | null {
    const known = this.#called.get(path);
    if (known !== undefined) return known;
    const source = this.#called.size < maxScripts ? readSource(path) : null;
    const text = source?.ok === true ? source.text : null;
    this.#called.set(path, text);
    return text;
  }

  /** What a trigger has in place of the script does not do. `called`: the word that it gets. */
  tellOfShutdown(called: string, verdict: Extract<ScriptVerdict, { kind: 'down' }>): void {
    const { others, needsRoot, command } = verdict;
    for (const one of others)
      this.#tell(
        this.#where(called, one),
        'it ran with the shutdown: a hook on SHUTDOWN_TRIGGERED runs it, and the shutdown does not wait for it',
      );
    this.#tellOfRemotes(called, verdict);
    const { name, user = 'the user of its package' } = this.runner;
    if (needsRoot && !this.#isRoot)
      this.#tell(
        this.#where(called, command),
        `carried; but ${name} runs scripts as ${user}, whom the system may have refused that: then the machine stayed on`,
      );
  }

  /** `decide`: what to do where it does shut this machine down. */
  tellOfDoubt(
    called: string,
    verdict: Extract<ScriptVerdict, { kind: 'unsure' }>,
    decide: string,
    here = 'a hook, and no trigger',
  ): void {
    const { commands, why } = verdict;
    for (const command of commands)
      this.#tell(
        this.#where(called, command),
        `${why}. It is ${here}. If it shuts this machine down: ${decide}`,
      );
    this.#tellOfRemotes(called, verdict);
  }

  /** Of a script at the shutdown itself, whose hook has other rights. */
  tellOfLost(verdict: ScriptVerdict): void {
    const commands =
      verdict.kind === 'unsure' ? verdict.commands : verdict.kind === 'down' ? verdict.others : [];
    for (const command of commands)
      this.#tell(
        this.#where('', command),
        `${this.runner.name} ran it as root at the shutdown; the hook that runs it has no such rights, and the shutdown does not wait for it`,
      );
    this.#tellOfRemotes('', verdict);
  }

  tellOfHook(called: string, verdict: ScriptVerdict): void {
    this.#tellOfRemotes(called, verdict);
  }

  #tellOfRemotes(called: string, verdict: ScriptVerdict): void {
    for (const remote of verdict.remotes)
      this.#tell(
        this.#where(called, {
          ...remote,
          text: `ssh ${remote.user === '' ? '' : `${remote.user}@`}${remote.host}`,
        }),
        `another machine; as a remote server, which goes down when a trigger is met and not when the script ran: ${remoteServerRow(remote)}`,
      );
    const commands =
      verdict.kind === 'unsure' ? verdict.commands : verdict.kind === 'down' ? verdict.others : [];
    const toUnknown = commands.find(({ text }) => /(?:^|[ /])ssh$/.test(text));
    if (toUnknown !== undefined) this.#tell(this.#where('', { ...toUnknown, text: 'ssh' }), unread);
    if (verdict.kind === 'unsure') this.#tellOfUnread(verdict);
  }

  /** What init does not read may call another machine too. */
  #tellOfUnread({ why, commands, remotes }: Extract<ScriptVerdict, { kind: 'unsure' }>): void {
    const after = why === notRead ? 0 : why === notKnown ? null : (commands[0]?.line ?? null);
    const line = after === null ? null : lineOfSsh(this.#text ?? '', after);
    if (line !== null && !remotes.some((remote) => remote.line === line))
      this.#tell(this.#where('', { line, text: 'ssh' }), unread);
    if (remotes.length > 0) return;
    for (const [path, text] of this.#called) {
      const at = lineOfSsh(text ?? '', 0);
      if (at !== null) this.#tell(`${path} line ${String(at)}, ssh`, unread);
    }
  }

  #where(called: string, { line, text }: Command): string {
    const place = line === 0 ? this.name : `${this.name} line ${String(line)}`;
    const by = called === '' ? place : `${place} (${called})`;
    return text === '' ? by : `${by}, ${text}`;
  }

  #tell(what: string, why: string): void {
    if (this.#told.has(what + why)) return;
    this.#told.add(what + why);
    this.file.leavesOut(what, why);
  }
}

/** Of ssh to a host that is not known, or in what is not read. */
const unread =
  'init does not read what it does. If it shuts another machine down, that becomes one of [[remote_servers]]';

/** Far more than the scripts of one machine. */
const maxScripts = 200;

/** What it runs on this machine over ssh is not known. */
function withoutOwn(verdict: ScriptVerdict): ScriptVerdict {
  const own = verdict.remotes.filter(({ host }) => isThisHost(host));
  if (own.length === 0) return verdict;
  const commands = own.map(({ line, host }): Command => ({ line, text: `ssh ${host}` }));
  const remotes = verdict.remotes.filter((remote) => !own.includes(remote));
  if (verdict.kind === 'down') return { ...verdict, remotes, others: [...verdict.others, ...commands] };
  if (verdict.kind === 'unsure') return { ...verdict, remotes, commands: [...verdict.commands, ...commands] };
  return { kind: 'unsure', why: 'it runs on this machine', commands, remotes };
}

/** By anybody. */
const isExecutable = (path: string): boolean =>
  ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o111) !== 0;
