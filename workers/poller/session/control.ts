// Runs instant commands and writes: allowlisted, one at a time, on a separate connection so that no poll waits for them.
// It checks the lists again for every request.
import { cutsPower } from '../../../shared/domain/ups/power-cutting.js';
import { hiddenValue, hidesValue } from '../../../shared/domain/ups/secret-variables.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import { failureOf } from '../../../shared/protocol/contract.js';
import { controlFailure } from '../../../shared/protocol/poller.js';
import type { PollerSettings, WritableVariable } from '../../../shared/protocol/poller.js';
import type { Clock } from '../../../shared/runtime/clock.js';
import { systemClock } from '../../../shared/runtime/clock.js';
import { SerialWork } from '../../../shared/runtime/serial-work.js';
import type { NutAnswer, NutFailure } from '../wire/errors.js';
import type { Command, NutTransport } from '../wire/transport.js';
import { nameable } from '../wire/transport.js';

export type ControlSettings = NonNullable<PollerSettings['control']>;

/** A user sends one request at a time; more waiting requests than this are a fault of the caller. */
const maxWaiting = 32;

export class ControlQueue {
  readonly #transport: NutTransport;
  readonly #control: ControlSettings;
  readonly #clock: Clock;
  readonly #requests: SerialWork;
  #waiting = 0;

  /** `before`: the instance that this one replaces; its request under way ends first. */
  constructor(
    transport: NutTransport,
    control: ControlSettings,
    before?: ControlQueue,
    clock: Clock = systemClock,
  ) {
    this.#transport = transport;
    this.#control = control;
    this.#clock = clock;
    this.#requests = before === undefined ? new SerialWork() : before.#requests;
  }

  run(command: string, value: string | null, deadlineMs: number): Promise<Outcome<{ output: string }>> {
    if (cutsPower('command', command) || !this.#control.allowedCommands.includes(command))
      return refuse(`the command ${command} is not allowed`);
    return this.#inTurn(deadlineMs, async (ms) => {
      const done = await this.#transport.runCommand(command, value, ms);
      return outcomeOf(done, (output) => ({ output: output.slice(0, 4096) }));
    });
  }

  write(variable: string, value: string, deadlineMs: number): Promise<Outcome<{ output: string }>> {
    if (cutsPower('variable', variable) || !this.#control.allowedVariables.includes(variable))
      return refuse(`the variable ${variable} is not allowed`);
    return this.#inTurn(deadlineMs, async (ms) => {
      const done = await this.#transport.writeVariable(variable, value, ms);
      return outcomeOf(done, (output) => ({ output: output.slice(0, 4096) }));
    });
  }

  commands(deadlineMs: number): Promise<Outcome<{ commands: Command[] }>> {
    return this.#inTurn(deadlineMs, async (ms) =>
      outcomeOf(await this.#transport.listCommands(ms), (commands) => ({
        commands: [...nameable(commands)],
      })),
    );
  }

  variables(deadlineMs: number): Promise<Outcome<{ variables: WritableVariable[] }>> {
    return this.#inTurn(deadlineMs, async (ms) => {
      const names = this.#control.allowedVariables.filter((name) => !cutsPower('variable', name));
      const listed = await this.#transport.listWritable(names, ms);
      return outcomeOf(listed, (variables) => ({ variables: variables.map(withoutSecret) }));
    });
  }

  close(): void {
    this.#transport.close();
  }

  /** Does not run a request whose deadline passed while it waited. */
  async #inTurn<R>(deadlineMs: number, work: (ms: number) => Promise<Outcome<R>>): Promise<Outcome<R>> {
    if (this.#waiting >= maxWaiting)
      return failureOf(controlFailure.nut, 'too many requests are waiting for this UPS');
    const arrivedAt = this.#clock.monotonicMs();
    this.#waiting += 1;
    const request = this.#requests.run(async (): Promise<Outcome<R>> => {
      const leftMs = Math.min(this.#control.timeoutMs, arrivedAt + deadlineMs - this.#clock.monotonicMs());
      if (leftMs <= 0) return failureOf(controlFailure.deadline, 'not begun: earlier requests took too long');
      return work(leftMs);
    });
    try {
      return await request;
    } finally {
      this.#waiting -= 1;
      // Disconnects when idle: some servers accept only three connections.
      if (this.#waiting === 0) this.#transport.disconnect();
    }
  }
}

/** Without the possible values and the range of a secret. */
function withoutSecret(variable: WritableVariable): WritableVariable {
  const { name, type, value } = variable;
  return hidesValue(name, value) ? { name, type, value: hiddenValue } : variable;
}

function outcomeOf<T, R>(answer: NutAnswer<T>, result: (value: T) => R): Outcome<R> {
  if (answer.ok) return { ok: true, value: result(answer.value) };
  return failureOf(codeOf(answer.failure), answer.failure.message);
}

function codeOf(failure: NutFailure): string {
  const { code } = failure;
  if (code === 'CMD-NOT-SUPPORTED' || code === 'VAR-NOT-SUPPORTED') return controlFailure.unsupported;
  // With these the driver may have begun.
  const isDoubtful = code === null || ['INSTCMD-FAILED', 'SET-FAILED', 'FAILED', 'UNKNOWN'].includes(code);
  return isDoubtful ? controlFailure.nut : controlFailure.refused;
}

function refuse(message: string): Promise<Outcome<never>> {
  return Promise.resolve(failureOf(controlFailure.notAllowed, message));
}
