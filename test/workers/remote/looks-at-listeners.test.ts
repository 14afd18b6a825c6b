import { expect } from 'chai';
import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import type { OffCheck } from '../../../shared/protocol/remote.js';
import { setTimer } from '../../../supervisor/host/timer.js';
import { attempt } from '../../../workers/remote/off/attempt.js';
import type { AskedServer, LookDependencies } from '../../../workers/remote/looks.js';
import { lookAt } from '../../../workers/remote/looks.js';
import { gatewaysOf, ownAddressTo, runningLinks } from '../../../workers/ssh/own-network.js';
import { isAtLeast, until } from '../../fixtures/until.js';

const check = (port: number, method: OffCheck['method'] = 'tcp'): OffCheck => ({
  method,
  port,
  settleMs: 10_000,
  timeoutMs: 120_000,
  order: 'office/1',
});

const real: LookDependencies = {
  attempt,
  links: runningLinks,
  gateways: gatewaysOf,
  ownAddressTo,
  nowMs: () => performance.now(),
  setTimer,
};

describe('looks at servers of this machine', () => {
  let listener: Server;
  let open = 0;
  let received = 0;
  const sockets: Socket[] = [];

  before(async () => {
    listener = createServer((socket) => {
      sockets.push(socket);
      socket.on('data', ({ length }) => (received += length));
      socket.on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const address = listener.address();
    open = typeof address === 'object' ? (address?.port ?? 0) : 0;
  });

  after(() => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  });

  const at = (server: string, other: Partial<AskedServer> = {}): AskedServer => ({
    server,
    check: check(open),
    addresses: ['127.0.0.1'],
    ...other,
  });

  it('are answered by a connection and by a refusal, over the interface of the route', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const address = closed.address();
    const refused = typeof address === 'object' ? (address?.port ?? 0) : 0;
    await new Promise((resolve) => closed.close(resolve));
    const { looks, gateways } = await lookAt(
      [at('open'), at('refused', { check: check(refused) })],
      5_000,
      real,
    );
    expect(looks).to.deep.equal([
      { server: 'open', end: 'answer', link: 'lo' },
      { server: 'refused', end: 'answer', link: 'lo' },
    ]);
    expect(gateways, 'the loopback has no gateway').to.deep.equal([]);
  });

  it('are faults with no check, no address, no server of that name, and no route', async () => {
    const { looks } = await lookAt(
      [
        at('none', { check: check(open, 'none') }),
        at('nameless', { addresses: [] }),
        at('unknown', { check: null }),
        at('noroute', { addresses: ['fe80::1%no-such-link'] }),
      ],
      5_000,
      real,
    );
    expect(looks.map(({ end, link }) => [end, link])).to.deep.equal(Array(4).fill(['fault', null]));
  });

  it('ask 200 servers in one round, in their order', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `s${String(index)}`);
    const before = sockets.length;
    const { looks } = await lookAt(
      names.map((name) => at(name)),
      30_000,
      real,
    );
    expect(looks.map(({ server }) => server)).to.deep.equal(names);
    expect(looks.every(({ end }) => end === 'answer')).to.equal(true);
    await until(() => sockets.length - before, isAtLeast(200));
    expect(sockets.length - before, 'each was asked once').to.equal(200);
  });

  it('send nothing over the connection', () => {
    expect([sockets.length > 0, received]).to.deep.equal([true, 0]);
  });
});
