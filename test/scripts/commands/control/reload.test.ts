import { expect } from 'chai';
import { reload } from '../../../../scripts/commands/control/reload.js';
import type { ReloadReport } from '../../../../shared/protocol/api.js';
import type { ApiUnderTest } from '../../../workers/api/fixture.js';
import { startedApi } from '../../../workers/api/fixture.js';
import { run } from '../run.js';

const report: ReloadReport = {
  reloaded: true,
  applied: ['api.port', 'ups[office@127.0.0.1].check_interval'],
  restartedWorkers: [],
  restartRequired: ['nut.max_pollers'],
  errors: [],
};

describe('ridethrough reload', () => {
  let api: ApiUnderTest;
  afterEach(() => api.end());
  const told = async (value: ReloadReport, ...args: string[]) => {
    api = await startedApi({ ask: () => Promise.resolve({ ok: true, value }) });
    return run(() => reload(['--socket', api.socket, ...args]));
  };

  it('prints the applied changes and those that need a restart', async () => {
    expect(await told(report)).to.deep.equal({
      code: 0,
      err: '',
      out: `Applied:
  api.port
  ups[office@127.0.0.1].check_interval
Needs a restart of the daemon (systemctl restart ridethrough):
  nut.max_pollers
`,
    });
    expect(api.asked).to.deep.equal(['configuration.reload ']);
  });

  it('reports that nothing changed', async () => {
    expect((await told({ ...report, applied: [], restartRequired: [] })).out).to.equal('Nothing changed.\n');
  });

  it('names the restarted workers', async () => {
    expect((await told({ ...report, restartedWorkers: ['mqtt'], restartRequired: [] })).out).to.contain(
      'Workers restarted:\n  mqtt\n',
    );
  });

  it('prints JSON with --json', async () => {
    expect(JSON.parse((await told(report, '--json')).out)).to.deep.equal(report);
  });

  it('exits 78 with every problem of an invalid file', async () => {
    const errors = [
      { path: 'api.port', message: 'expected a port' },
      { path: '', message: 'the file is empty' },
    ];
    const { code, err } = await told({ ...report, reloaded: false, errors });
    expect(code).to.equal(78);
    expect(err)
      .to.contain('stays in force')
      .and.to.contain('\n  api.port: expected a port\n  the file is empty\n');
  });

  it('exits 75 when nobody could read the file', async () => {
    const errors = [{ path: '', message: 'config.toml could not be read within 30 s' }];
    const { code, err } = await told({ ...report, reloaded: false, errors, isUnread: true });
    expect(code).to.equal(75);
    expect(err).to.contain('could not be read. The current');
  });

  it('exits 1 if no daemon answers', async () => {
    api = await startedApi();
    const { code, err } = await run(() => reload(['--socket', `${api.socket}.gone`]));
    expect([code, err.includes('is not running')]).to.deep.equal([1, true]);
  });
});
