// Sequences on a fake clock with simulated journals and servers that end when the test ends them.
import { SimulatedJournals } from '../../simulation/journals.js';
import type { Plan, PlanStep } from '../../../shared/domain/outage/plan.js';
import { Guard } from '../../../supervisor/guard/guard.js';
import type { CommandOutcome, RunCommand } from '../../../supervisor/host/run-command.js';
import { SequenceRecord } from '../../../supervisor/sequence/journal/record.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import type { HostRestarts } from '../../../supervisor/sequence/restart-rule.js';
import { Sequences } from '../../../supervisor/sequence/sequences.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { idleLog, idlePerformers } from '../../fixtures/idle-parts.js';
import { planPhase, planStep, planWith, remoteWork } from '../../fixtures/plans.js';

export const failure: CommandOutcome = { kind: 'exited', code: 1, output: 'no bus\n' };
export const success: CommandOutcome = { kind: 'exited', code: 0, output: '' };
export const cause = { trigger: 'LOW_BATTERY', why: 'charge 5 %', firedAtUnixSeconds: 1 } as const;

function poweroff(group: string): PlanStep {
  const action = { kind: 'poweroff', command: ['poweroff', group], fallback: null } as const;
  return planStep('local_poweroff/host', { action, budgetSeconds: 30 });
}

export function server(name: string, lane: string, rank = 1): PlanStep {
  const action = { kind: 'remote', work: remoteWork(name) } as const;
  return planStep(`remote_servers/${name}`, { target: name, lane, rank, action, budgetSeconds: 100 });
}

/** The wait until the server that `server(name, lane)` commands is off. */
export function offWait(name: string, lane: string): PlanStep {
  const about = { server: name, commandedBy: `remote_servers/${name}`, followsSeconds: 60 };
  const action = { kind: 'awaitOff', ...about, timeoutSeconds: 120 } as const;
  return planStep(`remote_servers/${name}/off`, { lane, rank: 2, action, budgetSeconds: 120 });
}

export function planOf(group: string, servers: readonly PlanStep[], powersOff: boolean): Plan {
  const phases = [
    ...(servers.length > 0 ? [planPhase('remote_servers', servers)] : []),
    ...(powersOff ? [planPhase('local_poweroff', [poweroff(group)])] : []),
  ];
  return planWith(phases, group);
}

export function outputOff(ups: string): PlanStep {
  const action = { kind: 'upsOutputOff', ups, command: 'shutdown.return', offDelaySeconds: 120 } as const;
  return planStep(`ups_output_off/${ups}`, { action, budgetSeconds: 10 });
}

/**
 * Each rig with the same journals is another daemon on the same boot. Servers end when the test ends them, and a wait for
 * `nas` when it ends `nas off`; a UPS named "kept"
 * still feeds something at the first request, and one named
 * "silent" never answers, and "busy" when the test ends its request.
 */
export function rig(
  plans: readonly Plan[],
  commandOutcome: CommandOutcome | RunCommand = failure,
  journals = new SimulatedJournals(() => 'kept'),
  time = new FakeTime(),
  restarts?: HostRestarts,
) {
  const ran: string[] = [];
  const events: string[] = [];
  /** Information and warnings of the log, and the groups whose sequence has ended. */
  const said: string[] = [];
  const logged: string[] = [];
  const over: string[] = [];
  /** Why a wait for a server ends at once; null: it lasts. */
  let noTime: string | null = null;
  const noTimeIs = (reason: string | null) => (noTime = reason);
  const back = new Set<string>();
  /** Groups without a reading since the start of this daemon. */
  const unseen = new Set<string>();
  const ends = new Map<string, (outcome: StepOutcome) => void>();
  const done = () => Promise.resolve({ kind: 'done' } as const);
  const journal = new SequenceRecord(journals);
  const sequences = new Sequences({
    guard: new Guard(idleLog),
    clock: time,
    log: { ...idleLog, info: (text) => said.push(text), warning: (text) => logged.push(text) },
    journal,
    run: (command, signal) => {
      ran.push(command.join(' '));
      return typeof commandOutcome === 'function'
        ? commandOutcome(command, signal)
        : Promise.resolve(commandOutcome);
    },
    setTimer: time.setTimer,
    performers: {
      ...idlePerformers,
      upsOutputOff: ({ ups }, { budgetSeconds }) => {
        ran.push(`output of ${ups}`);
        if (ups === 'busy') {
          ran.push(`within ${String(budgetSeconds)} s`);
          return new Promise((resolve) => ends.set(ups, resolve));
        }
        if (ups === 'kept' && ran.filter((text) => text === 'output of kept').length === 1)
          return Promise.resolve({ kind: 'skipped', reason: 'it feeds nas' } as const);
        return ups === 'silent' ? new Promise(() => undefined) : done();
      },
      remote: ({ work }) => {
        ran.push(work.server);
        return new Promise((resolve) => ends.set(work.server, resolve));
      },
      awaitOff: ({ server: awaited }) => new Promise((resolve) => ends.set(`${awaited} off`, resolve)),
    },
    record: (group, type, detail) => events.push(`${group} ${type} ${detail}`),
    changed: () => undefined,
    ended: (group, cancelled) => over.push(`${group}${cancelled ? ' cancelled' : ''}`),
    powerIsBack: (group) => back.has(group),
    isPast: (group) => back.has(group),
    isSeen: (group) => !unseen.has(group),
    isSeenOnBattery: (group) => !unseen.has(group) && !back.has(group),
    noTimeToWait: () => noTime,
    restarts,
  });
  sequences.load(plans);
  const end = async (name: string, outcome: StepOutcome = { kind: 'done' }) => {
    ends.get(name)?.(outcome);
    await settled();
  };
  const requests = (groups: readonly string[]) => groups.map((group) => ({ group, cause }));
  /** As after a restart: they wait for a reading. */
  const decide = (...groups: readonly string[]) => sequences.decide(requests(groups));
  const start = (...groups: readonly string[]) => sequences.start(requests(groups));
  const all = { sequences, journal, decide, start, time, ran, back, unseen, events, end, journals };
  return { ...all, said, logged, over, noTimeIs };
}

/** Kills the daemon; the next one recovers from its files. `time` may have advanced. */
export function restarted(
  plans: readonly Plan[],
  journals: SimulatedJournals,
  commandOutcome = failure,
  meanwhile: readonly string[] = [],
  time = new FakeTime(),
) {
  const next = rig(plans, commandOutcome, journals, time);
  const open = next.journal.open.map(({ group }) => group);
  next.sequences.resumePowerOff();
  for (const group of meanwhile) next.start(group);
  for (const group of open) next.sequences.resume(group);
  return next;
}
