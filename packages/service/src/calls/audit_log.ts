import { Refusal } from '@likeness/engine/http/refusal.ts';
import type { Journal } from '@likeness/journal/journal.ts';
import type { CallRecord } from '@likeness/journal/metered_call.ts';
import { t } from '@likeness/messages';

/** Milliseconds between retries while the disk refuses writes. */
const tryAgainAfter = 2000;
/** Maximum entries on their way to the disk; beyond it, callers wait until there are fewer. */
const maxInFlight = 20_000;

export interface AuditLogOptions {
  journal: Pick<Journal, 'shared'>;
  onProblem: (error: unknown) => void;
}

/**
 * Writes one line per call to the hash-chained journal. Calls that end at about the same time share a flush.
 *
 * A call without a line would be unbilled work. While the journal can't be written, `check` refuses
 * operations that cost something.
 */
export class AuditLog {
  readonly #options: AuditLogOptions;
  #pendingLines = 0;
  #failedAt: number | null = null;
  #idle: (() => void)[] = [];

  constructor(options: AuditLogOptions) {
    this.#options = options;
  }

  /** Whether the last line could be written. */
  get isWritable(): boolean {
    return this.#failedAt === null;
  }

  /** @throws {Refusal} 507 `disk_full`, 503 `busy` */
  check(): void {
    if (this.#failedAt !== null && performance.now() - this.#failedAt < tryAgainAfter) throw notWritable();
    if (this.#pendingLines >= maxInFlight) throw busy();
  }

  /** @returns The line's number once it is on disk; null if writing failed. Never rejects. */
  async write(call: CallRecord): Promise<number | null> {
    this.#pendingLines += 1;
    try {
      const { sequence } = await this.#options.journal.shared.append(call);
      this.#failedAt = null;
      return sequence;
    } catch (error) {
      if (this.#failedAt === null) this.#options.onProblem(error);
      this.#failedAt = performance.now();
      return null;
    } finally {
      this.#pendingLines -= 1;
      if (this.#pendingLines === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }

  /** Resolves when all lines are written. */
  async written(): Promise<void> {
    if (this.#pendingLines > 0) await new Promise<void>((resolve) => void this.#idle.push(resolve));
  }
}

function notWritable(): Refusal {
  return new Refusal(507, 'audit_unwritable', t('refusal.audit_unwritable'), {
    headers: { 'retry-after': '5' },
  });
}

function busy(): Refusal {
  return new Refusal(503, 'busy', t('refusal.audit_busy'), { headers: { 'retry-after': '1' } });
}
