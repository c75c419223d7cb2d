import { createPrivateKey } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import {
  builtInProfileId,
  type KeyStoreState,
  newProfile,
  type Profile,
  ProfileDraft,
  type SecretName,
  secretNames,
} from '#contract';
import { Failure } from '../failure.ts';
import { asideTime } from '../storage/aside.ts';
import { openDatabase, transaction } from '../storage/database.ts';
import { readDraft } from './draft_reading.ts';
import { draftProblems } from './draft_rules.ts';
import {
  type EnvironmentKeys,
  environmentKeys,
  environmentSecrets,
  type ProfileEnvironmentKeys,
} from './environment_keys.ts';
import type { KeyStore } from './key_store.ts';
import { readProfileFile, writeProfileFile } from './profile_file.ts';
import { connectionsMigrations } from './schema.ts';
import type { StoredSecret } from './secret_file.ts';

/** A connection ready for calls: every field of the profile, and its secrets when asked for. */
export interface ResolvedConnection extends ProfileDraft {
  profileId: string;
  profileName: string;
  builtIn: boolean;
  /**
   * @returns undefined where none was set.
   * @throws Failure `locked`; `key_missing` where the address is no longer the one that the secret was entered for.
   */
  secret(name: SecretName): Promise<string | undefined>;
}

/** Where the built-in engine listens in this run, and the keys it made for it. */
export interface BuiltInEndpoint {
  groupAUrl: string;
  groupBUrl: string;
  accessToken: string;
  apiKey: string;
}

export interface ConnectionsOptions {
  /** Path of the database. */
  database: string;
  keys: KeyStore;
  /** Starts the engine where it is not running. */
  builtIn: () => Promise<BuiltInEndpoint>;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Letters, digits, - and _; never the same twice. */
  randomId: () => string;
  /** Variables that may hold keys; `{}` for the desktop. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Id or name of the profile that `LIKENESS_API_KEY` and the like are for (`--connection`); else the default. */
  selected?: string | undefined;
  /** Told every secret before anything else learns it. */
  know: (secret: string) => void;
  /** Something to write into the log. */
  warn: (text: string) => void;
  onChanged: (profiles: Profile[]) => void;
  onKeyStoreChanged: (state: KeyStoreState) => void;
}

/** Connections that one studio can have. */
const mostProfiles = 500;

/** Of the built-in engine a person may set how hard it is worked, nothing else. */
const builtInEditable = ['concurrency', 'requestsPerMinute', 'polling'] as const;

const builtInDraft: ProfileDraft = {
  ...newProfile,
  name: 'Built-in engine',
  polling: { least: 0.5, most: 5 },
};

/** Which address a secret is sent to, and so bound to. The client key never leaves the machine. */
const addressOf = {
  accessToken: 'groupAUrl',
  apiKey: 'groupBUrl',
  clientKey: null,
  proxyPassword: 'proxyUrl',
} as const satisfies Record<SecretName, keyof ProfileDraft | null>;

interface Row {
  id: string;
  draft: ProfileDraft;
  isDefault: boolean;
  createdAt: number;
  changedAt: number;
}

