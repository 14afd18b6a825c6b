import { expect } from 'chai';
import { restartCheck } from '../../../../scripts/commands/control/restart-check.js';
import type { ApiUnderTest } from '../../../workers/api/fixture.js';
import { publishedUps, startedApi } from '../../../workers/api/fixture.js';
import { run } from '../run.js';

describe('ridethrough restart-check', () => {
  let api: ApiUnderTest;
  beforeEach(async () => {
    api = await startedApi();
  });
  afterEach(() => api.end());

  const checked = () => run(() => restartCheck(['--socket', api.socket]));

  it('agrees while every UPS is on line power and no sequence runs', async () => {
    await api.publish({ ups: [publishedUps({ status: 'OL CHRG' })] });
    expect(await checked()).to.deep.equal({ code: 0, out: '', err: '' });
  });

  for (const [why, change] of [
    ['is on battery', { status: 'OB DISCHRG' }],
    ['is on battery', { status: 'OL', timeOnBattery: 3 }],
    ['is active', { status: 'OL', triggerActive: true }],
    ['cannot be read', { status: 'OL', connectionState: 'FAILED' }],
    ['cannot be read', { status: '', connectionState: 'UNKNOWN' }],
  ] as const)
    it(`names the UPS with ${JSON.stringify(change)}`, async () => {
      await api.publish({ ups: [publishedUps(), publishedUps({ label: 'Rack', ...change })] });
      const { code, out } = await checked();
      expect(code).to.equal(1);
      expect(out)
        .to.match(/^[^\n]*Rack[^\n]*\n$/)
        .and.to.contain(why);
    });

  it('refuses while a sequence runs, a rehearsed one too', async () => {
    await api.publish({
      ups: [publishedUps()],
      sequence: {
        active: true,
        group: 'office',
        startedAt: 1,
        phase: 'final_sync',
        pointOfNoReturn: false,
        powerBack: false,
        dryRun: true,
        others: [],
        steps: [],
      },
    });
    expect(await checked()).to.include({ code: 1, out: 'a shutdown sequence runs\n' });
  });

  it('refuses without an answer', async () => {
    const { code, err } = await run(() => restartCheck(['--socket', `${api.socket}.none`]));
    expect(code).to.equal(1);
    expect(err).to.match(/^ridethrough restart-check: /);
  });
});
