// Ten thousand outages against the real decisions, on two cores; `npm run simulate` plays as many as one likes. Seed and figures are printed with the result.
import { expect } from 'chai';
import { campaign } from './campaign.js';
import { findingOf } from './finding.js';
import { generateScenario } from './generator/scenario.js';
import { medianReadings } from './tally.js';

const seed = 20_261_121;
/** Some runs have no outage: so many have 10,000 with one. */
const runs = 11_000;
/** It takes a minute on two cores; on a machine that does other things too it may take its time. */
const limitMs = 15 * 60_000;

describe('a simulated outage', function () {
  this.timeout(limitMs + 60_000);

  it('breaks no promise, ten thousand times', async () => {
    const startedMs = performance.now();
    const startedCpu = process.cpuUsage();
    const tally = await campaign({ seed, runs, jobs: 2, limitMs });
    const seconds = (performance.now() - startedMs) / 1000;
    const cpu = process.cpuUsage(startedCpu);
    const cpuSeconds = (cpu.user + cpu.system) / 1_000_000;
    const [broken] = tally.broken;
    if (broken !== undefined) {
      const finding = await findingOf(generateScenario(seed, broken.run));
      expect.fail(
        `run ${String(broken.run)} of seed ${String(seed)} breaks a promise\n${finding?.text ?? ''}`,
      );
    }
    process.stdout.write(
      `    seed ${String(seed)}: ${String(tally.runsWithOutage)} runs with an outage in ${seconds.toFixed(1)} s ` +
        `(${cpuSeconds.toFixed(1)} s of processor time), ` +
        `${String(Math.round(tally.runsWithOutage / seconds))} outages/s, ${String(Math.round(tally.readings / seconds))} readings/s, ` +
        `median ${String(medianReadings(tally))} readings a run\n`,
    );
    expect(tally.runs, 'runs played').to.equal(runs);
    expect(tally.runsWithOutage, 'runs with an outage').to.be.at.least(10_000);
    expect(medianReadings(tally), 'median readings').to.be.at.least(300);
    expect(tally.powerOffs, 'hosts that were powered off').to.be.greaterThan(4_000);
  });
});
