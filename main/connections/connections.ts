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
import { inEnglish, type Said, say } from '#sentences';
import { Failure } from '../failure.ts';
import { asideTime } from '../storage/aside.ts';
import { openDatabase, transaction } from '../storage/database.ts';
import { connectionsMigrations } from './connections_schema.ts';
import { readDraft } from './draft_reading.ts';
import { draftProblems } from './draft_rules.ts';
import { EnvironmentBindings, isStatedOtherwise, type Standing } from './environment_bindings.ts';
import { type EnvironmentKey, environmentKeys, environmentSecrets } from './environment_keys.ts';
import {
  asBoundElsewhere,
  boundTo,
  type Destination,
  destinationOf,
  type Leading,
  mayGo,
} from './key_binding.ts';
import type { KeyStore } from './key_store.ts';
import { readProfileFile, writeProfileFile } from './profile_file.ts';
import type { KeysBehind } from './rebinding.ts';
import type { StoredSecret } from './secret_file.ts';

/** A connection ready for calls: every field of the profile, and its secrets when asked for. */
export interface ResolvedConnection extends ProfileDraft {
  profileId: string;
  profileName: string;
  builtIn: boolean;
  /**
   * @returns undefined where none was set.
   * @throws Failure `locked`; `key_missing` where server, proxy or certificate authority is no longer the one that the
   *   secret was entered for.
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
  /**
   * Profiles are made and changed by a page (`serve`): keys from the environment are bound when the studio opens, and
   * never by a later use. Without one, what is done is the person's own doing, and the first use binds.
   */
  hasPage: boolean;
  /** Id or name of the profile that `LIKENESS_API_KEY` and the like are for (`--connection`); else the default. */
  selected?: string | undefined;
  /** Told every secret before anything else learns it. */
  know: (secret: string) => void;
  /** Something to write into the log. */
  warn: (text: string) => void;
  onChanged: (profiles: Profile[]) => void;
  onKeyStoreChanged: (state: KeyStoreState) => void;
}

/** Connections that one studio can have, and characters of all of them together: certificates and schemas may be large. */
const mostProfiles = 500;
const mostCharacters = 16 * 1024 * 1024;

/** Of the built-in engine a person may set how hard it is worked, nothing else. */
const builtInEditable = ['concurrency', 'requestsPerMinute', 'polling'] as const;

