import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import type { Moment } from './fault.js';
import { catalogue } from './faults/catalogue.js';
import type { CaseResult } from './checker.js';
import { filledIn } from './page.js';

const page = readFileSync(new URL('../../../docs/reliability.md', import.meta.url), 'utf8');

function result(fault: string, moment: Moment, change: Partial<CaseResult> = {}): CaseResult {
  return {
    of: { faults: [fault], moment, seed: 1 },
    broken: [],
    pollGapMs: 600,
    firstCommandMs: null,
    sequence: null,
    api: { slowestMs: 5, awayMs: 300 },
    recoveryMs: 1_000,
    ...change,
  };
}

function written(...results: readonly CaseResult[]): string {
  const run = { skipped: [], left: 0, seed: 7, jobs: 2, startedAt: new Date(0), wallSeconds: 600 };
  return filledIn(page, { ...run, results });
}

describe('the reliability page', () => {
  const killFault = 'the log worker is killed';
  const sequence = { tookMs: 3_900, boundMs: 78_000, commanded: 3, reachable: 3 };

  it('has one row for a fault, with the worst of its moments', () => {
    const text = written(
      result(killFault, 'mains', { recoveryMs: 2_000 }),
      result(killFault, 'outage', { pollGapMs: 900, firstCommandMs: 1_300, sequence }),
    );
    expect(text).to.contain(`### The log

| Fault | Others polled | First command | Sequence | API away | Well again |
|---|---|---|---|---|---|
| ${killFault} | 0.9 s | 1.3 s | 3.9 s | 0.3 s | 2.0 s |

<!-- torture: end -->`);
    expect(text).to.contain('**2 cases, every promise held**, 0 skipped. Seed 7, 1970-01-01');
    expect(text).to.contain('| until all was well again | 2.0 s | 1.0 s | none |');
  });

  it('lists the cases that broke a promise, pairs too, and says when the daemon did not recover', () => {
    const broken = ['not well again after 20.0 s'];
    const pair = { faults: [killFault, 'the api worker is killed'], moment: 'mains', seed: 1 } as const;
    const text = written(
      result(killFault, 'mains', { broken, recoveryMs: null }),
      result(killFault, 'mains', { of: pair, broken }),
    );
    expect(text).to.contain('**2 cases, 2 RED**');
    expect(text).to.contain(
      `| ${killFault} | 0.6 s | none | none | 0.3 s | not |\n\n### Broken promises\n\n`,
    );
    expect(text).to.contain(
      `- mains: ${killFault} + the api worker is killed: not well again after 20.0 s\n`,
    );
  });

  it('keeps the text around the marks and the order of the rows that the repository shows', () => {
    const text = written(...catalogue.map(({ name }) => result(name, 'mains')));
    const shape = (of: string): readonly string[] =>
      of.split('\n').map((line) => line.replace(/^\*\*.*|^\(.*|(?<=^\|[^|]*\|).*/, ''));
    expect(shape(text)).to.deep.equal(shape(page));
  });

  it('is not written when a mark is gone', () => {
    const run = {
      results: [],
      skipped: [],
      left: 0,
      seed: 7,
      jobs: 2,
      startedAt: new Date(0),
      wallSeconds: 1,
    };
    expect(() => filledIn(page.replace('<!-- torture: end -->', ''), run)).to.throw('no marks for "torture"');
  });
});
