import { expect } from 'chai';
import { wait } from '../../../../scripts/commands/wait/wait.js';
import type { ApiUnderTest } from '../../../workers/api/fixture.js';
import { publishedUps, startedApi } from '../../../workers/api/fixture.js';
import { run } from '../run.js';

describe('ridethrough wait', () => {
  let api: ApiUnderTest;
  beforeEach(async () => {
    api = await startedApi();
  });
  afterEach(() => api.end());

  const printed = (...args: readonly string[]) => run(() => wait(['--socket', api.socket, ...args]));

  it('ends when the running daemon says that the battery is good', async () => {
    await api.publish({ ups: [publishedUps({ status: 'OL', batteryCharge: 41 })] });
    expect(await printed('--stable', '0s')).to.deep.equal({
      code: 0,
      out: 'ridethrough wait: ready: the battery could carry another outage\n',
      err: '',
    });
  });

  it('does not end while a shutdown sequence runs, other than a dry run', async () => {
    const good = publishedUps({ status: 'OL', batteryCharge: 41 });
    const sequence = { group: good.row.groupId, startedAt: 1, phase: 'remote_servers', steps: [] };
    const running = { active: true, pointOfNoReturn: true, powerBack: true, others: [], ...sequence };
    await api.publish({ ups: [good], sequence: { ...running, dryRun: false } });
    expect((await printed('--stable', '0s', '--timeout', '0s')).out).to.match(
      /although not ready: a shutdown sequence runs/,
    );
    await api.publish({ ups: [good], sequence: { ...running, dryRun: true } });
    expect((await printed('--stable', '0s')).out).to.match(/ready: the battery/);
  });

  it('ends at its time-out with exit code 0', async () => {
    await api.publish({ ups: [publishedUps({ status: 'OB', batteryCharge: 90 })] });
    const { code, out } = await printed('--timeout', '0s');
    expect(code).to.equal(0);
    expect(out).to.match(/ended at the time-out of 0 s, although not ready: .* is not on line power/);
  });

  it('fails for a UPS that the daemon does not have', async () => {
    await api.publish({ ups: [publishedUps()] });
    const { code, err } = await printed('--ups', 'nosuch');
    expect(code).to.equal(1);
    expect(err).to.contain('there is no UPS "nosuch"');
  });

  for (const args of [
    ['--stable', '2 min'],
    ['--timeout', '25h'],
    ['--charge', '101'],
    ['--charge', '-1'],
  ])
    it(`refuses ${args.join(' ')}`, async () => {
      const failure: unknown = await printed(...args).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(Error);
    });
});
