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
  /** Milliseconds between two checks whether Redis has forgotten the sums. @default 5000 */
  checkInterval?: number | undefined;
}

/** Lines that are counted in one step. */
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
 * Carries the lines of this node's journal to the sums on Redis that all nodes share, in their order and each once:
 * Redis keeps up to which line it has counted, beside the sums. A node that dies goes on from there with its next
 * start, and a Redis that forgot is told everything again.
 */
export class UsageShipping {
  readonly #options: UsageShippingOptions;
  readonly #linesAfter: StatementSync;
  readonly #first: StatementSync;
  readonly #checking: NodeJS.Timeout;
  /** Holds of calls, each to be given back with the line that says what the call used. */
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

  /** The call's line is written: what it held is given back when that counts. */
  endAfter(sequence: number, key: string, call: string): void {
    this.#ends.push({ sequence, key, call });
  }

  /** Counts what was written. Resolves when all of it counts, or Redis is away. */
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
    // A journal is known by its first line.
    while (this.#again) {
      this.#again = false;
      const name = this.#first.get()?.hash;
      if (typeof name !== 'string') return;
      while (await this.#shipPage(name)) {}
    }
  }

  /** @returns false where nothing is left. */
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

/** What calls used, by month and key. */
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
