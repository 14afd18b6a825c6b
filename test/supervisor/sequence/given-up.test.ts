import { expect } from 'chai';
import { failure, outputOff, planOf, restarted, rig } from './several.js';
import { planPhase, planWith } from '../../fixtures/plans.js';
import type { Plan } from '../../../shared/domain/outage/plan.js';
import { settled } from '../../fixtures/fake-time.js';

/** The rack has no servers: its UPS does not answer for 10 s before the power-off of this host. */
const slowPlan = (group: string): Plan =>
  planWith([planPhase('ups_output_off', [outputOff('silent')]), ...planOf(group, [], true).phases], group);

describe('a power-off that one group gave up', () => {
  it('is tried for another group, whose power is out, when that one comes to its last step', async () => {
    const { start, time, ran, back, events } = rig([planOf('office', [], true), slowPlan('rack')]);
    start('office', 'rack');
    await time.pass(1_000);
    expect(ran).to.include('poweroff office').and.not.to.include('poweroff rack');
    // Power of the office returns; that of the rack does not.
    back.add('office');
    await time.pass(6_000);
    expect(events.at(-1)).to.match(
      /is not run again: power is back, and this host stays up; start what .* by itself/,
    );
    // The step of the rack ends with its budget; then its power-off is due.
    await time.pass(30_000);
    await settled();
    expect(ran, 'the host is never powered off for the rack').to.include('poweroff rack');
  });

  it('is tried also by the next daemon, killed after the first gave up', async () => {
    const plans = [planOf('office', [], true), slowPlan('rack')];
    const one = rig(plans);
    one.start('office', 'rack');
    await one.time.pass(1_000);
    one.back.add('office');
    await one.time.pass(6_000);
    const next = restarted(plans, one.journals, undefined, [], one.time);
    next.back.add('office');
    await next.time.pass(60_000);
    expect(next.ran, 'the host is never powered off for the rack').to.include('poweroff rack');
  });

  it('is not given up where each UPS that feeds this host has accepted its cut, which comes on mains too', async () => {
    const tries = async (fedBy: readonly string[], cuts: readonly string[], laterMs = 0) => {
      const off = planOf('office', [], true);
      const phases = [planPhase('ups_output_off', cuts.map(outputOff)), ...off.phases];
      const { start, time, ran, back } = rig([{ ...off, phases, fedBy }]);
      start('office');
      await settled();
      await time.pass(15_000 + laterMs);
      back.add('office');
      ran.length = 0;
      await time.pass(60_000);
      return ran.filter((command) => command.startsWith('poweroff')).length;
    };
    expect(await tries(['office'], ['office'])).to.be.above(5);
    expect(await tries(['office', 'rack'], ['office', 'rack'])).to.be.above(5);
    expect(await tries(['office', 'rack'], ['office']), 'the other feeds it on').to.equal(0);
    expect(await tries(['silent'], ['silent']), 'not accepted').to.equal(0);
    expect(await tries([], ['nas']), 'it feeds something else').to.equal(0);
    expect(await tries(['office'], ['office'], 3_600_000), 'it has not cut').to.equal(0);
  });

  it('is tried by the next daemon without a reading, where the cut was accepted', async () => {
    const off = planOf('office', [], true);
    const phases = [planPhase('ups_output_off', [outputOff('office')]), ...off.phases];
    const plans = [{ ...off, phases, fedBy: ['office'] }];
    const one = rig(plans);
    one.start('office');
    await settled();
    await one.time.pass(1_000);
    expect(one.ran).to.deep.equal(['output of office', 'poweroff office']);
    const next = rig(plans, failure, one.journals, one.time);
    next.unseen.add('office');
    next.sequences.resumePowerOff();
    await next.time.pass(5_000);
    expect(next.ran).to.deep.equal(['poweroff office']);
  });
});
