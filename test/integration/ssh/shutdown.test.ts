import { expect } from 'chai';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { includes, is, until } from '../../fixtures/until.js';
import { accessTo, budgetOf, commandAction, createTargets, shutDown, workOn } from './remote-parts.js';

describe('the shutdown of a server over a real sshd', () => {
  let sshd: PrivateSshd;
  beforeEach(async () => {
    sshd = await PrivateSshd.start();
  });
  afterEach(() => sshd.stop());

  it('logs in, runs the actions in their order and then the final command, over one connection', async () => {
    const actions = [commandAction(`echo one >> ${sshd.notes}`), commandAction(`echo two >> ${sshd.notes}`)];
    const outcome = await shutDown(accessTo(sshd), workOn({ actions }));
    expect(outcome).to.deep.include({ result: 'ok', detail: '', delivered: true });
    expect(outcome.steps.map(({ what, result }) => `${what}: ${result}`)).to.deep.equal([
      'connect: ok',
      `command echo one >> ${sshd.notes}: ok`,
      `command echo two >> ${sshd.notes}: ok`,
      'final command: ok',
    ]);
    expect(sshd.noted().map((line) => line.replace(/^[\d.]+ /, ''))).to.deep.equal([
      'one',
      'two',
      'shutdown -h now',
    ]);
    expect(sshd.log.match(/Accepted publickey/g)).to.have.length(1);
  });

  for (const [when, actions, isEarly] of [
    ['logs in', [], false],
    ['waits for a login that began with the sequence', [], true],
    ['runs an action', [commandAction('sleep 600', 600)], false],
  ] as const)
    it(`replaces one of the same server that still ${when}: one final command at a time`, async () => {
      const { targets } = createTargets([accessTo(sshd)]);
      if (isEarly) targets.beginLogins(['nas'], 1, 20_000);
      const older = targets.shutDown(workOn({ actions }), 60_000);
      if (actions.length > 0) await until(() => sshd.log, includes('Accepted publickey'));
      expect(await targets.shutDown(workOn(), budgetOf(workOn()))).to.include({
        result: 'ok',
        delivered: true,
      });
      expect(await older).to.include({ delivered: false, sent: false });
      expect(sshd.noted()).to.have.length(1);
      targets.end();
    });

  it('replaces one of the same server whose connection was lost and that logs in again', async () => {
    const connections: Socket[] = [];
    // The second one reaches sshd late.
    const relay = createServer((from) => {
      connections.push(from.on('error', () => undefined));
      setTimeout(
        () => {
          const to = connect(sshd.port, '127.0.0.1').on('error', () => undefined);
          from.pipe(to).pipe(from);
          from.on('close', () => to.destroy());
        },
        connections.length === 2 ? 1_500 : 0,
      );
    });
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
    const { port } = relay.address() as AddressInfo;
    const { targets } = createTargets([accessTo(sshd, { port })]);
    const action = commandAction(`echo begun >> ${sshd.notes}; sleep 600`, 20);
    const older = targets.shutDown(workOn({ actions: [action] }), 60_000);
    await until(() => sshd.noted().join(), includes('begun'));
    connections[0]?.destroy();
    await until(() => connections.length, is(2));
    expect(await targets.shutDown(workOn(), budgetOf(workOn()))).to.include({
      result: 'ok',
      delivered: true,
    });
    expect(await older).to.include({ delivered: false, sent: false });
    expect(sshd.noted().filter((line) => line.includes('shutdown'))).to.have.length(1);
    targets.end();
    relay.close();
  });
});
