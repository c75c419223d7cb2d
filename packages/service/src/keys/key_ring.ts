import { stat } from 'node:fs/promises';
import { changeKeys, keyFilePath, readKeys } from './key_file.ts';
import { hashOf, type ServiceKey } from './service_key.ts';
import { joinKeys, type SharedKeys } from './shared_keys.ts';

export interface KeyRingOptions {
  folder: string;
  /** Those of the other nodes, where there are others. */
  shared?: Pick<SharedKeys, 'join'> | undefined;
  /** Milliseconds since 1970 UTC. */
  clock: () => number;
  /** The keys may be others now than before, or some have expired. */
  onChanged: () => void;
  onProblem: (error: unknown) => void;
  /** Milliseconds between two checks of the file: a revoked key opens nothing after that. @default 1000 */
  checkInterval?: number | undefined;
}

/** The keys of a running service, by their hashes, as the file has them. */
export class KeyRing {
  readonly #options: KeyRingOptions;
  #byHash = new Map<string, { key: ServiceKey; endsAt: number | null }>();
  #byId = new Map<string, ServiceKey>();
  #seen = '';
  /** As the file has them. */
  #own: readonly ServiceKey[] = [];
  #hasProblem = false;
  #watching: NodeJS.Timeout | undefined;

  private constructor(options: KeyRingOptions) {
    this.#options = options;
  }

  /** @throws Failure `storage` where the file can't be read. */
  static async open(options: KeyRingOptions): Promise<KeyRing> {
    const ring = new KeyRing(options);
    await ring.#read();
    await ring.#join();
    ring.#watching = setInterval(() => void ring.reload(), options.checkInterval ?? 1000).unref();
    return ring;
  }

  /**
   * The key that a secret belongs to, while it is valid.
   *
   * It is looked up by the hash of 256 random bits: how long that takes tells nothing that helps to find another.
   */
  find(secret: string): ServiceKey | null {
    const found = this.#byHash.get(hashOf(secret));
    if (!found || !this.isValid(found.key)) return null;
    return found.endsAt === null || this.#options.clock() < found.endsAt ? found.key : null;
  }

  /** The key as it is now; null where it is gone. */
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

  /** Reads the file again if it is another. What can't be read changes nothing: the keys before hold on. */
  async reload(): Promise<void> {
    try {
      await this.#read();
      await this.#join();
      this.#hasProblem = false;
    } catch (error) {
      // Once, not every second.
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
    // By identity as well as by time: a clock that was set back hides no change.
    const seen = now ? `${now.ino} ${now.size} ${now.mtimeMs}` : 'none';
    if (seen === this.#seen) return;
    this.#own = await readKeys(folder);
    this.#seen = seen;
    // What others have changed holds on, also where this file is an older copy.
    this.#index(this.#options.shared ? joinKeys(this.all, this.#own) : this.#own);
  }

  /** Brings these and the other nodes' together, and keeps a copy of what holds. */
  async #join(): Promise<void> {
    const { folder, shared } = this.#options;
    if (!shared) return;
    const joined = await shared.join(this.#own);
    if (isSame(joined, this.#own)) return;
    this.#own = await changeKeys(folder, (own) => {
      const keys = joinKeys(joined, own);
      return { keys, result: keys };
    });
    this.#index(this.#own);
  }

  #index(keys: readonly ServiceKey[]): void {
    this.#byId = new Map(keys.map((key) => [key.id, key]));
    this.#byHash = new Map(
      keys.flatMap((key) => key.secrets.map(({ hash, endsAt }) => [hash, { key, endsAt }] as const)),
    );
  }
}

/** Of two lists that were joined: whether the second one has all of the first as it is there. */
function isSame(joined: readonly ServiceKey[], own: readonly ServiceKey[]): boolean {
  const known = new Map(own.map((key) => [key.id, key]));
  return joined.every(({ id, revision, revokedAt }) => {
    const key = known.get(id);
    return key?.revision === revision && key.revokedAt === revokedAt;
  });
}