const builtInDraft: ProfileDraft = {
  ...newProfile,
  name: 'Built-in engine',
  polling: { least: 0.5, most: 5 },
};

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
 * A stored key is bound to the server, the proxy and the certificate authorities of its own that its profile had when it
 * was entered: when one of them changes, the key stays behind, and is back when they are. It follows on a person's word
 * alone, asked past the page (see `rebinding.ts`), or when it is typed anew. Keys from the environment are bound in the
 * same way at their first use, and never to what a page made for them. So nothing that may edit profiles, the page
 * included, can have a key sent to a server of its choice; what a person types while a hostile page runs, it reads.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #db: DatabaseSync;
  readonly #environmentBindings: EnvironmentBindings;
  readonly #warned = new Set<string>();
  /** What was read last, by profile. */
  readonly #drafts = new Map<string, { document: string; draft: ProfileDraft }>();
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
    this.#environmentBindings = new EnvironmentBindings(this.#db, options.hasPage);
    this.#ensureBuiltIn();
    if (options.hasPage) this.#bindEnvironment();
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
    return rows.map((row) => this.#profile(row, secrets.get(row.id), environment.get(row.id)));
  }

  /** As `list` has it. @throws Failure `not_found` */
  async profile(id: string): Promise<Profile> {
    const profile = (await this.list()).find((candidate) => candidate.id === id);
    if (profile) return profile;
    throw new Failure('not_found', say('connections.gone'), {
      hint: say('connections.choose_another'),
    });
  }

  /** All that a person set on one. @throws Failure `not_found` */
  details(id: string): ProfileDraft {
    return this.#row(id).draft;
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
    throw new Failure('not_found', say('connections.none_named', { name: idOrName.slice(0, 80) }), {
      hint: say('connections.there_are', { names: rows.map(({ draft }) => draft.name).join(', ') }),
    });
  }

  async create(draft: ProfileDraft): Promise<Profile> {
    const checked = checkedDraft(draft, '');
    const id = transaction(this.#db, () => this.#insert(checked));
    return this.#changed(id);
  }

  async update(id: string, changes: Partial<ProfileDraft>): Promise<Profile> {
    transaction(this.#db, () => {
      const { draft } = this.#row(id);
      const given = Object.entries(changes).filter(([, value]) => value !== undefined);
      const next = checkedDraft({ ...draft, ...Object.fromEntries(given) }, 'changes.');
      if (id === builtInProfileId) refuseBuiltInChanges(draft, next);
      if (nameKey(next.name) !== nameKey(draft.name)) this.#refuseTakenName(next.name, 'changes.name');
      const document = JSON.stringify(next);
      this.#refuseTooMuch(document.length - JSON.stringify(draft).length);
      this.#db
        .prepare('UPDATE profiles SET nameKey = ?, document = ?, changedAt = ? WHERE id = ?')
        .run(nameKey(next.name), document, this.#options.clock(), id);
    });
    return this.#changed(id);
  }

  /** With its keys, where they can be read now. */
  async duplicate(id: string): Promise<Profile> {
    if (id === builtInProfileId) {
      throw new Failure('not_allowed', say('connections.built_in_no_copy'), {
        hint: say('connections.make_new'),
      });
    }
    const secrets = (await this.#options.keys.readable()).get(id) ?? new Map<SecretName, StoredSecret>();
    const copyId = transaction(this.#db, () => {
      const { draft } = this.#row(id);
      return this.#insert({ ...draft, name: this.#freeName(draft.name) });
    });
    for (const [name, secret] of secrets) {
      const bound = this.#boundTo(id, name, secret);
      if (bound) await this.#options.keys.set(copyId, name, { value: secret.value, ...bound });
    }
    return this.#changed(copyId);
  }

  /** With its keys; where they are locked, they go when they are unlocked. */
  async remove(id: string): Promise<void> {
    if (id === builtInProfileId) {
      throw new Failure('not_allowed', say('connections.built_in_stays'), {
        hint: say('connections.runs_when_used'),
      });
    }
    this.#drafts.delete(id);
    transaction(this.#db, () => {
      const { isDefault } = this.#row(id);
      this.#db.prepare('DELETE FROM profiles WHERE id = ?').run(id);
      this.#db.prepare('INSERT OR IGNORE INTO keysToForget VALUES (?)').run(id);
      this.#db.prepare('DELETE FROM ledAtUpdate WHERE profileId = ?').run(id);
      this.#environmentBindings.forget(id);
      if (isDefault) this.#makeDefault(builtInProfileId);
    });
    await this.#forgetKeysOfTheDeleted();
    await this.#tellChanged();
  }

  async setDefault(id: string): Promise<Profile[]> {
    transaction(this.#db, () => {
      this.#row(id);
      this.#makeDefault(id);
    });
    return this.#tellChanged();
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
  ): Promise<{ added: Profile[]; problems: { where: string; problem: Said }[] }> {
    const { drafts, problems } = readProfileFile(text);
    const ids = transaction(this.#db, () =>
      drafts.map((draft) => {
        const name = this.#freeName(draft.name);
        if (name !== draft.name)
          problems.push({ where: `“${draft.name}”`, problem: say('connections.name_taken_now', { name }) });
        return this.#insert({ ...draft, name });
      }),
    );
    const profiles = ids.length > 0 ? await this.#tellChanged() : [];
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

  /** Typed by the person: bound to where the profile leads now. The other keys stay as they are. */
  async setSecret(id: string, name: SecretName, value: string): Promise<Profile> {
    const row = this.#row(id);
    this.#refuseFixedSecret(row, name);
    const clean = cleanSecret(name, value);
    await this.#options.keys.set(id, name, { value: clean, ...destinationOf(row.draft, name) });
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

  /** Keys that don't go where the profile leads now, for `rebinding.ts`. @throws Failure `not_found`, `locked` */
  async keysBehind(id: string): Promise<KeysBehind> {
    const row = this.#row(id);
    const keys: KeysBehind['keys'][number][] = [];
    const given = this.#environmentKeys(this.#rows()).get(id);
    for (const name of id === builtInProfileId ? [] : secretNames) {
      const to = destinationOf(row.draft, name);
      if (to.origin === '') continue;
      const key = given?.get(name);
      const { state, bound: keyBound = null } = key ? this.#standing(row, name, key) : {};
      // What the person wrote into LIKENESS_…_URL is changed there.
      if (key && state === 'withheld' && !isStatedOtherwise(key, name, to)) {
        keys.push({ name, variable: key.variable, bound: keyBound, to });
      }
      const stored = await this.#options.keys.get(id, name);
      const bound = stored && this.#boundTo(id, name, stored);
      if (stored && !(bound && mayGo(bound, to))) keys.push({ name, variable: '', bound: bound ?? null, to });
    }
    return { profileId: id, profileName: row.draft.name, keys, customCa: row.draft.customCa };
  }

  /** From now on they go there: `behind` is what the person was asked and said yes to. */
  async bind({ profileId, keys }: KeysBehind): Promise<Profile> {
    this.#row(profileId);
    for (const { name, variable, to } of keys) {
      if (variable !== '') {
        this.#environmentBindings.bind(variable, profileId, to);
        continue;
      }
      const stored = await this.#options.keys.get(profileId, name);
      if (stored) await this.#options.keys.set(profileId, name, { value: stored.value, ...to });
    }
    return this.#changed(profileId);
  }

  async #secret(row: Row, name: SecretName): Promise<string | undefined> {
    const key = this.#environmentKeys(this.#rows()).get(row.id)?.get(name);
    const standing = key && this.#standing(row, name, key);
    if (key && standing?.state === 'free') this.#bindFirst(row, name, key);
    if (key && standing?.state !== 'withheld') return key.value;
    const stored = await this.#options.keys.get(row.id, name);
    const to = destinationOf(row.draft, name);
    if (stored) {
      const bound = this.#boundTo(row.id, name, stored);
      if (bound && mayGo(bound, to)) return stored.value;
      throw leftBehind(row.draft.name, '', bound, to, say('connections.type_again'));
    }
    if (key && standing) {
      const otherwise = say('connections.name_server', { urlVariable: key.urlVariable });
      throw leftBehind(row.draft.name, key.variable, standing.bound, to, otherwise);
    }
    return undefined;
  }

  #boundTo(profileId: string, name: SecretName, stored: StoredSecret): Destination | null {
    const atUpdate = this.#db.prepare('SELECT * FROM ledAtUpdate WHERE profileId = ?').get(profileId);
    return boundTo(stored, name, (atUpdate as Leading | undefined) ?? null);
  }

  #standing(row: Row, name: SecretName, key: EnvironmentKey): Standing {
    const to = destinationOf(row.draft, name);
    const standing = this.#environmentBindings.standing(key, name, row.id, to);
    // Where a page may have made the profile, a first use after the start proves nothing.
    return standing.state === 'free' && this.#options.hasPage ? { ...standing, state: 'withheld' } : standing;
  }

  #bindFirst({ id, draft }: Row, name: SecretName, { variable }: EnvironmentKey): void {
    const to = destinationOf(draft, name);
    if (to.origin === '') return;
    this.#environmentBindings.bind(variable, id, to);
    this.#options.warn(`${variable} goes to ${inEnglish(placeOf(to))} from now on, and nowhere else.`);
  }

  /** At the start: what is there was there before any page of this run. */
  #bindEnvironment(): void {
    this.#eachEnvironmentKey((row, name, key) => {
      const { state } = this.#environmentBindings.standing(key, name, row.id, destinationOf(row.draft, name));
      if (state === 'free') this.#bindFirst(row, name, key);
    });
  }

  /** What fits a variable by a page's doing gets its key on a person's word only, after the next start too. */
  #askForEnvironment(): void {
    if (!this.#options.hasPage) return;
    this.#eachEnvironmentKey((row, name, key) => {
      const { state, bound } = this.#standing(row, name, key);
      if (state !== 'withheld') return;
      if (bound === null) this.#environmentBindings.ask(key.variable, row.id);
      this.#warnOnce(
        `${key.variable} is not sent to “${row.draft.name}”: ${bound ? `it is for ${inEnglish(placeOf(bound))}` : 'the connection was made or changed in the page'}.`,
      );
    });
  }

  #eachEnvironmentKey(visit: (row: Row, name: SecretName, key: EnvironmentKey) => void): void {
    const rows = this.#rows();
    const keys = this.#environmentKeys(rows);
    for (const row of rows) for (const [name, key] of keys.get(row.id) ?? []) visit(row, name, key);
  }

  #refuseFixedSecret(row: Row, name: SecretName): void {
    if (row.id === builtInProfileId) {
      throw new Failure('not_allowed', say('connections.own_keys'), {
        hint: say('connections.open_engine'),
      });
    }
    const given = this.#environmentKeys(this.#rows()).get(row.id)?.get(name);
    if (!given || this.#standing(row, name, given).state === 'withheld') return;
    throw new Failure('not_allowed', say('connections.from_environment', { variable: given.variable }), {
      hint: say('connections.change_there'),
    });
  }

  #environmentKeys(rows: readonly Row[]): ReturnType<typeof environmentKeys>['keys'] {
    const { environment, selected } = this.#options;
    const chosen = selected === undefined ? undefined : rows.find((row) => fits(row, selected));
    const { keys, warnings } = environmentKeys({
      environment,
      profiles: rows.map(({ id, draft }) => ({ id, name: draft.name, builtIn: id === builtInProfileId })),
      selectedId:
        selected === undefined ? (rows.find(({ isDefault }) => isDefault)?.id ?? '') : (chosen?.id ?? ''),
    });
    for (const warning of warnings) this.#warnOnce(warning);
    return keys;
  }

  #warnOnce(warning: string): void {
    if (!this.#warned.has(warning)) this.#options.warn(warning);
    this.#warned.add(warning);
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
      .map((row) => this.#read(row));
  }

  #row(id: string): Row {
    const row = this.#db.prepare('SELECT * FROM profiles WHERE id = ?').get(id);
    if (row) return this.#read(row);
    throw new Failure('not_found', say('connections.gone'), {
      hint: say('connections.choose_another'),
    });
  }

  /** Documents are understood once: a call asks for its key many times a second, and certificates take their time. */
  #read(row: Record<string, unknown>): Row {
    const [id, document] = [String(row.id), String(row.document)];
    let known = this.#drafts.get(id);
    if (known?.document !== document) {
      known = { document, draft: readDraft(JSON.parse(document)).draft };
      this.#drafts.set(id, known);
    }
    return {
      id,
      draft: known.draft,
      isDefault: row.isDefault === 1,
      createdAt: Number(row.createdAt),
      changedAt: Number(row.changedAt),
    };
  }

  /** Within a transaction. @returns The new profile's id. */
  #insert(draft: ProfileDraft): string {
    this.#refuseTakenName(draft.name, 'name');
    const counted = this.#db.prepare('SELECT count(*) AS n, max(position) AS last FROM profiles').get();
    if (Number(counted?.n ?? 0) >= mostProfiles) {
      throw new Failure('not_allowed', say('connections.too_many', { most: mostProfiles }), {
        hint: say('connections.delete_unused'),
      });
    }
    const document = JSON.stringify(draft);
    this.#refuseTooMuch(document.length);
    const id = this.#options.randomId();
    const now = this.#options.clock();
    this.#db
      .prepare('INSERT INTO profiles VALUES (?, ?, ?, ?, 0, ?, ?)')
      .run(id, Number(counted?.last ?? 0) + 1, nameKey(draft.name), document, now, now);
    return id;
  }

  /** @param more - Characters that would be added; a list that is too large already may always shrink. */
  #refuseTooMuch(more: number): void {
    if (more <= 0) return;
    const { size } = this.#db.prepare('SELECT total(length(document)) AS size FROM profiles').get() ?? {};
    if (Number(size) + more <= mostCharacters) return;
    throw new Failure(
      'not_allowed',
      say('connections.too_much_text', { millions: mostCharacters / 1024 / 1024 }),
      { hint: say('connections.remove_certificates') },
    );
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
    throw new Failure('conflict', say('connections.name_taken', { name }), {
      field,
      hint: say('connections.choose_name'),
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
    await this.#tellChanged();
    return this.profile(id);
  }

  async #tellChanged(): Promise<Profile[]> {
    this.#askForEnvironment();
    const profiles = await this.list();
    this.#options.onChanged(profiles);
    return profiles;
  }

  #profile(
    row: Row,
    stored: ReadonlyMap<SecretName, StoredSecret> | undefined,
    given: ReadonlyMap<SecretName, EnvironmentKey> | undefined,
  ): Profile {
    const builtIn = row.id === builtInProfileId;
    const none = { configured: false, lastFour: '', fromEnvironment: false, boundElsewhere: null };
    const state = (name: SecretName): Profile['secrets'][SecretName] => {
      if (builtIn) return { ...none, configured: name === 'accessToken' || name === 'apiKey' };
      const key = given?.get(name);
      const standing = key && this.#standing(row, name, key);
      if (key && standing?.state !== 'withheld') {
        return { ...none, configured: true, lastFour: lastFour(name, key.value), fromEnvironment: true };
      }
      const secret = stored?.get(name);
      const bound = secret && this.#boundTo(row.id, name, secret);
      if (secret && bound && mayGo(bound, destinationOf(row.draft, name))) {
        return { ...none, configured: true, lastFour: lastFour(name, secret.value) };
      }
      if (secret) return { ...none, boundElsewhere: asBoundElsewhere(bound ?? null, '') };
      if (key && standing) return { ...none, boundElsewhere: asBoundElsewhere(standing.bound, key.variable) };
      return none;
    };
    const { stream, customCa, clientCertificate, ...listed } = row.draft;
    return {
      ...listed,
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

  #damagedDatabases(): KeyStoreState['damaged'] {
    const { database } = this.#options;
    const stem = basename(database).replace(/\.[^.]*$/, '');
    return readdirSync(dirname(database)).flatMap((fileName) => {
      const at = fileName.startsWith(`${stem}.`) ? asideTime(fileName) : null;
      return at === null ? [] : [{ fileName, reason: say('connections.list_damaged'), at }];
    });
  }
}

