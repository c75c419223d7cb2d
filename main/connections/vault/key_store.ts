import { randomBytes as systemRandomBytes } from 'node:crypto';
import { t } from '@likeness/messages';
import { createMutex } from '@likeness/node-kit/async/mutex.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { withFileLock } from '@likeness/node-kit/storage/file_lock.ts';
import type { KeyStoreState, SecretName } from '#contract';
import type { SystemKeyStore } from '../../base/system_key_store.ts';
import { hasPassphrase, KeyProtection, openByPassphrase, requireLength } from './key_protection.ts';
import { dataKeyBytes, fitsKeyring, type Keyring, keyCheck, type ScryptCost } from './keyring.ts';
import type { OpenSecretFile, StoredSecret } from './secret_file.ts';
import { addSecrets, copySecrets, putSecret, type SecretMap } from './secret_map.ts';
import { type KeyDisk, VaultFiles } from './vault_files.ts';
import { keyringOf, needsRepair, stateForPage, type VaultState } from './vault_state.ts';

export interface KeyStoreOptions {
  /** Folder of keyring and keys; created (0700) if missing. */
  folder: string;
  openFile: OpenSecretFile;
  /** The system's key store; null if there is none (`serve`, the command line). */
  system: SystemKeyStore | null;
  /** From the environment; opens the keys at once, and protects them if nothing does yet. */
  passphrase?: string | undefined;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Called with every secret before anything else gets it, so that log and journal can redact it. */
  know: (secret: string) => void;
  /** Cryptographically strong. */
  randomBytes?: (count: number) => Uint8Array;
  scryptCost?: ScryptCost;
  disk?: KeyDisk;
}

/**
 * The vault of access tokens and API keys: `VaultFiles` is the data on disk, `KeyProtection` opens it.
 *
 * The system's store alone is not enough. A key must never be in plain text on disk, even without such a
 * store (`serve`, Linux without a keyring). A crash or a power cut at any moment must not lose the keys.
 *
 * Processes: normally one studio has a data folder (see `instance_lock`), but the command line may run beside
 * it. Every change takes a lock between processes and starts from the current state on disk; every read
 * checks whether the files were replaced.
 *
 * It does not protect against programs that run as the same user while the keys are open, or against
 * restoring the whole folder to an older state.
 */
export class KeyStore {
  readonly #options: KeyStoreOptions;
  readonly #randomBytes: (count: number) => Uint8Array;
  readonly #files: VaultFiles;
  readonly #protection: KeyProtection;
  #vault: VaultState = { kind: 'empty' };
  /** Opens the keyring until another process replaces it. */
  #dataKey: Buffer | null = null;
  #thisRunOnly = false;
  /** Secrets of this run only; they override those on disk. */
  readonly #memory: SecretMap = new Map();
  /** Runs one operation at a time within this process. */
  readonly #inTurn = createMutex();

  private constructor(options: KeyStoreOptions, files: VaultFiles, protection: KeyProtection) {
    this.#options = options;
    this.#randomBytes = options.randomBytes ?? systemRandomBytes;
    this.#files = files;
    this.#protection = protection;
  }

  /**
   * @throws Failure `storage` if the folder can't be created. Damaged or locked keys are a state, not an
   * error.
   */
  static async open(options: KeyStoreOptions): Promise<KeyStore> {
    const files = new VaultFiles(options.folder, options.openFile, options.disk);
    await files.makeFolder();
    if (options.passphrase) options.know(options.passphrase);
    const { system, passphrase, scryptCost, randomBytes = systemRandomBytes } = options;
    const protection = await KeyProtection.create({ system, passphrase, scryptCost, randomBytes });
    const store = new KeyStore(options, files, protection);
    await store.#inTurn(() => store.#refresh());
    return store;
  }

