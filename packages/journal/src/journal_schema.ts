import type { Migration } from '@likeness/node-kit/storage/database.ts';

/** The schema of the journal's file. Columns have the names of the contract's fields: a row is an entry. */
export const journalMigrations: readonly Migration[] = [
  `
  CREATE TABLE entries (
    sequence INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    profileId TEXT NOT NULL,
    profileName TEXT NOT NULL,
    operation TEXT NOT NULL,
    subject TEXT NOT NULL,
    outcome TEXT NOT NULL,
    httpStatus INTEGER,
    envelopeCode REAL,
    message TEXT NOT NULL,
    bytesSent INTEGER NOT NULL,
    bytesReceived INTEGER NOT NULL,
    firstByteMs REAL,
    totalMs REAL NOT NULL,
    billedSeconds REAL NOT NULL,
    billedFrames REAL NOT NULL,
    billedModels REAL NOT NULL,
    cost REAL NOT NULL,
    currency TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;

  CREATE INDEX entries_by_time ON entries (at);
  CREATE INDEX entries_by_profile ON entries (profileId);
  CREATE INDEX entries_by_operation ON entries (operation);
  CREATE INDEX entries_by_outcome ON entries (outcome);
  CREATE INDEX entries_by_latency ON entries (operation, at, firstByteMs, outcome)
    WHERE kind = 'call' AND firstByteMs IS NOT NULL;

  CREATE TRIGGER entries_never_change BEFORE UPDATE ON entries
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
  CREATE TRIGGER entries_never_go BEFORE DELETE ON entries
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
  CREATE TRIGGER entries_have_no_gap BEFORE INSERT ON entries
    WHEN NEW.sequence <> (SELECT coalesce(max(sequence), 0) + 1 FROM entries)
    BEGIN SELECT RAISE(ABORT, 'the journal has no gaps'); END;

  -- Sums a month, kept with every entry, so that the meter and the cap need not add up a year of calls.
  CREATE TABLE usage (
    month TEXT NOT NULL,
    profileId TEXT NOT NULL,
    currency TEXT NOT NULL,
    profileName TEXT NOT NULL,
    calls INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    seconds REAL NOT NULL,
    frames REAL NOT NULL,
    models REAL NOT NULL,
    cost REAL NOT NULL,
    PRIMARY KEY (month, profileId, currency)
  ) STRICT, WITHOUT ROWID;

  -- Money that calls under way may still cost.
  CREATE TABLE reservations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    month TEXT NOT NULL,
    profileId TEXT NOT NULL,
    profileName TEXT NOT NULL,
    operation TEXT NOT NULL,
    subject TEXT NOT NULL,
    currency TEXT NOT NULL,
    cost REAL NOT NULL,
    processId INTEGER NOT NULL,
    run TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- What the message says, as a key and its values. The hash covers the message alone, and this holds only as long as
  -- it says the same.
  ALTER TABLE entries ADD COLUMN messageSaid TEXT;
  `,
  `
  -- A service bills a model once, whatever crashed between making and billing it.
  CREATE UNIQUE INDEX entries_of_made_models ON entries (subject) WHERE operation = 'modelMade';
  `,
];

/** The schema of the head: the journal's last known end, and every detected mismatch. */
export const headMigrations: readonly Migration[] = [
  `
  CREATE TABLE head (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    entries INTEGER NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  CREATE TABLE losses (
    at INTEGER NOT NULL,
    firstLost INTEGER,
    detail TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- When somebody accepted the loss; losses of before count as accepted.
  ALTER TABLE losses ADD COLUMN acceptedAt INTEGER;
  UPDATE losses SET acceptedAt = at;
  -- The journal's sums a month once more, so that no cap begins anew where the journal is lost.
  CREATE TABLE usage (
    month TEXT NOT NULL,
    profileId TEXT NOT NULL,
    currency TEXT NOT NULL,
    profileName TEXT NOT NULL,
    calls INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    seconds REAL NOT NULL,
    frames REAL NOT NULL,
    models REAL NOT NULL,
    cost REAL NOT NULL,
    PRIMARY KEY (month, profileId, currency)
  ) STRICT, WITHOUT ROWID;
  `,
];
