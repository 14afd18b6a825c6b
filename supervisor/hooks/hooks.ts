// Runs the hooks of the configuration at events. An event only starts a timer or joins a queue; processes start at a tick, one at
// most, so that no hook is in the path of a sequence. Nothing waits for a hook.
import type { EventType } from '../../shared/domain/status/events.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Configuration } from '../config/configuration/configuration.js';
import type { HookConfiguration } from '../config/configuration/outbound.js';
import type { RecordedEvent } from '../events/event-recorder.js';
import type { Account } from '../host/accounts.js';
import type { CommandOutcome, RunCommand } from '../host/run-command.js';
import type { SetTimer } from '../host/timer.js';
import { boundText, hookCommand, hookEnvironment } from './hook-process.js';
import type { TimerStore } from './timer-file.js';
import { HookTimers } from './timers.js';

/** Of all hooks: they share the machine with a shutdown. */
const maxRunning = 4;
/** Of one hook: then the oldest is dropped, because the last event tells the present state. */
const maxWaiting = 20;
/** After a restart a reading may cancel a timer first; as long as a restarted sequence waits for one. */
const restartGraceMs = 15_000;

/** Null: hooks run as the user of the daemon. `missing`: the account does not exist, and no hook runs. */
export type HookUser = Account | null | 'missing';

export interface HookDependencies {
  readonly clock: Clock;
  readonly log: Logger;
  readonly run: RunCommand;
  readonly setTimer: SetTimer;
  readonly timers: TimerStore;
  readonly user: (name: string) => HookUser;
  readonly environment: NodeJS.ProcessEnv;
}

interface Run {
  readonly event: EventType;
  readonly source: string;
  readonly detail: string;
}

interface Hook {
  rule: HookConfiguration;
  waiting: Run[];
  isRunning: boolean;
  /** Events were dropped since none waited. */
  isBehind: boolean;
}

export class Hooks {
  readonly #deps: HookDependencies;
  readonly #timers = new HookTimers();
  #hooks = new Map<string, Hook>();
  #names: ReadonlyMap<string, string> = new Map();
  #isDryRun = false;
  #user: HookUser = null;
  #running = 0;
  #isRestored = false;

  constructor(deps: HookDependencies) {
    this.#deps = deps;
  }

  /** Hooks that stay keep their timers, queues and processes. */
  apply({ hooks, dryRun, ups, redundancyGroups, supervisor }: Configuration): void {
    const before = this.#hooks;
    this.#hooks = new Map(
      hooks.map((rule) => {
        const hook = before.get(rule.id) ?? { rule, waiting: [], isRunning: false, isBehind: false };
        // Its place, and the sources of its names, may have changed.
        hook.rule = rule;
        if (dryRun && !rule.inDryRun) hook.waiting = [];
        return [rule.id, hook];
      }),
    );
    this.#names = new Map([...ups, ...redundancyGroups].map(({ policy }) => [policy.groupId, policy.name]));
    this.#isDryRun = dryRun;
    this.#user = this.#deps.user(supervisor.workerUsers.hook);
    if (!this.#isRestored) this.#restore();
    const counting = hooks.filter(({ inDryRun }) => inDryRun || !dryRun);
    this.#timers.keep(new Set(counting.map(({ id }) => id)), new Set([...this.#names.keys(), 'daemon']));
    if (this.#user === 'missing' && hooks.length > 0)
      this.#deps.log.warning(
        `no hook runs: the user ${supervisor.workerUsers.hook} does not exist; run systemd-sysusers or the scripts of the package to create it`,
      );
  }

