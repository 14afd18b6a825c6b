import { expect } from 'chai';
import { FakeTime } from '../../fixtures/fake-time.js';
import { SimulatedJournals } from '../../simulation/journals.js';
import { planPhase, planWith } from '../../fixtures/plans.js';
import { hostWith, planOfHost, readUps } from './restarting.js';
import { outputOff } from './several.js';

describe('a UPS that feeds a host which restarts', () => {
  const rack = { ...planWith([planPhase('ups_output_off', [outputOff('rack')])], 'rack'), fedBy: ['rack'] };
  const known = { upses: [readUps('rack', { hostGroups: ['office'] })] };

  it('keeps its output on for 120 s, in an outage of its own too', async () => {
    const host = hostWith([planOfHost('office'), rack], { known });
    host.start('office');
    host.back.add('office');
    await host.time.pass(40_000);
    host.start('rack');
    await host.time.pass(20_000);
    expect(host.ran).to.deep.equal(['restart office']);
    await host.time.pass(300_000);
    host.start('rack');
    await host.time.pass(20_000);
    expect(host.ran, 'the restart did not come').to.deep.equal(['restart office', 'output of rack']);
  });

  for (const isKilled of [false, true])
    it(`has had its output cut in the outage before${isKilled ? ', by a daemon that was killed' : ''}: no restart`, async () => {
      const journals = new SimulatedJournals(() => 'kept');
      const time = new FakeTime();
      const plans = [planOfHost('office'), rack];
      const first = hostWith(plans, { known, journals, time });
      first.start('rack');
      await time.pass(5_000);
      expect(first.ran).to.deep.equal(['output of rack']);
      if (isKilled) first.sequences.stop();
      const host = isKilled ? hostWith(plans, { known, journals, time }) : first;
      host.back.add('rack');
      host.start('office');
      host.back.add('office');
      await time.pass(40_000);
      expect(host.ran).to.include('poweroff office').and.not.include('restart office');
    });
});