  async state(): Promise<KeyStoreState> {
    return this.#inTurn(async () => {
      await this.#refresh();
      const quarantined = await this.#files.quarantined();
      const damaged =
        this.#vault.kind === 'unusable'
          ? { fileName: 'keyring.json', reason: this.#vault.failure.userMessage, at: this.#options.clock() }
          : null;
      return {
        ...stateForPage(this.#vault, this.#protection, this.#thisRunOnly),
        damaged: damaged ? [damaged, ...quarantined] : quarantined,
      };
    });
  }

  /**
   * @returns The secret, or undefined if none was set.
   * @throws Failure `locked`, or `storage` if the files can't be used.
   */
  async get(profileId: string, name: SecretName): Promise<StoredSecret | undefined> {
    return this.#inTurn(async () => {
      const own = this.#memory.get(profileId)?.get(name);
      if (own) return own;
      await this.#refresh();
      if (this.#vault.kind === 'open') return this.#vault.secrets.get(profileId)?.get(name);
      if (!this.#thisRunOnly) this.#requireUsable();
      return undefined;
    });
  }

  /** All secrets that can be read now; none if the keys are locked, without an error. */
  async readable(): Promise<ReadonlyMap<string, ReadonlyMap<SecretName, StoredSecret>>> {
    return this.#inTurn(async () => {
      await this.#refresh();
      return this.#all();
    });
  }

  /**
   * When this returns, the secret is on disk, encrypted, read back and verified (in memory if the user chose
   * so).
   *
   * @throws Failure `locked` if it can't be stored safely: the keys are locked, or there is no protection
   * yet.
   */
  async set(profileId: string, name: SecretName, secret: StoredSecret): Promise<void> {
    this.#options.know(secret.value);
    await this.#change(async () => {
      if (this.#thisRunOnly) {
        putSecret(this.#memory, profileId, name, secret);
        return;
      }
      await this.#changeSecrets((secrets) => putSecret(secrets, profileId, name, secret));
      this.#memory.get(profileId)?.delete(name);
    });
  }

  /** @throws Failure `locked` if the keys are locked. */
  async clear(profileId: string, name: SecretName): Promise<void> {
    await this.#change(async () => {
      const wasInMemory = this.#memory.get(profileId)?.delete(name) === true;
      if (this.#vault.kind === 'open') {
        if (this.#vault.secrets.get(profileId)?.has(name) !== true) return;
        await this.#changeSecrets((secrets) => secrets.get(profileId)?.delete(name));
      } else if (!wasInMemory) this.#requireUsable();
    });
  }

  /** Deletes all secrets of a profile. @throws Failure `locked` if the keys are locked. */
  async forget(profileId: string): Promise<void> {
    await this.#change(async () => {
      this.#memory.delete(profileId);
      this.#requireUsable();
      if (this.#vault.kind !== 'open' || !this.#vault.secrets.has(profileId)) return;
      await this.#changeSecrets((secrets) => secrets.delete(profileId));
    });
  }

  /** @throws Failure `locked` if the passphrase is wrong. */
  async unlock(passphrase: string): Promise<KeyStoreState> {
    this.#options.know(passphrase);
    await this.#change(async () => {
      this.#requireTouchable();
      if (this.#vault.kind === 'empty') {
        throw new Failure('locked', t('keys.none_to_unlock'), { hint: t('keys.choose_passphrase') });
      }
      const keyring = keyringOf(this.#vault);
      if (!keyring) return;
      if (!hasPassphrase(keyring)) {
        this.#requireUsable();
        return;
      }
      const dataKey = await openByPassphrase(keyring, passphrase);
      if (dataKey === null) {
        throw new Failure('locked', t('keys.wrong_passphrase'), { hint: t('keys.check_keyboard') });
      }
      this.#dataKey = dataKey;
      this.#thisRunOnly = false;
      await this.#lookAgain();
      await this.#addSystemWrap();
    });
    return this.state();
  }

  /**
   * Protects the keys with a passphrase from now on; with the system's store too, either opens them. Makes a
   * new data key, so that a newer passphrase does not open older copies of the files, unless a wrap of
   * another system must stay usable.
   *
   * @throws Failure `locked` if the keys must be unlocked first.
   */
  async protectWithPassphrase(passphrase: string): Promise<KeyStoreState> {
    requireLength(passphrase);
    this.#options.know(passphrase);
    await this.#change(async () => {
      this.#requireUsable();
      const secrets = this.#all();
      const hasForeignWrap =
        !this.#protection.bySystem &&
        keyringOf(this.#vault)?.wraps.some(({ method }) => method === 'system') === true;
      if (hasForeignWrap && this.#vault.kind === 'open') {
        const { keyring, dataKey } = this.#vault;
        if (this.#memory.size > 0) await this.#files.writeSecrets(keyring.store, dataKey, secrets);
        const wrap = await this.#protection.passphraseWrap(dataKey, keyring.store, passphrase);
        const others = keyring.wraps.filter(({ method }) => method !== 'scrypt');
        await this.#writeKeyring({ ...keyring, wraps: [...others, wrap] }, dataKey, passphrase);
      } else {
        await this.#newDataKey(secrets, passphrase);
      }
      this.#memory.clear();
      this.#thisRunOnly = false;
    });
    return this.state();
  }

  /** Keeps new keys in memory only; keys on disk stay there. */
  async keepForThisRun(): Promise<KeyStoreState> {
    await this.#change(async () => {
      this.#thisRunOnly = true;
    });
    return this.state();
  }

  /**
   * Quarantines keys that can't be opened any more, so that new ones can be entered: the passphrase is lost,
   * or the system's store was reset. Deletes nothing. Runs only at the user's request.
   */
  async startOver(): Promise<KeyStoreState> {
    await this.#change(async () => {
      this.#requireTouchable();
      if (keyringOf(this.#vault) === null) return;
      await this.#files.quarantine('keyring', t('keys.started_over'), this.#options.clock());
      this.#dataKey = null;
    });
    return this.state();
  }

  // ── Reading ───────────────────────────────────────────────────────────────────────────────────────────

  /** Brings `#vault` up to date. Quarantines damaged files. */
  async #refresh(): Promise<void> {
    if (this.#vault.kind !== 'unusable' && this.#files.areAsRead(keyringOf(this.#vault))) return;
    const found = await this.#read();
    // Read again under the lock: another process may have been in the middle of replacing them.
    const mend = (): Promise<VaultState> => withFileLock(this.#files.lockPath, () => this.#mend());
    this.#take(needsRepair(found) ? await this.#unusableWhereItFails(mend) : found);
  }

  /** Called under the lock, when the state on disk is certain. */
  async #lookAgain(): Promise<void> {
    const found = await this.#read();
    this.#take(needsRepair(found) ? await this.#unusableWhereItFails(() => this.#mend()) : found);
  }

  #take(found: VaultState): void {
    this.#vault = found;
    if (found.kind !== 'open') return;
    for (const names of found.secrets.values())
      for (const { value } of names.values()) this.#options.know(value);
  }

  /** Called under the lock. */
  async #mend(): Promise<VaultState> {
    for (;;) {
      const found = await this.#read();
      if (found.kind === 'unfinished') {
        await this.#files.commitSecrets(found.keyring.store);
      } else if (found.kind === 'damaged') {
        await this.#files.quarantine(found.part, found.reason, this.#options.clock());
        if (found.part === 'keys' && found.keyring && this.#dataKey) {
          await this.#files.writeSecrets(found.keyring.store, this.#dataKey, new Map());
        }
      } else return found;
    }
  }

  async #unusableWhereItFails(work: () => Promise<VaultState>): Promise<VaultState> {
    try {
      return await work();
    } catch (error) {
      return this.#files.unusable(error);
    }
  }

  async #read(): Promise<VaultState> {
    const found = await this.#files.readKeyring();
    if (found.kind !== 'closed') return found;
    const { keyring } = found;
    const known = this.#dataKey && fitsKeyring(this.#dataKey, keyring) ? this.#dataKey : null;
    const dataKey = known ?? (await this.#protection.open(keyring));
    if (dataKey === null) return { kind: 'locked', keyring, reason: this.#protection.lockedReason(keyring) };
    this.#dataKey = dataKey;
    this.#options.know(dataKey.toString('base64'));
    return this.#files.readSecrets(keyring, dataKey);
  }

  /** Returns a copy of all readable secrets: on disk and of this run. */
  #all(): SecretMap {
    const all: SecretMap = this.#vault.kind === 'open' ? copySecrets(this.#vault.secrets) : new Map();
    addSecrets(all, this.#memory);
    return all;
  }

  // ── Changing ──────────────────────────────────────────────────────────────────────────────────────────

  /** Runs one change exclusively in this process and between processes, on the current files. */
  async #change(work: () => Promise<void>): Promise<void> {
    await this.#inTurn(() =>
      withFileLock(this.#files.lockPath, async () => {
        await this.#lookAgain();
        try {
          await work();
        } finally {
          await this.#lookAgain();
        }
        if (this.#vault.kind === 'open') await this.#files.sweep(this.#vault.keyring.store);
      }),
    );
  }

  async #changeSecrets(change: (secrets: SecretMap) => void): Promise<void> {
    this.#requireUsable();
    const secrets = this.#vault.kind === 'open' ? copySecrets(this.#vault.secrets) : new Map();
    change(secrets);
    if (this.#vault.kind === 'open') {
      await this.#files.writeSecrets(this.#vault.keyring.store, this.#vault.dataKey, secrets);
      return;
    }
    const passphrase = this.#protection.environmentPassphrase;
    if (passphrase !== undefined) requireLength(passphrase);
    await this.#newDataKey(secrets, passphrase);
  }

  /** Makes a new data key for all secrets, with every wrap that is possible here. */
  async #newDataKey(secrets: SecretMap, passphrase: string | undefined): Promise<void> {
    const dataKey = Buffer.from(this.#randomBytes(dataKeyBytes));
    this.#options.know(dataKey.toString('base64'));
    const store = `keys-${Buffer.from(this.#randomBytes(8)).toString('hex')}`;
    const before = this.#vault.kind === 'open' ? this.#vault.keyring.store : null;
    const wraps = await this.#protection.wraps(dataKey, store, passphrase);

    await this.#files.prepareSecrets(store, dataKey, secrets);
    const keyring: Keyring = { version: 1, store, check: keyCheck(dataKey, store), wraps };
    await this.#writeKeyring(keyring, dataKey, passphrase);
    this.#dataKey = dataKey;
    await this.#files.commitSecrets(store);
    if (before !== null) await this.#files.removeSecrets(before);
  }

  async #writeKeyring(keyring: Keyring, dataKey: Buffer, passphrase: string | undefined): Promise<void> {
    await this.#files.writeKeyring(keyring, (readBack) =>
      this.#protection.opensWith(readBack, dataKey, passphrase),
    );
  }

  /** Then the desktop need not ask for the passphrase again. */
  async #addSystemWrap(): Promise<void> {
    if (this.#vault.kind !== 'open') return;
    const { keyring, dataKey } = this.#vault;
    if (await this.#protection.hasSystemWrap(keyring, dataKey)) return;
    const own = await this.#protection.systemWrap(dataKey);
    if (!own) return;
    const { backend } = this.#protection;
    const others = keyring.wraps.filter((wrap) => wrap.method !== 'system' || wrap.backend !== backend);
    await this.#writeKeyring({ ...keyring, wraps: [...others, own] }, dataKey, undefined);
  }

  /** The keys are open, or there are none yet. */
  #requireUsable(): void {
    this.#requireTouchable();
    if (this.#vault.kind === 'locked') throw this.#protection.lockedFailure(this.#vault);
  }

  #requireTouchable(): void {
    if (this.#vault.kind === 'unusable') throw this.#vault.failure;
  }
}
