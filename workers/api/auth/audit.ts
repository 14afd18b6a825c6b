// Audit rows on their way to the supervisor: each at once, except repeats. Repeats are written as one row and then as a
// count each minute. No row is dropped without a count.
import { cutTo } from '../../../shared/domain/cut.js';
import type { AuditEventType } from '../../../shared/domain/events.js';
import type { AuditCount, AuditRecord } from '../../../shared/protocol/api.js';
import type { Clock } from '../../../shared/runtime/clock.js';
import { singleLine } from '../../../shared/domain/single-line.js';
import type { Principal } from '../http/peer.js';

/** One row: who did what to what, and what came of it. */
export interface AuditEntry {
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

/** The row that a count is written with, when counting began, and how many came since. */
interface Repeated {
  readonly record: AuditRecord;
  sinceMs: number;
  more: number;
}

/** One row a minute for what repeats: a flood leaves 1,440 rows a day and not millions. */
const countEveryMs = 60_000;
/** Different refusals of strangers that are counted apart; all further ones share a count for each type. */
const mostRefusals = 100;
/** Together with a principal, an address and a count they make less than a record takes (1,024). */
const longestTarget = 400;
const longestResult = 400;

export class Audit {
  readonly #clock: Clock;
  readonly #emit: (record: AuditRecord) => boolean;
  readonly #refusals = new Map<string, Repeated>();
  /** By principal: one that goes on above its limit. Only who has a credential is here. */
  readonly #limited = new Map<Principal, Repeated>();
  /** By type: refusals beyond `mostRefusals`. */
  readonly #further = new Map<AuditEventType, Repeated>();
  /** By type: rows for which the link had no room. */
  readonly #unsent = new Map<AuditEventType, number>();

  /** `emit` says false when a row cannot be taken. */
  constructor(clock: Clock, emit: (record: AuditRecord) => boolean) {
    this.#clock = clock;
    this.#emit = emit;
  }

  record(deed: AuditEntry): void {
    this.#send(recordOf(deed));
  }

  /** A refusal of a stranger, who can cause any number: a row for the first of its kind, then a count each minute. */
  refused(deed: AuditEntry): void {
    const record = recordOf(deed);
    const key = `${record.type} ${record.source} ${record.detail}`;
    if (this.#refusals.has(key) || this.#refusals.size < mostRefusals)
      this.#repeat(this.#refusals, key, record, record);
    else
      this.#repeat(this.#further, record.type, record, {
        type: record.type,
        source: 'daemon',
        detail: 'anonymous: other refusals: denied',
      });
  }

  /** An action above the limit of its principal: a row for the first one, then a count of all of them each minute. */
  limited(deed: AuditEntry): void {
    const counted = recordOf({ ...deed, source: undefined, target: 'actions above the limit' });
    this.#repeat(this.#limited, deed.principal, recordOf(deed), counted);
  }

  /** To be called every second: writes the counts whose minute is over. */
  tick(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#count((sinceMs) => nowMs - sinceMs >= countEveryMs);
  }

  /** What is counted and not written, by type. */
  get counts(): readonly AuditCount[] {
    const counts = new Map(this.#unsent);
    for (const repeated of [this.#refusals, this.#limited, this.#further])
      for (const { record, more } of repeated.values())
        if (more > 0) counts.set(record.type, (counts.get(record.type) ?? 0) + more);
    return [...counts].map(([type, count]) => ({ type, count }));
  }

  /** Writes every count at once, because the worker ends. */
  flush(): void {
    this.#count(() => true);
  }

  #repeat<K>(repeated: Map<K, Repeated>, key: K, first: AuditRecord, record: AuditRecord): void {
    const known = repeated.get(key);
    if (known !== undefined) {
      known.more += 1;
      return;
    }
    repeated.set(key, { record, sinceMs: this.#clock.monotonicMs(), more: 0 });
    this.#send(first);
  }

  #count(due: (sinceMs: number) => boolean): void {
    for (const repeated of [this.#refusals, this.#limited, this.#further]) this.#countOf(repeated, due);
    for (const [type, count] of this.#unsent) {
      const detail = `api: ${String(count)} more rows of this kind were not kept: the daemon did not take them in time`;
      if (this.#emit({ type, source: 'daemon', detail })) this.#unsent.delete(type);
    }
  }

  /** What did not come again for a minute is forgotten; it is new when it comes again. */
  #countOf(repeated: Map<unknown, Repeated>, due: (sinceMs: number) => boolean): void {
    for (const [key, one] of repeated) {
      if (!due(one.sinceMs)) continue;
      if (one.more === 0) {
        repeated.delete(key);
        continue;
      }
      this.#send({ ...one.record, detail: `${one.record.detail}, ${String(one.more)} more` });
      one.sinceMs = this.#clock.monotonicMs();
      one.more = 0;
    }
  }

  #send(record: AuditRecord): void {
    if (this.#emit(record)) return;
    this.#unsent.set(record.type, (this.#unsent.get(record.type) ?? 0) + 1);
  }
}

function recordOf({ type, principal, peer, source, target, result }: AuditEntry): AuditRecord {
  const from = principal === 'local' ? '' : ` from ${peer}`;
  const what = `${cutTo(singleLine(target), longestTarget)}: ${cutTo(singleLine(result), longestResult)}`;
  return { type, source: source ?? 'daemon', detail: `${principal}${from}: ${what}` };
}
