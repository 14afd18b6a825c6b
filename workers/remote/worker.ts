// The remote worker: a process that shuts servers down over SSH on request. It has no policy.
import type { Outcome } from '../../shared/protocol/contract.js';
import type { GuestAnswer, RemoteSettings } from '../../shared/protocol/remote.js';
import { remoteContract } from '../../shared/protocol/remote.js';
import { runWorker } from '../../shared/runtime/worker-main.js';
import { HostAddresses } from '../ssh/addresses.js';
import { containLibraryErrors } from '../ssh/library-errors.js';
import { KnownHosts } from '../ssh/known-hosts/known-hosts.js';
import { systemLookups } from '../ssh/lookups.js';
import { PrivateKeys } from '../ssh/private-keys.js';
import { attempt } from './off/attempt.js';
import { gatewaysOf, ownAddressTo, runningLinks } from '../ssh/own-network.js';
import { pingTrouble } from './off/ping-trouble.js';
import { OffWatches } from './off/watches.js';
import { ownContainer } from './own-container.js';
import type { KnownServers } from './targets.js';
import { Targets } from './targets.js';

/** How often names are looked up again, so that the next outage uses a changed address. */
const refreshMs = 600_000;
/** A server with an unresolved name is not achievable: a corrected name must take effect soon. */
const retryMs = 60_000;

runWorker(remoteContract, (settings, context) => {
  const { log } = context;
  containLibraryErrors(log);
  const network = {
    attempt,
    links: runningLinks,
    gateways: gatewaysOf,
    nowMs: () => performance.now(),
    setTimer: (ms: number, then: () => void) => {
      const timer = setTimeout(then, ms);
      return () => clearTimeout(timer);
    },
  };
  const deps = {
    log,
    addresses: new HostAddresses(systemLookups(), log),
    knownHosts: new KnownHosts(log),
    keys: new PrivateKeys(),
    ownContainer: ownContainer(),
    looks: { ...network, ownAddressTo },
    off: new OffWatches({
      ...network,
      wentOff: (server, afterMs) => context.emit('target.off', { server, afterMs }),
    }),
  };
  let servers: KnownServers = [];
  let trouble: string | null = null;
  const report = (): void => {
    context.emit('servers.known', { servers, pingTrouble: trouble });
  };
  const checkPing = async ({ servers: all }: RemoteSettings): Promise<void> => {
    const isUsed = all.some(({ offCheck }) => offCheck.method === 'ping');
    trouble = isUsed ? await pingTrouble() : null;
    report();
  };
  const targets = new Targets(settings, deps, (known) => {
    servers = known;
    report();
  });
  void checkPing(settings);
  const timers = [
    setInterval(() => targets.refresh(), refreshMs),
    setInterval(() => targets.retry(), retryMs),
  ];
  return Promise.resolve({
    requests: {
      prepare: () => {
        targets.refresh();
        return Promise.resolve({ ok: true, value: {} });
      },
      'target.shutdown': async ({ work, budgetMs, run }) => ({
        ok: true,
        value: await targets.shutDown(work, budgetMs, (guests) =>
          context.emit('guests.found', { run, guests }),
        ),
      }),
      'logins.begin': (order) => {
        targets.beginLogins(order.servers, order.atOnce, order.holdMs);
        return Promise.resolve({ ok: true, value: {} });
      },
      'logins.end': (order) => {
        targets.endLogins(order.servers);
        return Promise.resolve({ ok: true, value: {} });
      },
      'target.awaitOff': async ({ server, commandedAgoMs, budgetMs }) => {
        const outcome = await targets.untilOff(server, commandedAgoMs, budgetMs);
        const value = outcome.off
          ? { off: true, afterMs: outcome.afterMs, reason: '' }
          : { off: false, afterMs: 0, reason: outcome.reason };
        return { ok: true, value };
      },
      looks: async ({ servers, withinMs }) => ({ ok: true, value: await targets.look(servers, withinMs) }),
      'guests.look': async ({ server, order }) => answersOf(await targets.lookAtGuests(server, order)),
      'guests.start': async ({ server, order }) => answersOf(await targets.startGuests(server, order)),
      'guests.end': (order) => {
        targets.endGuests(order.servers);
        return Promise.resolve({ ok: true, value: {} });
      },
      'target.check': async ({ work, budgetMs, wakeMac }) => ({
        ok: true,
        value: await targets.check(work, budgetMs, wakeMac),
      }),
    },
    reconfigure: (next) => {
      targets.configure(next);
      void checkPing(next);
    },
    drain: () => {
      for (const timer of timers) clearInterval(timer);
      targets.end();
      return Promise.resolve();
    },
  });
});

const answersOf = (
  outcome: Outcome<readonly GuestAnswer[]>,
): Outcome<{ readonly answers: readonly GuestAnswer[] }> =>
  outcome.ok ? { ok: true, value: { answers: outcome.value } } : outcome;
