// The sessions that several UPSes of a server share in this process (`nut.connections = "per_server"`). The last client that
// leaves a session closes it.
import type { NutSessionOptions } from './session.js';
import { NutSession } from './session.js';

export interface Lease {
  readonly session: NutSession;
  readonly release: () => void;
}

export class SharedSessions {
  readonly #byKey = new Map<string, { readonly session: NutSession; clients: number }>();

  /** Sessions are shared by clients of the same server with the same TLS settings and logins. */
  join(key: string, options: NutSessionOptions): Lease {
    const shared = this.#byKey.get(key) ?? { session: new NutSession(options), clients: 0 };
    this.#byKey.set(key, shared);
    shared.clients += 1;
    return {
      session: shared.session,
      release: () => {
        shared.clients -= 1;
        if (shared.clients > 0) return;
        this.#byKey.delete(key);
        shared.session.close();
      },
    };
  }
}
