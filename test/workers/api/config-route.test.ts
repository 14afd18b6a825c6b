import { expect } from 'chai';
import { decode } from '../../../shared/domain/base/decode.js';
import { ConfigBody } from '../../../shared/http/config-body.js';
import type { ApiUnderTest } from './fixture.js';
import { publishedApi } from './fixture.js';
import { ask } from './raw.js';

describe('the public view of the configuration', () => {
  let api: ApiUnderTest;
  beforeEach(async () => {
    api = await publishedApi();
  });
  afterEach(() => api.end());

  async function shown(): Promise<ConfigBody> {
    const decoded = decode(ConfigBody, JSON.parse((await ask(api, '/api/v1/config')).body));
    if (!decoded.ok) throw new Error(JSON.stringify(decoded.problems));
    return decoded.value;
  }

  it('contains hosts and features, and neither users nor allowed commands', async () => {
    const body = await shown();
    expect(body.detail).to.equal('sanitized');
    expect(body.ups[0]?.remoteServers).to.deep.equal([
      {
        name: 'nas',
        host: '192.0.2.9',
        enabled: true,
        shutdownOrder: 1,
        hasPreShutdownCommands: true,
        hasSshKey: true,
      },
    ]);
    expect(body.ups[0]).not.to.have.property('nutControl');
    expect(body.nutControl).to.deep.equal({ enabled: true });
  });

  it('follows a reload', async () => {
    api.body.reconfigure({ ...api.settings, summary: { ...api.settings.summary, dryRun: true } });
    expect((await shown()).dryRun).to.equal(true);
  });
});
