// Where the wall clock stood in each boot: the lowest and the highest Unix time at which the clock of the boot was 0, as events and
// samples saw it. They lie apart by what the wall clock was set by (specification/storage.md#clocks).
import type { Database } from './database.js';

/** A machine that boots three times a day for years. */
const maxBoots = 10_000;

/** `low`, `high`: Unix ms. `stopped_ms`: when a run stopped, since its boot. */
export const bootTable = `
  CREATE TABLE boots (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    low INTEGER NOT NULL,
    high INTEGER NOT NULL
  ) STRICT;
  ALTER TABLE runs ADD COLUMN stopped_ms INTEGER;
`;

/** `last`: Unix ms, where the clock stood at last. `boot_ms`: since the boot of the run. */
export const eventClocks = `
  ALTER TABLE boots ADD COLUMN last INTEGER;
  ALTER TABLE events ADD COLUMN boot_ms INTEGER;
`;

/** Less is the drift that NTP takes away. */
const setByMs = 2_000;

/** A moment by both clocks: Unix seconds, and the boot with the ms since it. */
export interface BootMoment {
  readonly at: number;
  readonly boot?: { readonly id: string; readonly ms: number };
}

interface Bounds {
  readonly low: number;
  readonly high: number;
  readonly last: number;
  /** Of the latest moment: one of before says nothing of how the clock stands. */
  readonly ms: number;
}

export class BootNotes {
  /** What is stored of the boots of this process; of one database only. */
  #known = new Map<string, Bounds>();
  #of: Database | undefined;

  /** Moments that are noted already cost nothing. */
  async note(db: Database, moments: readonly BootMoment[]): Promise<void> {
    if (this.#of !== db) this.#known = new Map();
    this.#of = db;
    const seen = new Map<string, Bounds>();
    for (const { at, boot } of moments) {
      if (boot === undefined) continue;
      const zero = Math.round(at * 1000 - boot.ms);
      const { low, high, last, ms } = seen.get(boot.id) ??
        this.#known.get(boot.id) ?? { low: zero, high: zero, last: zero, ms: 0 };
      const isSet = boot.ms >= ms && Math.abs(zero - last) > setByMs;
      seen.set(boot.id, {
        ...{ low: Math.min(low, zero), high: Math.max(high, zero) },
        ...{ last: isSet ? zero : last, ms: Math.max(ms, boot.ms) },
      });
    }
    const news = [...seen].filter(([id, { low, high, last }]) => {
      const known = this.#known.get(id);
      return known?.low !== low || known.high !== high || known.last !== last;
    });
    if (news.length > 0) await db.transaction(() => save(db, news));
    for (const [id, bounds] of seen) this.#known.set(id, bounds);
  }
}

async function save(db: Database, bounds: readonly (readonly [string, Bounds])[]): Promise<void> {
  const rows = bounds.map(([id, { low, high, last }]) => [id, low, high, last]);
  await db.run(
    `INSERT INTO boots (id, low, high, last) SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?) WHERE true
     ON CONFLICT (id) DO UPDATE SET low = min(low, excluded.low), high = max(high, excluded.high), last = excluded.last`,
    JSON.stringify(rows),
  );
  await db.run(`DELETE FROM boots WHERE key <= (SELECT max(key) FROM boots) - ${String(maxBoots)}`);
}
