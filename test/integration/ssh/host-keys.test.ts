import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { hasAtLeast, is, matches, until } from '../../fixtures/until.js';
import type { CreatedTargets } from './remote-parts.js';
import { accessTo, budgetOf, createTargets, shutDown, workOn } from './remote-parts.js';

/** None while there is no file: a new key is stored in the background. */
const lines = (path: string): readonly string[] =>
  (existsSync(path) ? readFileSync(path, 'utf8') : '').split('\n').filter((line) => line !== '');

describe('the host key of a server', () => {
  let sshd: PrivateSshd;
  afterEach(() => sshd.stop());
  const name = (): string => `[127.0.0.1]:${String(sshd.port)}`;
  const run = async (
    other: Parameters<typeof accessTo>[1] = {},
  ): Promise<CreatedTargets & { detail: string; result: string }> => {
    const one = createTargets([accessTo(sshd, other)]);
    const { detail, result } = await one.targets.shutDown(workOn(), budgetOf(workOn()));
    return { ...one, detail, result };
  };
  const stored = () => until(() => lines(sshd.knownHosts), hasAtLeast(1));

  it('is stored and accepted when it is new, in a private file', async () => {
    sshd = await PrivateSshd.start();
    const { logLines, result } = await run();
    expect(result).to.equal('ok');
    expect(await stored()).to.deep.equal([`${name()} ${sshd.publicHostKey()}`]);
    expect(statSync(sshd.knownHosts).mode & 0o777).to.equal(0o600);
    await until(() => logLines.join(), matches(/was new and is now in/));
    const again = await run({ hostKeyPolicy: 'strict' });
    expect(again.result).to.equal('ok');
    expect(lines(sshd.knownHosts)).to.have.length(1);
  });

  it('is not stored by a check, and is by the first shutdown: a machine in its initramfs has another', async () => {
    sshd = await PrivateSshd.start();
    const one = createTargets([accessTo(sshd)]);
    const { result } = await one.targets.check(workOn(), budgetOf(workOn()), null);
    expect(result).to.equal('ok');
    await sshd.changeHostKey();
    expect((await one.targets.shutDown(workOn(), budgetOf(workOn()))).detail).to.equal('');
    expect(await stored()).to.deep.equal([`${name()} ${sshd.publicHostKey()}`]);
    await sshd.changeHostKey();
    const changed = await one.targets.check(workOn(), budgetOf(workOn()), null);
    expect(changed.detail).to.contain('HAS CHANGED');
  });

  it('is not stored by a login that is refused, as in an initramfs', async () => {
    sshd = await PrivateSshd.start();
    const { result, detail, targets } = await run({ user: 'nobody-here' });
    expect(result, detail).to.equal('failed');
    await sshd.changeHostKey();
    expect((await targets.shutDown(workOn(), budgetOf(workOn()))).detail).to.match(/refused the login/);
    expect((await run()).result, 'its own key is new').to.equal('ok');
  });

  it('is rejected when it has changed, under either policy, before any command is sent', async () => {
    sshd = await PrivateSshd.start();
    await run();
    await stored();
    await sshd.changeHostKey();
    for (const hostKeyPolicy of ['accept-new', 'strict'] as const) {
      const { result, detail } = await run({ hostKeyPolicy });
      expect(result).to.equal('failed');
      expect(detail).to.contain(`THE HOST KEY OF 127.0.0.1:${String(sshd.port)} HAS CHANGED`);
      expect(detail).to.contain(`ssh-keygen -R '${name()}' -f ${sshd.knownHosts}`);
    }
    expect(sshd.noted()).to.have.length(1);
    expect(lines(sshd.knownHosts)).to.have.length(1);
  });

  it('is accepted again once the old line is removed as advised', async () => {
    sshd = await PrivateSshd.start();
    const one = createTargets([accessTo(sshd)]);
    await one.targets.shutDown(workOn(), budgetOf(workOn()));
    await stored();
    await sshd.changeHostKey();
    execFileSync('ssh-keygen', ['-R', name(), '-f', sshd.knownHosts], { stdio: 'ignore' });
    // A login waits for the file only for a limited time; on a busy machine the next login knows the key.
    await until(
      () => one.targets.shutDown(workOn(), budgetOf(workOn())),
      ({ result }) => result === 'ok',
    );
  });

  it('is rejected under "strict" while it is unknown, with the line that adds it', async () => {
    sshd = await PrivateSshd.start();
    const { result, detail } = await run({ hostKeyPolicy: 'strict' });
    expect(result).to.equal('failed');
    expect(detail).to.contain(`ssh-keyscan -p ${String(sshd.port)} 127.0.0.1 >> ${sshd.knownHosts}`);
  });

  it('is found in hashed lines, as OpenSSH writes them', async () => {
    sshd = await PrivateSshd.start();
    writeFileSync(sshd.knownHosts, `${name()} ${sshd.publicHostKey()}\n`);
    execFileSync('ssh-keygen', ['-H', '-f', sshd.knownHosts], { stdio: 'ignore' });
    expect(lines(sshd.knownHosts)[0]).to.match(/^\|1\|/);
    expect((await run({ hostKeyPolicy: 'strict' })).result).to.equal('ok');
  });

  it('is requested in the known type when the server has several', async () => {
    sshd = await PrivateSshd.start({ hostKeyTypes: ['ed25519', 'ecdsa', 'rsa'] });
    for (const type of ['rsa', 'ecdsa', 'ed25519']) {
      writeFileSync(sshd.knownHosts, `${name()} ${sshd.publicHostKey(type)}\n`);
      expect((await run({ hostKeyPolicy: 'strict' })).detail).to.equal('');
      expect(lines(sshd.knownHosts)).to.have.length(1);
    }
  });

  it('counts as changed when the server shows only another type than the known one', async () => {
    sshd = await PrivateSshd.start({ hostKeyTypes: ['ed25519'] });
    const rsa = await PrivateSshd.start({ hostKeyTypes: ['rsa'] });
    writeFileSync(sshd.knownHosts, `${name()} ${rsa.publicHostKey('rsa')}\n`);
    await rsa.stop();
    expect((await run()).detail).to.contain('HAS CHANGED');
  });

  it('is rejected when it is revoked, even if it is also listed', async () => {
    sshd = await PrivateSshd.start();
    const key = sshd.publicHostKey();
    writeFileSync(sshd.knownHosts, `${name()} ${key}\n@revoked * ${key}\n`);
    expect((await run()).detail).to.contain('is revoked');
  });

  it('is accepted with a warning when it cannot be stored: a disk must not stop a shutdown', async () => {
    sshd = await PrivateSshd.start();
    const folder = join(sshd.folder, 'nowhere');
    const { result, logLines } = await run({ knownHostsFile: join(folder, 'known_hosts') });
    expect(result).to.equal('ok');
    await until(
      () => logLines.join('\n'),
      matches(/error the host key .* is new and was accepted, but .* its folder does not exist/),
    );
    mkdirSync(folder);
    const strict = await run({ knownHostsFile: folder, hostKeyPolicy: 'strict' });
    expect(strict.detail).to.contain('cannot be checked');
  });

  it('is not read from a FIFO in place of the file', async () => {
    sshd = await PrivateSshd.start();
    execFileSync('mkfifo', [sshd.knownHosts]);
    const { result, logLines } = await run();
    expect(result).to.equal('ok');
    expect(logLines.join()).to.contain('is not a regular file');
  });

  it('is added after a last line without a newline', async () => {
    sshd = await PrivateSshd.start();
    writeFileSync(sshd.knownHosts, '# mine', { mode: 0o640 });
    chmodSync(sshd.knownHosts, 0o640);
    expect((await shutDown(accessTo(sshd), workOn())).result).to.equal('ok');
    await until(() => lines(sshd.knownHosts).length, is(2));
    expect(lines(sshd.knownHosts)[0]).to.equal('# mine');
  });
});
