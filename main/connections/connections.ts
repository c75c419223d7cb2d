import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import {
  builtInProfileId,
  type KeyStoreState,
  type Profile,
  type ProfileDraft,
  type SecretName,
} from '#contract';
import { refuseBuiltInChanges } from './built_in_profile.ts';
import { cleanSecret } from './clean_secret.ts';
import { ConnectionKeys } from './connection_keys.ts';
import { checkedDraft } from './draft_rules.ts';
import { environmentSecrets } from './environment_keys.ts';
import { destinationOf } from './key_binding.ts';
import { readProfileFile, writeProfileFile } from './profile_file.ts';
import { ProfileStore, type StoredProfile } from './profile_store.ts';
import type { StaleKeys } from './rebinding.ts';
import type { KeyStore } from './vault/key_store.ts';
import type { StoredSecret } from './vault/secret_file.ts';

/** A connection ready for calls: all fields of the profile, and its secrets on demand. */
export interface ResolvedConnection extends ProfileDraft {
  profileId: string;
  profileName: string;
  builtIn: boolean;
  /**
   * @returns undefined if none was set.
   * @throws Failure `locked`; `key_missing` if the secret was entered for another server, proxy or
   * certificate authority.
   */
  secret(name: SecretName): Promise<string | undefined>;
}

/** The built-in engine's address in this run, and its generated keys. */
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
  /** Starts the engine if it is not running. */
  builtIn: () => Promise<BuiltInEndpoint>;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Letters, digits, - and _; unique. */
  randomId: () => string;
  /** Environment variables that may contain keys; `{}` for the desktop. */
  environment: Readonly<Record<string, string | undefined>>;
  /**
   * True if a page makes and changes profiles (`serve`): keys from the environment are then bound when the
   * studio opens, never by a later use. Without a page every action is the user's, and the first use binds.
   */
  hasPage: boolean;
  /** Id or name of the profile for `LIKENESS_API_KEY` etc. (`--connection`); otherwise the default. */
  selected?: string | undefined;
  /** Called with every secret before anything else gets it. */
  know: (secret: string) => void;
  /** Writes a line to the log. */
  warn: (text: string) => void;
  onChanged: (profiles: Profile[]) => void;
  onKeyStoreChanged: (state: KeyStoreState) => void;
}

