// What an attempt needs of the world.
import type { LookupFunction } from 'node:net';

/** What lies outside the process, so that a test can stand in for it. */
export interface Outside {
  readonly lookup: LookupFunction;
  /** Further authorities to trust, PEM; Node's own when left out. */
  readonly ca?: string;
  readonly hostName: string;
}
