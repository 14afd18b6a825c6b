import { expect } from 'chai';
import { planPhase, planWith } from '../../fixtures/plans.js';
import { hostWith, planOfHost, readUps } from './restarting.js';
import { outputOff } from './several.js';

describe('a UPS that feeds a host which restarts', () => {
  it('keeps its output on for 120 s, in an outage of its own too', async () => {
    const rack = { ...planWith([planPhase('ups_output_off', [outputOff('rack')])], 'rack'), fedBy: ['rack'] };
    const known = { upses: [readUps('rack', { feedsHost: true })] };
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
});
