import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import ssh2 from 'ssh2';
import { notWatched } from '../../fixtures/off-check.js';
import { ed25519Key } from '../../fixtures/ssh-key.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { createTargets, workOn } from './remote-parts.js';

describe('a server that is slow to confirm a command', () => {
  it('has got its final command: it is not reported as one that was never sent', async () => {
    const ran: string[] = [];
    const server = new ssh2.Server({ hostKeys: [ed25519Key()] }, (connection) => {
      connection.on('error', () => undefined);
      connection.on('authentication', (login) => login.accept());
      connection.on('session', (accept) => {
        accept().on('exec', (confirm, _, { command }) => {
          if (command.includes('ridethrough-')) return void confirm().end();
          // The request is here and the command runs; the confirmation is late.
          ran.push(command);
          setTimeout(() => {
            const channel = confirm() as ssh2.ServerChannel | undefined;
            channel?.on('error', () => undefined);
          }, 2_500);
        });
      });
    });
    const listener = createServer((socket) => {
      socket.on('error', () => undefined);
      server.injectSocket(socket);
    });
    await new Promise<void>((ready) => listener.listen(0, '127.0.0.1', ready));
    const { targets } = createTargets([
      {
        server: 'nas',
        host: '127.0.0.1',
        port: (listener.address() as AddressInfo).port,
        user: 'root',
        privateKey: ed25519Key(),
        keyTrouble: null,
        knownHostsFile: join(temporaryFolder(), 'known_hosts'),
        hostKeyPolicy: 'accept-new',
        connectTimeoutMs: 10_000,
        offCheck: notWatched,
      },
    ]);
    const outcome = await targets.shutDown(workOn({ commandTimeoutSeconds: 1 }), 20_000);
    targets.end();
    listener.close();
    expect(ran).to.have.length(1);
    expect(outcome.sent, outcome.detail).to.equal(true);
  });
});