/**
 * Where the studio may connect to, and with which keys: profiles in a database of their own, keys in the vault.
 * The profile of the built-in engine is always there.
 *
 * A key is bound to the origin it was entered for: when the address of a profile changes to another server, the
 * key stays behind (and is back when the address is). So nothing that may edit addresses, the page included, can
 * have a key sent to a server of its choice.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #db: DatabaseSync;
  readonly #warned = new Set<string>();
  #toldKeyStore = '';

  private constructor(options: ConnectionsOptions) {
    this.#options = options;
    for (const secret of environmentSecrets(options.environment)) options.know(secret);
    this.#db = openDatabase({
      path: options.database,
      migrations: connectionsMigrations,
      damaged: 'set-aside',
      clock: options.clock,
    }).db;
    this.#ensureBuiltIn();
  }

  /** @throws Failure `storage`: written by a newer studio, disk full, read-only. */
  static async open(options: ConnectionsOptions): Promise<Connections> {
    const connections = new Connections(options);
    await connections.#forgetKeysOfTheDeleted();
    return connections;
  }

  close(): void {
    this.#db.close();
  }

  // ── Profiles ──────────────────────────────────────────────────────────────────────────────────────────

  /** All profiles, the built-in one first, then as they were made. */
  async list(): Promise<Profile[]> {
    const rows = this.#rows();
    const secrets = await this.#options.keys.readable();
    const environment = this.#environmentKeys(rows);
    return rows.map((row) => withSecretStates(row, secrets.get(row.id), environment.get(row.id)));
  }

  /** What the usage meter needs, without asking the vault. */
  metered(): { id: string; name: string; monthlyCap: number | null; prices: ProfileDraft['prices'] }[] {
    return this.#rows().map(({ id, draft }) => ({
      id,
      name: draft.name,
      monthlyCap: draft.monthlyCap,
      prices: draft.prices,
    }));
  }

  defaultId(): string {
    return this.#rows().find(({ isDefault }) => isDefault)?.id ?? builtInProfileId;
  }

  /** Id of the profile with this id or name (any case). @throws Failure `not_found`. */
  find(idOrName: string): string {
    const rows = this.#rows();
    const found =
      rows.find(({ id }) => id === idOrName) ??
      rows.find(({ draft }) => nameKey(draft.name) === nameKey(idOrName));
    if (found) return found.id;
    throw new Failure('not_found', `There is no connection “${idOrName.slice(0, 80)}”.`, {
      hint: `There are: ${rows.map(({ draft }) => draft.name).join(', ')}.`,
    });
  }

  async create(draft: ProfileDraft): Promise<Profile> {
    const checked = checkedDraft(draft, '');
    const id = transaction(this.#db, () => this.#insert(checked));
    return this.#changed(id);
  }

  async update(id: string, changes: Partial<ProfileDraft>): Promise<Profile> {
    const before = this.#row(id).draft;
    transaction(this.#db, () => {
      const { draft } = this.#row(id);
      const given = Object.entries(changes).filter(([, value]) => value !== undefined);
      const next = checkedDraft({ ...draft, ...Object.fromEntries(given) }, 'changes.');
      if (id === builtInProfileId) refuseBuiltInChanges(draft, next);
      if (nameKey(next.name) !== nameKey(draft.name)) this.#refuseTakenName(next.name, 'changes.name');
      this.#db
        .prepare('UPDATE profiles SET nameKey = ?, document = ?, changedAt = ? WHERE id = ?')
        .run(nameKey(next.name), JSON.stringify(next), this.#options.clock(), id);
    });
    await this.#bindWaitingKeys(id, before);
    return this.#changed(id);
  }

  /** With its keys, where they can be read now. */
  async duplicate(id: string): Promise<Profile> {
    if (id === builtInProfileId) {
      throw new Failure('not_allowed', 'The built-in engine can’t be duplicated.', {
        hint: 'Make a new connection instead.',
      });
    }
    const secrets = (await this.#options.keys.readable()).get(id) ?? new Map<SecretName, StoredSecret>();
    const copyId = transaction(this.#db, () => {
      const { draft } = this.#row(id);
      return this.#insert({ ...draft, name: this.#freeName(draft.name) });
    });
    for (const [name, secret] of secrets) await this.#options.keys.set(copyId, name, secret);
    return this.#changed(copyId);
  }

  /** With its keys; where they are locked, they go when they are unlocked. */
  async remove(id: string): Promise<void> {
    if (id === builtInProfileId) {
      throw new Failure('not_allowed', 'The built-in engine can’t be deleted.', {
        hint: 'It runs only when it is used.',
      });
    }
    transaction(this.#db, () => {
      const { isDefault } = this.#row(id);
      this.#db.prepare('DELETE FROM profiles WHERE id = ?').run(id);
      this.#db.prepare('INSERT OR IGNORE INTO keysToForget VALUES (?)').run(id);
      if (isDefault) this.#makeDefault(builtInProfileId);
    });
    await this.#forgetKeysOfTheDeleted();
    this.#options.onChanged(await this.list());
  }

  async setDefault(id: string): Promise<Profile[]> {
    transaction(this.#db, () => {
      this.#row(id);
      this.#makeDefault(id);
    });
    const profiles = await this.list();
    this.#options.onChanged(profiles);
    return profiles;
  }

  /** @param ids - Empty: all. Never with keys, never the built-in one. */
  exportProfiles(ids: readonly string[]): { fileName: string; mediaType: string; text: string } {
    const wanted = ids.length === 0 ? this.#rows() : [...new Set(ids)].map((id) => this.#row(id));
    const drafts = wanted.filter(({ id }) => id !== builtInProfileId).map(({ draft }) => draft);
    const day = new Date(this.#options.clock()).toISOString().slice(0, 10);
    return {
      fileName: `likeness-connections-${day}.json`,
      mediaType: 'application/json',
      text: writeProfileFile(drafts),
    };
  }

  /** Takes what it can, under free names, and says by place what it could not. All in one step. */
  async importProfiles(
    text: string,
  ): Promise<{ added: Profile[]; problems: { where: string; problem: string }[] }> {
    const { drafts, problems } = readProfileFile(text);
    const ids = transaction(this.#db, () =>
      drafts.map((draft) => {
        const name = this.#freeName(draft.name);
        if (name !== draft.name)
          problems.push({ where: `“${draft.name}”`, problem: `The name was taken: it is “${name}” now.` });
        return this.#insert({ ...draft, name });
      }),
    );
    const profiles = await this.list();
    if (ids.length > 0) this.#options.onChanged(profiles);
    return { added: profiles.filter(({ id }) => ids.includes(id)), problems };
  }

  /**
   * A profile made ready for calls.
   *
   * @throws Failure `not_found`; for the built-in engine whatever keeps it from starting.
   */
  async resolve(id: string): Promise<ResolvedConnection> {
    const row = this.#row(id);
    const common = { profileId: row.id, profileName: row.draft.name };
    if (id === builtInProfileId) {
      const { groupAUrl, groupBUrl, accessToken, apiKey } = await this.#options.builtIn();
      this.#options.know(accessToken);
      this.#options.know(apiKey);
      const secrets: Partial<Record<SecretName, string>> = { accessToken, apiKey };
      return {
        ...row.draft,
        ...common,
        groupAUrl,
        groupBUrl,
        builtIn: true,
        secret: async (name) => secrets[name],
      };
    }
    return {
      ...row.draft,
      ...common,
      builtIn: false,
      secret: (name) => this.#secret(row, name),
    };
  }

  // ── Keys ──────────────────────────────────────────────────────────────────────────────────────────────

  async setSecret(id: string, name: SecretName, value: string): Promise<Profile> {
    const row = this.#row(id);
    this.#refuseFixedSecret(row, name);
    const clean = cleanSecret(name, value);
    await this.#options.keys.set(id, name, { value: clean, origin: originFor(row.draft, name) });
    await this.#tellKeyStore();
    return this.#changed(id);
  }

  async clearSecret(id: string, name: SecretName): Promise<Profile> {
    const row = this.#row(id);
    this.#refuseFixedSecret(row, name);
    await this.#options.keys.clear(id, name);
    return this.#changed(id);
  }

  /** The vault's state, and a damaged database of profiles that was kept aside. */
  async keyStore(): Promise<KeyStoreState> {
    const state = await this.#options.keys.state();
    return { ...state, damaged: [...state.damaged, ...this.#damagedDatabases()] };
  }

  async unlock(passphrase: string): Promise<KeyStoreState> {
    await this.#options.keys.unlock(passphrase);
    return this.#keysChanged();
  }

  async protectWithPassphrase(passphrase: string): Promise<KeyStoreState> {
    await this.#options.keys.protectWithPassphrase(passphrase);
    return this.#keysChanged();
  }

  async keepForThisRun(): Promise<KeyStoreState> {
    await this.#options.keys.keepForThisRun();
    return this.#keysChanged();
  }

  async startOver(): Promise<KeyStoreState> {
    await this.#options.keys.startOver();
    return this.#keysChanged();
  }

  async #keysChanged(): Promise<KeyStoreState> {
    await this.#forgetKeysOfTheDeleted();
    this.#options.onChanged(await this.list());
    return this.#tellKeyStore();
  }

  async #tellKeyStore(): Promise<KeyStoreState> {
    const state = await this.keyStore();
    const told = JSON.stringify(state);
    if (told !== this.#toldKeyStore) this.#options.onKeyStoreChanged(state);
    this.#toldKeyStore = told;
    return state;
  }

  async #secret(row: Row, name: SecretName): Promise<string | undefined> {
    const given = this.#environmentKeys(this.#rows()).get(row.id)?.get(name);
    if (given) return given.value;
    const stored = await this.#options.keys.get(row.id, name);
    if (!stored || isFor(stored, row.draft, name)) return stored?.value;
    const now = originFor(row.draft, name) || 'empty';
    throw new Failure(
      'key_missing',
      `The key of “${row.draft.name}” was entered for ${stored.origin}; the address is ${now} now.`,
      { hint: 'Enter the key for the new address in Settings → Connections. It was not sent.' },
    );
  }

  /** A key that was entered before the address is bound to the first address there is. */
  async #bindWaitingKeys(id: string, before: ProfileDraft): Promise<void> {
    const { draft } = this.#row(id);
    for (const name of secretNames) {
      const origin = originFor(draft, name);
      if (origin === '' || originFor(before, name) !== '') continue;
      const stored = (await this.#options.keys.readable()).get(id)?.get(name);
      if (stored?.origin === '') await this.#options.keys.set(id, name, { ...stored, origin });
    }
  }

  #refuseFixedSecret(row: Row, name: SecretName): void {
    if (row.id === builtInProfileId) {
      throw new Failure('not_allowed', 'The built-in engine makes its own keys.', {
        hint: 'To use it from other programs, open it in Settings → Built-in engine.',
      });
    }
    const given = this.#environmentKeys(this.#rows()).get(row.id)?.get(name);
    if (!given) return;
    throw new Failure('not_allowed', `This key comes from the environment variable ${given.variable}.`, {
      hint: 'Change it there, or start the studio without it.',
    });
  }

  #environmentKeys(rows: readonly Row[]): EnvironmentKeys {
    const { environment, selected, warn } = this.#options;
    const chosen = selected === undefined ? undefined : rows.find((row) => fits(row, selected));
    const { keys, warnings } = environmentKeys({
      environment,
      profiles: rows.map(({ id, draft }) => ({ id, name: draft.name, builtIn: id === builtInProfileId })),
      selectedId:
        selected === undefined ? (rows.find(({ isDefault }) => isDefault)?.id ?? '') : (chosen?.id ?? ''),
    });
    for (const warning of warnings) {
      if (!this.#warned.has(warning)) warn(warning);
      this.#warned.add(warning);
    }
    return keys;
  }

  async #forgetKeysOfTheDeleted(): Promise<void> {
    for (const { profileId } of this.#db.prepare('SELECT profileId FROM keysToForget').all()) {
      try {
        await this.#options.keys.forget(String(profileId));
        this.#db.prepare('DELETE FROM keysToForget WHERE profileId = ?').run(String(profileId));
      } catch (error) {
        // Locked, or the disk refuses: the row stays, and the next start or unlocking tries again.
        if (!(error instanceof Failure)) throw error;
        this.#options.warn(`Keys of a deleted connection are still there: ${error.message}`);
        return;
      }
    }
  }

  // ── Rows ──────────────────────────────────────────────────────────────────────────────────────────────

  #rows(): Row[] {
    return this.#db
      .prepare('SELECT * FROM profiles ORDER BY position, id')
      .all()
      .map((row) => rowOf(row));
  }

  #row(id: string): Row {
    const row = this.#db.prepare('SELECT * FROM profiles WHERE id = ?').get(id);
    if (row) return rowOf(row);
    throw new Failure('not_found', 'This connection does not exist (any more).', {
      hint: 'Choose another connection.',
    });
  }

  /** Within a transaction. @returns The new profile's id. */
  #insert(draft: ProfileDraft): string {
    this.#refuseTakenName(draft.name, 'name');
    const counted = this.#db.prepare('SELECT count(*) AS n, max(position) AS last FROM profiles').get();
    if (Number(counted?.n ?? 0) >= mostProfiles) {
      throw new Failure('not_allowed', `There can be at most ${mostProfiles} connections.`, {
        hint: 'Delete some that are no longer used.',
      });
    }
    const id = this.#options.randomId();
    const now = this.#options.clock();
    this.#db
      .prepare('INSERT INTO profiles VALUES (?, ?, ?, ?, 0, ?, ?)')
      .run(id, Number(counted?.last ?? 0) + 1, nameKey(draft.name), JSON.stringify(draft), now, now);
    return id;
  }

  #makeDefault(id: string): void {
    this.#db.prepare('UPDATE profiles SET isDefault = 0 WHERE isDefault = 1').run();
    this.#db.prepare('UPDATE profiles SET isDefault = 1 WHERE id = ?').run(id);
  }

  #ensureBuiltIn(): void {
    transaction(this.#db, () => {
      const now = this.#options.clock();
      this.#db
        .prepare('INSERT OR IGNORE INTO profiles VALUES (?, 0, ?, ?, 0, ?, ?)')
        .run(builtInProfileId, nameKey(builtInDraft.name), JSON.stringify(builtInDraft), now, now);
      const anyDefault = this.#db.prepare('SELECT 1 FROM profiles WHERE isDefault = 1').get();
      if (!anyDefault) this.#makeDefault(builtInProfileId);
    });
  }

  #isTaken(name: string): boolean {
    return this.#db.prepare('SELECT 1 FROM profiles WHERE nameKey = ?').get(nameKey(name)) !== undefined;
  }

  #refuseTakenName(name: string, field: string): void {
    if (!this.#isTaken(name)) return;
    throw new Failure('conflict', `There is a connection named “${name}” already.`, {
      field,
      hint: 'Choose another name.',
    });
  }

  #freeName(name: string): string {
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

  async #changed(id: string): Promise<Profile> {
    const profiles = await this.list();
    this.#options.onChanged(profiles);
    const profile = profiles.find((candidate) => candidate.id === id);
    if (profile) return profile;
    throw new Failure('not_found', 'This connection was deleted meanwhile.');
  }

  #damagedDatabases(): KeyStoreState['damaged'] {
    const { database } = this.#options;
    const stem = basename(database).replace(/\.[^.]*$/, '');
    return readdirSync(dirname(database)).flatMap((fileName) => {
      const at = fileName.startsWith(`${stem}.`) ? asideTime(fileName) : null;
      return at === null ? [] : [{ fileName, reason: 'The list of connections was damaged.', at }];
    });
  }
}

