import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { openDatabase, transaction } from '@likeness/node-kit/storage/database.ts';
import { preparedOnce } from '@likeness/node-kit/storage/prepared.ts';
import { quarantineTime } from '@likeness/node-kit/storage/quarantine.ts';
import { builtInProfileId, type ProfileDraft } from '#contract';
import { builtInDraft } from './built_in_profile.ts';
import { connectionsMigrations } from './connections_schema.ts';
import { readDraft } from './draft_reading.ts';
import type { Leading } from './key_binding.ts';

/** A profile as stored. */
export interface StoredProfile {
  readonly id: string;
  readonly draft: ProfileDraft;
  readonly isDefault: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly changedAt: number;
}

/** All profiles as of a version of the file. */
interface KeptProfiles {
  version: number;
  profiles: readonly StoredProfile[];
  byId: ReadonlyMap<string, StoredProfile>;
}

export interface ProfileStoreOptions {
  /** Path of the database. */
  database: string;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Letters, digits, - and _; unique. */
  randomId: () => string;
}

/** Maximum connections of a studio, and characters of all of them: certificates and schemas may be large. */
const maxProfiles = 500;
const maxCharacters = 16 * 1024 * 1024;

/**
 * The profiles on disk. They are read and validated once and cached until they change, because every HTTP
 * attempt looks up a key, and each look-up goes through all profiles.
 *
 * The command line may write the same database beside a running studio. SQLite counts the commits of other
 * connections (`PRAGMA data_version`); that number is checked before each use of the cache, which takes
 * microseconds.
 */
export class ProfileStore {
  readonly #options: ProfileStoreOptions;
  readonly #db: DatabaseSync;
  readonly #prepare: (sql: string) => StatementSync;
  #kept: KeptProfiles | null = null;

