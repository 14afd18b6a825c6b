// The marks of imported rows, as a migration. Once released it is never changed.

/** 1: from another program. The newest outage of a UPS, which its next event ends or resumes, is never such a row. */
export const importedOutages = 'ALTER TABLE outages ADD COLUMN imported INTEGER NOT NULL DEFAULT 0';