/**
 * The studio's connections: profiles in a separate database, keys in the vault. The profile of the built-in
 * engine always exists.
 *
 * A stored key is bound to the server, the proxy and the custom certificate authorities that its profile had
 * when the key was entered. If one of them changes, the key is withheld until it is restored. The key moves
 * only with the user's consent, requested outside the page (see `rebinding.ts`), or when it is typed again.
 * Keys from the environment are bound in the same way at their first use, and never to profiles that a page
 * made for them. So code that may edit profiles, including the page, cannot have a key sent to another
 * server. A hostile page can still read keys that the user types into it.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #profiles: ProfileStore;
  readonly #keys: ConnectionKeys;
  #reportedKeyStore = '';

  private constructor(options: ConnectionsOptions) {
    this.#options = options;
    for (const secret of environmentSecrets(options.environment)) options.know(secret);
    this.#profiles = new ProfileStore(options);
    this.#keys = new ConnectionKeys({ ...options, profiles: this.#profiles });
  }

  /** @throws Failure `storage`: written by a newer studio, disk full, read-only. */
  static async open(options: ConnectionsOptions): Promise<Connections> {
    const connections = new Connections(options);
    await connections.#forgetKeysOfTheDeleted();
    return connections;
  }

  close(): void {
    this.#profiles.close();
  }

  // ── Profiles ──────────────────────────────────────────────────────────────────────────────────────────

  /** All profiles, the built-in one first, then in order of creation. */
  async list(): Promise<Profile[]> {
    const secrets = await this.#options.keys.readable();
    return this.#profiles.all().map((profile) => this.#listed(profile, secrets.get(profile.id)));
  }

  /** One entry of `list`. @throws Failure `not_found` */
  async profile(id: string): Promise<Profile> {
    const secrets = await this.#options.keys.readable();
    return this.#listed(this.#profiles.one(id), secrets.get(id));
  }

  /** Returns all settings of a profile. @throws Failure `not_found` */
  details(id: string): ProfileDraft {
    return this.#profiles.one(id).draft;
  }

  /** Returns the fields for the usage meter, without reading the vault. */
  metered(): { id: string; name: string; monthlyCap: number | null; prices: ProfileDraft['prices'] }[] {
    return this.#profiles.all().map(({ id, draft }) => ({
      id,
      name: draft.name,
      monthlyCap: draft.monthlyCap,
      prices: draft.prices,
    }));
  }

  async create(draft: ProfileDraft): Promise<Profile> {
    return this.#changed(this.#profiles.insert(checkedDraft(draft, '')));
  }

  async update(id: string, changes: Partial<ProfileDraft>): Promise<Profile> {
    this.#profiles.update(id, (draft) => {
      const given = Object.entries(changes).filter(([, value]) => value !== undefined);
      const next = checkedDraft({ ...draft, ...Object.fromEntries(given) }, 'changes.');
      if (id === builtInProfileId) refuseBuiltInChanges(draft, next);
      return next;
    });
    return this.#changed(id);
  }

  /** Copies a profile with its keys, if they can be read now. */
  async duplicate(id: string): Promise<Profile> {
    if (id === builtInProfileId) {
      throw new Failure('not_allowed', t('connections.built_in_no_copy'), {
        hint: t('connections.make_new'),
      });
    }
    const copyId = this.#profiles.change(() => {
      const { draft } = this.#profiles.one(id);
      return this.#profiles.insert({ ...draft, name: this.#profiles.freeName(draft.name) });
    });
    await this.#keys.copy(id, copyId);
    return this.#changed(copyId);
  }

  /** Deletes a profile with its keys; locked keys are deleted when they are unlocked. */
  async remove(id: string): Promise<void> {
    if (id === builtInProfileId) {
      throw new Failure('not_allowed', t('connections.built_in_stays'), {
        hint: t('connections.runs_when_used'),
      });
    }
    this.#profiles.change(() => {
      this.#profiles.delete(id);
      this.#keys.forgetBindings(id);
    });
    await this.#forgetKeysOfTheDeleted();
    await this.#notifyChanged();
  }

  async setDefault(id: string): Promise<Profile[]> {
    this.#profiles.makeDefault(id);
    return this.#notifyChanged();
  }

  /** @param ids - Empty: all. Keys and the built-in profile are never exported. */
  exportProfiles(ids: readonly string[]): { fileName: string; mediaType: string; text: string } {
    const wanted =
      ids.length === 0 ? this.#profiles.all() : [...new Set(ids)].map((id) => this.#profiles.one(id));
    const drafts = wanted.filter(({ id }) => id !== builtInProfileId).map(({ draft }) => draft);
    const day = new Date(this.#options.clock()).toISOString().slice(0, 10);
    return {
      fileName: `likeness-connections-${day}.json`,
      mediaType: 'application/json',
      text: writeProfileFile(drafts),
    };
  }

  /** Imports valid profiles under free names, and reports problems by path. Atomic. */
  async importProfiles(
    text: string,
  ): Promise<{ added: Profile[]; problems: { where: string; problem: Message }[] }> {
    const { drafts, problems } = readProfileFile(text);
    const ids = this.#profiles.change(() =>
      drafts.map((draft) => {
        const name = this.#profiles.freeName(draft.name);
        if (name !== draft.name)
          problems.push({ where: `“${draft.name}”`, problem: t('connections.name_taken_now', { name }) });
        return this.#profiles.insert({ ...draft, name });
      }),
    );
    const profiles = ids.length > 0 ? await this.#notifyChanged() : [];
    return { added: profiles.filter(({ id }) => ids.includes(id)), problems };
  }

  /**
   * Returns a profile ready for calls.
   *
   * @throws Failure `not_found`; for the built-in engine, the reason why it does not start.
   */
  async resolve(id: string): Promise<ResolvedConnection> {
    const profile = this.#profiles.one(id);
    const common = { ...profile.draft, profileId: profile.id, profileName: profile.draft.name };
    if (id === builtInProfileId) {
      const { groupAUrl, groupBUrl, accessToken, apiKey } = await this.#options.builtIn();
      this.#options.know(accessToken);
      this.#options.know(apiKey);
      const secrets: Partial<Record<SecretName, string>> = { accessToken, apiKey };
      return { ...common, groupAUrl, groupBUrl, builtIn: true, secret: async (name) => secrets[name] };
    }
    return { ...common, builtIn: false, secret: (name) => this.#keys.secret(profile, name) };
  }

  // ── Keys ──────────────────────────────────────────────────────────────────────────────────────────────

  /** Stores a typed key, bound to the profile's current server. The other keys stay unchanged. */
  async setSecret(id: string, name: SecretName, value: string): Promise<Profile> {
    const profile = this.#profiles.one(id);
    this.#keys.refuseFixed(profile, name);
    const clean = cleanSecret(name, value);
    await this.#options.keys.set(id, name, { value: clean, ...destinationOf(profile.draft, name) });
    await this.#notifyKeyStore();
    return this.#changed(id);
  }

  async clearSecret(id: string, name: SecretName): Promise<Profile> {
    this.#keys.refuseFixed(this.#profiles.one(id), name);
    await this.#options.keys.clear(id, name);
    return this.#changed(id);
  }

  /** The vault's state, and backups of damaged profile databases. */
  async keyStore(): Promise<KeyStoreState> {
    const state = await this.#options.keys.state();
    const reason = t('connections.list_damaged');
    const damaged = this.#profiles.damagedFiles().map(({ fileName, at }) => ({ fileName, reason, at }));
    return { ...state, damaged: [...state.damaged, ...damaged] };
  }

  /**
   * Changes how the vault is opened or protected (`(keys) => keys.unlock(…)`), and reports the resulting
   * changes.
   */
  async changeKeyStore(change: (keys: KeyStore) => Promise<unknown>): Promise<KeyStoreState> {
    await change(this.#options.keys);
    await this.#forgetKeysOfTheDeleted();
    this.#options.onChanged(await this.list());
    return this.#notifyKeyStore();
  }

  /**
   * Keys that are not bound to the profile's current server, for `rebinding.ts`.
   *
   * @throws Failure `not_found`, `locked`
   */
  async staleKeys(id: string): Promise<StaleKeys> {
    const profile = this.#profiles.one(id);
    const keys = await this.#keys.behind(profile);
    return { profileId: id, profileName: profile.draft.name, keys, customCa: profile.draft.customCa };
  }

  /** Binds the keys to the new server; `behind` lists the keys that the user agreed to. */
  async bind({ profileId, keys }: StaleKeys): Promise<Profile> {
    this.#profiles.one(profileId);
    await this.#keys.bind(profileId, keys);
    return this.#changed(profileId);
  }

  async #forgetKeysOfTheDeleted(): Promise<void> {
    for (const profileId of this.#profiles.keysToForget()) {
      try {
        await this.#options.keys.forget(profileId);
        this.#profiles.keysForgotten(profileId);
      } catch (error) {
        // Locked vault or failed write: the row stays, and the next start or unlock retries.
        if (!(error instanceof Failure)) throw error;
        this.#options.warn(`Keys of a deleted connection are still there: ${error.message}`);
        return;
      }
    }
  }

  // ── Events ────────────────────────────────────────────────────────────────────────────────────────────

  async #changed(id: string): Promise<Profile> {
    await this.#notifyChanged();
    return this.profile(id);
  }

  async #notifyChanged(): Promise<Profile[]> {
    this.#keys.profilesChanged();
    const profiles = await this.list();
    this.#options.onChanged(profiles);
    return profiles;
  }

  async #notifyKeyStore(): Promise<KeyStoreState> {
    const state = await this.keyStore();
    const serialized = JSON.stringify(state);
    if (serialized !== this.#reportedKeyStore) this.#options.onKeyStoreChanged(state);
    this.#reportedKeyStore = serialized;
    return state;
  }

  #listed(profile: StoredProfile, stored: ReadonlyMap<SecretName, StoredSecret> | undefined): Profile {
    const { id, draft, isDefault, createdAt, changedAt } = profile;
    const { stream, customCa, clientCertificate, ...listed } = draft;
    return {
      ...listed,
      id,
      builtIn: id === builtInProfileId,
      isDefault,
      createdAt,
      changedAt,
      secrets: this.#keys.states(profile, stored),
    };
  }
}