function rowOf(row: Record<string, unknown>): Row {
  const { draft } = readDraft(JSON.parse(String(row.document)));
  return {
    id: String(row.id),
    draft,
    isDefault: row.isDefault === 1,
    createdAt: Number(row.createdAt),
    changedAt: Number(row.changedAt),
  };
}

function withSecretStates(
  row: Row,
  stored: ReadonlyMap<SecretName, StoredSecret> | undefined,
  given: ProfileEnvironmentKeys | undefined,
): Profile {
  const builtIn = row.id === builtInProfileId;
  const state = (name: SecretName): Profile['secrets'][SecretName] => {
    if (builtIn) {
      return {
        configured: name === 'accessToken' || name === 'apiKey',
        lastFour: '',
        fromEnvironment: false,
      };
    }
    const variable = given?.get(name);
    if (variable) {
      return { configured: true, lastFour: lastFour(name, variable.value), fromEnvironment: true };
    }
    const secret = stored?.get(name);
    if (!secret || !isFor(secret, row.draft, name)) {
      return { configured: false, lastFour: '', fromEnvironment: false };
    }
    return { configured: true, lastFour: lastFour(name, secret.value), fromEnvironment: false };
  };
  return {
    ...row.draft,
    id: row.id,
    builtIn,
    isDefault: row.isDefault,
    createdAt: row.createdAt,
    changedAt: row.changedAt,
    secrets: {
      accessToken: state('accessToken'),
      apiKey: state('apiKey'),
      clientKey: state('clientKey'),
      proxyPassword: state('proxyPassword'),
    },
  };
}

