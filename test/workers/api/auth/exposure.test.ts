import { expect } from 'chai';
import type { LogRecord } from '../../../../shared/domain/status/log-record.js';
import { systemClock } from '../../../../shared/runtime/clock.js';
import { loggerTo } from '../../../../shared/runtime/log.js';
import type { AuthState } from '../../../../workers/api/auth/access.js';
import { warnOfExposure } from '../../../../workers/api/auth/exposure.js';

async function said(address: string, auth: AuthState): Promise<readonly string[]> {
  const records: LogRecord[] = [];
  const log = loggerTo('api', systemClock, (record) => void records.push(record));
  await warnOfExposure(address, () => Promise.resolve(auth), log);
  expect(records.every(({ level }) => level === 'warning')).to.equal(true);
  return records.map(({ message }) => message);
}

describe('the warning of the API when it starts to listen', () => {
  it('names cleartext on a reachable address, and missing authentication', async () => {
    for (const address of ['192.0.2.1:9191', '0.0.0.0:9191', '[::]:9191', '[::ffff:192.0.2.1]:9191']) {
      expect(await said(address, 'on')).to.have.length(1);
      expect((await said(address, 'off')).join('\n')).to.match(/cleartext[^]*without authentication/);
    }
  });

  it('is empty on loopback', async () => {
    for (const address of [
      '127.0.0.1:9191',
      '127.8.8.8:1',
      '[::1]:9191',
      '[::ffff:127.0.0.1]:9191',
      '[0:0:0:0:0:ffff:7f00:1]:9191',
    ])
      expect(await said(address, 'off')).to.deep.equal([]);
  });
});
