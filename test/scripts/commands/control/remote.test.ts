import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { remote } from '../../../../scripts/commands/control/remote.js';
import { UsageError } from '../../../../scripts/commands/usage.js';
import type { RemoteHealthRow } from '../../../../shared/domain/status/status-model.js';
import type { ApiUnderTest } from '../../../workers/api/fixture.js';
import { startedApi } from '../../../workers/api/fixture.js';
import { run } from '../run.js';
import { temporaryFolder } from '../../../fixtures/temporary-folder.js';

const row = (server: string, other: Partial<RemoteHealthRow> = {}): RemoteHealthRow => ({
  server,
  host: '192.0.2.9',
  user: 'root',
  group: 'office',
  groupKind: 'ups',
  status: 'HEALTHY',
  lastCheckedAt: 1_700_000_000,
  lastSuccessAt: 1_700_000_000,
  lastError: null,
  latencyMs: 123,
  consecutiveFailures: 0,
  ...other,
});

describe('ridethrough remote list', () => {
  let api: ApiUnderTest | undefined;
  afterEach(async () => {
    await api?.end();
    api = undefined;
  });
  const listed = async (servers: readonly RemoteHealthRow[], ...args: string[]) => {
    const running = (api = await startedApi());
    await running.publish({ remoteHealth: [...servers] });
    return run(() => remote(['list', '--socket', running.socket, ...args]));
  };
  const failed = row('hypervisor', {
    status: 'FAILED',
    latencyMs: null,
    consecutiveFailures: 3,
    lastError: 'no\nway \u001b[31m',
  });
  const unknown = row('new', { status: 'UNKNOWN', lastCheckedAt: null, latencyMs: null });

  it('prints every server with its last probe, without control characters', async () => {
    const { code, out } = await listed([row('nas'), failed, unknown]);
    expect(code).to.equal(0);
    expect(out.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, '(when)').replaceAll(/ {2,}/g, '  ')).to.equal(
      [
        'SERVER  LOGIN  GROUP  STATUS  PROBED  TOOK  FAILURES  LAST ERROR',
        'nas  root@192.0.2.9  office  HEALTHY  (when)  0.12 s  0',
        'hypervisor  root@192.0.2.9  office  FAILED  (when)  -  3  no?way ?[31m',
        'new  root@192.0.2.9  office  UNKNOWN  -  -  0',
        '',
      ].join('\n'),
    );
  });

  it('reports that there are no servers', async () => {
    expect((await listed([])).out).to.equal('No remote server is configured.\n');
  });

  it('prints the body of the API with --json', async () => {
    const { out } = await listed([row('nas')], '--json');
    expect(JSON.parse(out)).to.have.deep.property('servers', [row('nas')]);
  });

  it('lists the configured servers with a notice if no daemon answers', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'config.toml');
    writeFileSync(
      file,
      `[[ups]]\nname = "office@127.0.0.1"\n[[ups.remote_servers]]\nname = "nas"\nhost = "192.0.2.9"\nuser = "root"\n` +
        `[[ups.remote_servers]]\nname = "off"\nhost = "192.0.2.10"\nuser = "root"\nenabled = false\n` +
        `[supervisor]\nruntime_directory = "${folder}/run"\n`,
      { mode: 0o600 },
    );
    const { code, out, err } = await run(() => remote(['list', '--config', file]));
    expect(code, err).to.equal(0);
    expect(err)
      .to.contain('The daemon is not running')
      .and.to.contain('The list shows the configured servers');
    expect(out).to.match(/^nas +root@192\.0\.2\.9 +office-127\.0\.0\.1(-3493)? +UNKNOWN +- +- +0$/m);
    expect(out).to.match(/^off .* DISABLED /m);
    const { out: json } = await run(() => remote(['list', '--json', '--config', file]));
    expect(JSON.parse(json)).to.have.nested.property('servers[1].status', 'DISABLED');
  });

  it('exits 1 without a daemon and a configuration, and requires a subcommand', async () => {
    const { code, err } = await run(() => remote(['list', '--socket', '/nowhere/control.sock']));
    expect([code, err.includes('is not running')]).to.deep.equal([1, true]);
    const wrong = await remote([]).then(
      () => null,
      (error: unknown) => error,
    );
    expect(wrong).to.be.instanceOf(UsageError);
  });
});
