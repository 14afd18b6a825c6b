// All work of one target: login, pre-shutdown actions in their order, the final command. The last `commandTimeoutSeconds` of
// the budget are reserved for the final command. Runs nothing else but one harmless check of the login shell.
import { randomBytes } from 'node:crypto';
import { withSudo } from '../../shared/domain/commands/with-sudo.js';
import type { PreShutdownAction, RemoteWork } from '../../shared/domain/actions/remote-work.js';
import type { RemoteTarget, TargetOutcome, TargetStep } from '../../shared/protocol/remote.js';
import { serverActions } from '../../shared/domain/actions/on-servers.js';
import type { SshDependencies } from '../ssh/open-session.js';
import { openSession } from '../ssh/open-session.js';
import type { FinalEnd, StepResult } from '../ssh/outcome.js';
import { finalOf, outcomeOf, reportOf, stepOf } from '../ssh/outcome.js';
import type { CommandOrder, CommandResult, SshSession } from '../ssh/session.js';
import { maxDrainMs } from '../ssh/session.js';
import { guardCommand, script, scriptShell } from '../ssh/shell.js';
import type { FoundGuests } from './found-guests.js';
import type { EarlyLogin } from './logins.js';
import { checkTimes, close, hasPosixShell } from './logins.js';

/** A command does not start with less time than this. */
const minMs = 200;
/** A login takes about a tenth of this. */
const minLoginMs = 1_000;
/** A server that allows one channel accepts the next command when the killed one has ended. */
const retryDelayMs = 500;
/** Opens a lost connection again, but no more often than a server restarts its network while it shuts down. */
const maxLogins = 3;

export interface ShutdownDependencies extends SshDependencies {
  /** The container of this process. */
  readonly ownContainer: string | null;
}

/** What the target has answered and got, for the check whether it is off. */
export interface ShutdownObserver {
  /** It has answered a login. */
  answered(session: SshSession): void;
  /** Its final command is on an open channel. */
  commanded(): void;
  /** Gets the lines of scripts that name what they found running. */
  readonly found: Pick<FoundGuests, 'add' | 'flush'>;
}

export class TargetShutdown {
  readonly #work: RemoteWork;
  readonly #access: RemoteTarget;
  readonly #deps: ShutdownDependencies;
  readonly #observer: ShutdownObserver;
  readonly #deadlineMs: number;
  /** The latest start of the final command. */
  readonly #finalAtMs: number;
  readonly #steps: TargetStep[] = [];
  #session: SshSession | undefined;
  #posix = false;
  #logins = 0;
  #isAbandoned = false;

  constructor(
    work: RemoteWork,
    access: RemoteTarget,
    { deps, observer }: { readonly deps: ShutdownDependencies; readonly observer: ShutdownObserver },
    budgetMs: number,
  ) {
    this.#work = work;
    this.#access = access;
    this.#deps = deps;
    this.#observer = observer;
    this.#deadlineMs = performance.now() + budgetMs;
    this.#finalAtMs =
      this.#deadlineMs - (work.final === null ? 0 : Math.min(work.commandTimeoutSeconds * 1000, budgetMs));
  }

