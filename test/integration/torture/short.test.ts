// The short form of `npm run torture`: one case of each kind, and pairs. What it promises stands in docs/reliability.md.
import { expect } from 'chai';
import { short } from '../../torture/cases.js';
import { caseName } from '../../torture/fault.js';
import type { Verdict } from '../../torture/judge.js';
import { whyNoNest } from '../../torture/nest.js';
import { lineOf } from '../../torture/report.js';
import { runCases } from '../../torture/run.js';

const cases = short(1);
/** A case takes 15 s, most of which it waits; on two busy cores more at a time would measure the cores. */
const jobs = 4;
const withinMs = 180_000;

describe('a daemon in a hostile world keeps every promise', function () {
  this.timeout(240_000);
  const verdicts = new Map<string, Verdict>();
  const skipped = new Map<string, string>();

  before(async function () {
    const refusal = whyNoNest();
    if (refusal !== null) {
      process.stderr.write(`SKIPPED: the daemon is not tortured: ${refusal}\n`);
      this.skip();
    }
    const say = (text: string): void => void process.stderr.write(text);
    const ran = await runCases({ cases, jobs, withinMs, keepsLog: false, told: () => undefined, say });
    for (const verdict of ran.verdicts) verdicts.set(caseName(verdict.of), verdict);
    for (const { of, why } of ran.skipped) skipped.set(caseName(of), why);
  });

  for (const one of cases.map(caseName)) {
    it(one, function () {
      if (skipped.has(one)) this.skip();
      const verdict = verdicts.get(one);
      expect(verdict, 'it was played').not.to.equal(undefined);
      if (verdict === undefined) return;
      process.stdout.write(lineOf(verdict));
      expect(verdict.broken).to.deep.equal([]);
    });
  }
});
