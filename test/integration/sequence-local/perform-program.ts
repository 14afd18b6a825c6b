// Performs one action of a plan with the real performers, or runs one command, in the namespace of this program. Prints
// the outcome, whether it came before the end of the budget, and the turns of the event loop meanwhile.
import { writeFileSync } from 'node:fs';
import type { StoppedGuest } from '../../../shared/domain/recovery/guest.js';
import type { StepAction } from '../../../shared/domain/actions/table.js';
import { systemClock } from '../../../shared/runtime/clock.js';
import { detectHost } from '../../../supervisor/host/host-facts.js';
import { setTimer } from '../../../supervisor/host/timer.js';
import type { ActionKind } from '../../../shared/domain/actions/table.js';
import type { Performer, ReportFound } from '../../../supervisor/sequence/actuator.js';
import { runCommand } from '../../../supervisor/host/run-command.js';
import { localPerformers } from '../../../supervisor/sequence/local-performers.js';
import { readAccounts } from '../../../supervisor/host/accounts.js';
import { planStep } from '../../fixtures/plans.js';
import type { Order, Report } from './sandbox.js';

const order = JSON.parse(process.argv[2] ?? '') as Order;
const warnings: string[] = [];
const host = detectHost(readAccounts());
const tools = {
  run: runCommand,
  setTimer,
  clock: systemClock,
  log: { info: () => undefined, warning: (text: string) => void warnings.push(text) },
  host: { ...host, users: new Map(order.users ?? []) },
};
const found = reporting();
const performers = localPerformers(tools, {
  cut: () => Promise.reject(new Error('no UPS here')),
  staysOn: () => null,
});

let turns = 0;
let turnsAfterBudget: number | null = null;
const heart = setInterval(() => {
  if (turnsAfterBudget === null) turns += 1;
  else turnsAfterBudget += 1;
}, 20);
const budget = AbortSignal.timeout(order.budgetSeconds * 1000);
budget.addEventListener('abort', () => (turnsAfterBudget = 0));
const outcome = 'command' in order ? await runCommand(order.command, budget) : await performed(order.action);
clearInterval(heart);
const report: Report = { outcome, turns, turnsAfterBudget, warnings, mountsPrefix: host.mountsPrefix };
process.stdout.write(JSON.stringify(report));

/** Keeps them for the program that starts guests again. */
function reporting(): ReportFound {
  const path = process.env['FOUND_FILE'];
  const all: StoppedGuest[] = [];
  return (guests) => {
    all.push(...guests);
    if (path !== undefined)
      writeFileSync(path, JSON.stringify({ unixSeconds: systemClock.wallSeconds(), guests: all }));
  };
}

function performed(action: StepAction): Promise<Report['outcome']> {
  const perform = performers[action.kind as keyof typeof performers] as Performer<ActionKind>;
  return perform(action, planStep('step', { action, budgetSeconds: order.budgetSeconds }), budget, found);
}