  /** An event was recorded. */
  recorded({ type, source, detail }: RecordedEvent): void {
    for (const hook of this.#hooks.values()) {
      const { id, on, sources, cancelOn, afterMs, inDryRun } = hook.rule;
      if (sources.length > 0 && !sources.includes(source)) continue;
      if (cancelOn.includes(type)) {
        this.#timers.cancel(id, source);
        hook.waiting = hook.waiting.filter((run) => run.source !== source);
      }
      if (!on.includes(type) || this.#user === 'missing' || (this.#isDryRun && !inDryRun)) continue;
      const run = { event: type, source, detail: boundText(detail) };
      if (afterMs === 0) this.#enqueue(hook, run);
      else this.#timers.start({ ...run, hook: id, dueMs: this.#deps.clock.monotonicMs() + afterMs });
    }
  }

  /** Call it at every tick. */
  tick(): void {
    if (this.#timers.size > 0) {
      for (const { hook, ...run } of this.#timers.takeDue(this.#deps.clock.monotonicMs())) {
        const due = this.#hooks.get(hook);
        if (due !== undefined) this.#enqueue(due, run);
      }
    }
    if (this.#timers.isDirty) this.#timers.isDirty = !this.#deps.timers.write(this.#timers.all);
    this.#startNext();
  }

  #restore(): void {
    this.#isRestored = true;
    const soonestMs = this.#deps.clock.monotonicMs() + restartGraceMs;
    for (const timer of this.#deps.timers.read())
      this.#timers.start({ ...timer, dueMs: Math.max(timer.dueMs, soonestMs) });
  }

  #enqueue(hook: Hook, run: Run): void {
    hook.waiting.push(run);
    if (hook.waiting.length <= maxWaiting) return;
    const dropped = hook.waiting.shift();
    // Once, until it has caught up.
    if (!hook.isBehind)
      this.#deps.log.warning(
        `${hook.rule.label}: ${dropped?.event ?? ''} is left out, because ${String(maxWaiting)} later events wait for this hook; so are further ones until none waits`,
      );
    hook.isBehind = true;
  }

  #startNext(): void {
    if (this.#running >= maxRunning) return;
    const user = this.#user;
    if (user === 'missing') return;
    const hook = [...this.#hooks.values()].find(({ waiting, isRunning }) => waiting.length > 0 && !isRunning);
    const run = hook?.waiting.shift();
    if (hook === undefined || run === undefined) return;
    if (hook.waiting.length === 0) hook.isBehind = false;
    this.#start(hook, run, user);
  }

  #start(hook: Hook, { event, source, detail }: Run, user: Account | null): void {
    const { clock, setTimer, run, environment } = this.#deps;
    const { command, timeoutMs } = hook.rule;
    const ups = this.#names.get(source) ?? '';
    const startedMs = clock.monotonicMs();
    const controller = new AbortController();
    const cancelTimer = setTimer(timeoutMs, () => controller.abort());
    hook.isRunning = true;
    this.#running += 1;
    const env = hookEnvironment({ event, ups, detail }, environment);
    void run(hookCommand(command, user), controller.signal, 'throttled', env).then((outcome) => {
      cancelTimer();
      hook.isRunning = false;
      this.#running -= 1;
      const what = `${hook.rule.label} for ${event}${ups === '' ? '' : ` of ${ups}`}`;
      this.#report(what, outcome, (clock.monotonicMs() - startedMs) / 1000);
    });
  }

  #report(what: string, outcome: CommandOutcome, seconds: number): void {
    const { log } = this.#deps;
    const time = `${seconds.toFixed(1)} s`;
    const output = 'output' in outcome ? linesOf(outcome.output) : '';
    if (outcome.kind === 'unstartable') log.warning(`${what} could not be started: ${outcome.message}`);
    else if (outcome.kind === 'abandoned') log.warning(`${what} was killed after ${time}${output}`);
    else if (outcome.kind === 'signalled')
      log.warning(`${what} was ended by ${outcome.signal} after ${time}${output}`);
    else if (outcome.code !== 0)
      log.warning(`${what} failed after ${time} with exit status ${String(outcome.code)}${output}`);
    else log.info(`${what} ended after ${time}${output}`);
  }
}

/** The bounded output of a hook in one line of the log. */
function linesOf(output: string): string {
  const lines = output.split('\n').map((line) => boundText(line).trim());
  const shown = lines.filter((line) => line !== '').join(' | ');
  return shown === '' ? '' : `: ${shown}`;
}
