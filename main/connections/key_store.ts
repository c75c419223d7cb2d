import { randomBytes as systemRandomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { KeyStoreState, SecretName } from '#contract';
import { inEnglish, type Said, say } from '#sentences';
import { Failure } from '../failure.ts';
import { asidePath, asideTime } from '../storage/aside.ts';
import { commitFile, readFileIfThere, syncFolder, writeFileAtomically } from '../storage/atomic_file.ts';
import { withFileLock } from '../storage/file_lock.ts';
import { storageFailure } from '../storage/storage_failure.ts';
import {
  dataKeyBytes,
  defaultScryptCost,
  fitsKeyring,
  Keyring,
  keyCheck,
  openPassphraseWrap,
  openSystemWrap,
  type ScryptCost,
  type SystemKeyStore,
  type Wrap,
  wrapWithPassphrase,
  wrapWithSystem,
} from './keyring.ts';
import {
  type OpenSecretFile,
  type StoredSecret,
  StoredSecrets,
  secretFileOptions,
  secretsVersion,
} from './secret_file.ts';

/** The few things the key store does to the disk, so that a test can cut the power between any two of them. */
export interface KeyDisk {
  write: typeof writeFileAtomically;
  commit: typeof commitFile;
  move: (from: string, to: string) => Promise<void>;
  copy: (from: string, to: string) => Promise<void>;
  remove: (path: string) => Promise<void>;
}

const realDisk: KeyDisk = {
  write: writeFileAtomically,
  commit: commitFile,
  move: rename,
  copy: (from, to) => copyFile(from, to),
  remove: (path) => rm(path, { force: true }),
};

export interface KeyStoreOptions {
  /** Folder of keyring and keys; made (0700) where missing. */
  folder: string;
  openFile: OpenSecretFile;
  /** The system's key store; null where there is none (`serve`, the command line). */
  system: SystemKeyStore | null;
  /** From the environment; opens the keys at once, and protects them where nothing does yet. */
  passphrase?: string | undefined;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Told every secret before anything else learns it, so that log and journal can leave it out. */
  know: (secret: string) => void;
  /** Cryptographically strong. */
  randomBytes?: (count: number) => Uint8Array;
  scryptCost?: ScryptCost;
  disk?: KeyDisk;
}

type Secrets = Map<string, Map<SecretName, StoredSecret>>;

/** What the folder holds, as one look at it found it. */
type Found =
  | { kind: 'empty' }
  | { kind: 'open'; keyring: Keyring; dataKey: Buffer; secrets: Secrets }
  | { kind: 'locked'; keyring: Keyring; reason: Said }
  /** Can't be used, and must not be touched: written by a newer studio, unreadable. */
  | { kind: 'unusable'; failure: Failure }
  /** The keyring was replaced, and then the power was cut: the keys still have their `.next` name. */
  | { kind: 'unfinished'; keyring: Keyring }
  | { kind: 'damaged'; part: 'keyring' | 'keys'; reason: Said; keyring: Keyring | null };

const needsMending = (found: Found): boolean => found.kind === 'damaged' || found.kind === 'unfinished';

/** Backends that say of themselves, or of which nobody knows, that they protect nothing. */
const noProtection = ['basic_text', 'unknown', ''];

const leastPassphrase = 8;
const storeFileName = /^keys-[0-9a-f]{16}\.json$/;
const candidateFileName = /^keys-[0-9a-f]{16}\.next\.json$/;

/**
 * The vault of access tokens and API keys.
 *
 * On disk: `keyring.json` (the wrapped data key, see `Keyring`) and `keys-….json` (all secrets in one file,
 * AES-256-GCM, written by electron-store or conf). The keyring names the keys file, so that replacing the keyring
 * is the one moment in which a new data key takes over: first the new keys under a `.next` name, read back; then
 * the keyring, read back and opened each way; then the new keys get their name (the next start does it where a
 * crash came between); then the old keys go. A crash anywhere leaves the old pair or the new one.
 *
 * Processes: normally one studio has a data folder (see `instance_lock`), but the command line may run beside
 * it. Every change is made under a lock between processes and starts from what is on disk then; every reading
 * looks whether the files were replaced meanwhile.
 *
 * What it does not protect from: somebody who runs programs as the same user while the keys are open, and a
 * folder that is put back to an older state as a whole.
 */
export class KeyStore {
  readonly #options: KeyStoreOptions;
  readonly #randomBytes: (count: number) => Uint8Array;
  readonly #disk: KeyDisk;
  readonly #keyringPath: string;
  /** The system's store, by name; empty where there is none. */
  readonly #backend: string;
  #found: Found = { kind: 'empty' };
  /** What the files looked like when `#found` was read. */
  #seen = { keyring: 'never looked', keys: '' };
  /** Opens the keyring until another process replaces it. */
  #dataKey: Buffer | null = null;
  #pendingPassphrase: string | undefined;
  /** Wraps that the passphrase of the environment did not open; trying again would take 0.3 s each time. */
  readonly #refused = new Set<string>();
  /** Why the system's store is not used although it is there. */
  #systemProblem = '';
  #thisRunOnly = false;
  /** Secrets of this run only; they come before those on disk. */
  readonly #memory: Secrets = new Map();
  /** One thing at a time within this process. */
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(options: KeyStoreOptions, backend: string) {
    this.#options = options;
    this.#backend = backend;
    this.#randomBytes = options.randomBytes ?? systemRandomBytes;
    this.#disk = options.disk ?? realDisk;
    this.#keyringPath = join(options.folder, 'keyring.json');
    this.#pendingPassphrase = options.passphrase || undefined;
    if (options.passphrase) options.know(options.passphrase);
  }

  /** @throws Failure `storage` where the folder can't be made. Damaged or locked keys are a state, not an error. */
  static async open(options: KeyStoreOptions): Promise<KeyStore> {
    try {
      await mkdir(options.folder, { recursive: true, mode: 0o700 });
      if (process.platform !== 'win32') await chmod(options.folder, 0o700);
    } catch (error) {
      throw storageFailure(error, options.folder);
    }
    const backend = options.system ? await options.system.backend().catch(() => 'unknown') : '';
    const store = new KeyStore(options, backend);
    await store.#inTurn(() => store.#look());
    return store;
  }

  async state(): Promise<KeyStoreState> {
    return this.#inTurn(async () => {
      await this.#look();
      return this.#state();
    });
  }

  /**
   * @returns The secret, or undefined where none was set.
   * @throws Failure `locked`, or `storage` where the files can't be used.
   */
  async get(profileId: string, name: SecretName): Promise<StoredSecret | undefined> {
    return this.#inTurn(async () => {
      const own = this.#memory.get(profileId)?.get(name);
      if (own) return own;
      await this.#look();
      if (this.#found.kind === 'open') return this.#found.secrets.get(profileId)?.get(name);
      if (this.#found.kind === 'locked' && !this.#thisRunOnly) throw this.#lockedFailure(this.#found);
      if (this.#found.kind === 'unusable' && !this.#thisRunOnly) throw this.#found.failure;
      return undefined;
    });
  }

  /** All secrets that can be read now; none where the keys are locked. Never throws for that. */
  async readable(): Promise<ReadonlyMap<string, ReadonlyMap<SecretName, StoredSecret>>> {
    return this.#inTurn(async () => {
      await this.#look();
      const all = this.#found.kind === 'open' ? copyOf(this.#found.secrets) : new Map();
      merge(all, this.#memory);
      return all;
    });
  }

  /**
   * On disk, encrypted, read back and verified when it returns (in memory where the person chose so).
   *
   * @throws Failure `locked` where it can't be kept safe: the keys are locked, or nothing protects them yet.
   */
  async set(profileId: string, name: SecretName, secret: StoredSecret): Promise<void> {
    this.#options.know(secret.value);
    await this.#change(async () => {
      if (this.#thisRunOnly) {
        put(this.#memory, profileId, name, secret);
        return;
      }
      await this.#changeSecrets((secrets) => put(secrets, profileId, name, secret));
      this.#memory.get(profileId)?.delete(name);
    });
  }

  /** @throws Failure `locked` where the keys are locked. */
  async clear(profileId: string, name: SecretName): Promise<void> {
    await this.#change(async () => {
      const wasInMemory = this.#memory.get(profileId)?.delete(name) === true;
      if (this.#found.kind === 'open') {
        if (this.#found.secrets.get(profileId)?.has(name) !== true) return;
        await this.#changeSecrets((secrets) => secrets.get(profileId)?.delete(name));
      } else if (!wasInMemory) this.#requireUsable();
    });
  }

  /** Forgets all secrets of a profile. @throws Failure `locked` where the keys are locked. */
  async forget(profileId: string): Promise<void> {
    await this.#change(async () => {
      this.#memory.delete(profileId);
      this.#requireUsable();
      if (this.#found.kind !== 'open' || !this.#found.secrets.has(profileId)) return;
      await this.#changeSecrets((secrets) => secrets.delete(profileId));
    });
  }

  /** @throws Failure `locked` where the passphrase is not the one. */
  async unlock(passphrase: string): Promise<KeyStoreState> {
    this.#options.know(passphrase);
    await this.#change(async () => {
      this.#requireTouchable();
      if (this.#found.kind === 'empty') {
        throw new Failure('locked', say('keys.none_to_unlock'), {
          hint: say('keys.choose_passphrase'),
        });
      }
      if (this.#found.kind !== 'locked' && this.#found.kind !== 'open') return;
      const { keyring } = this.#found;
      if (!keyring.wraps.some(({ method }) => method === 'scrypt')) {
        if (this.#found.kind === 'locked') throw this.#lockedFailure(this.#found);
        return;
      }
      const dataKey = await openByPassphrase(keyring, passphrase);
      if (dataKey === null) {
        throw new Failure('locked', say('keys.wrong_passphrase'), {
          hint: say('keys.check_keyboard'),
        });
      }
      this.#dataKey = dataKey;
      this.#thisRunOnly = false;
      await this.#lookAgain();
      await this.#addSystemWrap();
    });
    return this.state();
  }

  /**
   * Protects the keys with a passphrase from now on; where the system's store protects too, either opens them.
   * Makes a new data key, so that older copies of the files are of no use with a newer passphrase, except where
   * a wrap of another system must stay usable.
   *
   * @throws Failure `locked` where the keys must be unlocked first.
   */
  async protectWithPassphrase(passphrase: string): Promise<KeyStoreState> {
    requireLength(passphrase);
    this.#options.know(passphrase);
    await this.#change(async () => {
      this.#requireUsable();
      const secrets = this.#found.kind === 'open' ? copyOf(this.#found.secrets) : new Map();
      merge(secrets, this.#memory);
      const foreign =
        this.#found.kind === 'open' &&
        !this.#systemProtects() &&
        this.#found.keyring.wraps.some(({ method }) => method === 'system');
      if (foreign && this.#found.kind === 'open') {
        const { keyring, dataKey } = this.#found;
        if (this.#memory.size > 0) await this.#writeSecrets(keyring.store, dataKey, secrets);
        const wrap = await this.#passphraseWrap(dataKey, keyring.store, passphrase);
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

  /** Keeps keys that are entered from now on in memory; what is on disk stays there. */
  async keepForThisRun(): Promise<KeyStoreState> {
    await this.#change(async () => {
      this.#thisRunOnly = true;
    });
    return this.state();
  }

  /**
   * Puts keys that can't be opened any more aside, never away, so that new ones can be entered: the passphrase is
   * forgotten, the system's store was reset. Only ever on the person's word.
   */
  async startOver(): Promise<KeyStoreState> {
    await this.#change(async () => {
      this.#requireTouchable();
      if (this.#found.kind !== 'locked' && this.#found.kind !== 'open') return;
      await this.#setAside('keyring', say('keys.started_over'));
      this.#dataKey = null;
    });
    return this.state();
  }

  // ── Looking ───────────────────────────────────────────────────────────────────────────────────────────

  /** Brings `#found` up to date. Sets damaged files aside. */
  async #look(): Promise<void> {
    const keyring = this.#found.kind === 'open' || this.#found.kind === 'locked' ? this.#found.keyring : null;
    const unchanged =
      this.#found.kind !== 'unusable' &&
      this.#seen.keyring === signature(this.#keyringPath) &&
      (keyring === null || this.#seen.keys === signature(this.#storePath(keyring.store)));
    if (unchanged) return;
    const found = await this.#readFolder();
    // Once more under the lock: another process may have been in the middle of replacing them.
    this.#take(needsMending(found) ? await this.#unusableWhereItFails(() => this.#mendLocked()) : found);
  }

  /** Under the lock already, and sure of what is on disk. */
  async #lookAgain(): Promise<void> {
    const found = await this.#readFolder();
    this.#take(needsMending(found) ? await this.#unusableWhereItFails(() => this.#mend()) : found);
  }

  #take(found: Found): void {
    this.#found = found;
    if (found.kind !== 'open') return;
    for (const names of found.secrets.values())
      for (const { value } of names.values()) this.#options.know(value);
  }

  #mendLocked(): Promise<Found> {
    return withFileLock(this.#lockPath, () => this.#mend());
  }

  /** Called under the lock. */
  async #mend(): Promise<Found> {
    for (;;) {
      const found = await this.#readFolder();
      if (found.kind === 'unfinished') {
        const { store } = found.keyring;
        await this.#disk.commit(this.#candidatePath(store), this.#storePath(store));
      } else if (found.kind === 'damaged') {
        await this.#setAside(found.part, found.reason);
        if (found.part === 'keys' && found.keyring && this.#dataKey) {
          await this.#writeSecrets(found.keyring.store, this.#dataKey, new Map());
        }
      } else return found;
    }
  }

  /** A disk that lets nothing be mended is something to tell, not a reason for the studio not to start. */
  async #unusableWhereItFails(work: () => Promise<Found>): Promise<Found> {
    try {
      return await work();
    } catch (error) {
      return { kind: 'unusable', failure: asFailure(storageFailure(error, this.#keyringPath)) };
    }
  }

  async #readFolder(): Promise<Found> {
    let bytes: Buffer | null;
    let strays: string[];
    // Before reading: what is replaced while we read differs from this at the next look.
    this.#seen = { keyring: signature(this.#keyringPath), keys: '' };
    try {
      bytes = await readFileIfThere(this.#keyringPath);
      strays = (await readdir(this.#options.folder)).filter((name) => storeFileName.test(name));
    } catch (error) {
      return { kind: 'unusable', failure: asFailure(storageFailure(error, this.#keyringPath)) };
    }
    if (bytes === null) {
      if (strays.length === 0) return { kind: 'empty' };
      return {
        kind: 'damaged',
        part: 'keyring',
        reason: say('keys.keyring_missing'),
        keyring: null,
      };
    }
    const keyring = readKeyring(bytes.toString('utf8'));
    if ('kind' in keyring) return keyring;
    this.#seen.keys = signature(this.#storePath(keyring.store));
    if (this.#seen.keys === '' && signature(this.#candidatePath(keyring.store)) !== '') {
      return { kind: 'unfinished', keyring };
    }
    const dataKey = await this.#openKeyring(keyring);
    if (dataKey === null) return { kind: 'locked', keyring, reason: this.#lockedReason(keyring) };
    this.#dataKey = dataKey;
    this.#options.know(dataKey.toString('base64'));
    return this.#readSecrets(keyring, dataKey);
  }

  #readSecrets(keyring: Keyring, dataKey: Buffer): Found {
    const path = this.#storePath(keyring.store);
    const damaged = (reason: Said): Found => ({ kind: 'damaged', part: 'keys', reason, keyring });
    // conf takes a missing file for an empty one; here it never is, the keys are written before the keyring.
    if (!statSync(path, { throwIfNoEntry: false })) return damaged(say('keys.file_missing'));
    let content: unknown;
    try {
      content = this.#options.openFile(secretFileOptions(this.#options.folder, keyring.store, dataKey)).store;
    } catch (error) {
      const failure = storageFailure(error, path);
      if (failure instanceof Failure) return { kind: 'unusable', failure };
      return damaged(say('keys.file_altered'));
    }
    const parsed = StoredSecrets.safeParse(content);
    if (parsed.success) {
      const secrets: Secrets = new Map();
      for (const [profileId, names] of Object.entries(parsed.data.secrets)) {
        for (const [name, secret] of Object.entries(names))
          put(secrets, profileId, name as SecretName, secret);
      }
      return { kind: 'open', keyring, dataKey, secrets };
    }
    if (isNewer(content, secretsVersion)) return { kind: 'unusable', failure: newerFailure(basename(path)) };
    return damaged(say('keys.file_other'));
  }

  async #openKeyring(keyring: Keyring): Promise<Buffer | null> {
    if (this.#dataKey && fitsKeyring(this.#dataKey, keyring)) return this.#dataKey;
    const { system } = this.#options;
    if (system) {
      const wraps = keyring.wraps.filter((wrap) => wrap.method === 'system');
      // Our own system's first; another's can't be opened, but asking costs nothing.
      wraps.sort((a, b) => Number(b.backend === this.#backend) - Number(a.backend === this.#backend));
      for (const wrap of wraps) {
        try {
          const dataKey = await openSystemWrap(wrap, system);
          if (fitsKeyring(dataKey, keyring)) return dataKey;
        } catch {
          // Locked, reset, or another machine's: the reason is given by what is left to try.
        }
      }
    }
    if (this.#pendingPassphrase !== undefined && !this.#refused.has(keyring.check)) {
      const dataKey = await openByPassphrase(keyring, this.#pendingPassphrase);
      if (dataKey) return dataKey;
      this.#refused.add(keyring.check);
    }
    return null;
  }

  // ── Changing ──────────────────────────────────────────────────────────────────────────────────────────

  /** Runs one change: alone in this process, alone among processes, on what is on disk now. */
  async #change(work: () => Promise<void>): Promise<void> {
    await this.#inTurn(() =>
      withFileLock(this.#lockPath, async () => {
        await this.#lookAgain();
        try {
          await work();
        } finally {
          await this.#lookAgain();
        }
        await this.#sweep();
      }),
    );
  }

  /** Removes what an interrupted change left: keys under a data key that was replaced, or never taken. */
  async #sweep(): Promise<void> {
    if (this.#found.kind !== 'open') return;
    const { store } = this.#found.keyring;
    for (const name of await readdir(this.#options.folder)) {
      const stray = storeFileName.test(name) && name !== `${store}.json`;
      if (stray || candidateFileName.test(name)) await this.#disk.remove(join(this.#options.folder, name));
    }
  }

  async #changeSecrets(change: (secrets: Secrets) => void): Promise<void> {
    this.#requireUsable();
    if (this.#found.kind === 'open') {
      const secrets = copyOf(this.#found.secrets);
      change(secrets);
      await this.#writeSecrets(this.#found.keyring.store, this.#found.dataKey, secrets);
      return;
    }
    const secrets: Secrets = new Map();
    change(secrets);
    if (this.#pendingPassphrase !== undefined) requireLength(this.#pendingPassphrase);
    await this.#newDataKey(secrets, this.#pendingPassphrase);
  }

  /** A new data key for all secrets, with every wrap that can be made here. */
  async #newDataKey(secrets: Secrets, passphrase: string | undefined): Promise<void> {
    const dataKey = Buffer.from(this.#randomBytes(dataKeyBytes));
    this.#options.know(dataKey.toString('base64'));
    const store = `keys-${Buffer.from(this.#randomBytes(8)).toString('hex')}`;
    const before = this.#found.kind === 'open' ? this.#found.keyring.store : null;

    const wraps: Wrap[] = [];
    const systemWrap = await this.#systemWrap(dataKey);
    if (systemWrap) wraps.push(systemWrap);
    if (passphrase !== undefined) wraps.push(await this.#passphraseWrap(dataKey, store, passphrase));
    if (wraps.length === 0) throw this.#nothingProtects();

    await this.#prepareSecrets(store, dataKey, secrets);
    const keyring: Keyring = { version: 1, store, check: keyCheck(dataKey, store), wraps };
    await this.#writeKeyring(keyring, dataKey, passphrase);
    this.#dataKey = dataKey;
    await this.#disk.commit(this.#candidatePath(store), this.#storePath(store));
    if (before !== null) await this.#disk.remove(this.#storePath(before));
  }

  /** The old file goes only when the new one was read back from disk and is what was meant. */
  async #writeSecrets(store: string, dataKey: Buffer, secrets: Secrets): Promise<void> {
    await this.#prepareSecrets(store, dataKey, secrets);
    await this.#disk.commit(this.#candidatePath(store), this.#storePath(store));
  }

  /** Writes the keys under their `.next` name and reads them back. */
  async #prepareSecrets(store: string, dataKey: Buffer, secrets: Secrets): Promise<void> {
    const content = {
      version: secretsVersion,
      secrets: Object.fromEntries([...secrets].map(([id, names]) => [id, Object.fromEntries(names)])),
    };
    const candidate = `${store}.next`;
    const candidatePath = this.#candidatePath(store);
    const open = () => this.#options.openFile(secretFileOptions(this.#options.folder, candidate, dataKey));
    try {
      await this.#disk.remove(candidatePath);
      open().store = content;
      const readBack = StoredSecrets.parse(open().store);
      if (!isDeepStrictEqual(readBack, StoredSecrets.parse(content))) throw verificationFailure();
    } catch (error) {
      await this.#disk.remove(candidatePath);
      throw storageFailure(error, this.#storePath(store));
    }
    await syncFolder(this.#options.folder);
  }

  /** Replaces the keyring when every wrap that can be opened here was read back from disk and opened. */
  async #writeKeyring(keyring: Keyring, dataKey: Buffer, passphrase: string | undefined): Promise<void> {
    await this.#disk.write(this.#keyringPath, `${JSON.stringify(keyring, null, 2)}\n`, {
      mode: 0o600,
      verify: async (temporaryPath) => {
        const readBack = readKeyring(await readFile(temporaryPath, 'utf8'));
        if ('kind' in readBack || !isDeepStrictEqual(readBack, keyring)) throw verificationFailure();
        for (const wrap of readBack.wraps) {
          const opened = await this.#openOwnWrap(wrap, readBack.store, passphrase);
          if (opened !== 'not ours' && opened?.equals(dataKey) !== true) throw verificationFailure();
        }
      },
    });
  }

  async #openOwnWrap(
    wrap: Wrap,
    store: string,
    passphrase: string | undefined,
  ): Promise<Buffer | null | 'not ours'> {
    if (wrap.method === 'scrypt') {
      return passphrase === undefined ? 'not ours' : openPassphraseWrap(wrap, store, passphrase);
    }
    const { system } = this.#options;
    return system && wrap.backend === this.#backend ? openSystemWrap(wrap, system) : 'not ours';
  }

  async #systemWrap(dataKey: Buffer): Promise<Wrap | null> {
    const { system } = this.#options;
    if (!system || !this.#systemProtects()) return null;
    try {
      const wrap = await wrapWithSystem(dataKey, system);
      if ((await openSystemWrap(wrap, system)).equals(dataKey)) return wrap;
      this.#systemProblem = 'it gives back something else than it was given';
    } catch (error) {
      this.#systemProblem = error instanceof Error ? error.message : String(error);
    }
    return null;
  }

  #passphraseWrap(dataKey: Buffer, store: string, passphrase: string): Promise<Wrap> {
    const cost = this.#options.scryptCost ?? defaultScryptCost;
    return wrapWithPassphrase(dataKey, store, passphrase, cost, this.#randomBytes);
  }

  /** So that the desktop need not ask for the passphrase again. */
  async #addSystemWrap(): Promise<void> {
    if (this.#found.kind !== 'open') return;
    const { keyring, dataKey } = this.#found;
    for (const wrap of keyring.wraps) {
      if (wrap.method !== 'system' || wrap.backend !== this.#backend) continue;
      const opened = await this.#openOwnWrap(wrap, keyring.store, undefined).catch(() => null);
      if (opened instanceof Buffer && opened.equals(dataKey)) return;
    }
    const own = await this.#systemWrap(dataKey);
    if (!own) return;
    const others = keyring.wraps.filter((wrap) => wrap.method !== 'system' || wrap.backend !== this.#backend);
    await this.#writeKeyring({ ...keyring, wraps: [...others, own] }, dataKey, undefined);
  }

  /** Keeps damaged files under names that say so, with the reason beside them. Nothing is deleted. */
  async #setAside(part: 'keyring' | 'keys', reason: Said): Promise<void> {
    const { folder } = this.#options;
    const at = this.#options.clock();
    const keys = (await readdir(folder)).filter((name) => storeFileName.test(name));
    const keyringThere = (await readFileIfThere(this.#keyringPath).catch(() => null)) !== null;
    const names: string[] = [];
    for (const name of keys) {
      const aside = asidePath(join(folder, 'keys.json'), at);
      await this.#disk.move(join(folder, name), aside);
      names.push(aside);
    }
    if (keyringThere) {
      const aside = asidePath(this.#keyringPath, at);
      // Damaged keys may still be rescued with the keyring of their time, which goes on being used.
      if (part === 'keys') await this.#disk.copy(this.#keyringPath, aside);
      else await this.#disk.move(this.#keyringPath, aside);
      names.push(aside);
    }
    for (const name of names) await writeFile(`${name}.txt`, `${inEnglish(reason)}\n`, { mode: 0o600 });
    await syncFolder(folder);
  }

  // ── Telling ───────────────────────────────────────────────────────────────────────────────────────────

  async #state(): Promise<KeyStoreState> {
    const found = this.#found;
    const keyring = found.kind === 'open' || found.kind === 'locked' ? found.keyring : null;
    const passphraseThere =
      keyring?.wraps.some(({ method }) => method === 'scrypt') === true ||
      (keyring === null && this.#pendingPassphrase !== undefined);
    const systemWrap = keyring?.wraps.find((wrap) => wrap.method === 'system');
    const bySystem = this.#systemProtects() && (keyring === null || systemWrap !== undefined);
    let protection: KeyStoreState['protection'] = 'none';
    if (this.#thisRunOnly) protection = 'this-run-only';
    else if (bySystem) protection = 'system';
    else if (passphraseThere) protection = 'passphrase';
    else if (systemWrap) protection = 'system';
    return {
      protection,
      backend: this.#backend || systemWrap?.backend || 'none',
      locked: (found.kind === 'locked' || found.kind === 'unusable') && !this.#thisRunOnly,
      needsChoice: protection === 'none' && found.kind !== 'unusable',
      damaged: await this.#damaged(),
    };
  }

  async #damaged(): Promise<KeyStoreState['damaged']> {
    const damaged: KeyStoreState['damaged'] = [];
    if (this.#found.kind === 'unusable') {
      const { message } = this.#found.failure;
      damaged.push({ fileName: basename(this.#keyringPath), reason: message, at: this.#options.clock() });
    }
    const { folder } = this.#options;
    for (const fileName of (await readdir(folder).catch(() => [])).sort()) {
      const at = asideTime(fileName);
      if (at === null) continue;
      const reason = await readFile(join(folder, `${fileName}.txt`), 'utf8').catch(() => '');
      damaged.push({ fileName, reason: reason.trim() || say('keys.unreadable'), at });
    }
    return damaged;
  }

  #systemProtects(): boolean {
    return this.#options.system !== null && !noProtection.includes(this.#backend) && !this.#systemProblem;
  }

  /** The keys are open, or there are none yet. */
  #requireUsable(): void {
    this.#requireTouchable();
    if (this.#found.kind === 'locked') throw this.#lockedFailure(this.#found);
  }

  #requireTouchable(): void {
    if (this.#found.kind === 'unusable') throw this.#found.failure;
  }

  #lockedReason(keyring: Keyring): Said {
    if (this.#refused.has(keyring.check)) return say('keys.environment_wrong');
    const passphrase = keyring.wraps.some(({ method }) => method === 'scrypt');
    if (passphrase) return say('keys.locked');
    return this.#options.system
      ? say('keys.system_closed', { backend: this.#backend })
      : say('keys.desktop_only');
  }

  #lockedFailure({ keyring, reason }: Extract<Found, { kind: 'locked' }>): Failure {
    if (keyring.wraps.some(({ method }) => method === 'scrypt')) {
      return new Failure('locked', reason, {
        hint: say('keys.unlock'),
      });
    }
    return new Failure('locked', reason, {
      hint: this.#options.system ? say('keys.unlock_system') : say('keys.passphrase_on_desktop'),
    });
  }

  #nothingProtects(): Failure {
    const why = this.#systemProblem
      ? say('keys.system_unusable', { backend: this.#backend, systemProblem: this.#systemProblem })
      : this.#backend
        ? say('keys.system_no_protection', { backend: this.#backend })
        : say('keys.no_system');
    return new Failure('locked', say('keys.not_kept', { why }), {
      hint: say('keys.choose_passphrase'),
    });
  }

  get #lockPath(): string {
    return join(this.#options.folder, 'keys.lock');
  }

  #storePath(store: string): string {
    return join(this.#options.folder, `${store}.json`);
  }

  #candidatePath(store: string): string {
    return this.#storePath(`${store}.next`);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}

/** Changes whenever a file is replaced (each replacement is a new inode, with its own time); empty: not there. */
function signature(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.ino}:${stats.mtimeNs}:${stats.size}` : '';
}

function readKeyring(text: string): Keyring | Extract<Found, { kind: 'damaged' | 'unusable' }> {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    content = undefined;
  }
  const parsed = Keyring.safeParse(content);
  if (parsed.success) return parsed.data;
  if (isNewer(content, 1)) return { kind: 'unusable', failure: newerFailure('keyring.json') };
  return {
    kind: 'damaged',
    part: 'keyring',
    reason: say('keys.keyring_damaged'),
    keyring: null,
  };
}

async function openByPassphrase(keyring: Keyring, passphrase: string): Promise<Buffer | null> {
  for (const wrap of keyring.wraps) {
    if (wrap.method !== 'scrypt') continue;
    const dataKey = await openPassphraseWrap(wrap, keyring.store, passphrase);
    if (dataKey && fitsKeyring(dataKey, keyring)) return dataKey;
  }
  return null;
}

function isNewer(content: unknown, known: number): boolean {
  if (typeof content !== 'object' || content === null || !('version' in content)) return false;
  return typeof content.version === 'number' && content.version > known;
}

function newerFailure(fileName: string): Failure {
  return new Failure('storage', say('storage.newer', { fileName }), {
    hint: say('storage.update_file'),
  });
}

function verificationFailure(): Failure {
  return new Failure('storage', say('keys.not_read_back'), {
    hint: say('keys.check_disk'),
    retryable: true,
  });
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new Failure('storage', say('keys.cannot_be_read', { text }), { cause: error });
}

function requireLength(passphrase: string): void {
  if ([...passphrase].length >= leastPassphrase) return;
  throw new Failure('invalid_input', say('keys.passphrase_short', { least: leastPassphrase }), {
    field: 'passphrase',
    hint: say('keys.few_words'),
  });
}

function put(secrets: Secrets, profileId: string, name: SecretName, secret: StoredSecret): void {
  const names = secrets.get(profileId) ?? new Map<SecretName, StoredSecret>();
  names.set(name, secret);
  secrets.set(profileId, names);
}

function copyOf(secrets: Secrets): Secrets {
  return new Map([...secrets].map(([profileId, names]) => [profileId, new Map(names)]));
}

function merge(into: Secrets, from: Secrets): void {
  for (const [profileId, names] of from)
    for (const [name, secret] of names) put(into, profileId, name, secret);
}
