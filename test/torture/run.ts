// Runs cases in parallel and reports each result. Skips, with a warning, cases that this machine cannot run.
import type { Case } from './fault.js';
import { caseName } from './fault.js';
import { faultNamed } from './faults/catalogue.js';
import { missingFor } from './faults/machine.js';
import type { CaseResult } from './checker.js';
import { runInNamespaces } from './namespaces.js';

export interface RunResult {
  /** In the order of the cases. */
  readonly results: readonly CaseResult[];
  /** Cases that cannot run here, and why. */
  readonly skipped: readonly { readonly of: Case; readonly why: string }[];
  /** Number of cases that did not start within the time. */
  readonly left: number;
}

export interface RunOptions {
  readonly cases: readonly Case[];
  readonly jobs: number;
  /** No case starts later than this after the first. */
  readonly withinMs: number;
  /** Print the daemon's log of every case, not only of failed ones. */
  readonly keepsLog: boolean;
  readonly onResult: (result: CaseResult, done: number) => void;
  readonly warn: (text: string) => void;
  /** Aborting it ends the running cases and starts no more. */
  readonly ended?: AbortSignal;
}

export async function runCases(options: RunOptions): Promise<RunResult> {
  const { cases, jobs, withinMs, keepsLog, onResult, warn, ended } = options;
  const refusals = new Map((['disk', 'clock'] as const).map((need) => [need, missingFor(need)]));
  const reasonToSkip = (of: Case): string | null => {
    const needs = of.faults.flatMap((name) => faultNamed(name).needs ?? []);
    return needs.map((need) => refusals.get(need) ?? null).find((why) => why !== null) ?? null;
  };
  const skipped = cases.flatMap((of) => {
    const why = reasonToSkip(of);
    return why === null ? [] : [{ of, why }];
  });
  for (const { of, why } of skipped) warn(`SKIPPED ${caseName(of)}: ${why}\n`);
  const playable = cases.filter((of) => reasonToSkip(of) === null);
  const results: CaseResult[] = [];
  const end = performance.now() + withinMs;
  let next = 0;
  let done = 0;
  const playNext = async (): Promise<void> => {
    for (let index = next++; index < playable.length; index = next++) {
      const of = playable[index];
      if (of === undefined || performance.now() > end || ended?.aborted === true) return;
      const result = await runInNamespaces(of, { keepsLog, warn, ended });
      if (result === null) return;
      results[index] = result;
      onResult(result, (done += 1));
    }
  };
  await Promise.all(Array.from({ length: jobs }, playNext));
  const played = results.filter((result) => result !== undefined);
  return { results: played, skipped, left: playable.length - played.length };
}
