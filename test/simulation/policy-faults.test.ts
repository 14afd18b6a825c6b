// Outages in which policy throws, each beside the same outage with a policy that works; `npm run simulate:faults` plays any number.
import { expect } from 'chai';
import { campaign } from './campaign.js';
import { addFigures, blankFigures, inWords } from './policy-faults/figures.js';
import { FaultyProgram } from './policy-faults/program.js';

const seed = 20_261_128;
const runs = 160;
/** Half a minute on one idle core; longer on a busy machine. */
const limitMs = 30 * 60_000;

describe('a policy that throws', function () {
  this.timeout(limitMs + 60_000);

  it('leaves no host on, starts no needless sequence and none twice', async () => {
    const program = new FaultyProgram();
    try {
      const { entry } = program;
      const tally = { blank: blankFigures, add: addFigures };
      const figures = await campaign({ ...tally, entry, seed, runs, jobs: 1, limitMs });
      process.stdout.write(`    seed ${String(seed)}: ${inWords(figures).join('\n    ')}\n`);
      expect(figures.broken).to.deep.equal([]);
      expect(figures.runs).to.equal(runs);
      expect(program.places.length, 'functions of policy').to.be.greaterThan(400);
      expect(figures.struck, 'plays in which it throws').to.be.greaterThan(runs / 4);
      expect(figures.met, 'sequences of a policy that works').to.be.greaterThan(runs / 2);
    } finally {
      program.remove();
    }
  });
});
