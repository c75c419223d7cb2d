import { t } from '@likeness/messages';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command_context.ts';
import { withExamples } from '../output/examples.ts';
import { exitCodes } from '../output/exit_code.ts';
import { printablePiece } from '../output/printable.ts';
import { folderOf, withFolder } from './service_folder_option.ts';

/** Loaded only by these commands: it needs packages that the desktop app lacks. */
const serviceReading = () => import('@likeness/service/service_reading.ts');

/** `likeness service audit verify | accept-loss | export`. */
export function addServiceAuditCommands(service: Command, context: CommandContext): void {
  const { terminal, result, success, setExitCode, signal } = context;
  const audit = withExamples(
    service.command('audit').description('export the audit log of the service: one line per call'),
    'service audit verify',
    'service audit export > audit.jsonl',
  );
  withExamples(
    withFolder(audit.command('verify').description('check that nothing was altered, removed or reordered')),
    'service audit verify',
  ).action(async (flags: { folder?: string }) => {
    const { readService } = await serviceReading();
    const reading = await readService(folderOf(flags, context), Date.now);
    try {
      const report = await reading.verify();
      const text = t(report.ok ? 'cli.intact' : 'cli.broken', { detail: report.detail });
      if (report.ok) return success(report, text);
      result(report, text);
      setExitCode(exitCodes.other);
    } finally {
      reading.close();
    }
  });
  withExamples(
    withFolder(
      audit.command('accept-loss').description('continue without missing entries; the log records this'),
    ),
    'service audit accept-loss                # while the service does not run',
  ).action(async (flags: { folder?: string }) => {
    const { acceptAuditLoss } = await serviceReading();
    const accepted = acceptAuditLoss(folderOf(flags, context), Date.now);
    const lines = accepted.map((detail) => t('service.loss_accepted', { detail }));
    result({ accepted }, lines.length > 0 ? lines : t('service.no_loss'));
  });
  withExamples(
    withFolder(audit.command('export').description('write the audit log to standard output')),
    'service audit export > audit.jsonl        # entries as they are, hash included',
    'service audit export --format csv > audit.csv',
  )
    .addOption(
      new Option('--format <format>', 'format of the lines').choices(['csv', 'jsonl']).default('jsonl'),
    )
    .action(async (flags: { folder?: string; format: 'csv' | 'jsonl' }) => {
      const { readService } = await serviceReading();
      const reading = await readService(folderOf(flags, context), Date.now);
      try {
        for await (const piece of reading.exportAudit(flags.format)) {
          if (signal.aborted) break;
          terminal.out(printablePiece(piece));
        }
      } finally {
        reading.close();
      }
    });
}
