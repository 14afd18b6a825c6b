import { expect } from 'chai';
import type { BatteryHealthBody } from '../../../shared/http/battery-bodies.js';
import { assessedBattery } from '../../fixtures/assessed-battery.js';
import type { ApiUnderTest } from './fixture.js';
import { publishedUps, startedApi } from './fixture.js';
import { ask } from './raw.js';

describe('the battery in the API', () => {
  let api: ApiUnderTest;
  beforeEach(async () => void (api = await startedApi()));
  afterEach(() => api.end());
  const labels = 'ups="office@127.0.0.1",label="Office"';

  async function metrics(change: Partial<typeof assessedBattery> | null): Promise<readonly string[]> {
    const { row, telemetry } = publishedUps();
    const batteryHealth = change === null ? null : { ...assessedBattery, ...change };
    await api.publish({ ups: [{ row, telemetry: { ...telemetry, batteryHealth } }] });
    const { body } = await ask(api, '/metrics');
    return body.split('\n').filter((line) => /^svc_ups_(?:battery_health|replacement)/.test(line));
  }

  it('has metrics of the score and of the time that remains', async () => {
    expect(await metrics({})).to.deep.equal([
      `svc_ups_battery_health_score{${labels}} 66.1`,
      `svc_ups_replacement_remaining_seconds{${labels}} 8640000`,
    ]);
  });

  it('has no metric of what is unknown, and 0 seconds when it is due now', async () => {
    expect(await metrics(null)).to.deep.equal([]);
    const none = { ...assessedBattery.replacement, state: 'unknown' } as const;
    const unknown = { score: null, replacement: none, replacementDaysRemaining: null };
    expect(await metrics(unknown)).to.deep.equal([]);
    const due = {
      score: 40,
      replacement: { ...none, state: 'due' },
      replacementDaysRemaining: null,
    } as const;
    expect(await metrics(due)).to.deep.equal([
      `svc_ups_battery_health_score{${labels}} 40`,
      `svc_ups_replacement_remaining_seconds{${labels}} 0`,
    ]);
  });

  it('has the whole assessment', async () => {
    await metrics({});
    const answer = await ask(api, '/api/v1/ups/office%40127.0.0.1/battery-health');
    expect((JSON.parse(answer.body) as BatteryHealthBody).batteryHealth).to.deep.equal(assessedBattery);
  });
});
