// The support archive of a real daemon whose configuration is full of secrets, over the API and with `ridethrough support`.
import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { descendants, signal } from '../../fixtures/processes.js';
import { ridethrough } from '../../fixtures/ridethrough.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { until } from '../../fixtures/until.js';
import type { WholeDaemon } from '../api/whole-daemon.js';
import { planted, startWholeDaemon } from '../api/whole-daemon.js';

/** Secrets beside those of every whole daemon: in commands, in actions, in names of mail servers. */
const more = `
[logging]
level = "debug"
[[redundancy_groups.remote_servers]]
name = "vault"
host = "127.0.0.9"
user = "root"
shutdown_command = "curl -H 'X-Token: ${planted}-command' http://127.0.0.1:9/off"
[[redundancy_groups.remote_servers.pre_shutdown_commands]]
command = "curl -u admin:${planted}-action http://127.0.0.1:9/stop"
`;

describe('the support archive of a daemon', () => {
  let whole: WholeDaemon;
  let folder: string;
  before(async () => {
    whole = await startWholeDaemon(more);
    // A driver that shows its password to everybody.
    whole.upsd.ups('office').set({ variables: { 'driver.parameter.password': `${planted}-driver` } });
  });
  beforeEach(() => (folder = temporaryFolder()));
  after(() => whole.stop());

  const archive = async (): Promise<Buffer> => {
    const answer = await fetch(`http://127.0.0.1:${String(whole.port)}/api/v1/support`, {
      headers: { 'X-API-Key': whole.key },
    });
    expect(answer.status).to.equal(200);
    return Buffer.from(await answer.arrayBuffer());
  };
  function unpacked(bytes: Buffer): (name: string) => string {
    writeFileSync(join(folder, 'a.tar.gz'), bytes);
    execFileSync('tar', ['-xzf', join(folder, 'a.tar.gz'), '-C', folder]);
    return (name) => readFileSync(join(folder, 'ridethrough-support', name), 'utf8');
  }

  // First: the log is read once in two seconds.
  it('is made while the log process does not run', async () => {
    const stopped = async () => {
      const logs = descendants(whole.daemon.pid).filter(({ command }) => command.includes('log/worker'));
      signal(
        logs.map(({ pid }) => pid),
        'SIGSTOP',
      );
      return unpacked(await archive());
    };
    // The supervisor replaces it after two seconds of silence: on a busy machine before the archive is made.
    const file = await until(stopped, (of) =>
      /^This part could not be had: (?!the last lines)/.test(of('log.txt')),
    );
    expect(file('ready.json')).to.contain('"workers"');
  });

  it('holds no secret in any spelling, and what a bug report needs', async () => {
    // A credential in a request that is refused, and one in a reload that fails, would be in the log.
    await fetch(`http://127.0.0.1:${String(whole.port)}/api/v1/auth/login`, {
      method: 'POST',
      body: JSON.stringify({ username: 'alice', password: `${planted} typed` }),
    });
    whole.daemon.signal('SIGUSR2');
    const bytes = await until(
      archive,
      (made) =>
        gunzipSync(made).includes('LOGIN_FAILURE') &&
        !gunzipSync(made).includes('This part could not be had'),
    );
    const text = gunzipSync(bytes).toString('latin1');
    const spellings = [
      planted,
      Buffer.from(`${planted}-user:${planted}-word`).toString('base64'),
      whole.key,
      whole.password,
    ];
    for (const secret of spellings) expect(text.includes(secret), secret).to.equal(false);
    const file = unpacked(bytes);
    // The log process is new: it was replaced in the test before.
    expect(file('log.txt')).to.match(/^\d{4}-\d\d-\d\dT.* (?:info|warning) /);
    expect(JSON.parse(file('config.json'))).to.have.property('detail', 'extended');
    expect(JSON.parse(file('ready.json'))).to.have.property('workers').that.is.not.empty;
    expect(JSON.parse(file('groups.json'))).to.have.nested.property('0.plan.plan.phases');
    expect(file('events.json')).to.contain('DAEMON_START');
    const office = JSON.parse(file(`ups/1-office-127.0.0.1-${String(whole.upsdPort)}.json`)) as {
      readings: Record<string, string>;
    };
    expect(office.readings).to.have.property('ups.status');
  });

  it('is written by ridethrough support for its owner alone, and never over a file', async () => {
    const socket = join(whole.daemon.directory, 'run/control.sock');
    const path = join(folder, 'mine.tar.gz');
    const written = await until(
      () => ridethrough(['support', '--socket', socket, '--output', path]),
      ({ code }) => code === 0,
    );
    expect([written.out, statSync(path).mode & 0o777]).to.deep.equal([`${path}\n`, 0o600]);
    expect(gunzipSync(readFileSync(path)).includes(planted)).to.equal(false);
    const again = await ridethrough(['support', '--socket', socket, '--output', path]);
    expect([again.code, again.err.includes('EEXIST')]).to.deep.equal([1, true]);
    const nobody = await ridethrough([
      'support',
      '--socket',
      join(folder, 'none'),
      '--output',
      join(folder, 'x'),
    ]);
    expect([nobody.code, nobody.err.includes('not running'), existsSync(join(folder, 'x'))]).to.deep.equal([
      1,
      true,
      false,
    ]);
  });
});
