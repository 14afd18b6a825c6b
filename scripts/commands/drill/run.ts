// Runs a plan with the sequencer of the daemon: a drill, or a manual shutdown. Writes no journal, event or notification; prints each
// step.
import { systemClock } from '../../../shared/runtime/clock.js';
import type { Logger } from '../../../shared/runtime/log.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import type { Plan } from '../../../shared/domain/outage/plan.js';
import type { Configuration } from '../../../supervisor/config/configuration/configuration.js';
import { needsOfUps } from '../../../supervisor/config/programs/programs.js';
import { Guard } from '../../../supervisor/guard/guard.js';
import { detectHost } from '../../../supervisor/host/host-facts.js';
import { setTimer } from '../../../supervisor/host/timer.js';
import type { Actuator } from '../../../supervisor/sequence/actuator.js';
import { realActuator } from '../../../supervisor/sequence/actuator.js';
import { runCommand } from '../../../supervisor/host/run-command.js';
import { containerRemarks } from '../../../supervisor/sequence/phases/kept-off.js';
import type { LocalDependencies } from '../../../supervisor/sequence/phases/local-calls.js';
import { localPerformers } from '../../../supervisor/sequence/local-performers.js';
import { outcomeOf } from '../../../supervisor/sequence/outcome.js';
import { offWaitPerformer } from '../../../supervisor/sequence/phases/off-waits.js';
import { remotePerformer } from '../../../supervisor/sequence/phases/remote-servers.js';
import { broadcast } from '../../../supervisor/sequence/phases/wall.js';
import { Sequence } from '../../../supervisor/sequence/run.js';
import type { Accounts } from '../../../supervisor/host/accounts.js';
import { readAccounts } from '../../../supervisor/host/accounts.js';
import { drillsIn } from '../../../supervisor/host/runtime-directory.js';
import { checkingActuator } from './checking-actuator.js';
import { DrillFindings } from './drill-findings.js';
import type { DrilledStep, DrillResult } from './report.js';
import { runtimeThreshold } from './selection.js';
import { DrillWorkers } from './workers.js';

export type OnStep = (step: DrilledStep) => void;

export interface RunningPlan {
  readonly result: Promise<DrillResult>;
  /** Cancels the sequence; false past the point of no return. */
  cancel(): boolean;
}

/** With `plan.dryRun` a drill, which only checks every step; else it shuts the machines of the plan down. */
export function runPlanByHand(configuration: Configuration, plan: Plan, onStep: OnStep): RunningPlan {
  const accounts = readAccounts();
  const log = loggerTo('drill', systemClock, ({ level, message }) => {
    if (level === 'error') process.stderr.write(`ridethrough: ${message}\n`);
  });
  const workers = new DrillWorkers(configuration, plan, { log, accounts });
  const found = new DrillFindings(systemClock);
  const actuator = plan.dryRun
    ? checkingActuator({
        missingPrograms: configuration.missingPrograms,
        needsOfUps: (groupId) =>
          configuration.ups.filter(({ policy }) => policy.groupId === groupId).flatMap(needsOfUps),
        remarks: async (action) => {
          const text = await containerRemarks(action, toolsOf(accounts, log));
          found.onThisHost(text);
          return text;
        },
        judged: (action, output) => found.output(action, output),
        remote: remotePerformer({
          shutDown: found.of((work, budgetMs) => workers.remote.check(work, budgetMs)),
          clock: systemClock,
          setTimer,
        }),
        poller: (groupId) => workers.pollers.of(groupId),
      })
    : manualActuator(configuration, workers, { log, accounts });
  const running = new Running(plan, actuator, onStep, log);
  const result = workers.ready(plan.fedBy).then(async () => {
    const ended = await running.run();
    const batteries = configuration.ups
      .filter(({ policy }) => plan.fedBy.includes(policy.groupId))
      .map(({ policy }) => {
        const reading = workers.readingOf(policy.groupId);
        const runtimeSeconds = reading?.runtimeSeconds ?? null;
        return { label: policy.label, read: reading !== undefined, runtimeSeconds };
      });
    await workers.end();
    if (plan.dryRun) found.keep(drillsIn(configuration.supervisor.runtimeDirectory), log);
    const { measured } = workers;
    return { plan, ...ended, batteries, measured, thresholdSeconds: runtimeThreshold(plan, configuration) };
  });
  return { result, cancel: () => running.cancel() };
}

