// Local phases on a fake clock, with functions as programs: each answers, or hangs until it is killed.
import type { CommandLine } from '../../../../shared/domain/commands/command-line.js';
import type { StoppedGuest } from '../../../../shared/domain/recovery/guest.js';
import type { HostFacts } from '../../../../supervisor/host/host-facts.js';
import type { ActionKind, ActionOf } from '../../../../shared/domain/actions/table.js';
import type { Performer } from '../../../../supervisor/sequence/actuator.js';
import type { CommandOutcome } from '../../../../supervisor/host/run-command.js';
import type { StepOutcome } from '../../../../supervisor/sequence/outcome.js';
import type { LocalDependencies } from '../../../../supervisor/sequence/phases/local-calls.js';
import { FakeTime } from '../../../fixtures/fake-time.js';
import { planStep } from '../../../fixtures/plans.js';

export type Program = (command: CommandLine) => CommandOutcome | 'hangs';

export const ok = (output = ''): CommandOutcome => ({ kind: 'exited', code: 0, output });
export const fails = (output: string, code = 1): CommandOutcome => ({ kind: 'exited', code, output });
export const missing: CommandOutcome = { kind: 'unstartable', message: 'not found' };

const plainHost: HostFacts = {
  mountsPrefix: [],
  ownContainerId: null,
  users: new Map(),
  path: '/usr/bin',
  usersPresent: () => ({ withRuntimeDirectory: new Set(), withContainers: new Set() }),
  warning: null,
};

export class LocalRig {
  readonly time = new FakeTime();
  readonly ran: string[] = [];
  readonly warnings: string[] = [];
  /** What the steps found running. */
  readonly found: StoppedGuest[] = [];
  readonly tools: LocalDependencies;
  readonly #program: Program;

  constructor(program: Program, host: Partial<HostFacts> = {}) {
    this.#program = program;
    this.tools = {
      run: (command, signal) => this.#run(command, signal),
      setTimer: this.time.setTimer,
      clock: this.time,
      log: { info: () => undefined, warning: (text) => void this.warnings.push(text) },
      host: { ...plainHost, ...host },
    };
  }

  /** Runs the step for its budget; returns its outcome, or that it delayed the sequence. */
  async perform<K extends ActionKind>(
    performer: (tools: LocalDependencies) => Performer<K>,
    action: ActionOf<K>,
    budgetSeconds: number,
  ): Promise<StepOutcome | 'past its budget'> {
    const budget = new AbortController();
    let outcome: StepOutcome | undefined;
    void performer(this.tools)(action, planStep('step', { action, budgetSeconds }), budget.signal, (guests) =>
      this.found.push(...guests),
    ).then((end) => {
      outcome = end;
    });
    const end = this.time.monotonicMs() + budgetSeconds * 1000;
    while (outcome === undefined && this.time.monotonicMs() < end) await this.time.pass(100);
    budget.abort();
    return outcome ?? 'past its budget';
  }

  #run(command: CommandLine, signal: AbortSignal): Promise<CommandOutcome> {
    this.ran.push(command.join(' '));
    const answer = this.#program(command);
    if (answer !== 'hangs') return Promise.resolve(answer);
    const abandoned = { kind: 'abandoned', output: '' } as const;
    return new Promise((resolve) => {
      if (signal.aborted) resolve(abandoned);
      signal.addEventListener('abort', () => resolve(abandoned), { once: true });
    });
  }
}
