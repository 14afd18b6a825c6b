// Ten thousand outages against the real engine, on two cores; `npm run simulate` plays any number. Prints seed and figures.
import { expect } from 'chai';
import { campaign } from './campaign.js';
import { findingOf } from './finding.js';
import { generateScenario } from './generator/scenario.js';
import { medianReadings } from './tally.js';

const seed = 20_261_121;
/** Some runs have no outage: this many include 10,000 with one. */
const runs = 11_000;
/** Five minutes on two idle cores; longer on a busy machine. */
const limitMs = 60 * 60_000;

describe('a simulated outage', function () {
  this.timeout(limitMs + 60_000);

  it('violates no invariant in ten thousand runs', async () => {
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
