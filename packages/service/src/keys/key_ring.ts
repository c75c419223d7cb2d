import { stat } from 'node:fs/promises';
import { changeKeys, keyFilePath, readKeys, reserveKeySpace } from './key_file.ts';
import type { Revocations } from './revocations.ts';
import { hashOf, type ServiceKey } from './service_key.ts';
import { joinKeys, type SharedKeys } from './shared_keys.ts';

export interface KeyRingOptions {
  folder: string;
  /** The keys of the other nodes, if there are any. */
  shared?: Pick<SharedKeys, 'join'> | undefined;
  revocations: Pick<Revocations, 'add' | 'applyTo'>;
  /** Milliseconds since 1970 UTC. */
  clock: () => number;
  /** Called for each key that another node has added. */
  onForeign?: ((key: ServiceKey) => void) | undefined;
  /** Called for each key that is valid in the file although it was revoked; it stays revoked. */
  onReopened: (key: ServiceKey) => void;
  /** Called when keys may have changed or expired. */
  onChanged: () => void;
  onProblem: (error: unknown) => void;
  /**
   * Milliseconds between two checks of the file: a revoked key stops working within this time. @default 1000
   */
  checkInterval?: number | undefined;
}

/** The keys of a running service, found by their hashes. */
export class KeyRing {
  readonly #options: KeyRingOptions;
  #byHash = new Map<string, { key: ServiceKey; endsAt: number | null }>();
  #byId = new Map<string, ServiceKey>();
  #seen = '';
  /** The keys in the file. */
  #own: readonly ServiceKey[] = [];
  #hasProblem = false;
  #watching: NodeJS.Timeout | undefined;

  private constructor(options: KeyRingOptions) {
    this.#options = options;
  }

  /** @throws Failure `storage` if the file can't be read. */
  static async open(options: KeyRingOptions): Promise<KeyRing> {
    const ring = new KeyRing(options);
    await ring.#read();
    await ring.#join();
    await reserveKeySpace(options.folder);
    ring.#watching = setInterval(() => void ring.reload(), options.checkInterval ?? 1000).unref();
    return ring;
  }

  /**
   * Returns the valid key that a secret belongs to.
   *
   * The lookup uses the hash of 256 random bits, so its timing gives no help in finding a valid secret.
   */
  find(secret: string): ServiceKey | null {
    const found = this.#byHash.get(hashOf(secret));
    if (!found || !this.isValid(found.key)) return null;
    return found.endsAt === null || this.#options.clock() < found.endsAt ? found.key : null;
  }

  /** Returns the key's current state; null if it is gone. */
  byId(id: string): ServiceKey | null {
    return this.#byId.get(id) ?? null;
  }

  isValid({ id }: Pick<ServiceKey, 'id'>): boolean {
    const key = this.#byId.get(id);
    if (!key || key.revokedAt !== null) return false;
    return key.expiresAt === null || this.#options.clock() < key.expiresAt;
  }

  get all(): readonly ServiceKey[] {
    return [...this.#byId.values()];
  }

  /** Reads the file again if it changed. If that fails, the previous keys stay valid. */
  async reload(): Promise<void> {
    try {
      await this.#read();
      await this.#join();
      this.#hasProblem = false;
    } catch (error) {
      // Report once, not every second.
      if (!this.#hasProblem) this.#options.onProblem(error);
      this.#hasProblem = true;
    }
    this.#options.onChanged();
  }

  close(): void {
    clearInterval(this.#watching);
  }

  async #read(): Promise<void> {
    const { folder } = this.#options;
    const now = await stat(keyFilePath(folder)).catch(() => null);
    // Compares identity as well as time, so that setting the clock back hides no change.
    const seen = now ? `${now.ino} ${now.size} ${now.mtimeMs}` : 'none';
    if (seen === this.#seen) return;
    this.#own = await this.#withoutReopened(await readKeys(folder));
    this.#seen = seen;
    // Changes by other nodes stay valid, even if this file is an older copy.
    this.#index(this.#options.shared ? joinKeys(this.all, this.#own) : this.#own);
  }

  /** Revokes again what an older copy of the file made valid. */
  async #withoutReopened(keys: readonly ServiceKey[]): Promise<readonly ServiceKey[]> {
    const { folder, revocations, onReopened, onProblem } = this.#options;
    const kept = keys.map((key) => revocations.applyTo(key));
    const reopened = kept.filter((key, at) => key !== keys[at]);
    if (reopened.length > 0) {
      reopened.forEach(onReopened);
      // The list of keys is read from the file.
      await changeKeys(folder, (own) => ({
        keys: own.map((key) => revocations.applyTo(key)),
        result: undefined,
      })).catch(onProblem);
    }
    return kept;
  }

  /** Merges these keys with the other nodes' and stores a copy of the result. */
  async #join(): Promise<void> {
    const { folder, shared } = this.#options;
    if (!shared) return;
    const joined = await shared.join(this.#own);
    if (isSame(joined, this.#own)) return;
    const known = new Set(this.#own.map(({ id }) => id));
    for (const key of joined) if (!known.has(key.id)) this.#options.onForeign?.(key);
    this.#own = await changeKeys(folder, (own) => {
      const keys = joinKeys(joined, own);
      return { keys, result: keys };
    });
    this.#index(this.#own);
  }

  #index(keys: readonly ServiceKey[]): void {
    try {
      this.#options.revocations.add(keys);
    } catch (error) {
      this.#options.onProblem(error);
    }
    this.#byId = new Map(keys.map((key) => [key.id, key]));
    this.#byHash = new Map(
      keys.flatMap((key) => key.secrets.map(({ hash, endsAt }) => [hash, { key, endsAt }] as const)),
    );
  }
}

/** Whether the second of two merged lists contains every key of the first unchanged. */
function isSame(joined: readonly ServiceKey[], own: readonly ServiceKey[]): boolean {
  const known = new Map(own.map((key) => [key.id, key]));
  return joined.every(({ id, revision, revokedAt }) => {
    const key = known.get(id);
    return key?.revision === revision && key.revokedAt === revokedAt;
  });
}
