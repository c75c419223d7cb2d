import type { DatabaseSync } from 'node:sqlite';
import { transaction } from '@likeness/node-kit/storage/database.ts';
import {
  type DeadMessage,
  type DueMessage,
  keepMessages,
  type Webhook,
  type WebhookStore,
} from './webhook_store.ts';

const toWebhook = (row: Record<string, unknown>): Webhook => ({
  id: String(row.id),
  tenant: String(row.tenant),
  keyId: String(row.keyId),
  url: String(row.url),
  secret: String(row.secret),
  sealedBy: String(row.sealedBy),
  createdAt: Number(row.createdAt),
});

/** The webhooks of one machine. @param clock Milliseconds since 1970 UTC. */
export function createSqliteWebhookStore(db: DatabaseSync, clock: () => number): WebhookStore {
  const count = db.prepare('SELECT count(*) AS n FROM webhooks WHERE tenant = ?');
  const insert = db.prepare('INSERT INTO webhooks VALUES (?, ?, ?, ?, ?, ?, ?)');
  const of = db.prepare('SELECT * FROM webhooks WHERE tenant = ? ORDER BY createdAt');
  const find = db.prepare('SELECT * FROM webhooks WHERE id = ? AND tenant = ?');
  const remove = db.prepare('DELETE FROM webhooks WHERE id = ? AND tenant = ?');
  const removeMessages = db.prepare('DELETE FROM messages WHERE webhook = ?');
  const put = db.prepare("INSERT OR IGNORE INTO messages VALUES (?, ?, ?, ?, ?, 0, ?, 'due', '', ?)");
  const take = db.prepare(
    `UPDATE messages SET dueAt = ? WHERE id =
       (SELECT id FROM messages WHERE state = 'due' AND sealedBy = ? AND dueAt <= ?
          AND tenant NOT IN (SELECT value FROM json_each(?))
          AND webhook NOT IN (SELECT value FROM json_each(?))
        ORDER BY dueAt LIMIT 1)
     RETURNING *`,
  );
  const end = db.prepare('UPDATE messages SET state = ?, reason = ?, changedAt = ? WHERE id = ?');
  const attempt = db.prepare('UPDATE messages SET attempts = attempts + 1 WHERE id = ?');
  const delay = db.prepare('UPDATE messages SET dueAt = ? WHERE id = ?');
  const dead = db.prepare(
    "SELECT * FROM messages WHERE tenant = ? AND state = 'dead' ORDER BY changedAt DESC LIMIT ?",
  );
  const forget = db.prepare("DELETE FROM messages WHERE state <> 'due' AND changedAt < ?");
  return {
    async add({ id, tenant, keyId, url, secret, sealedBy, createdAt }, max) {
      if (Number(count.get(tenant)?.n ?? 0) >= max) return false;
      transaction(db, () => insert.run(id, tenant, keyId, url, secret, sealedBy, createdAt), 'full');
      return true;
    },
    of: async (tenant) => of.all(tenant).map(toWebhook),
    async find(id, tenant) {
      const row = find.get(id, tenant);
      return row ? toWebhook(row) : null;
    },
    async remove(id, tenant) {
      if (transaction(db, () => remove.run(id, tenant).changes, 'full') === 0) return false;
      removeMessages.run(id);
      return true;
    },
    async put({ id, webhook, tenant, body }, sealedBy) {
      put.run(id, webhook, tenant, body, sealedBy, clock(), clock());
    },
    async take(sealedBy, lease, { tenants, webhooks }): Promise<DueMessage | null> {
      const passedOver = [JSON.stringify(tenants), JSON.stringify(webhooks)];
      const row = take.get(clock() + lease, sealedBy, clock(), ...passedOver);
      if (!row) return null;
      return {
        id: String(row.id),
        webhook: String(row.webhook),
        tenant: String(row.tenant),
        body: String(row.body),
        attempts: Number(row.attempts),
      };
    },
    async sent(id) {
      attempt.run(id);
      end.run('sent', '', clock(), id);
    },
    async retry(id, after, counts) {
      if (counts) attempt.run(id);
      delay.run(clock() + after, id);
    },
    async giveUp(id, reason) {
      attempt.run(id);
      end.run('dead', reason, clock(), id);
    },
    dead: async (tenant, max) =>
      dead.all(tenant, max).map(
        (row): DeadMessage => ({
          id: String(row.id),
          webhook: String(row.webhook),
          attempts: Number(row.attempts),
          reason: String(row.reason),
          at: Number(row.changedAt),
        }),
      ),
    async sweep() {
      forget.run(clock() - keepMessages);
    },
  };
}
