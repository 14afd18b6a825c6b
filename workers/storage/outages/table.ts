// The tables of the outages (specification/storage.md#outages).

/**
 * One row for each time on battery of a UPS; times in ms. `last`: the last sample counted, where the counting continues.
 * `end_seen` 0: the return of power was not seen, and `ended` is the last sample. `estimated` 1: part of
 * `joules` is computed from the load and the rating. Shutdowns as JSON (ShutdownRecord), and
 * evidence as the deflated minutes of the ring of changes. The mark `evidence_bytes` is the size of all evidence.
 */
export const outageTables = `
  CREATE TABLE outages (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    ups INTEGER NOT NULL REFERENCES ups (key),
    cause TEXT NOT NULL,
    started INTEGER NOT NULL,
    ended INTEGER,
    end_seen INTEGER NOT NULL DEFAULT 0,
    interruptions INTEGER NOT NULL DEFAULT 0,
    last INTEGER,
    watts REAL,
    low_charge REAL,
    low_runtime REAL,
    joules REAL,
    estimated INTEGER NOT NULL DEFAULT 0,
    UNIQUE (ups, started)
  ) STRICT;
  CREATE INDEX outages_in_order ON outages (started);
  CREATE INDEX outages_by_end ON outages (ended);
  CREATE TABLE outage_shutdowns (
    started INTEGER NOT NULL,
    group_id TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (started, group_id)
  ) STRICT;
  CREATE TABLE outage_evidence (
    key INTEGER PRIMARY KEY,
    ups INTEGER NOT NULL REFERENCES ups (key),
    ts INTEGER NOT NULL,
    changes BLOB NOT NULL
  ) STRICT;
  CREATE INDEX outage_evidence_in_order ON outage_evidence (ups, ts);
  INSERT INTO marks VALUES ('evidence_bytes', 0);
`;

/**
 * `boot`, `boot_ms`: the boot that it was last seen in, and its begin on the clock of that boot, before 0 for a begin in an earlier
 * one; `former_boots`: those, a JSON list. `dated`: its begin as recorded, where the wall clock was set since.
 */
export const outageClocks = `
  ALTER TABLE outages ADD COLUMN boot TEXT;
  ALTER TABLE outages ADD COLUMN boot_ms INTEGER;
  ALTER TABLE outages ADD COLUMN former_boots TEXT;
  ALTER TABLE outages ADD COLUMN dated INTEGER;
`;
