// The short form of `npm run torture`: one case of each kind, and pairs. docs/reliability.md lists the promises.
import { expect } from 'chai';
import { short } from '../../torture/cases.js';
import { caseName } from '../../torture/fault.js';
import type { CaseResult } from '../../torture/checker.js';
import { namespaceProblem } from '../../torture/namespaces.js';
import { caseLine } from '../../torture/report.js';
import { runCases } from '../../torture/run.js';
import { skipFor } from '../../fixtures/skip.js';

/** `npm run torture` keeps the times themselves. */
const cases = short(1).map((of) => ({ ...of, patience: 5 }));
/** A case takes 15 s and mostly waits. More cases at a time would measure the two cores. */
const jobs = 4;

describe('a daemon with an injected fault keeps every guarantee', () => {
  const results = new Map<string, CaseResult>();
  const skipped = new Map<string, string>();

  before(async function () {
    skipFor(this, namespaceProblem());
    // Twelve cases on a busy machine; each has a limit of its own.
    this.timeout(1_800_000);
    const warn = (text: string): void => void process.stderr.write(text);
    const ran = await runCases({
      cases,
      jobs,
      withinMs: Infinity,
      keepsLog: false,
      onResult: () => undefined,
      warn,
    });
    for (const result of ran.results) results.set(caseName(result.of), result);
    for (const { of, why } of ran.skipped) skipped.set(caseName(of), why);
  });

  for (const playNext of cases.map(caseName)) {
    it(playNext, function () {
      skipFor(this, skipped.get(playNext) ?? null);
      const result = results.get(playNext);
      expect(result, 'it was played').not.to.equal(undefined);
      if (result === undefined) return;
      process.stdout.write(caseLine(result));
      expect(result.broken).to.deep.equal([]);
    });
  }
});
