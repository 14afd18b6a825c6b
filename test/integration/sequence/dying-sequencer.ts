// The sequences of a supervisor and nothing else: two groups that fall together and one that falls later, a real journal, and
// commands that only log their runs. It kills itself after the journal record with the given number; started again with the same directory it resumes as the
// daemon does.
import { actionKinds } from '../../../shared/domain/actions/table.js';
import { sameFor } from '../../../supervisor/sequence/actuator.js';
import { join } from 'node:path';
import type { Plan, PlanStep } from '../../../shared/domain/outage/plan.js';
import type { StepAction } from '../../../shared/domain/actions/table.js';
import { systemClock } from '../../../shared/runtime/clock.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import { Guard } from '../../../supervisor/guard/guard.js';
import { timed } from '../../../supervisor/policy/plan/timing.js';
import { runCommand } from '../../../supervisor/host/run-command.js';
import type { JournalStore } from '../../../supervisor/sequence/journal/journal.js';
import { JournalFiles } from '../../../supervisor/sequence/journal/journal.js';
import { SequenceRecord } from '../../../supervisor/sequence/journal/record.js';
import { outcomeOf } from '../../../supervisor/sequence/outcome.js';
import { Sequences } from '../../../supervisor/sequence/sequences.js';

import { planStep } from '../../fixtures/plans.js';

const [directory = '', mortal = '0'] = process.argv.slice(2);
const lastRecord = Number(mortal);
let written = 0;

/** A record is one write, so it is in the file before the process ends. */
function counted(): void {
  written += 1;
  if (written === lastRecord) process.kill(process.pid, 'SIGKILL');
}

const log = loggerTo('sequencer', systemClock, ({ message }) => process.stderr.write(`${message}\n`));
const files = new JournalFiles(directory, 'this-boot', log);
const journals: JournalStore = {
  read: () => files.read(),
  readPreviousBoots: () => files.readPreviousBoots(),
  flush: () => files.flush(),
  removePreviousBoots: () => files.removePreviousBoots(),
  begin: (entries) => {
    files.begin(entries);
    counted();
  },
  write: (entry) => {
    files.write(entry);
    counted();
  },
};
const journal = new SequenceRecord(journals);

/** Logs its start, works for a moment, logs its end. */
const noting = (what: string): readonly string[] => [
  'sh',
  '-c',
  'echo "begin $1" >> "$2"; sleep 0.03; echo "end $1" >> "$2"',
  'sh',
  what,
  join(directory, 'ran'),
];
const note = async (_: StepAction, { id }: PlanStep, signal: AbortSignal) =>
  outcomeOf(await runCommand(noting(id), signal));

function server(name: string, lane: string, rank: number): PlanStep {
  const work = {
    server: name,
    host: '127.0.0.1',
    port: 22,
    user: 'nobody',
    useSudo: false,
    connectTimeoutSeconds: 5,
    actions: [],
    final: 'true',
    commandTimeoutSeconds: 5,
  };
  const about = { phase: 'remote_servers', target: name, lane, rank } as const;
  return planStep(`remote_servers/${name}`, { ...about, action: { kind: 'remote', work } });
}

function office(): Plan {
  const containers = { phase: 'containers', lane: 'containers' } as const;
  const stop = { runtime: 'auto', stopTimeoutSeconds: 5 } as const;
  return timed({ group: 'office', label: 'Office', fedBy: ['office'], dryRun: false }, [
    planStep('virtual_machines/guests', {
      phase: 'virtual_machines',
      action: { kind: 'stopVirtualMachines', uri: null, maxWaitSeconds: 5 },
    }),
    planStep('containers/compose', { ...containers, action: { kind: 'stopCompose', path: '/x', ...stop } }),
    planStep('containers/remaining', {
      ...containers,
      rank: 1,
      action: { kind: 'stopContainers', includeUserContainers: false, ...stop },
    }),
    planStep('filesystem_sync/sync', { phase: 'filesystem_sync', destructive: false }),
    { ...server('early', 'early', 0), begins: 'with_sequence' },
    server('nas', 'office', 1),
    server('host', 'office', 2),
    server('db', 'lab', 1),
    planStep('ups_output_off/office', {
      phase: 'ups_output_off',
      action: { kind: 'upsOutputOff', ups: 'office', command: 'shutdown.return', offDelaySeconds: 60 },
    }),
    planStep('local_poweroff/host', {
      action: { kind: 'poweroff', command: noting('local_poweroff/host'), fallback: null },
    }),
  ]);
}

const lab = timed({ group: 'lab', label: 'Lab', fedBy: ['lab'], dryRun: false }, [
  server('db', 'lab', 1),
  server('last', 'lab', 2),
]);

const sequences = new Sequences({
  guard: new Guard(log),
  run: runCommand,
  setTimer: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
  clock: systemClock,
  log,
  journal,
  performers: sameFor(actionKinds, note),
  record: () => undefined,
  changed: () => undefined,
  ended: () => {
    // The timer that checks the power-off is not awaited.
    setImmediate(() => exitAtEnd());
  },
  powerIsBack: () => false,
  isPast: () => false,
  isSeen: () => true,
  isSeenOnBattery: () => true,
  noTimeToWait: () => null,
});

/** Falls when the others have begun; shares a server with each. */
const cellar = timed({ group: 'cellar', label: 'Cellar', fedBy: ['cellar'], dryRun: false }, [
  server('db', 'cellar', 1),
  server('nas', 'cellar', 2),
  server('cold', 'cellar', 2),
]);

function exitAtEnd(): void {
  if (!sequences.active && journal.of('cellar') !== undefined) process.exit(0);
}

const open = journal.open.map(({ group }) => group);
sequences.load([office(), lab, cellar]);
sequences.resumePowerOff();
for (const group of open) sequences.resume(group);
/** As the snapshot has them: requested, without a decision in the journal. */
function startMissing(...groups: readonly string[]): void {
  const cause = { trigger: 'LOW_BATTERY', why: 'test', firedAtUnixSeconds: 1 } as const;
  const missing = groups.filter((group) => journal.of(group) === undefined);
  sequences.start(missing.map((group) => ({ group, cause })));
}

startMissing('office', 'lab');
setTimeout(() => startMissing('cellar'), 40);
exitAtEnd();