/** Only of a secret so long that four characters give nothing away. A PEM file ends the same for everybody. */
function lastFour(name: SecretName, value: string): string {
  return name !== 'clientKey' && value.length >= 12 ? value.slice(-4) : '';
}

function isFor(secret: StoredSecret, draft: ProfileDraft, name: SecretName): boolean {
  return secret.origin === '' || secret.origin === originFor(draft, name);
}

/** `https://api.example.com:8443`; empty where there is no address yet, or the secret is sent nowhere. */
function originFor(draft: ProfileDraft, name: SecretName): string {
  const field = addressOf[name];
  const text = field === null ? '' : draft[field];
  return URL.canParse(text) ? new URL(text).origin : '';
}

/** A key as it goes into a header, without what came along when it was copied. */
function cleanSecret(name: SecretName, value: string): string {
  const refuse = (message: string, hint: string): Failure =>
    new Failure('invalid_input', message, { field: 'value', hint });
  if (name === 'clientKey') {
    try {
      createPrivateKey(value);
      return value.trim().concat('\n');
    } catch (error) {
      const encrypted = /ENCRYPTED/.test(value);
      throw encrypted
        ? refuse('This private key is encrypted.', 'Decrypt it first, for instance with “openssl pkey”.')
        : new Failure('invalid_input', 'This is not a private key in PEM form.', {
            field: 'value',
            hint: 'Choose a file that begins with -----BEGIN PRIVATE KEY-----.',
            cause: error instanceof Error ? error.name : undefined,
          });
    }
  }
  if (name === 'proxyPassword') return value;
  const clean = value.trim().replace(/^Bearer\s+/i, '');
  if (/^[\x21-\x7e]+$/.test(clean)) return clean;
  throw refuse(
    'A key has only Latin letters, digits and signs, without blanks.',
    'Copy it again, on its own, from where your provider shows it.',
  );
}

