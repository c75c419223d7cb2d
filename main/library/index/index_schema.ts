import type { Migration } from '@likeness/node-kit/storage/database.ts';
import type { modelStates } from '#contract';
import { folded } from '../../base/search/folded_text.ts';
import { LikenessRecord } from '../model/likeness_record.ts';
import { searchText } from './search_text.ts';

/**
 * The index: a copy of the folders' data for look-ups. It may be deleted at any time. Photos that stayed at
 * their original path (`ownReferences`) are then no longer shown, because nothing else proves that this
 * studio wrote the path.
 */
export const indexMigrations: readonly Migration[] = [
  `
  CREATE TABLE models (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    libraryId TEXT NOT NULL,
    folder TEXT NOT NULL,
    -- What the folder looked like when it was read.
    stamp TEXT NOT NULL,
    name TEXT NOT NULL,
    sortName TEXT NOT NULL,
    state TEXT NOT NULL,
    source TEXT NOT NULL,
    sex TEXT,
    eyelidType TEXT,
    profileId TEXT NOT NULL,
    profileName TEXT NOT NULL,
    rating INTEGER NOT NULL,
    tags TEXT NOT NULL,
    createdAt INTEGER NOT NULL,
    changedAt INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    hasThumbnail INTEGER NOT NULL,
    hasPortrait INTEGER NOT NULL,
    thumbnailVersion INTEGER NOT NULL,
    consentUntil INTEGER,
    trashedAt INTEGER,
    photoHash TEXT NOT NULL,
    modelHash TEXT NOT NULL,
    -- Photo and parameters, to know again what was made already.
    madeOf TEXT NOT NULL,
    UNIQUE (libraryId, folder)
  ) STRICT;
  CREATE INDEX models_by_created ON models (createdAt);
  CREATE INDEX models_by_changed ON models (changedAt);
  CREATE INDEX models_by_name ON models (sortName);
  CREATE INDEX models_by_made_of ON models (madeOf) WHERE madeOf <> '';
  CREATE INDEX models_by_photo ON models (photoHash) WHERE photoHash <> '';
  CREATE INDEX models_by_bytes ON models (modelHash) WHERE modelHash <> '';

  -- Kept apart, so that sorting and counting read small rows.
  CREATE TABLE records (
    row INTEGER PRIMARY KEY REFERENCES models (row) ON DELETE CASCADE,
    record TEXT NOT NULL
  ) STRICT;

  -- The text of the search once more, for words of one or two characters: read from end to end.
  CREATE TABLE texts (
    row INTEGER PRIMARY KEY REFERENCES models (row) ON DELETE CASCADE,
    searchText TEXT NOT NULL
  ) STRICT;

  CREATE TABLE tags (
    row INTEGER NOT NULL REFERENCES models (row) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    PRIMARY KEY (tag, row)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tags_by_row ON tags (row);

  CREATE TABLE shelved (
    row INTEGER NOT NULL REFERENCES models (row) ON DELETE CASCADE,
    collectionId TEXT NOT NULL,
    PRIMARY KEY (collectionId, row)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX shelved_by_row ON shelved (row);

  -- Three characters a token: finds any part of a word of at least three, in every script.
  CREATE VIRTUAL TABLE searched USING fts5 (
    searchText, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
  );
  CREATE TRIGGER unsearched AFTER DELETE ON models BEGIN
    DELETE FROM searched WHERE rowid = OLD.row;
  END;
  `,
  `
  -- What is wrong with a model's file, by what the file looked like; empty: it was looked at, and all is well.
  CREATE TABLE faults (
    id TEXT PRIMARY KEY,
    modelStamp TEXT NOT NULL,
    fault TEXT NOT NULL,
    -- 1: the file is not to be decoded. 0: it is only not to be drawn once more.
    refused INTEGER NOT NULL
  ) STRICT;
  ALTER TABLE models ADD COLUMN fault TEXT NOT NULL DEFAULT '';

  -- Photos outside of the libraries that this studio itself has noted down. A likeness.json may name any file of the
  -- machine; it may have come from anybody.
  CREATE TABLE ownReferences (
    id TEXT PRIMARY KEY,
    reference TEXT NOT NULL,
    -- 0: it was in the index before this table was. Its file must then be the one that its record names by SHA-256,
    -- which nobody can do who has not seen it.
    isOwn INTEGER NOT NULL
  ) STRICT;
  INSERT INTO ownReferences (id, reference, isOwn)
    SELECT m.id, json_extract(r.record, '$.photo.reference'), 0 FROM models m JOIN records r USING (row)
    WHERE json_type(r.record, '$.photo.reference') = 'text' AND m.source = 'portrait' AND m.photoHash <> '';
  `,
  (db) => {
    db.exec(`
      ALTER TABLE models ADD COLUMN flag TEXT;
      -- As tags are compared in a search: without case, accents and widths.
      ALTER TABLE tags ADD COLUMN folded TEXT NOT NULL DEFAULT '';
      CREATE INDEX tags_by_folded ON tags (folded, row);
      DELETE FROM texts;
      INSERT INTO searched (searched) VALUES ('delete-all');
    `);
    // Search now matches word prefixes, whose starts are marked in the text. All text is rewritten from the
    // stored records, because a folder's disk may be disconnected.
    const putText = db.prepare('INSERT INTO texts (row, searchText) VALUES (?, ?)');
    const putSearched = db.prepare('INSERT INTO searched (rowid, searchText) VALUES (?, ?)');
    const rows = db.prepare('SELECT m.row, m.state, r.record FROM models m JOIN records r USING (row)');
    for (const { row, state, record } of rows.iterate()) {
      const known = LikenessRecord.parse(JSON.parse(String(record)));
      const words = searchText(known, state as (typeof modelStates)[number]);
      putText.run(row!, words);
      putSearched.run(row!, words);
    }
    const fold = db.prepare('UPDATE tags SET folded = ? WHERE tag = ?');
    for (const { tag } of db.prepare('SELECT DISTINCT tag FROM tags').all())
      fold.run(folded(String(tag)), tag!);
  },
  `
  -- A head by what its server calls it: the journal asks for its name.
  ALTER TABLE models ADD COLUMN remoteModelId TEXT NOT NULL DEFAULT '';
  UPDATE models SET remoteModelId =
    coalesce((SELECT json_extract(r.record, '$.remoteModelId') FROM records r WHERE r.row = models.row), '');
  CREATE INDEX models_by_remote ON models (remoteModelId) WHERE remoteModelId <> '';
  `,
  `
  -- What is wrong with a file, by key and values, beside its English; null for rows of before.
  ALTER TABLE faults ADD COLUMN faultSaid TEXT;
  ALTER TABLE models ADD COLUMN faultSaid TEXT;
  `,
  `
  -- Why a record can't be read stood in its notes, in English: those folders are read anew.
  UPDATE models SET stamp = '' WHERE state = 'broken_record';
  `,
  `
  -- Which engine made a head. Those that don't say it in their record are read anew: their file does.
  ALTER TABLE models ADD COLUMN engine TEXT NOT NULL DEFAULT '';
  CREATE INDEX models_by_engine ON models (engine) WHERE engine <> '';
  UPDATE models SET stamp = '' WHERE source = 'portrait';
  `,
  `
  -- A library's sums are told ten times a second while it is filled.
  CREATE INDEX models_by_library ON models (libraryId, trashedAt, bytes);
  `,
  `
  -- When the present file was made, for the list and the search: a head that was made again is as old as its file.
  ALTER TABLE models ADD COLUMN madeAt INTEGER NOT NULL DEFAULT 0;
  UPDATE models SET madeAt = coalesce(
    nullif((SELECT json_extract(r.record, '$.madeAt') FROM records r WHERE r.row = models.row), 0), createdAt);
  CREATE INDEX models_by_made ON models (madeAt);
  `,
  (db) => {
    // Search finds a head by the day on which its current file was made.
    const rows = db
      .prepare(
        'SELECT m.row, m.state, r.record, t.searchText FROM models m JOIN records r USING (row) JOIN texts t USING (row)',
      )
      .all();
    const setText = db.prepare('UPDATE texts SET searchText = ? WHERE row = ?');
    const forget = db.prepare('DELETE FROM searched WHERE rowid = ?');
    const putSearched = db.prepare('INSERT INTO searched (rowid, searchText) VALUES (?, ?)');
    for (const { row, state, record, searchText: before } of rows) {
      const known = LikenessRecord.parse(JSON.parse(String(record)));
      const words = searchText(known, state as (typeof modelStates)[number]);
      if (words === before) continue;
      setText.run(words, row!);
      forget.run(row!);
      putSearched.run(row!, words);
    }
  },
];
