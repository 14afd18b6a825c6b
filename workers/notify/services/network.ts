// The access of an attempt to the network.
import type { LookupFunction } from 'node:net';
import type { Proxy } from '../../../shared/domain/services/outbound-proxies.js';

/** Injected, so that a test can replace it. */
export interface Network {
  readonly lookup: LookupFunction;
  /** Additional authorities to trust, PEM; those of Node when absent. */
  readonly ca?: string;
  readonly hostName: string;
  /** The proxy of an HTTP address; null for none. */
  readonly proxyFor: (url: string) => Proxy | null;
}
