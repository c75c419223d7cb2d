import type { Migration } from '@likeness/node-kit/storage/database.ts';

/**
 * Profiles are in SQLite rather than JSON for three reasons. The command line may change them beside a
 * running studio. The database enforces “exactly one default” and unique names. A profile and the note to
 * delete its keys change in one transaction. A profile's fields are one JSON document: fields of a later
 * version get their defaults on reading.
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
  `
  -- Keys were bound to their server alone before. They count as bound to the proxy and the certificates of this very
  -- moment too, which is taken down here since the keys themselves may be locked now: a profile that is changed before
  -- they are unlocked takes nothing along.
  CREATE TABLE ledAtUpdate (
    profileId TEXT PRIMARY KEY,
    groupAUrl TEXT NOT NULL,
    groupBUrl TEXT NOT NULL,
    proxyUrl TEXT NOT NULL,
    customCa TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO ledAtUpdate
    SELECT id, coalesce(document ->> '$.groupAUrl', ''), coalesce(document ->> '$.groupBUrl', ''),
      coalesce(document ->> '$.proxyUrl', ''), coalesce(document ->> '$.customCa', '')
    FROM profiles;

  -- Where the key of an environment variable goes, by the SHA-256 of the variable's name.
  CREATE TABLE environmentBindings (
    variable TEXT PRIMARY KEY,
    origin TEXT NOT NULL,
    proxy TEXT NOT NULL,
    trust TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- Connections that a page made or changed so that the variable would fit them: they get its key on a person's word only.
  CREATE TABLE environmentQuestions (
    variable TEXT NOT NULL,
    profileId TEXT NOT NULL,
    PRIMARY KEY (variable, profileId)
  ) STRICT, WITHOUT ROWID;
  `,
];
