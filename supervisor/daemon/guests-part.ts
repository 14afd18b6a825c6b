// The guests and containers that a shutdown has stopped, of this host and of servers.
import type { RecordedGuest } from '../../shared/domain/recovery/guest.js';
import type { GuestEnd } from '../recovery/recorded-guests.js';
import type { HostGuestsDependencies } from './host-guests.js';
import { HostGuests } from './host-guests.js';
import type { ServerGuestsDependencies } from './server-guests.js';
import { ServerGuests } from './server-guests.js';

export class GuestsPart {
  readonly #host: HostGuests;
  readonly #servers: ServerGuests;

  constructor(deps: HostGuestsDependencies & ServerGuestsDependencies) {
    this.#host = new HostGuests(deps);
    this.#servers = new ServerGuests(deps);
  }

  tick(): void {
    this.#host.tick();
    this.#servers.tick();
  }

  end(): void {
    this.#host.end();
  }

  /** `server`: null is this host. */
  endOf(server: string | null, guest: RecordedGuest): GuestEnd {
    return (server === null ? this.#host.endOf(guest) : null) ?? this.#servers.endOf(server, guest);
  }

  /** What of this host does not run, or is waited for; empty for nothing. */
  get ofHost(): string {
    return this.#host.notice;
  }

  /** The same of servers with such guests, by name. The same object while nothing changes. */
  get ofServers(): ReadonlyMap<string, string> {
    return this.#servers.notices;
  }

  /** All of it. */
  get notice(): string {
    return [this.ofHost, ...this.ofServers.values()].filter((notice) => notice !== '').join('; ');
  }
}
