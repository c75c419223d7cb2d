import type { Migration } from '@likeness/node-kit/storage/database.ts';

/** Tables of imported photos, jobs and measured durations. */
export const batchMigrations: readonly Migration[] = [
  `
  CREATE TABLE photos (
    id TEXT PRIMARY KEY,
    path TEXT NOT NULL,
    -- 1 where the file lies in the batch's own folder and goes with its row.
    owned INTEGER NOT NULL,
    fileName TEXT NOT NULL,
    folder TEXT NOT NULL,
    format TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    width INTEGER NOT NULL DEFAULT 0,
    height INTEGER NOT NULL DEFAULT 0,
    sha256 TEXT NOT NULL UNIQUE,
    addedAt INTEGER NOT NULL,
    -- Order of arrival: many come in the same millisecond.
    sequence INTEGER NOT NULL,
    sex TEXT,
    eyelidType TEXT,
    name TEXT NOT NULL,
    tags TEXT NOT NULL,
    "check" TEXT NOT NULL DEFAULT 'pending',
    findings TEXT NOT NULL DEFAULT '[]',
    face TEXT,
    suggestedCrop TEXT,
    crop TEXT,
    -- 0: queued or removed; the row stays for jobs and for undo.
    inTray INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX photos_in_tray ON photos (inTray, sequence);

  CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    photoId TEXT NOT NULL REFERENCES photos (id),
    state TEXT NOT NULL,
    position REAL NOT NULL,
    -- Frozen when it was queued.
    fileName TEXT NOT NULL,
    name TEXT NOT NULL,
    sex TEXT NOT NULL,
    eyelidType TEXT,
    crop TEXT,
    tags TEXT NOT NULL,
    profileId TEXT NOT NULL,
    profileName TEXT NOT NULL,
    libraryId TEXT NOT NULL,
    -- The model's id in the library, chosen before anything is sent.
    modelId TEXT NOT NULL,
    idempotencyKey TEXT NOT NULL,
    -- 1 where the server announced idempotency keys before the submit under way.
    protected INTEGER NOT NULL DEFAULT 0,
    remoteModelId TEXT NOT NULL DEFAULT '',
    attempts INTEGER NOT NULL DEFAULT 0,
    message TEXT NOT NULL DEFAULT '',
    hint TEXT NOT NULL DEFAULT '',
    code TEXT,
    -- Seconds between questions, the last one; 0 before the first.
    pollSeconds REAL NOT NULL DEFAULT 0,
    nextPollAt INTEGER,
    queuedAt INTEGER NOT NULL,
    changedAt INTEGER NOT NULL,
    submittedAt INTEGER,
    doneAt INTEGER
  ) STRICT;
  CREATE INDEX jobs_in_order ON jobs (state, position);
  CREATE INDEX jobs_by_position ON jobs (position);
  CREATE INDEX jobs_of_batch ON jobs (queuedAt, state);
  CREATE INDEX jobs_by_photo ON jobs (photoId);

  CREATE TABLE image_tasks (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    fileName TEXT NOT NULL,
    profileId TEXT NOT NULL,
    profileName TEXT NOT NULL,
    taskId TEXT NOT NULL,
    message TEXT NOT NULL
  ) STRICT;
  CREATE INDEX image_tasks_by_time ON image_tasks (at);

  CREATE TABLE durations (
    profileId TEXT PRIMARY KEY,
    -- From submit to done, and between two that become done; seconds.
    each REAL NOT NULL,
    between_ REAL NOT NULL,
    samples INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE queue (one INTEGER PRIMARY KEY CHECK (one = 1), paused INTEGER NOT NULL, batchFrom INTEGER NOT NULL) STRICT;
  INSERT INTO queue VALUES (1, 0, 0);
  `,
  `
  ALTER TABLE photos ADD COLUMN corrections TEXT;
  -- How sure the outline of head and hair is, 0..1; null where nobody has looked yet.
  ALTER TABLE photos ADD COLUMN outline REAL;
  ALTER TABLE jobs ADD COLUMN corrections TEXT;
  CREATE INDEX photos_without_outline ON photos (sequence) WHERE inTray = 1 AND outline IS NULL;
  `,
  `
  -- What is known of the order that a job made: none, doubt, made, ended, gone; see job_state.ts.
  ALTER TABLE jobs ADD COLUMN standing TEXT NOT NULL DEFAULT 'none';
  UPDATE jobs SET standing = 'made' WHERE remoteModelId <> '';
  UPDATE jobs SET standing = 'doubt' WHERE remoteModelId = '' AND (
    state IN ('submitting', 'uncertain')
    OR (state = 'cancelled' AND message LIKE 'Cancelled while it was being sent; the server may have received it%')
    OR (state = 'failed' AND message = 'Given up: it may have been received.')
  );
  `,
  `
  -- Where a file's name stands among others, numbers by their value; filled by the tray.
  ALTER TABLE photos ADD COLUMN nameKey TEXT;
  CREATE INDEX photos_by_name ON photos (inTray, nameKey);
  -- 1 where the person wants a head although the check speaks against the photo.
  ALTER TABLE photos ADD COLUMN anyway INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE jobs ADD COLUMN anyway INTEGER NOT NULL DEFAULT 0;
  -- Whether a head can be made all the same was not asked before.
  UPDATE photos SET "check" = 'pending' WHERE "check" = 'blocked';
  `,
  `
  -- The journal asks for names by what servers call heads.
  CREATE INDEX jobs_by_remote ON jobs (remoteModelId) WHERE remoteModelId <> '';
  `,
  `
  -- What message and hint say, as a key and its values; null where they are texts of their own.
  ALTER TABLE jobs ADD COLUMN messageSaid TEXT;
  ALTER TABLE jobs ADD COLUMN hintSaid TEXT;
  ALTER TABLE image_tasks ADD COLUMN messageSaid TEXT;
  `,
  `
  -- What a person chose of the head; null: nothing.
  ALTER TABLE photos ADD COLUMN options TEXT;
  ALTER TABLE jobs ADD COLUMN options TEXT;
  -- The model in the library whose file the job's head becomes; null: a new model.
  ALTER TABLE jobs ADD COLUMN replaces TEXT;
  CREATE INDEX jobs_by_replaced ON jobs (replaces) WHERE replaces IS NOT NULL;
  `,
  `
  -- The front photo of the same person, which this one goes with; null: it goes by itself, or leads others.
  ALTER TABLE photos ADD COLUMN frontId TEXT;
  -- Order beside the front one.
  ALTER TABLE photos ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
  -- 1 where a person chose this one to lead.
  ALTER TABLE photos ADD COLUMN frontChosen INTEGER NOT NULL DEFAULT 0;
  -- Degrees that the head is turned; null where nobody has measured it.
  ALTER TABLE photos ADD COLUMN yaw REAL;
  CREATE INDEX photos_by_front ON photos (frontId) WHERE frontId IS NOT NULL;
  -- Further photos of the person that a job was ordered with: photoId, fileName and crop of each.
  ALTER TABLE jobs ADD COLUMN others TEXT;
  CREATE INDEX jobs_of_several ON jobs (id) WHERE others IS NOT NULL;
  -- What became of each photo, the front one first; null until the server says.
  ALTER TABLE jobs ADD COLUMN photoUses TEXT;
  `,
  `
  -- 1 where its photo lay in the tray, and comes back there when the job is cancelled before it is sent.
  ALTER TABLE jobs ADD COLUMN fromList INTEGER NOT NULL DEFAULT 1;
  UPDATE jobs SET fromList = 0 WHERE replaces IS NOT NULL;
  `,
  `
  -- The photo that an image task was made of; null: of an earlier version.
  ALTER TABLE image_tasks ADD COLUMN photoId TEXT;
  -- 1 where the person took it off the board.
  ALTER TABLE image_tasks ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
  `,
  `
  ALTER TABLE jobs RENAME COLUMN standing TO orderState;
  UPDATE jobs SET orderState = 'unknown' WHERE orderState = 'doubt';
  `,
];
