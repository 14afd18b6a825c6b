// A manual shutdown whose terminal goes away: an SSH session ends when the plan takes the switch or the firewall.
import { expect } from 'chai';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { RealUpsd, onLine } from '../../fixtures/real-upsd.js';
import { remoteServerToml } from '../../fixtures/remote-server-toml.js';
import { program } from '../../fixtures/ridethrough.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { until } from '../../fixtures/until.js';

describe('a manual shutdown, past the point of no return', () => {
  let upsd: RealUpsd;
  let server: PrivateSshd;
  let folder: string;
  before(async () => {
    upsd = await RealUpsd.start({ ups: { office: onLine } });
    server = await PrivateSshd.start();
    // It begins, and ends when the test says so.
    server.tool(
      'shutdown',
      `echo shutdown >>${server.notes}; until [ -e ${server.folder}/go ]; do sleep 0.1; done`,
    );
  });
  after(async () => {
    await server.stop();
    await upsd.stop();
  });
  beforeEach(() => {
    folder = temporaryFolder();
    writeFileSync(server.notes, '');
    rmSync(join(server.folder, 'go'), { force: true });
    const powerOff = join(folder, 'power-off');
    writeFileSync(powerOff, `#!/bin/sh\ntouch ${folder}/off\n`);
    chmodSync(powerOff, 0o755);
    const knownHosts = join(folder, 'known_hosts');
    writeFileSync(
      join(folder, 'config.toml'),
      `[[ups]]
name = "office@127.0.0.1:${String(upsd.port)}"
display_name = "office"
is_local = true
[ups.filesystems]
sync_enabled = false
${remoteServerToml({ ...server.login, name: 'switch', port: server.port, knownHosts })}
[local_shutdown]
command = ["${powerOff}"]
[supervisor]
runtime_directory = "${folder}/run"
[statistics]
db_directory = "${folder}/lib"
`,
      { mode: 0o600 },
    );
  });

  /** Runs the group, loses its terminal in the middle of the first step, and waits for its end. */
  async function losing(lose: (child: ChildProcess) => void): Promise<number | null> {
    const group = ['shutdown', 'group', '--group', 'office', '--i-really-want-to-shut-down'];
    const child = spawn(process.execPath, [program, ...group, '--config', join(folder, 'config.toml')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'exit') as Promise<[number | null]>;
    child.stdout.resume();
    child.stderr.resume();
    await until(() => server.noted().includes('shutdown'));
    lose(child);
    writeFileSync(join(server.folder, 'go'), '');
    const [code] = await ended;
    return code;
  }

  it('goes on to its end when the session hangs up', async () => {
    const code = await losing((child) => child.kill('SIGHUP'));
    expect([code, existsSync(join(folder, 'off'))]).to.deep.equal([0, true]);
  });

  it('goes on to its end when nobody reads its output any more', async () => {
    const code = await losing((child) => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    });
    expect([code, existsSync(join(folder, 'off'))]).to.deep.equal([0, true]);
  });
});
