import { expect } from 'chai';
import type { EnergyBody } from '../../../shared/http/device-bodies.js';
import { Office } from '../../fixtures/office.js';
import { inTimeZone, zoneAtNoon } from '../../fixtures/time-zone.js';
import { until } from '../../fixtures/until.js';

describe('the energy of a UPS', () => {
  inTimeZone(zoneAtNoon());
  const office = new Office();

  it('is counted, has a cost, and is kept across kill -9', async () => {
    const more = '\n[energy]\ncost_per_kwh = 1000.0\ncurrency = "CHF"\n';
    const name = encodeURIComponent(office.name);
    const energy = async (): Promise<EnergyBody['energy']> => {
      try {
        const answer = await fetch(
          `http://127.0.0.1:${String(office.daemon?.apiPort)}/api/v1/ups/${name}/energy`,
        );
        return ((await answer.json()) as Partial<EnergyBody>).energy ?? null;
      } catch {
        return null;
      }
    };
    const costs = (found: EnergyBody['energy'], least: number): boolean => (found?.yearCost ?? 0) >= least;

    const before = await office.start({ apiPort: 0, more });
    const first = await until(energy, (found) => costs(found, 0.0001));
    expect(first).to.include({ currency: 'CHF', partial: false });
    const { yearCost = 0 } = first ?? {};
    await before.kill();
    await office.start({ apiPort: 0, more }, before.directory);
    const second = await until(energy, (found) => costs(found, yearCost));
    expect(second).to.include({ currency: 'CHF', partial: false });
  });
});
