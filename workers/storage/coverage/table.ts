// The table of the time in which UPSes were read (specification/storage.md#coverage).

/**
 * One row for each UPS and local calendar day (YYYYMMDD), clustered by day. `seconds`: the time between samples, gaps left
 * out. `first` and `last`: the first and the newest sample counted, in ms.
 */
export const coverageTable = `
  CREATE TABLE coverage_days (
    day INTEGER NOT NULL,
    ups INTEGER NOT NULL REFERENCES ups (key),
    seconds REAL NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (day, ups)
  ) STRICT, WITHOUT ROWID;
`;
