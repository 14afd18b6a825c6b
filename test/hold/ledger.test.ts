import { expect } from 'chai';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../fixtures/temporary-folder.js';
import type { Result } from './ledger.js';
import { Ledger } from './ledger.js';

const result = (name: string, failed: number): Result => ({
  ...{ name, failed, passed: 5, skipped: 0, seconds: 1 },
  failures: failed === 0 ? [] : ['a test'],
});

describe('the ledger of test:hold', () => {
  it('keeps what passed for the next run, and neither a later failure nor a line that was cut off', () => {
    const file = join(temporaryFolder(), 'ledger');
    const ledger = new Ledger(file);
    for (const [name, failed] of [
      ['good', 0],
      ['mended', 1],
      ['mended', 0],
      ['broken', 0],
      ['broken', 1],
    ] as const)
      ledger.add(result(name, failed));
    appendFileSync(file, '{"name":"cut');
    const next = new Ledger(file);
    expect(next.passed('good')).to.deep.equal(result('good', 0));
    expect(['mended', 'broken', 'cut'].map((name) => next.passed(name)?.failed)).to.deep.equal([
      0,
      undefined,
      undefined,
    ]);
  });

  it('is nothing without a file', () => {
    const ledger = new Ledger(undefined);
    ledger.add(result('good', 0));
    expect(ledger.passed('good')).to.equal(undefined);
  });
});
