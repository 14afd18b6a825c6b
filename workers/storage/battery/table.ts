// The tables of the battery health (specification/storage.md#battery-health).

/**
 * `battery_state`: what continues after a restart, as JSON (state.ts). `battery_days`: one row for each UPS and day of UTC
 * (days since 1970), with the typical full reading and the score. `battery_discharges`: one row for each time on battery, ms;
 * `ended` is null while it is recorded; `capacity` is against the first discharge of the series, null where it was not
 * compared; `curve` is deflated JSON, a list for each quantity.
 */
export const batteryTables = `
  CREATE TABLE battery_state (ups INTEGER PRIMARY KEY REFERENCES ups (key), body TEXT NOT NULL) STRICT;
  CREATE TABLE battery_days (
    ups INTEGER NOT NULL REFERENCES ups (key),
    day INTEGER NOT NULL,
    series INTEGER NOT NULL,
    readings INTEGER NOT NULL DEFAULT 0,
    load REAL,
    runtime REAL,
    ratio REAL,
    score REAL,
    PRIMARY KEY (ups, day)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE battery_discharges (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    ups INTEGER NOT NULL REFERENCES ups (key),
    series INTEGER NOT NULL,
    started INTEGER NOT NULL,
    last INTEGER NOT NULL,
    ended INTEGER,
    cause TEXT NOT NULL,
    seconds REAL NOT NULL,
    load REAL,
    from_charge REAL,
    to_charge REAL,
    fall REAL NOT NULL,
    joules REAL,
    measured INTEGER NOT NULL,
    capacity REAL,
    curve BLOB NOT NULL
  ) STRICT;
  CREATE INDEX battery_discharges_in_order ON battery_discharges (ups, key);
`;