  /** @throws Failure `storage`: written by a newer studio, disk full, read-only. */
  constructor(options: ProfileStoreOptions) {
    this.#options = options;
    this.#db = openDatabase({
      path: options.database,
      migrations: connectionsMigrations,
      damaged: 'quarantine',
      clock: options.clock,
    }).db;
    this.#prepare = preparedOnce(this.#db);
    this.#ensureBuiltIn();
  }

  /** For the bindings of environment keys, which are in the same file. */
  get database(): DatabaseSync {
    return this.#db;
  }

  close(): void {
    this.#db.close();
  }

  /**
   * All profiles, the built-in one first, then in order of creation. The same array until one of them
   * changes.
   */
  all(): readonly StoredProfile[] {
    return this.#current().profiles;
  }

  /** @throws Failure `not_found` */
  one(id: string): StoredProfile {
    const profile = this.#current().byId.get(id);
    if (profile) return profile;
    throw new Failure('not_found', t('connections.gone'), { hint: t('connections.choose_another') });
  }

  /** Applies several changes atomically. */
  change<T>(work: () => T): T {
    try {
      return transaction(this.#db, work);
    } finally {
      this.#kept = null;
    }
  }

  /** @returns The new profile's id. @throws Failure `conflict`, `not_allowed` */
  insert(draft: ProfileDraft): string {
    return this.change(() => {
      this.#refuseTakenName(draft.name, 'name');
      const counted = this.#prepare('SELECT count(*) AS n, max(position) AS last FROM profiles').get();
      if (Number(counted?.n ?? 0) >= maxProfiles) {
        throw new Failure('not_allowed', t('connections.too_many', { most: maxProfiles }), {
          hint: t('connections.delete_unused'),
        });
      }
      const document = JSON.stringify(draft);
      this.#refuseTooMuch(document.length);
      const id = this.#options.randomId();
      const now = this.#options.clock();
      this.#prepare('INSERT INTO profiles VALUES (?, ?, ?, ?, 0, ?, ?)').run(
        id,
        Number(counted?.last ?? 0) + 1,
        nameKey(draft.name),
        document,
        now,
        now,
      );
      return id;
    });
  }

  /**
   * @param change - Returns the new draft from the stored one.
   *
   * @throws Failure `not_found`, `conflict`, `not_allowed`
   */
  update(id: string, change: (draft: ProfileDraft) => ProfileDraft): void {
    this.change(() => {
      const { draft } = this.one(id);
      const next = change(draft);
      if (nameKey(next.name) !== nameKey(draft.name)) this.#refuseTakenName(next.name, 'changes.name');
      const document = JSON.stringify(next);
      this.#refuseTooMuch(document.length - JSON.stringify(draft).length);
      this.#prepare('UPDATE profiles SET nameKey = ?, document = ?, changedAt = ? WHERE id = ?').run(
        nameKey(next.name),
        document,
        this.#options.clock(),
        id,
      );
    });
  }

  /**
   * Deletes the profile and remembers that its keys must be deleted too, until `keysForgotten`. @throws
   * Failure `not_found`
   */
  delete(id: string): void {
    this.change(() => {
      const { isDefault } = this.one(id);
      this.#prepare('DELETE FROM profiles WHERE id = ?').run(id);
      this.#prepare('INSERT OR IGNORE INTO keysToForget VALUES (?)').run(id);
      this.#prepare('DELETE FROM ledAtUpdate WHERE profileId = ?').run(id);
      if (isDefault) this.#setDefault(builtInProfileId);
    });
  }

  /** @throws Failure `not_found` */
  makeDefault(id: string): void {
    this.change(() => {
      this.one(id);
      this.#setDefault(id);
    });
  }

  /** The name itself, or with a number appended if it is taken. */
  freeName(name: string): string {
    if (!this.#isTaken(name)) return name;
    const stem = name
      .replace(/ \(\d+\)$/, '')
      .slice(0, 72)
      .toWellFormed();
    for (let number = 2; ; number += 1) {
      const candidate = `${stem} (${number})`;
      if (!this.#isTaken(candidate)) return candidate;
    }
  }

  /**
   * A profile's target when the studio began to bind keys to more than their server; null for newer profiles.
   */
  ledAtUpdate(profileId: string): Leading | null {
    const row = this.#prepare('SELECT * FROM ledAtUpdate WHERE profileId = ?').get(profileId);
    return (row as Leading | undefined) ?? null;
  }

  /** Ids of deleted profiles whose keys are still in the vault. */
  keysToForget(): string[] {
    return this.#prepare('SELECT profileId FROM keysToForget')
      .all()
      .map(({ profileId }) => String(profileId));
  }

  keysForgotten(profileId: string): void {
    this.#prepare('DELETE FROM keysToForget WHERE profileId = ?').run(profileId);
  }

  /** Backups of damaged databases, in its folder. */
  damagedFiles(): { fileName: string; at: number }[] {
    const { database } = this.#options;
    const stem = basename(database).replace(/\.[^.]*$/, '');
    return readdirSync(dirname(database)).flatMap((fileName) => {
      const at = fileName.startsWith(`${stem}.`) ? quarantineTime(fileName) : null;
      return at === null ? [] : [{ fileName, at }];
    });
  }

  #current(): KeptProfiles {
    return this.#kept?.version === this.#version() ? this.#kept : this.#readAll();
  }

  #readAll(): KeptProfiles {
    // Read the version before the rows: a commit in between is then noticed the next time.
    const version = this.#version();
    const profiles = this.#prepare('SELECT * FROM profiles ORDER BY position, id').all().map(storedProfile);
    this.#kept = { version, profiles, byId: new Map(profiles.map((profile) => [profile.id, profile])) };
    return this.#kept;
  }

  #version(): number {
    return Number(this.#prepare('PRAGMA data_version').get()?.data_version);
  }

  #setDefault(id: string): void {
    this.#prepare('UPDATE profiles SET isDefault = 0 WHERE isDefault = 1').run();
    this.#prepare('UPDATE profiles SET isDefault = 1 WHERE id = ?').run(id);
  }

  #ensureBuiltIn(): void {
    this.change(() => {
      const now = this.#options.clock();
      this.#prepare('INSERT OR IGNORE INTO profiles VALUES (?, 0, ?, ?, 0, ?, ?)').run(
        builtInProfileId,
        nameKey(builtInDraft.name),
        JSON.stringify(builtInDraft),
        now,
        now,
      );
      const anyDefault = this.#prepare('SELECT 1 FROM profiles WHERE isDefault = 1').get();
      if (!anyDefault) this.#setDefault(builtInProfileId);
    });
  }

  #isTaken(name: string): boolean {
    return this.#prepare('SELECT 1 FROM profiles WHERE nameKey = ?').get(nameKey(name)) !== undefined;
  }

  #refuseTakenName(name: string, field: string): void {
    if (!this.#isTaken(name)) return;
    throw new Failure('conflict', t('connections.name_taken', { name }), {
      field,
      hint: t('connections.choose_name'),
    });
  }

  /** @param more - Characters to add; a list that is already too large may still shrink. */
  #refuseTooMuch(more: number): void {
    if (more <= 0) return;
    const { size } = this.#prepare('SELECT total(length(document)) AS size FROM profiles').get() ?? {};
    if (Number(size) + more <= maxCharacters) return;
    throw new Failure(
      'not_allowed',
      t('connections.too_much_text', { millions: maxCharacters / 1024 / 1024 }),
      { hint: t('connections.remove_certificates') },
    );
  }
}

/** The form in which names are compared. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

function storedProfile(row: Record<string, unknown>): StoredProfile {
  return {
    id: String(row.id),
    draft: readDraft(JSON.parse(String(row.document))).draft,
    isDefault: row.isDefault === 1,
    createdAt: Number(row.createdAt),
    changedAt: Number(row.changedAt),
  };
}
