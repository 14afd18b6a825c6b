import { expect } from 'chai';
import { FakeTime } from '../../fixtures/fake-time.js';
import { idleLog } from '../../fixtures/idle-parts.js';
import { until } from '../../fixtures/until.js';
import type { Asked, TryEnd } from '../../../workers/remote/off/attempt.js';
import type { OffOutcome } from '../../../workers/remote/off/watches.js';
import { OffWatches } from '../../../workers/remote/off/watches.js';
import { Targets } from '../../../workers/remote/targets.js';
import { HostAddresses } from '../../../workers/ssh/addresses.js';
import { KnownHosts } from '../../../workers/ssh/known-hosts/known-hosts.js';
import { ownAddressTo } from '../../../workers/ssh/own-network.js';
import { PrivateKeys } from '../../../workers/ssh/private-keys.js';

describe('the wait of a restarted worker for a server with two addresses', () => {
  it('does not take the server to be off because its first address never answers', async () => {
    const time = new FakeTime();
    const answering = '127.0.0.1';
    const log = { ...idleLog };
    const none = () => Promise.resolve([]);
    const both = new Map([['nas', ['127.0.0.2', answering]]]);
    const addresses = new HostAddresses(
      { system: none, direct: none, hostsFile: () => Promise.resolve(both) },
      log,
    );
    const network = {
      // The server lives; its first address is of a network that is gone.
      attempt: ({ address }: Asked, settle: (end: TryEnd) => void) => {
        if (address === answering) settle('answer');
        return () => undefined;
      },
      links: () =>
        new Map([
          [answering, 'lo'],
          ['127.0.0.2', 'lo'],
        ]),
      gateways: () => [],
      nowMs: () => time.monotonicMs(),
      setTimer: time.setTimer,
    };
    const off = new OffWatches({ ...network, wentOff: () => undefined });
    const looks = { ...network, ownAddressTo };
    const check = { method: 'tcp', port: 22, settleMs: 1_000, timeoutMs: 60_000, order: 'office/1' } as const;
    const access = {
      server: 'nas',
      host: 'nas',
      port: 22,
      user: 'root',
      privateKey: null,
      keyTrouble: null,
      knownHostsFile: '/nonexistent/known_hosts',
      hostKeyPolicy: 'accept-new',
      connectTimeoutMs: 1_000,
      offCheck: check,
    } as const;
    const targets = new Targets(
      { servers: [access] },
      {
        log,
        addresses,
        knownHosts: new KnownHosts(log),
        keys: new PrivateKeys(),
        ownContainer: null,
        off,
        looks,
      },
    );
    let ended: OffOutcome | undefined;
    void targets.untilOff('nas', 0, 30_000).then((outcome) => (ended = outcome));
    await until(async () => {
      await time.pass(1_000);
      return ended !== undefined;
    });
    targets.end();
    expect(ended?.off, 'a server that lives is taken to be off').to.equal(false);
  });

  it('lasts its time when it is not known where the server answered', async () => {
    let waitedMs = -1;
    const off = new OffWatches({
      attempt: () => () => undefined,
      links: () => new Map(),
      gateways: () => [],
      nowMs: () => 0,
      setTimer: (ms, then) => {
        waitedMs = ms;
        then();
        return () => undefined;
      },
      wentOff: () => undefined,
    });
    expect(await off.untilOff('nas', 120_000)).to.include({ off: false });
    expect(waitedMs, 'the next order is commanded at once').to.equal(120_000);
  });
});