  /** Never rejects; ends within the budget. `early`: the login that began with the sequence. */
  async run(early?: Promise<EarlyLogin>): Promise<TargetOutcome> {
    const unreached = await this.#reach(early);
    // An early login that ended after it.
    if (this.#isAbandoned) this.#session?.close();
    const none = { delivered: false, sent: false, maybeSent: false };
    if (unreached !== null) return outcomeOf(this.#steps, { ...none, failure: unreached });
    for (const action of this.#work.actions) await this.#recordAction(action);
    const end = this.#work.final === null ? null : await this.#deliver(this.#work.final);
    this.#session?.close();
    if (end === null) return outcomeOf(this.#steps, { ...none, failure: null });
    return outcomeOf(this.#steps, { ...end, failure: end.delivered ? null : failureOf(end.result) });
  }

  /** Aborts: the worker ends, or another shutdown of the server begins. Nothing is commanded after it. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#session?.close();
  }

  #leftUntil(timeMs: number): number {
    return timeMs - performance.now();
  }

  /** Takes the early login, or logs in. An early one that fails leaves its own attempt the rest of `connect_timeout`. */
  async #reach(early: Promise<EarlyLogin> | undefined): Promise<TargetOutcome['result'] | null> {
    const beganMs = performance.now();
    const leftMs = (): number => this.#leftUntil(this.#deadlineMs);
    const opened = early === undefined ? null : await earlyWithin(early, this.#leftUntil(this.#finalAtMs));
    if (opened?.ok !== true || !opened.session.isOpen) {
      const durationMs = performance.now() - beganMs;
      const spareMs = this.#access.connectTimeoutMs - durationMs;
      if (opened?.ok !== false || spareMs >= minLoginMs)
        return this.#connect(Math.min(leftMs(), Math.max(minMs, spareMs)));
      // It had nearly all of the time: its error says more than a second attempt in what is left.
      const result = opened.result === 'timeout' ? 'timeout' : 'failed';
      this.#steps.push({ what: 'connect', result, durationMs, detail: opened.reason });
      return opened.result;
    }
    this.#logins = 1;
    this.#session = opened.session;
    this.#posix = opened.isPosix;
    this.#steps.push({ what: 'connect', result: 'ok', durationMs: opened.durationMs, detail: '' });
    return null;
  }

  /** Logs in within `maxMs` and checks the shell. Null on success, else the failure. */
  async #connect(maxMs: number): Promise<TargetOutcome['result'] | null> {
    this.#logins += 1;
    const beganMs = performance.now();
    const login = await openSession(this.#access, this.#deps, Math.min(maxMs, this.#access.connectTimeoutMs));
    const durationMs = performance.now() - beganMs;
    const what = this.#logins === 1 ? 'connect' : 'connect again';
    if (!login.ok) {
      const result = login.result === 'timeout' ? 'timeout' : 'failed';
      this.#steps.push({ what, result, durationMs, detail: login.reason });
      return login.result;
    }
    this.#steps.push({ what, result: 'ok', durationMs, detail: '' });
    this.#session = login.session;
    if (this.#isAbandoned) {
      login.session.close();
      return 'failed';
    }
    this.#observer.answered(login.session);
    const spareMs = this.#leftUntil(this.#finalAtMs);
    if (this.#logins === 1 && spareMs > minMs)
      this.#posix = await hasPosixShell(login.session, checkTimes(spareMs));
    return null;
  }

  async #recordAction(action: PreShutdownAction): Promise<void> {
    const what = action.action === 'command' ? `command ${action.command ?? ''}` : action.action;
    const beganMs = performance.now();
    const end = await this.#runAction(action);
    this.#steps.push({ what: what.slice(0, 256), ...end, durationMs: performance.now() - beganMs });
  }

  async #runAction(action: PreShutdownAction): Promise<StepResult> {
    if (this.#leftUntil(this.#finalAtMs) < minMs) return noTime;
    if (this.#session?.isOpen !== true && !(await this.#reconnect(this.#finalAtMs))) {
      return { result: 'skipped', detail: 'the connection was lost before it' };
    }
    const timeoutMs = Math.min(action.timeoutSeconds * 1000, this.#leftUntil(this.#finalAtMs));
    if (timeoutMs < minMs) return noTime;
    const times = {
      timeoutMs,
      drainMs: Math.max(0, Math.min(maxDrainMs, this.#leftUntil(this.#finalAtMs) - timeoutMs)),
    };
    if (action.action === 'command') {
      const result = await this.#run(this.#guard(action.command ?? '', timeoutMs), times);
      return stepOf(result, timeoutMs);
    }
    const { ownContainer } = this.#deps;
    const { found } = this.#observer;
    const mark = randomBytes(16).toString('hex');
    const order = {
      ...action,
      useSudo: this.#work.useSudo,
      seconds: timeoutMs / 1000,
      ownContainer,
      ranMark: mark,
    };
    const input = script(serverActions[action.action].lines(order), timeoutMs);
    const marked = { mark, take: (line: string) => found.add(line) };
    const result = await this.#run(scriptShell, { ...times, input, marked });
    found.flush();
    return reportOf(result, timeoutMs);
  }

  /** The final command, until it is delivered or its time is over. */
  async #deliver(final: string): Promise<FinalEnd> {
    const beganMs = performance.now();
    let maybeSent = false;
    for (;;) {
      const timeoutMs = Math.min(this.#work.commandTimeoutSeconds * 1000, this.#leftUntil(this.#deadlineMs));
      const result = await this.#run(this.#guard(final, timeoutMs), { timeoutMs, drainMs: 0 });
      const end = finalOf(result, timeoutMs);
      maybeSent ||= end.maybeSent;
      const notStarted =
        result.end.kind === 'refused' || (result.end.kind === 'lost' && result.end.begun !== 'yes');
      if (
        notStarted &&
        this.#leftUntil(this.#deadlineMs) > 2 * retryDelayMs &&
        (await this.#prepareRetry(result))
      )
        continue;
      const durationMs = performance.now() - beganMs;
      this.#steps.push({ what: 'final command', result: end.result, detail: end.detail, durationMs });
      if (end.sent) this.#observer.commanded();
      return { ...end, maybeSent };
    }
  }

  /** After a refused final command: another channel, or another connection. */
  async #prepareRetry(result: CommandResult): Promise<boolean> {
    if (result.end.kind === 'refused' && this.#logins < maxLogins) {
      // A channel that is still closing may block the command, or the connection may be unusable.
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
      this.#session?.close();
    }
    return this.#reconnect(this.#deadlineMs);
  }

  async #reconnect(untilMs: number): Promise<boolean> {
    if (this.#isAbandoned || this.#logins >= maxLogins) return false;
    return (await this.#connect(this.#leftUntil(untilMs))) === null;
  }

  async #run(
    text: string,
    order: Pick<CommandOrder, 'timeoutMs' | 'drainMs' | 'input' | 'marked'>,
  ): Promise<CommandResult> {
    return this.#session === undefined ? notConnected : this.#session.run({ text, ...order });
  }

  #guard(text: string, timeoutMs: number): string {
    const command = withSudo(text, this.#work.useSudo);
    return this.#posix ? guardCommand(command, timeoutMs) : command;
  }
}

const noTime: StepResult = {
  result: 'skipped',
  detail: 'no time left: the rest is reserved for the final command',
};

const notConnected: CommandResult = {
  end: { kind: 'lost', begun: 'no' },
  stdout: '',
  stderr: '',
  durationMs: 0,
};

/** Null when it has not ended in time; it is closed then. */
function earlyWithin(early: Promise<EarlyLogin>, ms: number): Promise<EarlyLogin | null> {
  return new Promise((resolve) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      resolve(null);
    }, ms);
    void early.then((opened) => {
      clearTimeout(timer);
      if (isLate) close(opened);
      else resolve(opened);
    });
  });
}

const failureOf = (result: TargetStep['result']): TargetOutcome['result'] =>
  result === 'timeout' ? 'timeout' : 'failed';
