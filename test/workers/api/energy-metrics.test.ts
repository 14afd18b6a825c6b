import { expect } from 'chai';
import type { ApiUnderTest } from './fixture.js';
import { publishedUps, startedApi } from './fixture.js';
import { ask } from './raw.js';

describe('the metrics of the energy', () => {
  let api: ApiUnderTest;
  beforeEach(async () => void (api = await startedApi()));
  afterEach(() => api.end());
  const lines = async (): Promise<readonly string[]> => (await ask(api, '/metrics')).body.split('\n');
  const office = 'ups="office@127.0.0.1",label="Office"';

  it('shows the energy of each period, and its cost only with a price', async () => {
    const energy = {
      todayKwh: 1.5,
      monthKwh: 20,
      yearKwh: 300,
      totalKwh: 900.5,
      currency: 'EUR',
      estimated: false,
      powerFactor: null,
      partial: false,
    };
    const { row, telemetry } = publishedUps();
    const shown = async (more: object) => {
      await api.publish({ ups: [{ row, telemetry: { ...telemetry, energy: { ...energy, ...more } } }] });
      return (await lines()).filter((line) => line.startsWith('svc_ups_energy_'));
    };
    const kwh = [
      `svc_ups_energy_kwh{${office},period="today"} 1.5`,
      `svc_ups_energy_kwh{${office},period="month"} 20`,
      `svc_ups_energy_kwh{${office},period="year"} 300`,
    ];
    expect(await shown({})).to.deep.equal(kwh);
    await api.publish({ ups: [{ row, telemetry: { ...telemetry, energy: null } }] });
    expect((await lines()).filter((line) => line.startsWith('svc_ups_energy_'))).to.deep.equal([]);
    expect(await shown({ todayKwh: null, monthKwh: null, yearKwh: null })).to.deep.equal([]);
    expect(await shown({ todayCost: 0.5, monthCost: 6, yearCost: 90 })).to.deep.equal([
      ...kwh,
      `svc_ups_energy_cost{${office},period="today"} 0.5`,
      `svc_ups_energy_cost{${office},period="month"} 6`,
      `svc_ups_energy_cost{${office},period="year"} 90`,
    ]);
  });
});
