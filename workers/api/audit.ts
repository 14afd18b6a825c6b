// What is told of people's doings: audit rows to the supervisor, and refusals, which are told once a minute per peer.
import type { AuditEventType } from '../../shared/domain/events.js';
import type { AuditRecord } from '../../shared/protocol/api.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Principal } from './routes/route.js';

/** One row: who did what to what, and what came of it. */
export interface Deed {
  readonly type: AuditEventType;
  readonly principal: Principal;
  /** The immediate peer's address. */
  readonly peer: string;
  /** The groupId of the UPS it is about; without one it is about the daemon. */
  readonly source?: string | undefined;
  /** What was to be done: `beeper.mute`, `GET /metrics`. */
  readonly target: string;
  /** `ok`, `denied`, `failed: text`, `3 rows`. */
  readonly result: string;
}

/** Contract 1.8. */
const refusalEveryMs = 60_000;
/** Peers remembered at a time; all further ones share one minute. Addresses cost nothing, rows stay for years. */
const mostPeers = 100;
const longestDetail = 1024;

export class Audit {
  readonly #clock: Clock;
  readonly #emit: (record: AuditRecord) => void;
  readonly #toldMs = new Map<string, number>();

  constructor(clock: Clock, emit: (record: AuditRecord) => void) {
    this.#clock = clock;
    this.#emit = emit;
  }

  record({ type, principal, peer, source, target, result }: Deed): void {
    const from = principal === 'local' ? '' : ` from ${peer}`;
    const detail = `${principal}${from}: ${printable(target)}: ${printable(result)}`.slice(0, longestDetail);
    this.#emit({ type, source: source ?? 'daemon', detail });
  }

  /** Records it unless this peer's last refusal (or its last throttled login) was recorded less than a minute ago. */
  refused(deed: Deed): void {
    const nowMs = this.#clock.monotonicMs();
    for (const [key, toldMs] of this.#toldMs) {
      if (nowMs - toldMs < refusalEveryMs) break;
      this.#toldMs.delete(key);
    }
    const known = `${deed.type === 'LOGIN_THROTTLED' ? 'login ' : ''}${deed.peer}`;
    const key = this.#toldMs.has(known) || this.#toldMs.size < mostPeers ? known : '';
    if (this.#toldMs.has(key)) return;
    this.#toldMs.set(key, nowMs);
    this.record(deed);
  }
}

/** Whatever a client sent, on one line. */
function printable(text: string): string {
  return text.replaceAll(/\p{C}/gu, '?');
}