/** @throws Failure `invalid_input` naming the field, with `prefix` before it. */
function checkedDraft(draft: ProfileDraft, prefix: string): ProfileDraft {
  const { data, error } = ProfileDraft.safeParse(draft);
  const issue = error?.issues[0];
  if (!data) {
    throw new Failure(
      'invalid_input',
      `This does not fit: ${issue?.message ?? 'something else is expected'}.`,
      {
        field: `${prefix}${issue?.path.join('.') ?? ''}`,
      },
    );
  }
  const [first] = draftProblems(data);
  if (!first) return data;
  throw new Failure('invalid_input', first.problem, { field: `${prefix}${first.field}`, hint: first.hint });
}

function refuseBuiltInChanges(before: ProfileDraft, after: ProfileDraft): void {
  const free: readonly string[] = builtInEditable;
  for (const field of Object.keys(ProfileDraft.shape) as (keyof ProfileDraft)[]) {
    if (free.includes(field) || JSON.stringify(before[field]) === JSON.stringify(after[field])) continue;
    throw new Failure('not_allowed', `“${field}” of the built-in engine can’t be changed.`, {
      field: `changes.${field}`,
      hint: 'Make a connection of its own for another server.',
    });
  }
}

function fits({ id, draft }: Row, idOrName: string): boolean {
  return id === idOrName || nameKey(draft.name) === nameKey(idOrName);
}

function nameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}
