// Performs one action of a plan with the real performers, or runs one command, wherever the test has put this program;
// says how that ended, how long it took, and for how long nothing else could have been done meanwhile.
import type { PlanStep, StepAction } from '../../../shared/domain/plan.js';
import { systemClock } from '../../../shared/runtime/clock.js';
import { detectHost } from '../../../supervisor/host/host-facts.js';
import { setTimer } from '../../../supervisor/host/timer.js';
import type { ActionKind, Performer } from '../../../supervisor/sequence/actuator.js';
import { runCommand } from '../../../supervisor/host/run-command.js';
import { localPerformers } from '../../../supervisor/sequence/local-performers.js';
import { readAccounts } from '../../../supervisor/host/accounts.js';
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
const performers = localPerformers(tools, {
  cut: () => Promise.reject(new Error('no UPS here')),
  staysOn: () => null,
});

let lastMs = systemClock.monotonicMs();
let stalledMs = 0;
const beat = () => {
  const now = systemClock.monotonicMs();
  stalledMs = Math.max(stalledMs, now - lastMs);
  lastMs = now;
};
const heart = setInterval(beat, 20);
const budget = AbortSignal.timeout(order.budgetSeconds * 1000);
const begun = systemClock.monotonicMs();
const outcome = 'command' in order ? await runCommand(order.command, budget) : await performed(order.action);
const tookMs = systemClock.monotonicMs() - begun;
beat();
clearInterval(heart);
const report: Report = { outcome, tookMs, stalledMs, warnings, mountsPrefix: host.mountsPrefix };
process.stdout.write(JSON.stringify(report));

function performed(action: StepAction): Promise<Report['outcome']> {
  const perform = performers[action.kind as keyof typeof performers] as Performer<ActionKind>;
  const step: PlanStep = {
    id: 'phase/step',
    phase: 'containers',
    target: 'target',
    lane: 'lane',
    rank: 0,
    begins: 'with_phase',
    action,
    budgetSeconds: order.budgetSeconds,
    estimateSeconds: 1,
    destructive: true,
  };
  return perform(action, step, budget);
}
