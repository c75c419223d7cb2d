import { t } from '@likeness/messages';
import type { Command } from 'commander';
import type { CommandContext } from '../command_context.ts';
import { withExamples } from '../output/examples.ts';
import { folderOf, withFolder } from './service_folder_option.ts';

/** `likeness service backup`. */
export function addServiceBackupCommand(service: Command, context: CommandContext): void {
  withExamples(
    withFolder(
      service
        .command('backup <target>')
        .description('copy keys, audit log, queue and heads to a new folder, also while the service runs'),
    ),
    'service backup /backups/likeness-2026-11-28',
  ).action(async (target: string, flags: { folder?: string }) => {
    // Loaded only here: it needs packages that the desktop app lacks.
    const { backUpService } = await import('@likeness/service/operators/backup.ts');
    const folder = context.path(target);
    await backUpService(folderOf(flags, context), folder);
    context.success({ folder }, t('service.backed_up', { folder }));
  });
}
