import type { StatementSync } from 'node:sqlite';
import type { Journal } from '@likeness/journal/journal.ts';
import { monthOf } from '@likeness/journal/spending.ts';
import { madeModel } from '../models/made_model.ts';
import type { AccountScriptName } from '../queue/account_scripts.ts';
import type { RedisScripts } from '../queue/redis_scripts.ts';

export interface UsageShippingOptions {
  journal: Pick<Journal, 'database'>;
  scripts: Pick<RedisScripts<AccountScriptName>, 'run'>;
  onProblem: (error: unknown) => void;
  /** Milliseconds between two checks whether Redis has lost the sums. @default 5000 */
  checkInterval?: number | undefined;
}

/** Lines to count in one step. */
const page = 500;

interface Line {
  sequence: number;
  at: number;
  keyId: string;
  operation: string;
  subject: string;
  isFailed: boolean;
  seconds: number;
  frames: number;
}

/**
 * Sends the lines of this node's journal to the shared sums on Redis, in order and each once. Redis stores
 * the number of the last counted line beside the sums. A restarted node continues from there. If Redis loses
 * its data, the node sends everything again.
 */
export class UsageShipping {
  readonly #options: UsageShippingOptions;
  readonly #linesAfter: StatementSync;
  readonly #first: StatementSync;
  readonly #checking: NodeJS.Timeout;
  /** Reservations of calls, each to be released with the line that records the call's usage. */
  #ends: { sequence: number; key: string; call: string }[] = [];
  #counted = 0;
  #shipping: Promise<void> | null = null;
  #again = false;

  constructor(options: UsageShippingOptions) {
    this.#options = options;
    const { database } = options.journal;
    this.#linesAfter = database.prepare(
      `SELECT sequence, at, profileId, operation, subject, outcome, billedSeconds, billedFrames, kind, currency
       FROM entries WHERE sequence > ? ORDER BY sequence LIMIT ${page}`,
    );
    this.#first = database.prepare('SELECT hash FROM entries WHERE sequence = 1');
    this.#checking = setInterval(() => void this.ship(), options.checkInterval ?? 5000).unref();
  }

  /** The call's line is written: its reservation is released when that line counts. */
  endAfter(sequence: number, key: string, call: string): void {
    this.#ends.push({ sequence, key, call });
  }

  /** Counts the written lines. Resolves when all are counted, or Redis is unreachable. */
  async ship(): Promise<void> {
    this.#again = true;
    this.#shipping ??= this.#shipAll()
      .catch(this.#options.onProblem)
      .finally(() => {
        this.#shipping = null;
      });
    await this.#shipping;
  }

  async close(): Promise<void> {
    clearInterval(this.#checking);
    await this.#shipping;
    await this.ship();
  }

  async #shipAll(): Promise<void> {
    // The first line identifies a journal.
    while (this.#again) {
      this.#again = false;
      const name = this.#first.get()?.hash;
      if (typeof name !== 'string') return;
      while (await this.#shipPage(name)) {}
    }
  }

  /** @returns false if no lines are left. */
  async #shipPage(name: string): Promise<boolean> {
    const before = this.#counted;
    const rows = this.#linesAfter.all(before);
    const last = rows.length > 0 ? Number(rows.at(-1)!.sequence) : before;
    const lines = rows.filter(({ kind, currency }) => kind === 'call' && currency === '').map(toLine);
    const ends = this.#ends.filter(({ sequence }) => sequence <= last);
    this.#counted = await this.#options.scripts.run<number>(
      'count',
      name,
      before,
      last,
      JSON.stringify(sumsOf(lines)),
      JSON.stringify(modelsOf(lines)),
      JSON.stringify(ends.map(({ key, call }) => [key, call])),
    );
    if (this.#counted !== last) return true;
    this.#ends = this.#ends.filter((end) => !ends.includes(end));
    return rows.length === page;
  }
}

const toLine = (row: Record<string, unknown>): Line => ({
  sequence: Number(row.sequence),
  at: Number(row.at),
  keyId: String(row.profileId),
  operation: String(row.operation),
  subject: String(row.subject),
  isFailed: row.outcome === 'failed',
  seconds: Number(row.billedSeconds),
  frames: Number(row.billedFrames),
});

/** Sums the calls' usage by month and key. */
function sumsOf(lines: readonly Line[]): (string | number)[][] {
  const sums = new Map<string, [string, string, number, number, number, number]>();
  for (const { at, keyId, operation, isFailed, seconds, frames } of lines) {
    if (operation === madeModel) continue;
    const month = monthOf(at);
    const sum = sums.get(`${month} ${keyId}`) ?? [month, keyId, 0, 0, 0, 0];
    sum[2] += 1;
    sum[3] += Number(isFailed);
    sum[4] += seconds;
    sum[5] += frames;
    sums.set(`${month} ${keyId}`, sum);
  }
  return [...sums.values()];
}

const modelsOf = (lines: readonly Line[]): string[][] =>
  lines
    .filter(({ operation }) => operation === madeModel)
    .map(({ at, keyId, subject }) => [monthOf(at), keyId, subject]);
