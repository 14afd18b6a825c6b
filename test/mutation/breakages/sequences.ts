// Ways to break what runs a plan: its order, its journal, its budgets, and what sequences owe each other.
import type { Breakage } from './breakage.js';

export const sequenceBreakages: readonly Breakage[] = [
  {
    name: 'the start of a step is not written down',
    file: 'supervisor/sequence/run.ts',
    find: "this.#write({ kind: 'stepBegan', step: id });",
    replace: '',
  },
  {
    name: 'the end of a step is not written down',
    file: 'supervisor/sequence/run.ts',
    find: "this.#write({ kind: 'stepEnded', step: id, outcome: ended });",
    replace: '',
  },
  {
    name: 'a finished step runs again after a restart',
    file: 'supervisor/sequence/run.ts',
    find: 'former?.ended?.outcome ?? (await this.#runStep(step, former))',
    replace: 'await this.#runStep(step, former)',
  },
  {
    name: 'nobody looks at the power before the first destructive step',
    file: 'supervisor/sequence/run.ts',
    find: "if (destructive && this.#state.kind === 'cancellable' && this.#deps.powerIsBack()) this.powerReturned();",
    replace: '',
  },
  {
    name: 'a sequence can be called off past its point of no return',
    file: 'supervisor/sequence/run.ts',
    find: "if (step.destructive && this.#state.kind === 'cancellable') this.#state = { kind: 'committed' };",
    replace: '',
  },
  {
    name: 'steps that have to wait for other sequences do not',
    file: 'supervisor/sequence/run.ts',
    find: 'if (gate !== null) await gate;',
    replace: '',
  },
  {
    name: 'a phase does not wait for what began with the sequence',
    file: 'supervisor/sequence/run.ts',
    find: 'await Promise.all([...ahead, ...lanes])',
    replace: 'await Promise.all(lanes)',
  },
  {
    name: 'shutdown_order is ignored',
    file: 'shared/domain/plan-lanes.ts',
    find: 'return ranks.map((rank) => steps.filter((step) => step.rank === rank));',
    replace: 'return [steps];',
  },
  {
    name: 'shutdown_order descends',
    file: 'shared/domain/plan-lanes.ts',
    find: '.sort((a, b) => a - b)',
    replace: '.sort((a, b) => b - a)',
  },
  {
    name: 'a server of two sequences is commanded by both',
    file: 'supervisor/sequence/concurrent-shutdown.ts',
    find: 'if (known !== undefined) return known;',
    replace: '',
  },
  {
    name: 'the power-off of this host does not wait for the servers of other groups',
    file: 'supervisor/sequence/concurrent-shutdown.ts',
    find: 'return phases.some(precedesFinalSync);',
    replace: 'return false;',
  },
  {
    name: 'a restart forgets which servers have been commanded',
    file: 'supervisor/sequence/concurrent-shutdown.ts',
    find: 'if (past.ended !== null) this.#outcomes.set(server, Promise.resolve(past.ended.outcome));',
    replace: 'if (past.ended !== null) continue;',
  },
  {
    name: 'a step may take twice its budget',
    file: 'supervisor/sequence/budget.ts',
    find: 'setTimer(step.budgetSeconds * 1000,',
    replace: 'setTimer(step.budgetSeconds * 2000,',
  },
  {
    name: 'a restart grants the running step its whole budget again',
    file: 'supervisor/sequence/budget.ts',
    find: 'step.budgetSeconds - Math.max(0, elapsedMs) / 1000',
    replace: 'step.budgetSeconds',
  },
  {
    name: 'a server is given up when the worker dies',
    file: 'supervisor/sequence/phases/remote-servers.ts',
    find: "if (code !== 'WORKER_GONE') return failed(reason);",
    replace: 'return failed(reason);',
  },
  {
    name: 'a restart repeats a power-off that has worked',
    file: 'supervisor/sequence/phases/power-off.ts',
    find: "if (abandoned || last?.kind === 'done') return;",
    replace: 'if (abandoned) return;',
  },
  {
    name: 'the end of a power-off is not written down',
    file: 'supervisor/sequence/phases/power-off.ts',
    find: "this.#journal?.write({ kind: 'tryEnded', number, outcome });",
    replace: '',
  },
  {
    name: 'the summary of the servers is not told',
    file: 'supervisor/sequence/messages.ts',
    find: "if (name !== 'remote_servers') return null;",
    replace: "if (name === 'remote_servers') return null;",
  },
  {
    name: 'the point of no return is the end of the first destructive step',
    file: 'supervisor/sequence/journal/history.ts',
    find: 'destructive && steps.has(id)',
    replace: 'destructive && (steps.get(id)?.ended ?? null) !== null',
  },
  {
    name: 'a restart drops a sequence past its point of no return',
    file: 'supervisor/sequence/recovery/open-sequences.ts',
    find: '!committed(open) && powerIsBack',
    replace: 'powerIsBack',
  },
  {
    name: 'a sequence whose end is written down is taken up again',
    file: 'supervisor/sequence/recovery/recovery.ts',
    find: 'over === null && !requested.some',
    replace: '!requested.some',
  },
  {
    name: 'the output of a member is cut while others carry',
    file: 'supervisor/policy/output.ts',
    find: 'if (!policy.members.includes(ups)) continue;',
    replace: 'continue;',
  },
  {
    name: 'drain_on_local_shutdown is ignored',
    file: 'supervisor/config/derive/plans.ts',
    find: 'const drained = powersHost && localShutdown.drainOnLocalShutdown;',
    replace: 'const drained = false;',
  },
  {
    name: 'a budget leaves out the pre-shutdown commands',
    file: 'supervisor/policy/plan/remote-steps.ts',
    find: 'sum([connectTimeoutSeconds, ...before, commandTimeoutSeconds, marginSeconds])',
    replace: 'sum([connectTimeoutSeconds, commandTimeoutSeconds, marginSeconds])',
  },
];
