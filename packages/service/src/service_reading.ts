import { randomUUID } from 'node:crypto';
import type { Verification } from '@likeness/journal/chain_verification.ts';
import { type ExportFormat, exportJournal } from '@likeness/journal/journal_export.ts';
import { monthOf } from '@likeness/journal/spending.ts';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { openAccountScripts } from './accounts/open_accounts.ts';
import { sharedUsage } from './accounts/shared_accounts.ts';
import { readKeys } from './keys/key_file.ts';
import { reportedKeys } from './keys/shared_keys.ts';
import { hasServiceRun, lockServiceFolder, serviceFolder } from './service_folder.ts';
import { openServiceJournal } from './service_journal.ts';
import { type UsageReportSource, usageSource } from './usage_report.ts';

/** Read-only view of a service's folder, also while the service runs. */
export interface ServiceReading {
  usage: UsageReportSource;
  verify(): Promise<Verification>;
  exportAudit(format: ExportFormat): AsyncGenerator<string>;
  close(): void;
}

/** @throws Failure `not_found` if no service ever ran there, `storage` */
export async function readService(path: string, clock: () => number): Promise<ServiceReading> {
  if (!hasServiceRun(path)) throw noService(path);
  const keys = await readKeys(path);
  const journal = openServiceJournal(serviceFolder(path), clock, randomUUID());
  return {
    usage: usageSource(journal, () => keys, clock),
    verify: () => journal.verify(),
    exportAudit: (format) => exportJournal(journal, format, {}),
    close: () => journal.close(),
  };
}

/**
 * Accepts missing entries of the audit log, while no service runs on the folder.
 *
 * @returns the accepted losses, a sentence each
 * @throws Failure `not_found` if no service ever ran there, `conflict` if one is running, `storage`
 */
export function acceptAuditLoss(path: string, clock: () => number): string[] {
  if (!hasServiceRun(path)) throw noService(path);
  const folder = serviceFolder(path);
  const lock = lockServiceFolder(folder);
  const journal = openServiceJournal(folder, clock, randomUUID());
  try {
    const accepted = journal.openLosses;
    journal.acceptLosses();
    return accepted;
  } finally {
    journal.close();
    lock.release();
  }
}

export const noService = (folder: string): Failure =>
  new Failure('not_found', t('service.no_service', { folder }), { hint: t('service.name_folder') });

/** Reads the usage of all nodes of a queue. Rejects if Redis is unreachable. */
export async function readSharedUsage(
  queue: string,
  clock: () => number,
): Promise<Pick<ServiceReading, 'usage' | 'close'>> {
  const { connectRedis } = await import('./queue/redis_connection.ts');
  const redis = await connectRedis(queue, 'asks', () => {});
  const keys = await reportedKeys(openAccountScripts(redis));
  const usage: UsageReportSource['usage'] = (month, ids) => sharedUsage(redis, month, ids);
  return {
    usage: { keys: () => keys, usage, thisMonth: () => monthOf(clock()) },
    close: () => redis.disconnect(),
  };
}
