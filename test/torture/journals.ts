// Reads from the journal of a daemon when each sequence began and what was planned.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plan } from '../../shared/domain/outage/plan.js';
import type { JournalEntry } from '../../supervisor/sequence/journal/entries.js';
import type { Target } from './site.js';
import { targets } from './site.js';

export interface StartedSequence {
  readonly startedMs: number;
  readonly boundMs: number;
  /** The deadline of each target's final command, from the start of the sequence. */
  readonly deadlinesMs: Readonly<Record<Target, number>>;
}

/** One for each decision in the journal. */
export function sequencesOf(directory: string): readonly StartedSequence[] {
  const own = join(directory, 'run/supervisor');
  if (!existsSync(own)) return [];
  return (
    readdirSync(own)
      .filter((file) => file.endsWith('.journal'))
      // The last line may not be whole yet.
      .flatMap((file) => readFileSync(join(own, file), 'utf8').split('\n').slice(1, -1))
      .map((line) => JSON.parse(line) as JournalEntry)
      .flatMap((entry) => (entry.kind === 'decided' ? [startedSequence(entry.plan, entry.atMs)] : []))
  );
}

export function startedSequence(plan: Plan, startedMs: number): StartedSequence {
  return { startedMs, boundMs: plan.boundSeconds * 1000, deadlinesMs: deadlines(plan) };
}

/** A target may begin after the budgets of all earlier orders. */
function deadlines(plan: Plan): StartedSequence['deadlinesMs'] {
  const phase = plan.phases.find(({ name }) => name === 'remote_servers');
  const steps = phase?.steps ?? [];
  const deadlineOf = (target: Target): number => {
    const step = steps.find((one) => one.target === target);
    if (phase === undefined || step === undefined) throw new Error(`${target} is not in the plan`);
    const earlier = new Map<number, number>();
    for (const { rank, budgetSeconds } of steps)
      if (rank < step.rank) earlier.set(rank, Math.max(earlier.get(rank) ?? 0, budgetSeconds));
    const waited = [...earlier.values()].reduce((sum, seconds) => sum + seconds, 0);
    return (phase.beginsAfterSeconds + waited + step.budgetSeconds) * 1000;
  };
  return Object.fromEntries(
    targets.map((target) => [target, deadlineOf(target)]),
  ) as StartedSequence['deadlinesMs'];
}
