// The test of a campaign: runs of one seed against the real engine, and how much of each kind they must contain.
import { expect } from 'chai';
import { campaign } from './campaign.js';
import { findingOf } from './finding.js';
import { generateScenario } from './generator/scenario.js';
import { medianReadings, ofScenarios } from './tally.js';

const seed = 20_261_121;
/** On one idle core 0.03 s a run; longer on a busy machine. */
const limitMs = 60 * 60_000;

/** Plays the first runs of the seed on one thread: other tests have the other processors. */
export function violatesNoInvariant(runs: number): void {
  it(`violates no invariant in ${String(runs)} runs`, async function () {
    this.timeout(limitMs + 60_000);
    const startedMs = performance.now();
    const startedCpu = process.cpuUsage();
    const tally = await campaign({ ...ofScenarios, seed, runs, jobs: 1, limitMs });
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
    expect(tally.runsWithOutage, 'runs with an outage').to.be.at.least(runs / 1.1);
    expect(medianReadings(tally), 'median readings').to.be.at.least(300);
    expect(tally.powerOffs, 'hosts that were powered off').to.be.greaterThan(0.36 * runs);
  });
}
