import { t } from '@likeness/messages';
import { isMonth, usageCsv, usageOf } from '@likeness/service/usage_report.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../command_context.ts';
import { withExamples } from '../output/examples.ts';
import { folderOf, withFolder } from './service_folder_option.ts';
import { sharedRefusal, withQueue } from './service_worker.ts';

/** `likeness service usage`. */
export function addServiceUsageCommand(service: Command, context: CommandContext): void {
  const { terminal, result } = context;
  withExamples(
    withQueue(withFolder(service.command('usage').description('show usage by key and month'))),
    'service usage',
    'service usage --month 2026-11 --format csv > usage.csv',
  )
    .option('--month <month>', 'month such as 2026-11, UTC; default: this month', month)
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'csv']).default('text'))
    .action(async (flags: { folder?: string; queue?: string; month?: string; format: 'text' | 'csv' }) => {
      // Loaded only here: it needs packages that the desktop app lacks.
      const { readService, readSharedUsage } = await import('@likeness/service/service_reading.ts');
      const reading =
        flags.queue === undefined
          ? await readService(folderOf(flags, context), Date.now)
          : await readSharedUsage(flags.queue, Date.now).catch((error: unknown) => {
              throw sharedRefusal(error);
            });
      try {
        const month = flags.month ?? reading.usage.thisMonth();
        const keys = await usageOf(reading.usage, month);
        if (flags.format === 'csv') terminal.out(usageCsv(month, keys));
        else {
          const lines = keys.map(({ tenant, name, calls, seconds, frames, models }) =>
            t('service.usage', {
              name: tenant === name ? name : `${tenant}: ${name}`,
              calls,
              seconds: seconds.toFixed(1),
              frames,
              models,
            }),
          );
          result({ month, keys }, lines.length > 0 ? lines : t('service.no_keys'));
        }
      } finally {
        reading.close();
      }
    });
}

function month(text: string): string {
  if (!isMonth(text)) throw new InvalidArgumentError('a month such as 2026-11');
  return text;
}
