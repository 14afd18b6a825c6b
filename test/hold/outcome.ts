// What a run of scripts/test.sh printed, in figures. Pure.

export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Titles, or one sentence where the run did not get to its end. */
  readonly failures: readonly string[];
}

export function outcomeOf(printed: string, exit: string): Outcome {
  const [, passed, failed, skipped = 0] =
    /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/m.exec(printed.trimEnd().split('\n').at(-1) ?? '') ??
    [];
  if (passed === undefined || (exit !== '0' && failed === '0')) {
    const last = printed.trimEnd().split('\n').at(-1) ?? '';
    return { passed: 0, failed: 1, skipped: 0, failures: [`it ended with ${exit}: ${last}`] };
  }
  const [, wrong = ''] = printed.split(/^what went wrong:$/m);
  const failures = [...wrong.matchAll(/^FAILED: (.*)$/gm)].map(([, title = '']) => title);
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped), failures };
}