/** One sequence; measures the time of its steps. */
class Running {
  readonly #steps: DrilledStep[] = [];
  readonly #sequence: Sequence;
  #beganMs = 0;
  #finish: () => void = () => undefined;
  readonly #finished = new Promise<void>((resolve) => (this.#finish = resolve));

  constructor(plan: Plan, actuator: Actuator, onStep: OnStep, log: Logger) {
    const end = (step: DrilledStep) => {
      this.#steps.push(step);
      onStep(step);
    };
    this.#sequence = new Sequence(plan, {
      guard: new Guard(log),
      clock: systemClock,
      setTimer,
      actuator: {
        perform: async (step, signal) => {
          const since = performance.now();
          const outcome = await actuator.perform(step, signal);
          // A step past its budget already counts as a timeout.
          if (!signal.aborted) end({ step, outcome, seconds: (performance.now() - since) / 1000 });
          return outcome;
        },
      },
      write: () => undefined,
      gate: () => null,
      sharedSinceMs: () => undefined,
      serverEnd: () => undefined,
      powerIsBack: () => false,
      // The operator decides, and sees the batteries beside the plan.
      noWait: () => null,
      observer: {
        phaseStarted: () => undefined,
        phaseFinished: () => undefined,
        stepFailed: (step, reason) => {
          if (this.#steps.some((one) => one.step.id === step.id)) return;
          const outcome = { kind: 'failed', how: 'timeout', reason } as const;
          end({ step, outcome, seconds: step.budgetSeconds });
        },
        changed: () => undefined,
        finished: () => this.#finish(),
      },
    });
  }

  async run(): Promise<Pick<DrillResult, 'steps' | 'seconds' | 'cancelled'>> {
    this.#beganMs = performance.now();
    if (this.#sequence.active) this.#sequence.start();
    await this.#finished;
    const { state } = this.#sequence;
    const cancelled = state.kind === 'cancelled' ? state.reason : null;
    return { steps: this.#steps, seconds: (performance.now() - this.#beganMs) / 1000, cancelled };
  }

  cancel(): boolean {
    return this.#sequence.cancel('interrupted');
  }
}

export function toolsOf(accounts: Accounts, log: Logger): LocalDependencies {
  return { clock: systemClock, log, setTimer, run: runCommand, host: detectHost(accounts) };
}

/** The daemon's performers. The power-off has one attempt: the user sees its failure. */
function manualActuator(
  { redundancyGroups }: Configuration,
  { pollers, remote }: DrillWorkers,
  { log, accounts }: { readonly log: Logger; readonly accounts: Accounts },
): Actuator {
  const shutDownRemote = remotePerformer({ shutDown: remote.shutDown, clock: systemClock, setTimer });
  const members = new Set(redundancyGroups.flatMap(({ policy }) => policy.members));
  const outputs = {
    cut: (ups: string, deadlineMs: number) => pollers.cutOutput(ups, deadlineMs),
    staysOn: (ups: string) =>
      members.has(ups)
        ? 'this command does not switch off the output of a member of a redundancy group'
        : null,
  };
  const tools = toolsOf(accounts, log);
  return realActuator({
    ...localPerformers(tools, outputs),
    remote: shutDownRemote,
    awaitOff: offWaitPerformer({ awaitOff: remote.awaitOff, clock: systemClock, setTimer }),
    commandAgain: () => Promise.resolve({ kind: 'skipped', reason: 'this command tries once' }),
    forceShutdown: () => Promise.resolve({ kind: 'skipped', reason: 'only the daemon sets FSD' }),
    keepRecord: () => Promise.resolve({ kind: 'skipped', reason: 'only the daemon keeps the record' }),
    poweroffDelegate: shutDownRemote,
    wall: ({ message }, _, signal) => broadcast(runCommand, message, signal),
    poweroff: async ({ command }, _, signal) => outcomeOf(await runCommand(command, signal)),
  });
}