/** Only of a secret so long that four characters give nothing away. A PEM file ends the same for everybody. */
function lastFour(name: SecretName, value: string): string {
  return name !== 'clientKey' && value.length >= 12 ? value.slice(-4) : '';
}

/** Why a key that is there is not sent, and what to do. @param variable - It comes from there; empty: it is stored. */
function leftBehind(
  profileName: string,
  variable: string,
  bound: Destination | null,
  to: Destination,
  otherwise: Said,
): Failure {
  const key = variable || say('connections.key_of', { profileName });
  const now = say('connections.leads_now', { profileName, place: placeOf(to) });
  const certificates = bound && bound.trust !== to.trust ? say('connections.other_authorities') : '';
  return new Failure(
    'key_missing',
    bound
      ? say('connections.key_was_for', { key, place: placeOf(bound), now, certificates })
      : say('connections.key_not_bound', { key, now }),
    {
      hint: say('connections.not_sent', { profileName, otherwise }),
    },
  );
}

/** `https://api.example.com through http://proxy.example.com:8080` */
function placeOf({ origin, proxy, trust }: Destination): Said {
  const place = origin === '' ? say('connections.no_address') : origin;
  const proxied = proxy === '' ? place : say('connections.through', { place, proxy });
  return trust === '' ? proxied : say('connections.with_authorities', { place: proxied });
}

