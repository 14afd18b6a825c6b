import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { startedApi } from '../../workers/api/fixture.js';
import { publishedUps } from '../../workers/api/fixture.js';
import { ask } from '../../workers/api/raw.js';
import { skipFor } from '../../fixtures/skip.js';

const present = spawnSync('promtool', ['--version']).status === 0;

describe('promtool check metrics', () => {
  it('reports no problem', async function () {
    skipFor(this, !present && 'there is no promtool (Debian package prometheus)');
    const api = await startedApi();
    await api.publish({
      ups: [
        publishedUps({ label: 'a"b\\c\nd', realPower: 3, status: 'OL ODD' }),
        publishedUps({ name: 'b', groupId: 'b' }),
      ],
    });
    await ask(api, '/health');
    const { body } = await ask(api, '/metrics');
    await api.end();
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: body,
      encoding: 'utf8',
    });
    expect({ status, said: stdout + stderr }).to.deep.equal({ status: 0, said: '' });
  });
});
