// UPS control while no user exists (specification/security.md#authentication): the real command line on real databases.
import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findUsers } from '../../../supervisor/config/read/known-users.js';
import { userPassword } from '../../fixtures/auth-database.js';
import { harmless, startDaemon } from '../../fixtures/running-daemon.js';
import type { Ran } from '../../fixtures/ridethrough.js';
import { ridethrough } from '../../fixtures/ridethrough.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

describe('control of UPSes without a user', () => {
  let directory: string;
  let file: string;
  let database: string;

  beforeEach(() => {
    directory = temporaryFolder();
    [file, database] = [join(directory, 'config.toml'), join(directory, 'auth.db')];
    writeFileSync(file, toml.replaceAll('{directory}', directory), { mode: 0o600 });
  });

  const toml = `
[[ups]]
name = "office@127.0.0.1:9"
[nut_control]
enabled = true
password = "a secret"
[api.auth]
db_path = "{directory}/auth.db"
${harmless.replace('{shutdown}', '/bin/true')}`;
  const run = (line: string, input = ''): Promise<Ran> =>
    ridethrough([...line.split(' '), '--config', file], input);

  it('stops the start of the daemon, with the command that creates a user in the error', async () => {
    for (const command of ['run', 'validate']) {
      const { code, err } = await run(command);
      expect(code, command).to.equal(78);
      expect(err, command)
        .to.contain('nut_control.enabled: UPS control needs authentication')
        .and.to.contain('ridethrough user create NAME');
    }
  });

  it('is accepted once the command in the error has created a user', async () => {
    const made = await run('user create alice --password-stdin', userPassword);
    expect(made).to.deep.equal({ code: 0, out: 'The user alice can log in.\n', err: '' });
    expect((await run('validate')).code).to.equal(0);
    const daemon = await startDaemon({ toml, directory });
    await daemon.stop();
  });

  it('is rejected again after the last user is deleted, and the deletion warns of it', async () => {
    await run('user create alice --password-stdin', userPassword);
    expect((await run('user delete alice')).err).to.contain('the daemon refuses to start or reload');
    expect((await run('validate')).code).to.equal(78);
  });

  it('is not reported while the database cannot be read', async () => {
    writeFileSync(database, 'no database at all, for more than a header'.repeat(10));
    const { code, out } = await run('validate');
    expect(code).to.equal(0);
    expect(out).to.contain(`the daemon could not read whether a user exists (${database}`);
  });

  it('does not delay the start when the database does not answer', async () => {
    const hangs = join(directory, 'hangs.mjs');
    writeFileSync(hangs, 'setInterval(() => undefined, 1000);');
    expect(await findUsers({ database, user: 'nobody-of-that-name' }, 500, hangs)).to.deep.equal({
      kind: 'unknown',
      why: `${database} does not answer within 0.5 s`,
    });
  });

  it('is not reported when the reading program crashes', async () => {
    const dies = join(directory, 'dies.mjs');
    writeFileSync(dies, 'process.stdout.write("{\\"users\\":"); process.exit(1);');
    expect(await findUsers({ database, user: 'nobody-of-that-name' }, 60_000, dies)).to.deep.equal({
      kind: 'unknown',
      why: `the program that looks into ${database} ended without an answer`,
    });
  });
});
