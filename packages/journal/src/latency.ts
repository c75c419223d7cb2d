import type { DatabaseSync } from 'node:sqlite';
import { percentile } from '@likeness/proto/percentile.ts';
import { type Latency, latencyTargetMs } from './journal_entry.ts';

/** Newest measurements per operation for the percentiles; more would hardly change them. */
const sample = 5000;
/** Measurements in the plot. */
const plotted = 300;

const measured = "kind = 'call' AND firstByteMs IS NOT NULL";

/**
 * Returns the time to the first byte of servers' answers, per operation, against the interface's target.
 *
 * @param since - Milliseconds since 1970.
 */
export function latencySince(db: DatabaseSync, since: number): Latency {
  const operations: Latency['operations'] = [];
  for (const operation of operationsOf(db)) {
    const count = Number(
      db
        .prepare(`SELECT count(*) AS n FROM entries WHERE operation = ? AND at >= ? AND ${measured}`)
        .get(operation, since)?.n ?? 0,
    );
    if (count === 0) continue;
    const newest = db
      .prepare(
        `SELECT firstByteMs FROM entries WHERE operation = ? AND at >= ? AND ${measured} ORDER BY at DESC LIMIT ${sample}`,
      )
      .all(operation, since);
    const measurements = newest.map((row) => Number(row.firstByteMs));
    const p95 = percentile(measurements, 0.95);
    operations.push({
      operation,
      count,
      p50: percentile(measurements, 0.5),
      p95,
      withinTarget: p95 <= latencyTargetMs,
    });
  }
  const recent = db
    .prepare(
      `SELECT at, operation, firstByteMs AS milliseconds, outcome FROM entries INDEXED BY entries_by_time
       WHERE at >= ? AND ${measured} ORDER BY at DESC LIMIT ${plotted}`,
    )
    .all(since)
    .map((row) => ({
      at: Number(row.at),
      operation: String(row.operation),
      milliseconds: Number(row.milliseconds),
      ok: row.outcome === 'ok',
    }))
    .reverse();
  return { operations, recent };
}

/** Returns all operations with measurements, each found by one index look-up. */
function operationsOf(db: DatabaseSync): string[] {
  const next = db.prepare(
    `SELECT operation FROM entries WHERE operation > ? AND ${measured} ORDER BY operation LIMIT 1`,
  );
  const found: string[] = [];
  for (let row = next.get(''); row !== undefined; row = next.get(String(row.operation))) {
    found.push(String(row.operation));
  }
  return found;
}
