// Worlds of a host whose power is back at the end of its shutdown; `npm run simulate:restarts` plays any number.
import { expect } from 'chai';
import { campaign } from './campaign.js';
import { inWords, ofRestarts } from './restart/figures.js';

const seed = 20_261_130;
const runs = 150;
/** Each takes a third of a second of a processor. */
const limitMs = 30 * 60_000;

describe('a simulated host that may restart in place of its power-off', () => {
  it(`breaks no promise in ${String(runs)} worlds`, async function () {
    this.timeout(limitMs + 60_000);
    const figures = await campaign({ ...ofRestarts, seed, runs, jobs: 1, limitMs });
    process.stdout.write(`    seed ${String(seed)}: ${inWords(figures)}\n`);
    expect(figures.broken).to.deep.equal([]);
    expect(figures.runs).to.equal(runs);
    expect(figures.restarts, 'restarts').to.be.greaterThan(0.04 * runs);
    expect(figures.powerOffs, 'commands to power off').to.be.greaterThan(0.5 * runs);
  });
});
