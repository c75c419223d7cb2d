import type { DatabaseSync } from 'node:sqlite';
import { transaction } from '@likeness/node-kit/storage/database.ts';
import type { ServiceKey } from './service_key.ts';

/** The revoked keys, kept apart from the key file: an older copy of that file makes none of them valid again. */
export class Revocations {
  readonly #db: DatabaseSync;
  readonly #known: Map<string, number>;

  constructor(db: DatabaseSync) {
    this.#db = db;
    const rows = db.prepare('SELECT keyId, at FROM revocations').all();
    this.#known = new Map(rows.map(({ keyId, at }) => [String(keyId), Number(at)]));
  }

  /** Remembers the revoked ones of these keys. @throws Failure `storage`; they are remembered until the process ends */
  add(keys: readonly ServiceKey[]): void {
    const fresh = keys.flatMap(({ id, revokedAt }) =>
      revokedAt === null || this.#known.has(id) ? [] : [{ id, revokedAt }],
    );
    if (fresh.length === 0) return;
    for (const { id, revokedAt } of fresh) this.#known.set(id, revokedAt);
    transaction(
      this.#db,
      () => {
        const insert = this.#db.prepare('INSERT OR IGNORE INTO revocations (keyId, at) VALUES (?, ?)');
        for (const { id, revokedAt } of fresh) insert.run(id, revokedAt);
      },
      'full',
    );
  }

  /** @returns The key as revoked, if it was revoked before; otherwise the key itself. */
  applyTo(key: ServiceKey): ServiceKey {
    const at = this.#known.get(key.id);
    if (at === undefined || key.revokedAt !== null) return key;
    return { ...key, revision: key.revision + 1, revokedAt: at, secrets: [] };
  }
}
