// The collaborators of the path from a reading to a command, guarded: none of them can throw into it. Each has a stand-in
// that answers when a call has failed twice. The stand-ins are chosen so that the shutdown goes on without the collaborator.
import type { Logger } from '../../shared/runtime/log.js';
import type { Clock } from '../../shared/runtime/clock.js';
import { systemClock } from '../../shared/runtime/clock.js';
import type { DecisionsObserver, EngineDependencies, StepTools } from './dependencies.js';
import type { Guard } from '../guard/guard.js';
import { setTimer as systemSetTimer } from '../host/timer.js';
import type { Performers } from '../sequence/actuator.js';
import type { SetTimer } from '../sequence/budget.js';
import type { RunCommand } from '../host/run-command.js';
import type { Journal, JournalStore } from '../sequence/journal/journal.js';
import { failed, internalError } from '../sequence/outcome.js';
import type { ShutDownTarget } from '../sequence/phases/remote-servers.js';
import type { UpsOutputs } from '../sequence/phases/ups-output.js';
import type { SnapshotStore } from './snapshot-file.js';

const nothing = (): void => undefined;

const silentLog: Logger = { debug: nothing, info: nothing, warning: nothing, error: nothing };

export const noObserver: DecisionsObserver = {
  record: nothing,
  notify: nothing,
  upsChanged: nothing,
  sequenceChanged: nothing,
  sequenceEnded: nothing,
  prepare: nothing,
  stepped: nothing,
};

/** As `DecisionsTools`; no call of any of them throws, and no promise of theirs is rejected. */
export interface GuardedDependencies extends StepTools, Omit<EngineDependencies, 'performers'> {
  readonly performers: Reach;
}

function guardedLog(guard: Guard, log: Logger): Logger {
  return guard.listener('log', log, silentLog);
}

function guardedClock(guard: Guard, clock: Clock): Clock {
  return guard.tool('clock', clock, systemClock);
}

/** Everything that decisions and their sequences call. */
export function guardedTools(guard: Guard, tools: EngineDependencies): GuardedDependencies {
  const { snapshot, journals, performers, observer } = tools;
  const stepTools = {
    guard,
    clock: guardedClock(guard, tools.clock),
    log: guardedLog(guard, tools.log),
    run: guardedRun(guard, tools.run),
    setTimer: guardedSetTimer(guard, tools.setTimer),
  };
  return {
    ...stepTools,
    snapshot: guardedSnapshot(guard, snapshot),
    journals: guardedJournals(guard, journals),
    performers: guardedPerformers(guard, performers(stepTools)),
    observer: guard.listener('the observer', observer, noObserver),
  };
}

/** An appointment whose call has failed is made on the system's own timer. What `then` throws is logged. */
function guardedSetTimer(guard: Guard, setTimer: SetTimer): SetTimer {
  const tool = guard.tool('timer', { setTimer }, { setTimer: systemSetTimer });
  return (ms, then) => {
    let isOver = false;
    const cancel = tool.setTimer(ms, () => {
      // A call that threw may have made the appointment, too.
      if (isOver) return;
      isOver = true;
      guard.run('an appointment', then);
    });
    return () => {
      isOver = true;
      guard.run('timer.cancel', cancel);
    };
  };
}

function guardedRun(guard: Guard, run: RunCommand): RunCommand {
  const standIn: RunCommand = () => Promise.resolve({ kind: 'unstartable', message: internalError });
  return guard.tool('command', { run }, { run: standIn }).run;
}

/** A snapshot that could not be written stays due. */
function guardedSnapshot(guard: Guard, snapshot: SnapshotStore): SnapshotStore {
  return guard.tool('snapshot', snapshot, { read: () => null, write: () => false });
}

/** Without a journal the sequence runs all the same. */
function guardedJournals(guard: Guard, journals: JournalStore): JournalStore {
  const silentJournal: Journal = { write: nothing };
  const store = guard.tool<JournalStore>('journals', journals, {
    read: () => [],
    readForeign: () => [],
    begin: () => silentJournal,
    resume: () => silentJournal,
    catchUp: nothing,
    removeForeign: nothing,
  });
  const guarded = (journal: Journal) => guard.tool('journal', journal, silentJournal);
  return {
    ...store,
    begin: (...header) => guarded(store.begin(...header)),
    resume: (found) => guarded(store.resume(found)),
  };
}

/** A worker that cannot even be asked counts as gone: it is asked again within the budget of the step. */
export function guardedShutDown(guard: Guard, shutDown: ShutDownTarget): ShutDownTarget {
  const message = 'it could not be asked';
  const standIn: ShutDownTarget = () =>
    Promise.resolve({ ok: false, error: { code: 'WORKER_GONE', message } });
  return guard.tool('remote worker', { shutDown }, { shutDown: standIn }).shutDown;
}

/** Where nobody can say what else an output feeds, it stays on. */
export function guardedOutputs(guard: Guard, outputs: UpsOutputs): UpsOutputs {
  return guard.tool('outputs', outputs, {
    cut: () => Promise.resolve({ ok: false, error: { code: 'INTERNAL', message: internalError } }),
    staysOn: () => `what it feeds is not known: ${internalError}`,
  });
}

type Reach = Omit<Performers, 'wall' | 'poweroff'>;

/** A performer that throws has failed its step. */
function guardedPerformers(guard: Guard, performers: Reach): Reach {
  const failure = () => Promise.resolve(failed(internalError));
  return guard.tool<Reach>('the performer', performers, {
    stopVirtualMachines: failure,
    stopCompose: failure,
    stopContainers: failure,
    sync: failure,
    unmount: failure,
    remote: failure,
    upsOutputOff: failure,
    poweroffDelegate: failure,
  });
}
