import { inEnglish, type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { builtInProfileId, type Profile, type SecretName, secretNames } from '#contract';
import { type BindingStatus, EnvironmentBindings, isStatedOtherwise } from './environment_bindings.ts';
import { type EnvironmentKey, type EnvironmentKeys, environmentKeys } from './environment_keys.ts';
import { asBoundElsewhere, boundTo, type Destination, destinationOf, mayGo } from './key_binding.ts';
import { nameKey, type ProfileStore, type StoredProfile } from './profile_store.ts';
import type { StaleKeys } from './rebinding.ts';
import type { KeyStore } from './vault/key_store.ts';
import type { StoredSecret } from './vault/secret_file.ts';

export interface ConnectionKeysOptions {
  keys: KeyStore;
  profiles: ProfileStore;
  /** Environment variables that may contain keys; `{}` for the desktop. */
  environment: Readonly<Record<string, string | undefined>>;
  /** See `ConnectionsOptions`. */
  hasPage: boolean;
  selected?: string | undefined;
  warn: (text: string) => void;
}

/**
 * Returns a profile's key from the vault or the environment, if it may be sent to the profile's current
 * server. `Connections` explains the rule.
 */
export class ConnectionKeys {
  readonly #options: ConnectionKeysOptions;
  readonly #bindings: EnvironmentBindings;
  readonly #warned = new Set<string>();
  /** Keys from the environment, matched to the profiles as last read. */
  #given: { profiles: readonly StoredProfile[]; keys: EnvironmentKeys } | null = null;

  constructor(options: ConnectionKeysOptions) {
    this.#options = options;
    this.#bindings = new EnvironmentBindings(options.profiles.database, options.hasPage);
    if (options.hasPage) this.#bindEnvironment();
  }

  /** @throws Failure `locked`; `key_missing` if the key was entered for another server. */
  async secret(profile: StoredProfile, name: SecretName): Promise<string | undefined> {
    const key = this.#environmentKeys().get(profile.id)?.get(name);
    const binding = key && this.#bindingStatus(profile, name, key);
    if (key && binding?.state === 'free') this.#bindFirst(profile, name, key);
    if (key && binding?.state !== 'withheld') return key.value;
    const stored = await this.#options.keys.get(profile.id, name);
    const to = destinationOf(profile.draft, name);
    if (stored) {
      const bound = this.#boundTo(profile.id, name, stored);
      if (bound && mayGo(bound, to)) return stored.value;
      throw staleKeyFailure(profile.draft.name, '', bound, to, { otherwise: 'type_again', urlVariable: '' });
    }
    if (key && binding) {
      const otherwise = { otherwise: 'name_server', urlVariable: key.urlVariable } as const;
      throw staleKeyFailure(profile.draft.name, key.variable, binding.bound, to, otherwise);
    }
    return undefined;
  }

  /** Keys that are not bound to the profile's current server. @throws Failure `locked` */
  async behind(profile: StoredProfile): Promise<StaleKeys['keys']> {
    const { id, draft } = profile;
    const behind: StaleKeys['keys'][number][] = [];
    const given = this.#environmentKeys().get(id);
    for (const name of id === builtInProfileId ? [] : secretNames) {
      const to = destinationOf(draft, name);
      if (to.origin === '') continue;
      const key = given?.get(name);
      const { state, bound: keyBound = null } = key ? this.#bindingStatus(profile, name, key) : {};
      // A server that the user set in LIKENESS_…_URL can only be changed there.
      if (key && state === 'withheld' && !isStatedOtherwise(key, name, to)) {
        behind.push({ name, variable: key.variable, bound: keyBound, to });
      }
      const stored = await this.#options.keys.get(id, name);
      const bound = stored && this.#boundTo(id, name, stored);
      if (stored && !(bound && mayGo(bound, to)))
        behind.push({ name, variable: '', bound: bound ?? null, to });
    }
    return behind;
  }

  /** Binds the keys to the current server. */
  async bind(profileId: string, behind: StaleKeys['keys']): Promise<void> {
    for (const { name, variable, to } of behind) {
      if (variable !== '') {
        this.#bindings.bind(variable, profileId, to);
        continue;
      }
      const stored = await this.#options.keys.get(profileId, name);
      if (stored) await this.#options.keys.set(profileId, name, { value: stored.value, ...to });
    }
  }

  /**
   * Gives a copy of a profile the stored keys of the original, if they can be read now, with the same
   * bindings.
   */
  async copy(fromId: string, toId: string): Promise<void> {
    const secrets = (await this.#options.keys.readable()).get(fromId) ?? [];
    for (const [name, secret] of secrets) {
      const bound = this.#boundTo(fromId, name, secret);
      if (bound) await this.#options.keys.set(toId, name, { value: secret.value, ...bound });
    }
  }

  /** Runs within the transaction that deletes the profile. */
  forgetBindings(profileId: string): void {
    this.#bindings.forget(profileId);
  }

  /**
   * The state of a profile's keys, for a page.
   *
   * @param stored - The profile's stored keys, if they can be read.
   */
  states(
    profile: StoredProfile,
    stored: ReadonlyMap<SecretName, StoredSecret> | undefined,
  ): Profile['secrets'] {
    const given = this.#environmentKeys().get(profile.id);
    const state = (name: SecretName): Profile['secrets'][SecretName] =>
      this.#state(profile, name, stored?.get(name), given?.get(name));
    return {
      accessToken: state('accessToken'),
      apiKey: state('apiKey'),
      clientKey: state('clientKey'),
      proxyPassword: state('proxyPassword'),
    };
  }

  /** @throws Failure `not_allowed` if the user's consent would change nothing. */
  refuseFixed(profile: StoredProfile, name: SecretName): void {
    if (profile.id === builtInProfileId) {
      throw new Failure('not_allowed', t('connections.own_keys'), { hint: t('connections.open_engine') });
    }
    const key = this.#environmentKeys().get(profile.id)?.get(name);
    if (!key || this.#bindingStatus(profile, name, key).state === 'withheld') return;
    throw new Failure('not_allowed', t('connections.from_environment', { variable: key.variable }), {
      hint: t('connections.change_there'),
    });
  }

  /**
   * If a page made a profile match a variable, it gets the key only with the user's consent, also after a
   * restart.
   */
  profilesChanged(): void {
    if (!this.#options.hasPage) return;
    this.#eachEnvironmentKey((profile, name, key) => {
      const { state, bound } = this.#bindingStatus(profile, name, key);
      if (state !== 'withheld') return;
      if (bound === null) this.#bindings.ask(key.variable, profile.id);
      this.#warnOnce(
        `${key.variable} is not sent to “${profile.draft.name}”: ${bound ? `it is for ${inEnglish(destinationText(bound))}` : 'the connection was made or changed in the page'}.`,
      );
    });
  }

  #state(
    profile: StoredProfile,
    name: SecretName,
    stored: StoredSecret | undefined,
    key: EnvironmentKey | undefined,
  ): Profile['secrets'][SecretName] {
    const none = { configured: false, lastFour: '', fromEnvironment: false, boundElsewhere: null };
    if (profile.id === builtInProfileId) {
      return { ...none, configured: name === 'accessToken' || name === 'apiKey' };
    }
    const binding = key && this.#bindingStatus(profile, name, key);
    if (key && binding?.state !== 'withheld') {
      return { ...none, configured: true, lastFour: lastFour(name, key.value), fromEnvironment: true };
    }
    const bound = stored && this.#boundTo(profile.id, name, stored);
    if (stored && bound && mayGo(bound, destinationOf(profile.draft, name))) {
      return { ...none, configured: true, lastFour: lastFour(name, stored.value) };
    }
    if (stored) return { ...none, boundElsewhere: asBoundElsewhere(bound ?? null, '') };
    if (key && binding) return { ...none, boundElsewhere: asBoundElsewhere(binding.bound, key.variable) };
    return none;
  }

  #boundTo(profileId: string, name: SecretName, stored: StoredSecret): Destination | null {
    return boundTo(stored, name, this.#options.profiles.ledAtUpdate(profileId));
  }

  #bindingStatus(profile: StoredProfile, name: SecretName, key: EnvironmentKey): BindingStatus {
    const status = this.#bindings.statusOf(key, name, profile.id, destinationOf(profile.draft, name));
    // If a page may have made the profile, a first use after the start proves nothing.
    return status.state === 'free' && this.#options.hasPage ? { ...status, state: 'withheld' } : status;
  }

  #bindFirst({ id, draft }: StoredProfile, name: SecretName, { variable }: EnvironmentKey): void {
    const to = destinationOf(draft, name);
    if (to.origin === '') return;
    this.#bindings.bind(variable, id, to);
    this.#options.warn(
      `${variable} goes to ${inEnglish(destinationText(to))} from now on, and nowhere else.`,
    );
  }

  /** At the start, the existing profiles are older than any page of this run. */
  #bindEnvironment(): void {
    this.#eachEnvironmentKey((profile, name, key) => {
      const to = destinationOf(profile.draft, name);
      const { state } = this.#bindings.statusOf(key, name, profile.id, to);
      if (state === 'free') this.#bindFirst(profile, name, key);
    });
  }

  #eachEnvironmentKey(visit: (profile: StoredProfile, name: SecretName, key: EnvironmentKey) => void): void {
    const keys = this.#environmentKeys();
    for (const profile of this.#options.profiles.all()) {
      for (const [name, key] of keys.get(profile.id) ?? []) visit(profile, name, key);
    }
  }

  #environmentKeys(): EnvironmentKeys {
    const profiles = this.#options.profiles.all();
    if (this.#given?.profiles === profiles) return this.#given.keys;
    const { environment, selected } = this.#options;
    const isSelected = ({ id, draft, isDefault }: StoredProfile): boolean =>
      selected === undefined ? isDefault : id === selected || nameKey(draft.name) === nameKey(selected);
    const { keys, warnings } = environmentKeys({
      environment,
      profiles: profiles.map(({ id, draft }) => ({ id, name: draft.name, builtIn: id === builtInProfileId })),
      selectedId: profiles.find(isSelected)?.id ?? '',
    });
    for (const warning of warnings) this.#warnOnce(warning);
    this.#given = { profiles, keys };
    return keys;
  }

  #warnOnce(warning: string): void {
    if (!this.#warned.has(warning)) this.#options.warn(warning);
    this.#warned.add(warning);
  }
}

