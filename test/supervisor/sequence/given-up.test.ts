import { expect } from 'chai';
import { outputOff, planOf, restarted, rig } from './several.js';
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
});
