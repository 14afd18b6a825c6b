import { expect } from 'chai';
import { join } from 'node:path';
import type { Case } from './fault.js';
import type { CaseResult } from './checker.js';
import { Ledger } from './ledger.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const of: Case = { faults: ['the api worker is killed'], moment: 'mains', seed: 3 };
const result = (broken: readonly string[]): CaseResult => ({
  of,
  broken,
  pollGapMs: 500,
  firstCommandMs: null,
  sequence: null,
  api: { slowestMs: 5, awayMs: 700 },
  recoveryMs: 1_000,
});

describe('the ledger of a torture run', () => {
  let directory: string;
  beforeEach(() => {
    directory = temporaryFolder();
  });
  const ledger = (): Ledger => new Ledger(join(directory, 'ledger'));

  it('gives the next run the cases that held and the time they took', () => {
    const first = ledger();
    first.note(result([]));
    first.note({ tookSeconds: 90 });
    expect(ledger().heldOf(of)).to.deep.equal(result([]));
    expect(ledger().earlierSeconds).to.equal(90);
    expect(ledger().heldOf({ ...of, seed: 4 }), 'another seed').to.equal(undefined);
  });

  it('forgets a case that broke a promise, even if it held in an earlier run', () => {
    const first = ledger();
    first.note(result([]));
    first.note(result(['no answer of the API for 4.00 s']));
    expect(ledger().heldOf(of)).to.equal(undefined);
  });
});
