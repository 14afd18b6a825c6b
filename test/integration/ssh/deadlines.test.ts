import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../../fixtures/processes.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { includes, is, until } from '../../fixtures/until.js';
import { accessTo, budgetOf, commandAction, createTargets, shutDown, workOn } from './remote-parts.js';

describe('the deadline of a command on a real server', () => {
  let sshd: PrivateSshd;
  afterEach(() => sshd.stop());
  const pidFile = (): string => join(sshd.folder, 'pid');
  const pid = (): number => Number(readFileSync(pidFile(), 'utf8'));
  const gone = () => until(() => isAlive(pid()), is(false));

  it('ends the process on the server, even one of root’s, and keeps the connection', async () => {
    sshd = await PrivateSshd.start({ config: 'MaxSessions 1' });
    const stubborn = commandAction(`trap '' HUP INT; echo $$ > ${pidFile()}; sleep 600; true`, 1);
    const outcome = await shutDown(accessTo(sshd), workOn({ actions: [stubborn] }));
    expect(outcome).to.include({ result: 'failed', delivered: true });
    expect(outcome.detail).to.contain('still running after 1 s and ended');
    await gone();
    expect(sshd.log.match(/Accepted publickey/g)).to.have.length(1);
    expect(sshd.noted()).to.have.length(1);
  });

  it('ends a process that ignores SIGTERM, without timeout(1) and with only sh, sleep and kill in PATH', async () => {
    sshd = await PrivateSshd.start();
    const stubborn = commandAction(
      `PATH=/nonexistent; trap '' TERM HUP; /bin/sh -c 'echo $$ > ${pidFile()}; while :; do /bin/sleep 1; done'`,
      1,
    );
    const outcome = await shutDown(accessTo(sshd), workOn({ actions: [stubborn] }));
    expect(outcome.steps[1]?.result).to.equal('timeout');
    await gone();
  });

  it('ends a final command that hangs, with a timeout as result', async () => {
    sshd = await PrivateSshd.start();
    const final = `echo $$ > ${pidFile()}; sleep 600; true`;
    const outcome = await shutDown(accessTo(sshd), workOn({ final, commandTimeoutSeconds: 1 }));
    expect(outcome).to.include({ result: 'timeout', delivered: false });
    await gone();
  });

  it('holds on the server when the connection is lost', async () => {
    sshd = await PrivateSshd.start();
    const one = createTargets([accessTo(sshd)]);
    // Long enough for a busy machine to see that the process outlives the connection.
    const work = workOn({ final: `echo $$ > ${pidFile()}; sleep 600; true`, commandTimeoutSeconds: 8 });
    const running = one.targets.shutDown(work, budgetOf(work));
    await until(() => readFileSync(pidFile(), { encoding: 'utf8', flag: 'a+' }));
    one.targets.end();
    await running;
    expect(isAlive(pid())).to.equal(true);
    await gone();
  });

  it('is not used up by a background process that keeps the output open', async () => {
    sshd = await PrivateSshd.start();
    const daemon = commandAction(`sleep 600 & echo $! > ${pidFile()}`, 15);
    const outcome = await shutDown(accessTo(sshd), workOn({ actions: [daemon] }));
    expect(outcome).to.include({ result: 'ok', delivered: true });
    expect(outcome.steps.map(({ result }) => result)).to.deep.equal(['ok', 'ok', 'ok']);
    expect(isAlive(pid())).to.equal(true);
    process.kill(pid());
  });

  it('reserves time for the final command: actions stop early, and later ones do not start', async () => {
    sshd = await PrivateSshd.start();
    const actions = [commandAction('sleep 600', 600), commandAction(`echo never >> ${sshd.notes}`, 600)];
    // The actions have 4 s, without the login. A longer wait would take the time of the final command.
    const work = workOn({ actions, commandTimeoutSeconds: 56 });
    const one = createTargets([accessTo(sshd)]);
    one.targets.beginLogins([work.server], 1, 60_000);
    await until(() => sshd.log, includes('Accepted publickey'));
    const outcome = await one.targets.shutDown(work, 60_000);
    expect(outcome).to.include({ result: 'failed', delivered: true });
    expect(outcome.steps.map(({ result }) => result)).to.deep.equal(['ok', 'timeout', 'skipped', 'ok']);
    expect(sshd.noted()).to.have.length(1);
  });

  it('works with keys of any kind', async () => {
    for (const clientKeyType of ['rsa', 'ecdsa'] as const) {
      sshd = await PrivateSshd.start({ clientKeyType });
      expect(await shutDown(accessTo(sshd), workOn())).to.include({ result: 'ok', delivered: true });
      if (clientKeyType === 'rsa') expect(sshd.log).to.match(/Accepted publickey .* RSA/);
      await sshd.stop();
    }
    sshd = await PrivateSshd.start();
  });

  it('of a login excludes the time in which this process was stopped', async () => {
    sshd = await PrivateSshd.start();
    const sockets = (): number =>
      process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;
    // One has tried whether sshd runs.
    await until(sockets, is(0));
    let isOver = false;
    const running = shutDown(accessTo(sshd, { connectTimeoutMs: 5_000 }), workOn()).finally(
      () => (isOver = true),
    );
    // Once there is a connection: before, the login has not begun. It gets its 5 s again.
    const stop = (): void => {
      if (sockets() > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);
      else if (!isOver) setImmediate(stop);
    };
    stop();
    const outcome = await running;
    expect(outcome, outcome.detail).to.include({ result: 'ok', delivered: true });
  });
});
