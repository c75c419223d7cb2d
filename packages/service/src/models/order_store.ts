import type { DatabaseSync } from 'node:sqlite';
import type { Completion } from '@likeness/engine/models/model_jobs.ts';
import type { ModelKind } from '@likeness/engine/models/model_record.ts';
import { type Migration, transaction } from '@likeness/node-kit/storage/database.ts';
import type { WalFlush } from '@likeness/node-kit/wal_flush.ts';

export const serviceMigrations: readonly Migration[] = [
  `
  -- Which key ordered a model, until it is billed or over; kept a while longer for orders that are repeated.
  CREATE TABLE orders (
    model TEXT PRIMARY KEY,
    tenant TEXT NOT NULL,
    keyId TEXT NOT NULL,
    idempotencyKey TEXT,
    at INTEGER NOT NULL,
    isOpen INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX open_orders ON orders (keyId) WHERE isOpen = 1;
  CREATE INDEX orders_by_idempotency ON orders (tenant, idempotencyKey) WHERE idempotencyKey IS NOT NULL;
  CREATE INDEX orders_by_age ON orders (at);
  -- Models that were finished before their order was known here, or that another machine took.
  CREATE TABLE unclaimed (
    model TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    seconds REAL NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- Up to which completion all is billed.
  CREATE TABLE position (one INTEGER PRIMARY KEY CHECK (one = 1), cursor TEXT NOT NULL) STRICT;
  `,
  `
  ALTER TABLE unclaimed ADD COLUMN kind TEXT NOT NULL DEFAULT 'head';
  CREATE TABLE webhooks (
    id TEXT PRIMARY KEY,
    tenant TEXT NOT NULL,
    keyId TEXT NOT NULL,
    url TEXT NOT NULL,
    -- Sealed; by which seal.
    secret TEXT NOT NULL,
    sealedBy TEXT NOT NULL,
    createdAt INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX webhooks_by_tenant ON webhooks (tenant);
  CREATE TABLE messages (
    id TEXT PRIMARY KEY,
    webhook TEXT NOT NULL,
    tenant TEXT NOT NULL,
    body TEXT NOT NULL,
    sealedBy TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    dueAt INTEGER NOT NULL,
    -- due, sent or dead
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    changedAt INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX due_messages ON messages (sealedBy, dueAt) WHERE state = 'due';
  CREATE INDEX messages_by_tenant ON messages (tenant, state, changedAt);
  CREATE INDEX messages_by_webhook ON messages (webhook);
  `,
  'CREATE TABLE revocations (keyId TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID',
];

/** One order of a model. */
export interface ModelOrderEntry {
  model: string;
  tenant: string;
  keyId: string;
  idempotencyKey: string | null;
}

export type OrderStore = ReturnType<typeof createOrderStore>;

/**
 * Creates the store of orders: functions on the tables `orders`, `unclaimed` and `position`. Times are ms
 * since 1970 UTC.
 *
 * Orders and erasures survive a power cut. A power cut may undo other writes, latest first. They are then
 * read again from the queue's completions, and the journal refuses a second bill.
 */
export function createOrderStore(db: DatabaseSync, wal: Pick<WalFlush, 'flushed'>) {
  const insert = db.prepare('INSERT OR IGNORE INTO orders VALUES (?, ?, ?, ?, ?, 1)');
  const open = db.prepare('SELECT * FROM orders WHERE isOpen = 1');
  const openOf = db.prepare('SELECT count(*) AS n FROM orders WHERE keyId = ? AND isOpen = 1');
  const byModel = db.prepare('SELECT * FROM orders WHERE model = ?');
  const repeated = db.prepare('SELECT 1 FROM orders WHERE tenant = ? AND idempotencyKey = ? LIMIT 1');
  const close = db.prepare('UPDATE orders SET isOpen = 0 WHERE model = ?');
  const putAside = db.prepare('INSERT OR IGNORE INTO unclaimed VALUES (?, ?, ?, ?)');
  const claim = db.prepare('DELETE FROM unclaimed WHERE model = ? RETURNING at, seconds, kind');
  const position = db.prepare('SELECT cursor FROM position');
  const moveTo = db.prepare('INSERT OR REPLACE INTO position VALUES (1, ?)');
  const forgetOrders = db.prepare('DELETE FROM orders WHERE isOpen = 0 AND at < ?');
  const forgetUnclaimed = db.prepare('DELETE FROM unclaimed WHERE at < ?');
  const ofTenant = db.prepare('DELETE FROM orders WHERE tenant = ? AND isOpen = 0');

  const toOrder = (row: Record<string, unknown>): ModelOrderEntry => ({
    model: String(row.model),
    tenant: String(row.tenant),
    keyId: String(row.keyId),
    idempotencyKey: row.idempotencyKey === null ? null : String(row.idempotencyKey),
  });
  return {
    /**
     * Records an order; the first key that ordered a model pays. Resolves when the order survives a power
     * cut.
     */
    async add({ model, tenant, keyId, idempotencyKey }: ModelOrderEntry, at: number): Promise<void> {
      insert.run(model, tenant, keyId, idempotencyKey, at);
      await wal.flushed();
    },
    /** Orders that are neither billed nor ended. */
    open: (): ModelOrderEntry[] => open.all().map(toOrder),
    openCount: (keyId: string): number => Number(openOf.get(keyId)?.n ?? 0),
    find(model: string): ModelOrderEntry | null {
      const row = byModel.get(model);
      return row ? toOrder(row) : null;
    },
    /** Whether a tenant has already ordered with this idempotency key. */
    isRepeated: (tenant: string, idempotencyKey: string): boolean =>
      repeated.get(tenant, idempotencyKey) !== undefined,
    close(model: string): void {
      close.run(model);
    },
    putAside({
      id,
      at,
      seconds,
      kind,
    }: Omit<Completion, 'cursor' | 'owner' | 'account' | 'orderedAt'>): void {
      putAside.run(id, at, seconds, kind);
    },
    /** Removes and returns a completion that was put aside; null if there is none. */
    claim(model: string): Pick<Completion, 'at' | 'seconds' | 'kind'> | null {
      const row = claim.get(model);
      return row ? { at: Number(row.at), seconds: Number(row.seconds), kind: row.kind as ModelKind } : null;
    },
    cursor: (): string | null => (position.get()?.cursor as string | undefined) ?? null,
    moveTo(cursor: string): void {
      moveTo.run(cursor);
    },
    forgetBefore(at: number): void {
      forgetOrders.run(at);
      forgetUnclaimed.run(at);
    },
    forgetTenant(tenant: string): void {
      transaction(db, () => ofTenant.run(tenant), 'full');
    },
  };
}
