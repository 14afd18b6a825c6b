// The prober worker: a separate process from the remote worker, so that no probe delays a shutdown.
import type { ProberSettings } from '../../shared/protocol/prober.js';
import { proberContract } from '../../shared/protocol/prober.js';
import { runWorker } from '../../shared/runtime/worker-main.js';
import { HostAddresses } from '../ssh/addresses.js';
import { containLibraryErrors } from '../ssh/library-errors.js';
import { KnownHosts } from '../ssh/known-hosts/known-hosts.js';
import { systemLookups } from '../ssh/lookups.js';
import { isOwnNetworkDown } from '../ssh/own-network.js';
import { PrivateKeys } from '../ssh/private-keys.js';
import type { ProbeDependencies } from './probe.js';
import { probe } from './probe.js';

/** How often names are looked up again. The second probe after a change of an address uses the new one. */
const refreshMs = 600_000;

runWorker(proberContract, (first, { log }) => {
  containLibraryErrors(log);
  const addresses = new HostAddresses(systemLookups(), log);
  const deps: ProbeDependencies = {
    addresses,
    knownHosts: new KnownHosts(log),
    keys: new PrivateKeys(),
    ownNetworkDown: (to) => isOwnNetworkDown(to),
  };
  let settings: ProberSettings = first;
  const watch = (): void => addresses.watch(settings.servers.map(({ host }) => host));
  watch();
  const timer = setInterval(() => addresses.refresh(), refreshMs);
  return Promise.resolve({
    requests: {
      probe: async ({ server }) => ({ ok: true, value: { finding: await probe(server, settings, deps) } }),
    },
    reconfigure: (next) => {
      settings = next;
      watch();
    },
    drain: () => {
      clearInterval(timer);
      return Promise.resolve();
    },
  });
});
