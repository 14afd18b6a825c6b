import { expect } from 'chai';
import { createServer } from 'node:net';
import ssh2 from 'ssh2';
import { closeServers, onLoopback } from '../../fixtures/loopback-server.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { ed25519Key } from '../../fixtures/ssh-key.js';
import { hasLength, is, matches, until } from '../../fixtures/until.js';
import { accessTo, budgetOf, createTargets, workOn } from './remote-parts.js';

const accepted = ({ log }: PrivateSshd): number => log.split('Accepted publickey').length - 1;

describe('a login that begins with the sequence', () => {
  let sshd: PrivateSshd;

  beforeEach(async () => (sshd = await PrivateSshd.start()));
  afterEach(() => sshd.stop());

  const loggedIn = () => until(() => accepted(sshd), is(1));

  it('is used by the command, which needs no other', async () => {
    const { targets } = createTargets([accessTo(sshd)]);
    targets.beginLogins(['nas'], 1, 20_000);
    await loggedIn();
    const { steps, ...outcome } = await targets.shutDown(workOn(), budgetOf(workOn()));
    expect(outcome).to.include({ result: 'ok', delivered: true });
    expect(steps.map(({ what }) => what)).to.deep.equal(['connect', 'final command']);
    expect(accepted(sshd)).to.equal(1);
  });

  it('is awaited when the turn of the server comes before it has ended', async () => {
    const { targets } = createTargets([accessTo(sshd)]);
    targets.beginLogins(['nas'], 1, 20_000);
    expect(await targets.shutDown(workOn(), budgetOf(workOn()))).to.include({
      result: 'ok',
      delivered: true,
    });
    expect(accepted(sshd)).to.equal(1);
  });

  it('is left out for a server whose command has begun', async () => {
    const { targets } = createTargets([accessTo(sshd)]);
    const outcome = targets.shutDown(workOn(), budgetOf(workOn()));
    targets.beginLogins(['nas'], 1, 20_000);
    expect(await outcome).to.include({ result: 'ok', delivered: true });
    targets.endLogins(['nas']);
    // A second login would be in the log before this one.
    await targets.check(workOn(), 5_000, null);
    expect(accepted(sshd)).to.equal(2);
  });

  it('that failed is tried again by the command', async () => {
    await sshd.down();
    const { targets } = createTargets([accessTo(sshd)]);
    targets.beginLogins(['nas'], 1, 20_000);
    await targets.shutDown(workOn(), 1_000);
    await sshd.up();
    targets.beginLogins(['nas'], 1, 20_000);
    expect(await targets.shutDown(workOn(), budgetOf(workOn()))).to.include({
      result: 'ok',
      delivered: true,
    });
  });

  it('that the server has closed meanwhile is replaced by another', async () => {
    const { targets } = createTargets([accessTo(sshd)]);
    targets.beginLogins(['nas'], 1, 20_000);
    await loggedIn();
    await sshd.down();
    await sshd.up();
    expect(await targets.shutDown(workOn(), budgetOf(workOn()))).to.include({
      result: 'ok',
      delivered: true,
    });
  });

  it('is closed at the end of a sequence that did not use it', async () => {
    const { targets } = createTargets([accessTo(sshd)]);
    targets.beginLogins(['nas'], 1, 20_000);
    await loggedIn();
    targets.endLogins(['nas']);
    await until(() => sshd.log, matches(/Disconnected from|Connection closed/));
    expect(sshd.noted()).to.deep.equal([]);
  });

  it('waits for its place where the plan shuts down fewer servers side by side', async () => {
    const names = ['one', 'two', 'three'];
    const order: string[] = [];
    // In this process: two processes of an sshd may log the end of a login and the next connection in either order.
    const ssh = new ssh2.Server({ hostKeys: [ed25519Key()] }, (connection) =>
      connection
        .on('error', () => undefined)
        .on('authentication', (login) => login.accept())
        .on('ready', () => order.push('login')),
    );
    const server = createServer((socket) => {
      order.push('connection');
      ssh.injectSocket(socket);
    });
    const { port } = await onLoopback(server);
    const { targets } = createTargets(names.map((name) => accessTo(sshd, { server: name, port })));
    targets.beginLogins(names, 1, 20_000);
    await until(() => order, hasLength(6));
    expect(order).to.deep.equal(['connection', 'login', 'connection', 'login', 'connection', 'login']);
    targets.end();
    await closeServers();
  });
});
