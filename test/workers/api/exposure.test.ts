import { expect } from 'chai';
import type { LogRecord } from '../../../shared/domain/log-record.js';
import { systemClock } from '../../../shared/runtime/clock.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import type { AuthState } from '../../../workers/api/access.js';
import { warnOfExposure, warnOfIdleControl } from '../../../workers/api/exposure.js';

/** The warnings of one start. */
async function said(
  warn: (auth: () => Promise<AuthState>, log: ReturnType<typeof loggerTo>) => Promise<void>,
  auth: AuthState,
): Promise<readonly string[]> {
  const records: LogRecord[] = [];
  const log = loggerTo('api', systemClock, (record) => void records.push(record));
  await warn(() => Promise.resolve(auth), log);
  expect(records.every(({ level }) => level === 'warning')).to.equal(true);
  return records.map(({ message }) => message);
}

describe('what the API warns of when it begins to listen', () => {
  const at = (address: string, auth: AuthState) => said((...rest) => warnOfExposure(address, ...rest), auth);
  const control = (on: boolean, auth: AuthState) => said((...rest) => warnOfIdleControl(on, ...rest), auth);

  it('is cleartext on an address that others can reach, and openness without authentication', async () => {
    for (const address of ['192.0.2.1:9191', '0.0.0.0:9191', '[::]:9191']) {
      expect(await at(address, 'on')).to.have.length(1);
      expect((await at(address, 'off')).join('\n')).to.match(/cleartext[^]*without authentication/);
    }
  });

  it('is nothing on loopback', async () => {
    for (const address of ['127.0.0.1:9191', '127.8.8.8:1', '[::1]:9191'])
      expect(await at(address, 'off')).to.deep.equal([]);
  });

  it('is control of UPSes that nobody can have', async () => {
    expect((await control(true, 'off')).join('\n')).to.include('ridethrough user create');
    for (const [on, auth] of [
      [true, 'on'],
      [true, 'unreadable'],
      [false, 'off'],
    ] as const)
      expect(await control(on, auth)).to.deep.equal([]);
  });
});
