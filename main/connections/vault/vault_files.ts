import { statSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { inEnglish, type Message, restoredMessage, storedMessage, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import {
  commitFile,
  readFileIfThere,
  syncFolder,
  writeFileAtomically,
} from '@likeness/node-kit/storage/atomic_file.ts';
import { quarantinePath, quarantineTime } from '@likeness/node-kit/storage/quarantine.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { KeyStoreState, SecretName } from '#contract';
import { Keyring } from './keyring.ts';
import { type OpenSecretFile, StoredSecrets, secretFileOptions, secretsVersion } from './secret_file.ts';
import { putSecret, type SecretMap } from './secret_map.ts';
import type { DamagedVault, OpenVault, UnfinishedVault, UnusableVault } from './vault_state.ts';

/** The file operations of the vault, so that a test can simulate a power cut between any two of them. */
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

const storeFileName = /^keys-[0-9a-f]{16}\.json$/;
const candidateFileName = /^keys-[0-9a-f]{16}\.next\.json$/;

/** A valid keyring whose keys are not opened yet. */
interface ClosedVault {
  kind: 'closed';
  keyring: Keyring;
}

/**
 * The vault's files: `keyring.json` (the wrapped data key, see `Keyring`) and `keys-….json` (all secrets in
 * one file, AES-256-GCM, written by electron-store or conf). The keyring names the keys file, so that
 * replacing the keyring switches to a new data key atomically. The steps:
 *
 * 1. Write the new keys under a `.next` name, and read them back.
 * 2. Write the keyring, read it back, and open it each way.
 * 3. Rename the new keys (the next start does it after a crash here).
 * 4. Delete the old keys.
 *
 * A crash anywhere leaves the old pair or the new one.
 */
export class VaultFiles {
  readonly #folder: string;
  readonly #openFile: OpenSecretFile;
  readonly #disk: KeyDisk;
  readonly #keyringPath: string;
  /** The stamp of the files at the last read. */
  #seen = { keyring: 'never looked', keys: '' };

  constructor(folder: string, openFile: OpenSecretFile, disk: KeyDisk = realDisk) {
    this.#folder = folder;
    this.#openFile = openFile;
    this.#disk = disk;
    this.#keyringPath = join(folder, 'keyring.json');
  }

  /** For `withFileLock`. */
  get lockPath(): string {
    return join(this.#folder, 'keys.lock');
  }

  /** @throws Failure `storage` if the folder can't be created. */
  async makeFolder(): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      if (process.platform !== 'win32') await chmod(this.#folder, 0o700);
    } catch (error) {
      throw storageFailure(error, this.#folder);
    }
  }

  // ── Reading ───────────────────────────────────────────────────────────────────────────────────────────

  /** Whether the files are unchanged since the last read. @param keyring - Its content; null: none. */
  areAsRead(keyring: Keyring | null): boolean {
    if (this.#seen.keyring !== signature(this.#keyringPath)) return false;
    return keyring === null || this.#seen.keys === signature(this.#storePath(keyring.store));
  }

  async readKeyring(): Promise<
    { kind: 'empty' } | ClosedVault | UnusableVault | UnfinishedVault | DamagedVault
  > {
    let bytes: Buffer | null;
    let strays: string[];
    // Taken before reading: a file replaced during the read differs from this at the next check.
    this.#seen = { keyring: signature(this.#keyringPath), keys: '' };
    try {
      bytes = await readFileIfThere(this.#keyringPath);
      strays = (await readdir(this.#folder)).filter((name) => storeFileName.test(name));
    } catch (error) {
      return this.unusable(error);
    }
    if (bytes === null) {
      if (strays.length === 0) return { kind: 'empty' };
      return { kind: 'damaged', part: 'keyring', reason: t('keys.keyring_missing'), keyring: null };
    }
    const read = parseKeyring(bytes.toString('utf8'));
    if (read.kind !== 'closed') return read;
    const { keyring } = read;
    this.#seen.keys = signature(this.#storePath(keyring.store));
    if (this.#seen.keys === '' && signature(this.#candidatePath(keyring.store)) !== '') {
      return { kind: 'unfinished', keyring };
    }
    return read;
  }

  readSecrets(keyring: Keyring, dataKey: Buffer): OpenVault | UnusableVault | DamagedVault {
    const path = this.#storePath(keyring.store);
    const damaged = (reason: Message): DamagedVault => ({ kind: 'damaged', part: 'keys', reason, keyring });
    // conf treats a missing file as empty; here that is an error, because the keys are written before the
    // keyring.
    if (!statSync(path, { throwIfNoEntry: false })) return damaged(t('keys.file_missing'));
    let content: unknown;
    try {
      content = this.#openFile(secretFileOptions(this.#folder, keyring.store, dataKey)).store;
    } catch (error) {
      const failure = storageFailure(error, path);
      if (failure instanceof Failure) return { kind: 'unusable', failure };
      return damaged(t('keys.file_altered'));
    }
    const parsed = StoredSecrets.safeParse(content);
    if (parsed.success) return { kind: 'open', keyring, dataKey, secrets: secretsIn(parsed.data) };
    if (isNewer(content, secretsVersion)) return { kind: 'unusable', failure: newerFailure(basename(path)) };
    return damaged(t('keys.file_other'));
  }

  /** Report a disk error, but let the studio start. */
  unusable(error: unknown): UnusableVault {
    return { kind: 'unusable', failure: asFailure(storageFailure(error, this.#keyringPath)) };
  }

  // ── Writing ───────────────────────────────────────────────────────────────────────────────────────────

  /** Delete the old file only after the new one was read back from disk and matches. */
  async writeSecrets(store: string, dataKey: Buffer, secrets: SecretMap): Promise<void> {
    await this.prepareSecrets(store, dataKey, secrets);
    await this.commitSecrets(store);
  }

  /** Writes the keys under their `.next` name and reads them back. */
  async prepareSecrets(store: string, dataKey: Buffer, secrets: SecretMap): Promise<void> {
    const content = {
      version: secretsVersion,
      secrets: Object.fromEntries([...secrets].map(([id, names]) => [id, Object.fromEntries(names)])),
    };
    const candidatePath = this.#candidatePath(store);
    const open = () => this.#openFile(secretFileOptions(this.#folder, `${store}.next`, dataKey));
    try {
      await this.#disk.remove(candidatePath);
      open().store = content;
      const readBack = StoredSecrets.parse(open().store);
      if (!isDeepStrictEqual(readBack, StoredSecrets.parse(content))) throw verificationFailure();
      await syncFolder(this.#folder);
    } catch (error) {
      // Report the first error, not that of the removal.
      await this.#disk.remove(candidatePath).catch(() => undefined);
      throw storageFailure(error, this.#storePath(store));
    }
  }

  /** Renames prepared keys to their final name. */
  async commitSecrets(store: string): Promise<void> {
    await this.#disk.commit(this.#candidatePath(store), this.#storePath(store));
  }

  async removeSecrets(store: string): Promise<void> {
    await this.#disk.remove(this.#storePath(store));
  }

  /**
   * Replaces the keyring after it was read back from disk.
   *
   * @param opens - Whether it opens each way that is possible here.
   */
  async writeKeyring(keyring: Keyring, opens: (readBack: Keyring) => Promise<boolean>): Promise<void> {
    await this.#disk.write(this.#keyringPath, `${JSON.stringify(keyring, null, 2)}\n`, {
      mode: 0o600,
      verify: async (temporaryPath) => {
        const readBack = parseKeyring(await readFile(temporaryPath, 'utf8'));
        if (readBack.kind !== 'closed' || !isDeepStrictEqual(readBack.keyring, keyring)) {
          throw verificationFailure();
        }
        if (!(await opens(readBack.keyring))) throw verificationFailure();
      },
    });
  }

  /** Removes leftovers of an interrupted change: keys under a data key that was replaced, or never used. */
  async sweep(store: string): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const stray = storeFileName.test(name) && name !== `${store}.json`;
      if (stray || candidateFileName.test(name)) await this.#disk.remove(join(this.#folder, name));
    }
  }

  // ── Damaged files ─────────────────────────────────────────────────────────────────────────────────────

  /**
   * Renames damaged files as such, and writes the reason beside them. Deletes nothing.
   *
   * @param at - Milliseconds since 1970.
   */
  async quarantine(part: 'keyring' | 'keys', reason: Message, at: number): Promise<void> {
    const folder = this.#folder;
    const keys = (await readdir(folder)).filter((name) => storeFileName.test(name));
    const keyringThere = (await readFileIfThere(this.#keyringPath).catch(() => null)) !== null;
    const quarantined: string[] = [];
    for (const name of keys) {
      const path = quarantinePath(join(folder, 'keys.json'), at);
      await this.#disk.move(join(folder, name), path);
      quarantined.push(path);
    }
    if (keyringThere) {
      const path = quarantinePath(this.#keyringPath, at);
      // Damaged keys may still be recoverable with their keyring, which stays in use.
      if (part === 'keys') await this.#disk.copy(this.#keyringPath, path);
      else await this.#disk.move(this.#keyringPath, path);
      quarantined.push(path);
    }
    for (const path of quarantined) await writeFile(`${path}.txt`, noteOf(reason), { mode: 0o600 });
    await syncFolder(folder);
  }

  async quarantined(): Promise<KeyStoreState['damaged']> {
    const found: KeyStoreState['damaged'] = [];
    for (const fileName of (await readdir(this.#folder).catch(() => [])).sort()) {
      const at = quarantineTime(fileName);
      if (at === null) continue;
      const note = await readFile(join(this.#folder, `${fileName}.txt`), 'utf8').catch(() => '');
      found.push({ fileName, reason: reasonIn(note) || t('keys.no_reason'), at });
    }
    return found;
  }

  #storePath(store: string): string {
    return join(this.#folder, `${store}.json`);
  }

  #candidatePath(store: string): string {
    return this.#storePath(`${store}.next`);
  }
}

/** Why a file was quarantined: in English for a reader of the folder, then by key for the studio. */
const noteOf = (reason: Message): string => `${inEnglish(reason)}\n${storedMessage(reason) ?? ''}\n`;

/** Notes of an earlier studio are one line, in English. */
function reasonIn(note: string): Message {
  const [text = '', stored] = note.trim().split('\n');
  return restoredMessage(text, stored);
}

/** Changes whenever a file is replaced (each replacement is a new inode with a new time); empty: missing. */
function signature(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.ino}:${stats.mtimeNs}:${stats.size}` : '';
}

function parseKeyring(text: string): ClosedVault | UnusableVault | DamagedVault {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    content = undefined;
  }
  const parsed = Keyring.safeParse(content);
  if (parsed.success) return { kind: 'closed', keyring: parsed.data };
  if (isNewer(content, 1)) return { kind: 'unusable', failure: newerFailure('keyring.json') };
  return { kind: 'damaged', part: 'keyring', reason: t('keys.keyring_damaged'), keyring: null };
}

function secretsIn({ secrets: stored }: StoredSecrets): SecretMap {
  const secrets: SecretMap = new Map();
  for (const [profileId, names] of Object.entries(stored)) {
    for (const [name, secret] of Object.entries(names)) {
      putSecret(secrets, profileId, name as SecretName, secret);
    }
  }
  return secrets;
}

function isNewer(content: unknown, known: number): boolean {
  if (typeof content !== 'object' || content === null || !('version' in content)) return false;
  return typeof content.version === 'number' && content.version > known;
}

function newerFailure(fileName: string): Failure {
  return new Failure('storage', t('storage.newer', { fileName }), { hint: t('storage.update_file') });
}

function verificationFailure(): Failure {
  return new Failure('storage', t('keys.not_read_back'), {
    hint: t('keys.check_disk'),
    retryable: true,
  });
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new Failure('storage', t('keys.cannot_be_read', { text }), { cause: error });
}
