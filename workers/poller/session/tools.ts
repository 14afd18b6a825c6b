// `NutTransport` through the programs upsc, upscmd and upsrw. Passes a password on standard input only.
import type { Variables } from '../../../shared/domain/ups/reading.js';
import type { WritableVariable } from '../../../shared/protocol/poller.js';
import { Deadline } from '../wire/deadline.js';
import type { NutAnswer } from '../wire/errors.js';
import { answerOf, cannotEncode, failureOf, inDoubt, isNotOffered } from '../wire/errors.js';
import type { NutCredentials } from '../wire/login.js';
import type { ToolRun } from './tool-process.js';
import { runTool } from './tool-process.js';
import {
  commandsOf,
  refusesTracking,
  outputText,
  toolFailure,
  variableRows,
  writableOf,
} from './tool-output.js';
import type { Command, NutTransport } from '../wire/transport.js';
import { variablesOf } from '../wire/transport.js';
import { isEncodable, isWritable, quote, quoteIfNeeded } from '../wire/wire.js';

export interface ToolOptions {
  /** NAME@HOST[:PORT], as the tools take it. */
  readonly name: string;
  readonly login: NutCredentials | null;
}

export class NutTools implements NutTransport {
  readonly #name: string;
  readonly #login: NutCredentials | null;
  readonly #killers = new Set<() => void>();
  #closed = false;
  /** False once the server or a program could not track a change: OK then means accepted, not done. */
  #tracks = true;

  constructor(options: ToolOptions) {
    this.#name = options.name;
    this.#login = options.login;
  }

  async readVariables(deadlineMs: number): Promise<NutAnswer<Variables>> {
    const run = await this.#run('upsc', ['--', this.#name], new Deadline(deadlineMs));
    return run.ok ? answerOf(variablesOf(variableRows(run.value))) : run;
  }

  async listCommands(deadlineMs: number): Promise<NutAnswer<readonly Command[]>> {
    const run = await this.#run('upscmd', ['-l', this.#name], new Deadline(deadlineMs));
    if (!run.ok) return isNotOffered(run.failure) ? answerOf([]) : run;
    return answerOf(commandsOf(run.value));
  }

  async listWritable(
    names: readonly string[],
    deadlineMs: number,
  ): Promise<NutAnswer<readonly WritableVariable[]>> {
    const deadline = new Deadline(deadlineMs);
    const listed = await this.#run('upsrw', ['--', this.#name], deadline);
    if (!listed.ok) return isNotOffered(listed.failure) ? answerOf([]) : listed;
    // For a variable with options upsrw prints only the chosen one, and for a range no value.
    const values = await this.#run('upsc', ['--', this.#name], deadline);
    if (!values.ok) return values;
    const value = variablesOf(variableRows(values.value));
    return answerOf(
      writableOf(listed.value)
        .filter(({ name }) => names.includes(name))
        .map((variable) => ({ ...variable, value: value[variable.name] ?? '' })),
    );
  }

  runCommand(command: string, value: string | null, deadlineMs: number): Promise<NutAnswer<string>> {
    // upscmd copies the value into its request: it must already have the quotes of the protocol.
    const args = [this.#name, command, ...(value === null ? [] : [quote(value)])];
    return this.#change('upscmd', [], args, [command, value ?? ''], deadlineMs);
  }

  writeVariable(variable: string, value: string, deadlineMs: number): Promise<NutAnswer<string>> {
    // upsrw quotes the value itself.
    return this.#change('upsrw', ['-s', `${variable}=${value}`], [this.#name], [variable, value], deadlineMs);
  }

  disconnect(): void {
    // Every call has its own connection.
  }

  close(): void {
    this.#closed = true;
    for (const kill of [...this.#killers]) kill();
  }

  async #change(
    program: string,
    options: readonly string[],
    operands: readonly string[],
    words: readonly string[],
    deadlineMs: number,
  ): Promise<NutAnswer<string>> {
    const login = this.#login;
    if (login === null) return failureOf('ACCESS_DENIED', 'no NUT username and password are configured');
    if (!words.every(isWritable) || ![login.username, login.password].every(isEncodable))
      return cannotEncode();
    const deadline = new Deadline(deadlineMs);
    const seconds = String(Math.max(1, Math.ceil(deadline.remainingMs / 1000)));
    const start = (waiting: readonly string[]): Promise<NutAnswer<ToolRun>> =>
      this.#start(
        program,
        [...options, ...waiting, '-u', quoteIfNeeded(login.username), '--', ...operands],
        `${quoteIfNeeded(login.password)}\n`,
        deadline,
      );
    if (this.#tracks) {
      const run = await start(['-w', '-t', seconds]);
      if (!run.ok || !refusesTracking(run.value)) return outcomeOf(run);
      this.#tracks = false;
    }
    return outcomeOf(await start([]));
  }

  /** A listing: exit code 0 is success. */
  async #run(program: string, args: readonly string[], deadline: Deadline): Promise<NutAnswer<Buffer>> {
    const run = await this.#start(program, args, '', deadline);
    if (!run.ok) return run;
    return run.value.exitCode === 0 ? answerOf(run.value.stdout) : toolFailure(run.value);
  }

  async #start(
    program: string,
    args: readonly string[],
    input: string,
    deadline: Deadline,
  ): Promise<NutAnswer<ToolRun>> {
    if (this.#closed) return failureOf('SERVER_DOWN', 'the daemon closed the connection');
    return runTool(program, args, input, deadline, this.#killers);
  }
}

/** upscmd exits with 0 also when the driver's tracked answer was an ERR: its output decides. */
function outcomeOf(run: NutAnswer<ToolRun>): NutAnswer<string> {
  if (!run.ok) return run.failure.detail === 'TOOL_MISSING' ? run : inDoubt(run);
  const output = outputText(run.value);
  if (run.value.exitCode !== 0 || !/^(?:OK|SUCCESS)\b/.test(output)) return toolFailure(run.value);
  return answerOf(output);
}
