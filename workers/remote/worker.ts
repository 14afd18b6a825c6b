// The remote worker: a process that shuts servers down over SSH on request. It has no policy.
import { remoteContract } from '../../shared/protocol/remote.js';
import { runWorker } from '../../shared/runtime/worker-main.js';
import { Addresses } from '../ssh/addresses.js';
import { containLibraryErrors } from '../ssh/library-errors.js';
import { KnownHosts } from '../ssh/known-hosts/known-hosts.js';
import { systemLookups } from '../ssh/lookups.js';
import { ownContainer } from './own-container.js';
import { PrivateKeys } from '../ssh/private-keys.js';
import { Targets } from './targets.js';

/** How often names are looked up again, so that the next outage uses a changed address. */
const refreshMs = 600_000;
/** A server with an unresolved name is not achievable: a corrected name must take effect soon. */
const retryMs = 60_000;

runWorker(remoteContract, (settings, context) => {
  const { log } = context;
  containLibraryErrors(log);
  const deps = {
    addresses: new Addresses(systemLookups(), log),
    knownHosts: new KnownHosts(log),
    keys: new PrivateKeys(),
    ownContainer: ownContainer(),
  };
  const targets = new Targets(settings, deps, (known) => context.emit('servers.known', known));
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
      'target.shutdown': async ({ work, budgetMs }) => ({
        ok: true,
        value: await targets.shutDown(work, budgetMs),
      }),
      'target.check': async ({ work, budgetMs }) => ({
        ok: true,
        value: await targets.check(work, budgetMs),
      }),
    },
    reconfigure: (next) => targets.configure(next),
    drain: () => {
      for (const timer of timers) clearInterval(timer);
      targets.end();
      return Promise.resolve();
    },
  });
});
