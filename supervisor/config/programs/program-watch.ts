// Checks once a minute whether the programs that the configuration needs are installed. A shell checks, never this
// process: a directory on a file system that does not answer would block it. At most one shell runs, also if it hangs.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { errorMessage } from '../../../shared/domain/base/error-message.js';
import type { Clock } from '../../../shared/runtime/clock.js';
import type { Logger } from '../../../shared/runtime/log.js';
import type { Configuration } from '../configuration/configuration.js';
import type { Need } from '../../../shared/domain/actions/kind.js';
import { needsIn, candidatePaths, programsOf, unmetNeeds, needMessage } from './programs.js';

/** A minute is enough to report a removed or installed package; a check costs a shell of some milliseconds. */
const intervalMs = 60_000;
/** As for the reader of the configuration: a longer check hangs. */
const deadlineMs = 10_000;
/** Enough for a number and a line break for each program. */
const maxAnswerChars = 65_536;

/** Prints the number of each program without an executable file in any of its paths; "" ends the paths of a program. */
const checkScript = `n=0 found=
for place do
  if [ -z "$place" ]; then
    [ -n "$found" ] || echo "$n"
    n=$((n + 1)) found=
  elif [ -z "$found" ] && [ -f "$place" ] && [ -x "$place" ]; then
    found=yes
  fi
done`;

export interface ProgramWatchDependencies {
  readonly clock: Clock;
  readonly log: Logger;
  readonly changed: () => void;
}

export class ProgramWatch {
  readonly #deps: ProgramWatchDependencies;
  #needs: readonly Need[] = [];
  #missing: readonly string[] | undefined;
  #dueMs = 0;
  /** The shell of the check; also a killed one that hangs in the kernel. */
  #child: ChildProcess | undefined;
  /** The last check failed, and the failure was logged. */
  #isFailing = false;

  constructor(deps: ProgramWatchDependencies) {
    this.#deps = deps;
  }

  /** The result of the last check, by the names in the configuration. */
  get missing(): readonly string[] {
    return this.#missing ?? [];
  }

  /** Call it with each loaded configuration. The reader has just checked the programs. */
  apply(configuration: Configuration): void {
    this.#needs = needsIn(configuration);
    this.#dueMs = this.#deps.clock.monotonicMs() + intervalMs;
    this.#report(configuration.missingPrograms);
  }

  /** Call it at every tick. */
  tick(): void {
    if (this.#child !== undefined || this.#deps.clock.monotonicMs() < this.#dueMs) return;
    this.#dueMs = this.#deps.clock.monotonicMs() + intervalMs;
    const needs = this.#needs;
    const programs = programsOf(needs);
    if (programs.length > 0)
      this.#check(programs, (missing) => {
        // A reload came meanwhile, and its reader has checked.
        if (needs !== this.#needs) return;
        this.#succeeded();
        this.#report(missing);
      });
  }

  #check(programs: readonly string[], found: (missing: readonly string[]) => void): void {
    const words = programs.flatMap((program) => [...candidatePaths(program, process.env['PATH']), '']);
    let child: ChildProcess;
    try {
      child = spawn('/bin/sh', ['-c', checkScript, 'sh', ...words], {
        stdio: ['ignore', 'pipe', 'ignore'],
        cwd: '/',
        env: {},
        detached: true,
      });
    } catch (error) {
      // ENOMEM, E2BIG and similar are thrown; ENOENT and similar come as 'error'.
      this.#failed(errorMessage(error));
      return;
    }
    this.#child = child;
    let answer = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      answer = (answer + text).slice(0, maxAnswerChars);
    });
    const timer = setTimeout(() => {
      this.#failed(`no answer within ${String(deadlineMs / 1000)} s`);
      child.kill('SIGKILL');
      child.stdout?.destroy();
      child.unref();
    }, deadlineMs);
    const end = (failure: string | null): void => {
      clearTimeout(timer);
      if (this.#child !== child) return;
      this.#child = undefined;
      if (failure !== null) this.#failed(failure);
      else found(answer.split('\n').flatMap((line) => programs[line === '' ? -1 : Number(line)] ?? []));
    };
    child.once('error', (error) => end(error.message));
    child.once('close', (code, signal) => {
      end(code === 0 ? null : `the shell that checks ended with ${signal ?? `code ${String(code)}`}`);
    });
  }

  #failed(why: string): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#deps.log.warning(
      `the programs that a shutdown needs cannot be looked for (${why}): until they can, the last result is used. Check whether every file system of PATH answers.`,
    );
  }

  #succeeded(): void {
    if (this.#isFailing) this.#deps.log.info('the programs that a shutdown needs can be checked again');
    this.#isFailing = false;
  }

  /** Logs the changes. Programs missing at the start are among the warnings of the configuration. */
  #report(missing: readonly string[]): void {
    const before = this.#missing;
    this.#missing = missing;
    if (before === undefined) return;
    const { log, changed } = this.#deps;
    const logged = new Set<string>();
    for (const need of this.#needs) {
      const [was, is] = [before, missing].map((list) => unmetNeeds([need], list).length > 0);
      const message = needMessage(need);
      if (was === is || logged.has(message)) continue;
      logged.add(message);
      if (is === true) log.error(message);
      else log.info(`${need.setting}: ${need.anyOf.join(' or ')} is on this machine again and may be run`);
    }
    if (logged.size > 0) changed();
  }
}
