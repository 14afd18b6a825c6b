import { expect } from 'chai';
import type { SimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import type { EnergyBody } from '../../../shared/http/device-bodies.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { freePort, startDaemon } from '../../fixtures/running-daemon.js';
import { until } from '../../fixtures/until.js';

describe('the energy of a UPS', function () {
  this.timeout(120_000);
  let upsd: SimulatedUpsd;
  let daemon: RunningDaemon | undefined;
  beforeEach(async () => {
    upsd = await startSimulatedUpsd({ ups: [{ name: 'office', noise: 0 as const }] });
  });
  afterEach(async () => {
    await daemon?.stop();
    daemon = undefined;
    await upsd.stop();
  });

  it('is counted, has a cost, and is kept across kill -9', async () => {
    const port = await freePort();
    const more = '\n[energy]\ncost_per_kwh = 1000.0\ncurrency = "CHF"\n';
    const toml = configurationFor({ port: upsd.port, apiPort: port, checkInterval: 0.2, more }).replace(
      '[statistics]\n',
      '[statistics]\nflush_interval = 0.5\n',
    );
    const name = encodeURIComponent(`office@127.0.0.1:${String(upsd.port)}`);
    const energy = async (): Promise<EnergyBody['energy']> => {
      try {
        const answer = await fetch(`http://127.0.0.1:${String(port)}/api/v1/ups/${name}/energy`);
        return ((await answer.json()) as Partial<EnergyBody>).energy ?? null;
      } catch {
        return null;
      }
    };
    const costs = (found: EnergyBody['energy'], least: number): boolean => (found?.yearCost ?? 0) >= least;

    daemon = await startDaemon({ toml });
    const { directory } = daemon;
    const first = await until(energy, (found) => costs(found, 0.0001), 60_000);
    expect(first).to.include({ currency: 'CHF', partial: false });
    const { yearCost = 0 } = first ?? {};
    daemon.signal('SIGKILL');
    await daemon.exited;
    daemon = await startDaemon({ toml, directory });
    const second = await until(energy, (found) => costs(found, yearCost), 60_000);
    expect(second).to.include({ currency: 'CHF', partial: false });
  });
});
