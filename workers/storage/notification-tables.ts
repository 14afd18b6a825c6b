// The tables of the durable queue of notifications, as a migration. Once released it is never changed.

/** A delivery never becomes pending again. */
export const notificationTables = `
  CREATE TABLE notifications (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    at REAL NOT NULL,
    source TEXT NOT NULL,
    type TEXT NOT NULL,
    text TEXT NOT NULL,
    urgent INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE deliveries (
    notification INTEGER NOT NULL REFERENCES notifications (key) ON DELETE CASCADE,
    service TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'sent', 'cancelled')),
    reason TEXT,
    attempts INTEGER NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (notification, service)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX deliveries_pending ON deliveries (notification) WHERE state = 'pending';
  CREATE INDEX notifications_by_age ON notifications (at);
`;

/** The same message as a page, for services that take HTML. */
export const notificationPages = 'ALTER TABLE notifications ADD COLUMN html TEXT';