/** Only if the secret is long enough that four characters reveal nothing. All PEM files end the same. */
function lastFour(name: SecretName, value: string): string {
  return name !== 'clientKey' && value.length >= 12 ? value.slice(-4) : '';
}

/**
 * Explains why an existing key is not sent, and the remedy.
 *
 * @param variable - The key's environment variable; empty if it is stored.
 */
function staleKeyFailure(
  profileName: string,
  variable: string,
  bound: Destination | null,
  to: Destination,
  remedy: { otherwise: 'type_again' | 'name_server'; urlVariable: string },
): Failure {
  const key = variable || 'key_of';
  const present = destinationText(to);
  const why = bound
    ? t('connections.key_was_for', {
        key,
        profileName,
        place: destinationText(bound),
        nowPlace: present,
        certificates: bound.trust === to.trust ? 'same' : 'other_authorities',
      })
    : t('connections.key_not_bound', { key, profileName, place: present });
  return new Failure('key_missing', why, { hint: t('connections.not_sent', { profileName, ...remedy }) });
}

/** `https://api.example.com through http://proxy.example.com:8080` */
function destinationText({ origin, proxy, trust }: Destination): Message {
  const address = origin === '' ? t('connections.no_address') : origin;
  const proxied = proxy === '' ? address : t('connections.through', { place: address, proxy });
  return trust === '' ? proxied : t('connections.with_authorities', { place: proxied });
}
