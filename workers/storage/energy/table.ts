// The tables of the energy (specification/storage.md#energy).

/**
 * One row for each UPS and local calendar day, `day` as the number YYYYMMDD; clustered by day, so that the rows that change
 * share a page. `seconds`: the time that was counted. `energy_last`: the last sample counted (ms), where the counting
 * continues, and when it began.
 */
export const energyTables = `
  CREATE TABLE energy_days (
    day INTEGER NOT NULL,
    ups INTEGER NOT NULL REFERENCES ups (key),
    joules REAL NOT NULL,
    seconds REAL NOT NULL,
    estimated INTEGER NOT NULL,
    PRIMARY KEY (day, ups)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE energy_last (
    ups INTEGER PRIMARY KEY REFERENCES ups (key),
    ts INTEGER NOT NULL,
    watts REAL NOT NULL,
    estimated INTEGER NOT NULL,
    since INTEGER NOT NULL,
    joules REAL NOT NULL
  ) STRICT;
`;
