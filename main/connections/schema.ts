import type { Migration } from '../storage/database.ts';

/**
 * Profiles are in SQLite rather than in a JSON file: the command line may change them beside a running studio,
 * “exactly one default” and “no two of a name” are rules the file itself keeps, and a profile and the memory that
 * its keys must go change in one transaction. A profile's fields are one JSON document: fields that a later
 * version adds have their defaults on reading.
 */
export const connectionsMigrations: readonly Migration[] = [
  `
  CREATE TABLE profiles (
    id TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    -- The name in lower case: names are told apart by it, and environment variables are named after it.
    nameKey TEXT NOT NULL UNIQUE,
    document TEXT NOT NULL CHECK (json_valid(document)),
    isDefault INTEGER NOT NULL CHECK (isDefault IN (0, 1)),
    createdAt INTEGER NOT NULL,
    changedAt INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX profiles_one_default ON profiles (isDefault) WHERE isDefault = 1;

  -- Profiles that were deleted while their keys could not be: they were locked, or the power was cut.
  CREATE TABLE keysToForget (profileId TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  `,
];