/** Most characters of a secret, and lines of one: log and journal look for every one of them in all that they write. */
const mostOf = { accessToken: 8192, apiKey: 8192, clientKey: 16_384, proxyPassword: 1024 } as const;
const mostKeyLines = 400;
const privateKeyBlock = /-----BEGIN ([A-Z0-9 ]*)PRIVATE KEY-----[\s\S]*?-----END \1PRIVATE KEY-----/;

/** A key as it goes into a header, without what came along when it was copied. */
function cleanSecret(name: SecretName, value: string): string {
  const refuse = (message: Said, hint: Said): Failure =>
    new Failure('invalid_input', message, { field: 'value', hint });
  if (value.trim().length > mostOf[name]) {
    throw refuse(say('connections.key_too_long', { most: mostOf[name] }), say('connections.copy_again'));
  }
  if (name === 'clientKey') {
    // The key alone: files have certificates and remarks beside it.
    const block = privateKeyBlock.exec(value)?.[0] ?? value;
    if (block.split('\n').length > mostKeyLines) {
      throw refuse(say('connections.too_many_lines'), say('connections.write_anew'));
    }
    try {
      createPrivateKey(block);
      return block.trim().concat('\n');
    } catch (error) {
      const encrypted = /ENCRYPTED/.test(value);
      throw encrypted
        ? refuse(say('connections.encrypted'), say('connections.decrypt'))
        : new Failure('invalid_input', say('connections.no_private_key'), {
            field: 'value',
            hint: say('connections.begin_private_key'),
            cause: error instanceof Error ? error.name : undefined,
          });
    }
  }
  if (name === 'proxyPassword') {
    if (!/\p{Cc}/u.test(value)) return value;
    throw refuse(say('connections.no_line_breaks'), say('connections.type_it_again'));
  }
  const clean = value.trim().replace(/^Bearer\s+/i, '');
  if (/^[\x21-\x7e]+$/.test(clean)) return clean;
  throw refuse(say('connections.latin_only'), say('connections.copy_again'));
}

/** @throws Failure `invalid_input` naming the field, with `prefix` before it. */
function checkedDraft(draft: ProfileDraft, prefix: string): ProfileDraft {
  const { data, error } = ProfileDraft.safeParse(draft);
  const issue = error?.issues[0];
  if (!data) {
    throw new Failure(
      'invalid_input',
      say('connections.does_not_fit', { issue: issue?.message ?? say('connections.something_else') }),
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
    throw new Failure('not_allowed', say('connections.built_in_field', { field }), {
      field: `changes.${field}`,
      hint: say('connections.own_connection'),
    });
  }
}

function fits({ id, draft }: Row, idOrName: string): boolean {
  return id === idOrName || nameKey(draft.name) === nameKey(idOrName);
}

function nameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}
