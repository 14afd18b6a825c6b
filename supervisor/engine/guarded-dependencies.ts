// Guards the collaborators of the path from a reading to a command: none of them can throw into it. Each has a fallback for a
// call that has failed twice. With every fallback the shutdown continues.
import type { Logger } from '../../shared/runtime/log.js';
import type { Clock } from '../../shared/runtime/clock.js';
import { systemClock } from '../../shared/runtime/clock.js';
import type { EngineObserver, EngineDependencies, StepDependencies } from './dependencies.js';
import type { Guard } from '../guard/guard.js';
import type { SetTimer } from '../host/timer.js';
import { setTimer as systemSetTimer } from '../host/timer.js';
import { sameFor } from '../sequence/actuator.js';
import type { SequencerDependencies } from '../sequence/dependencies.js';
import type { HostRestarts } from '../sequence/restart-rule.js';
import type { RunCommand } from '../host/run-command.js';
import type { JournalStore } from '../sequence/journal/journal.js';
import { failureOf, internalError } from '../sequence/outcome.js';
import type { AwaitOff } from '../sequence/phases/off-waits.js';
import type { ShutDownTarget } from '../sequence/phases/remote-servers.js';
import type { NutSecondaries } from '../sequence/phases/nut-secondaries.js';
import type { UpsOutputs } from '../sequence/phases/ups-output.js';
import type { SnapshotStore } from './snapshot-file.js';

const nothing = (): void => undefined;

const noLog: Logger = { debug: nothing, info: nothing, warning: nothing, error: nothing };

export const noObserver: EngineObserver = {
  record: nothing,
  notify: nothing,
  upsChanged: nothing,
  sequenceChanged: nothing,
  sequenceStarted: nothing,
  sequenceEnded: nothing,
  prepare: nothing,
  stepped: nothing,
};

/** As `EngineDependencies`; no call throws and no promise is rejected. */
export interface GuardedDependencies extends StepDependencies, Omit<EngineDependencies, 'performers'> {
  readonly performers: EnginePerformers;
}

function guardLog(guard: Guard, log: Logger): Logger {
  return guard.listener('log', log, noLog);
}

function guardClock(guard: Guard, clock: Clock): Clock {
  return guard.withFallback('clock', clock, systemClock);
}

export function guardDependencies(guard: Guard, deps: EngineDependencies): GuardedDependencies {
  const { snapshot, reserve, journals, performers, observer, restarts, commitIntervalMs } = deps;
  const stepTools = {
    guard,
    clock: guardClock(guard, deps.clock),
    log: guardLog(guard, deps.log),
    run: guardRunCommand(guard, deps.run),
    setTimer: guardSetTimer(guard, deps.setTimer),
  };
  return {
    ...stepTools,
    snapshot: guardSnapshot(guard, snapshot),
    reserve: guardSnapshot(guard, reserve),
    journals: guardJournals(guard, journals),
    performers: guardPerformers(guard, performers(stepTools)),
    observer: guard.listener('the observer', observer, noObserver),
    ...(restarts === undefined ? {} : { restarts: guardRestarts(guard, restarts) }),
    ...(commitIntervalMs === undefined ? {} : { commitIntervalMs }),
  };
}

/** Falls back to the system's own timer. Logs an exception of `then`. */
function guardSetTimer(guard: Guard, setTimer: SetTimer): SetTimer {
  const tool = guard.withFallback('timer', { setTimer }, { setTimer: systemSetTimer });
  return (ms, then) => {
    let isOver = false;
    const cancel = tool.setTimer(ms, () => {
      // A call that threw may still have set the timer.
      if (isOver) return;
      isOver = true;
      guard.run('a timer', then);
    });
    return () => {
      isOver = true;
      guard.run('timer.cancel', cancel);
    };
  };
}

function guardRunCommand(guard: Guard, run: RunCommand): RunCommand {
  const fallback: RunCommand = () => Promise.resolve({ kind: 'unstartable', message: internalError });
  return guard.withFallback('command', { run }, { run: fallback }).run;
}

/** A snapshot that was not written stays due. */
function guardSnapshot(guard: Guard, snapshot: SnapshotStore): SnapshotStore {
  return guard.withFallback('snapshot', snapshot, { read: () => null, write: () => false });
}

/** Without a journal the sequence still runs. */
function guardJournals(guard: Guard, journals: JournalStore): JournalStore {
  return guard.withFallback<JournalStore>('journals', journals, {
    read: () => [],
    readPreviousBoots: () => [],
    begin: nothing,
    write: nothing,
    flush: nothing,
    removePreviousBoots: nothing,
  });
}

/** A call that throws counts as WORKER_GONE: the step calls again within its budget. */
export function guardShutDown(guard: Guard, shutDown: ShutDownTarget): ShutDownTarget {
  const message = 'the request could not be sent';
  const fallback: ShutDownTarget = () =>
    Promise.resolve({ ok: false, error: { code: 'WORKER_GONE', message } });
  return guard.withFallback('remote worker', { shutDown }, { shutDown: fallback }).shutDown;
}

export function guardAwaitOff(guard: Guard, awaitOff: AwaitOff): AwaitOff {
  const message = 'the request could not be sent';
  const fallback: AwaitOff = () => Promise.resolve({ ok: false, error: { code: 'WORKER_GONE', message } });
  return guard.withFallback('remote worker', { awaitOff }, { awaitOff: fallback }).awaitOff;
}

/** Without the list of other loads of an output, the output stays on. */
export function guardOutputs(guard: Guard, outputs: UpsOutputs): UpsOutputs {
  return guard.withFallback('outputs', outputs, {
    cut: () => Promise.resolve({ ok: false, error: { code: 'INTERNAL', message: internalError } }),
    staysOn: () => `it is not known what else the output feeds: ${internalError}`,
  });
}

/** Without an answer of policy FSD is set: a decided shutdown continues. */
export function guardSecondaries(guard: Guard, secondaries: NutSecondaries): NutSecondaries {
  return guard.withFallback('NUT secondaries', secondaries, {
    needsNone: () => null,
    noted: nothing,
    set: () => Promise.resolve({ ok: false, error: { code: 'INTERNAL', message: internalError } }),
  });
}

/** Without an answer this host powers off. */
function guardRestarts(guard: Guard, restarts: HostRestarts): HostRestarts {
  return guard.withFallback<HostRestarts>('the rule of the restart', restarts, {
    isEnabled: () => false,
    isPolicyInDoubt: () => true,
    upses: () => [],
    count: () => null,
    keep: () => Promise.reject(new Error(internalError)),
  });
}

type EnginePerformers = SequencerDependencies['performers'];

/** A performer that throws fails its step. */
function guardPerformers(guard: Guard, performers: EnginePerformers): EnginePerformers {
  const failure = () => Promise.resolve(failureOf(internalError));
  const kinds = Object.keys(performers) as (keyof EnginePerformers)[];
  return guard.withFallback<EnginePerformers>('the performer', performers, sameFor(kinds, failure));
}
