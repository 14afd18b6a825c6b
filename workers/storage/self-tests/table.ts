// The tables of the battery tests (specification/storage.md#self-tests).

/**
 * `started` and `ended` are Unix seconds; `ended` is null while the test runs. `self_test_schedules`: since when the schedule
 * of a UPS has been in effect, so that a date before is none that was missed.
 */
export const selfTestTables = `
  CREATE TABLE self_tests (
    ups INTEGER NOT NULL REFERENCES ups (key),
    started INTEGER NOT NULL,
    ended INTEGER,
    command TEXT,
    source TEXT NOT NULL,
    result TEXT NOT NULL,
    raw TEXT NOT NULL,
    date TEXT,
    PRIMARY KEY (ups, started)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE self_test_schedules (
    ups INTEGER PRIMARY KEY REFERENCES ups (key),
    schedule TEXT NOT NULL,
    since INTEGER NOT NULL
  ) STRICT;
`;
