import { chmodSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { preShutdown } from '../../fixtures/plans.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { accessTo, commandAction, shutDown, workOn } from './remote-parts.js';
import { skipFor } from '../../fixtures/skip.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const isBash = userInfo().shell?.endsWith('/bash') === true;

describe('a login shell', () => {
  let sshd: PrivateSshd;
  let folder: string;
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(async () => {
    await sshd.stop();
  });
  /** A server whose logins run this script; the command is in $SSH_ORIGINAL_COMMAND. */
  const withShell = async (lines: string): Promise<string> => {
    const shell = join(folder, 'shell');
    const asked = join(folder, 'asked');
    writeFileSync(shell, `#!/bin/sh\nprintf '%s\\n---\\n' "$SSH_ORIGINAL_COMMAND" >> ${asked}\n${lines}\n`);
    chmodSync(shell, 0o755);
    writeFileSync(asked, '');
    sshd = await PrivateSshd.start({ shell });
    return asked;
  };
  const noted = (): readonly string[] => sshd.noted().map((line) => line.replace(/^[\d.]+ /, ''));

  it('that is POSIX gets the administrator and Synology folders appended to its PATH', async () => {
    sshd = await PrivateSshd.start();
    const outcome = await shutDown(accessTo(sshd), workOn({ final: `echo "$PATH" >> ${sshd.notes}` }));
    expect(outcome.result).to.equal('ok');
    expect(sshd.noted()[0]).to.equal(
      `${sshd.bin}:/usr/bin:/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/syno/sbin:/usr/syno/bin:/usr/local/syno/bin`,
    );
  });

  for (const [noise, startFile] of [
    ['before it, on its line', `printf 'Welcome to nas\\n> '`],
    ['after it', `trap 'echo "logout of nas"' EXIT`],
    ['in colours, with carriage returns', `printf '\\033[31mred\\033[0m\\r\\n\\r\\n'`],
    ['on standard error', `stty erase ^H; set -x`],
    ['a lot of it', `seq 5000`],
    ['a lot of it after it', `trap 'seq 5000' EXIT`],
  ] as const)
    it(`that is POSIX is found where the start files print ${noise}`, async function () {
      skipFor(this, !isBash && 'the login shell of this user is not bash');
      sshd = await PrivateSshd.start();
      // bash reads it under sshd, also for a command.
      writeFileSync(join(sshd.folder, '.bashrc'), `${startFile}\n`);
      sshd.tool('docker', 'case $1 in ps) echo aaaa ;; inspect) echo web ;; esac');
      const actions = [{ ...preShutdown('stop_containers'), runtime: 'docker' as const, timeoutSeconds: 4 }];
      const outcome = await shutDown(
        accessTo(sshd),
        workOn({ actions, final: `echo "$PATH" >> ${sshd.notes}` }),
      );
      expect(sshd.noted()[0]).to.contain(':/usr/sbin:');
      // The report of a script alone.
      expect(outcome.detail).to.equal('stop_containers: still running: web');
    });

  it('that is POSIX is found where the start files take seconds', async function () {
    this.timeout(60_000);
    const shell = join(folder, 'slow');
    writeFileSync(shell, '#!/bin/sh\nsleep 3.5\nexec sh -c "$SSH_ORIGINAL_COMMAND"\n');
    chmodSync(shell, 0o755);
    sshd = await PrivateSshd.start({ shell });
    await shutDown(accessTo(sshd), workOn({ final: `echo "$PATH" >> ${sshd.notes}` }));
    expect(sshd.noted()[0]).to.contain(':/usr/sbin:');
  });

  it('that ends without running anything fails a predefined action', async () => {
    await withShell('echo "Have a nice day"; exit 0');
    const outcome = await shutDown(accessTo(sshd), workOn({ actions: [preShutdown('sync')] }));
    expect(outcome).to.include({
      result: 'failed',
      detail: 'sync: the login ended without running it: Have a nice day',
    });
  });

  it('that is POSIX runs the text unchanged: quotes, comments, exit and all', async () => {
    sshd = await PrivateSshd.start();
    const text = `printf '%s\\n' "it's $((6 * 7)) \\"x\\"" >> ${sshd.notes}; exit 0 # done`;
    const outcome = await shutDown(accessTo(sshd), workOn({ final: text }));
    expect(outcome.detail).to.equal('');
    expect(sshd.noted()).to.deep.equal([`it's 42 "x"`]);
  });

  it('that is a forced command gets exactly its text', async () => {
    await withShell(
      `case $SSH_ORIGINAL_COMMAND in "shutdown -h now") shutdown -h now ;; *) echo denied >&2; exit 1 ;; esac`,
    );
    expect(await shutDown(accessTo(sshd), workOn())).to.include({ result: 'ok', delivered: true });
    expect(noted()).to.deep.equal(['shutdown -h now']);
  });

  it('that is not POSIX, as on Windows, gets the text without additions', async () => {
    // cmd.exe prints an unknown expansion unchanged, PowerShell prints nothing.
    for (const echo of ['echo "ridethrough-\\${PATH:+posix}"', 'echo ridethrough-']) {
      await withShell(
        `case $SSH_ORIGINAL_COMMAND in "shutdown /s /t 0") shutdown /s /t 0 ;; echo*) ${echo} ;; *) exit 9 ;; esac`,
      );
      expect(await shutDown(accessTo(sshd), workOn({ final: 'shutdown /s /t 0' }))).to.include({
        result: 'ok',
      });
      expect(noted()).to.deep.equal(['shutdown /s /t 0']);
      await sshd.stop();
    }
    sshd = await PrivateSshd.start();
  });

  it('that hangs at the probe delays the final command by seconds only', async function () {
    this.timeout(60_000);
    await withShell(`case $SSH_ORIGINAL_COMMAND in echo*) sleep 60 ;; *) shutdown -h now ;; esac`);
    const outcome = await shutDown(accessTo(sshd), workOn());
    expect(outcome).to.include({ result: 'ok', delivered: true });
  });

  it('that is restricted fails a predefined action with a reason, and still gets the final command', async () => {
    await withShell(
      `case $SSH_ORIGINAL_COMMAND in "shutdown -h now") shutdown -h now ;; *) echo "rbash: exec: restricted" >&2; exit 127 ;; esac`,
    );
    const outcome = await shutDown(accessTo(sshd), workOn({ actions: [preShutdown('sync')] }));
    expect(outcome).to.include({ result: 'failed', delivered: true });
    expect(outcome.detail).to.equal('sync: exit status 127 (no such command): rbash: exec: restricted');
    expect(noted()).to.deep.equal(['shutdown -h now']);
  });

  it('runs a text with sudo unless it begins with that word', async () => {
    sshd = await PrivateSshd.start();
    sshd.tool('sudoku', `echo sudoku >> ${sshd.notes}`);
    const actions = [commandAction('sudoku'), commandAction('sudo -n true')];
    const outcome = await shutDown(accessTo(sshd), workOn({ actions, useSudo: true }));
    expect(outcome.detail).to.equal('');
    expect(noted()).to.deep.equal([
      'sudo sudoku',
      'sudoku',
      'sudo true',
      'sudo shutdown -h now',
      'shutdown -h now',
    ]);
  });
});
