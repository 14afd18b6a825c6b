// Sends audit rows to the supervisor: each immediately, except repeats, which become one row and then a count each minute.
// No row is dropped without a count.
import { truncate } from '../../../shared/domain/base/truncate.js';
import type { AuditEventType } from '../../../shared/domain/status/events.js';
import type { AuditCount, AuditRecord } from '../../../shared/protocol/api.js';
import type { Clock } from '../../../shared/runtime/clock.js';
import { singleLine } from '../../../shared/domain/base/single-line.js';
import type { Principal } from '../http/peer.js';
import { callerOf } from '../http/route.js';

export interface AuditEntry {
  readonly type: AuditEventType;
  readonly principal: Principal;
  /** The address of the immediate peer, and the one a trusted proxy forwards. */
  readonly peer: string;
  /** The groupId of the UPS; absent for the daemon. */
  readonly source?: string | undefined;
  /** The requested action: `beeper.mute`, `GET /metrics`. */
  readonly target: string;
  /** `ok`, `denied`, `failed: text`, `3 rows`. */
  readonly result: string;
}

/** One row, the start of its count, and the number of repeats. */
interface Repeated {
  readonly record: AuditRecord;
  sinceMs: number;
  more: number;
}

/** One row a minute for repeats: a flood leaves 1,440 rows a day and not millions. */
const countIntervalMs = 60_000;
/** Different refusals of anonymous callers that are counted separately; further ones share a count for each type. */
const maxRefusals = 100;
/** With principal, address and count the detail stays below the limit of a record (1,024). */
const maxTargetLength = 400;
const maxResultLength = 400;

export class Audit {
  readonly #clock: Clock;
  readonly #emit: (record: AuditRecord) => boolean;
  readonly #refusals = new Map<string, Repeated>();
  /** By principal: actions above the limit. Only authenticated principals are here. */
  readonly #limited = new Map<Principal, Repeated>();
  /** By type: refusals beyond `maxRefusals`. */
  readonly #further = new Map<AuditEventType, Repeated>();
  /** By type: rows that did not fit into the queue of the link. */
  readonly #unsent = new Map<AuditEventType, number>();

  /** `emit` returns false when a row cannot be queued. */
  constructor(clock: Clock, emit: (record: AuditRecord) => boolean) {
    this.#clock = clock;
    this.#emit = emit;
  }

  record(entry: AuditEntry): void {
    this.#send(recordOf(entry));
  }

  /** A refusal of an anonymous caller, who can cause any number: a row for the first of its kind, then a count each minute. */
  refused(entry: AuditEntry): void {
    const record = recordOf(entry);
    const key = `${record.type} ${record.source} ${record.detail}`;
    if (this.#refusals.has(key) || this.#refusals.size < maxRefusals)
      this.#repeat(this.#refusals, key, record, record);
    else
      this.#repeat(this.#further, record.type, record, {
        type: record.type,
        source: 'daemon',
        detail: 'anonymous: other refusals: denied',
      });
  }

  /** An action above the limit of its principal: a row for the first one, then a count of all of them each minute. */
  limited(entry: AuditEntry): void {
    const counted = recordOf({ ...entry, source: undefined, target: 'actions above the limit' });
    this.#repeat(this.#limited, entry.principal, recordOf(entry), counted);
  }

  /** Call it every second: writes the counts whose minute is over. */
  tick(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#count((sinceMs) => nowMs - sinceMs >= countIntervalMs);
  }

  /** Counts that are not written yet, by type. */
  get counts(): readonly AuditCount[] {
    const counts = new Map(this.#unsent);
    for (const repeated of [this.#refusals, this.#limited, this.#further])
      for (const { record, more } of repeated.values())
        if (more > 0) counts.set(record.type, (counts.get(record.type) ?? 0) + more);
    return [...counts].map(([type, count]) => ({ type, count }));
  }

  /** Writes every count immediately, because the worker ends. */
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
      const detail = `api: ${String(count)} more rows of this kind are lost: the daemon did not accept them in time`;
      if (this.#emit({ type, source: 'daemon', detail })) this.#unsent.delete(type);
    }
  }

  /** Drops a refusal that was not repeated for a minute; the next one is a new row. */
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
  const what = `${truncate(singleLine(target), maxTargetLength)}: ${truncate(singleLine(result), maxResultLength)}`;
  return { type, source: source ?? 'daemon', detail: `${callerOf({ principal, from: peer })}: ${what}` };
}
