import type { MakersOptions } from '@likeness/engine/models/makers.ts';
import type { Command } from 'commander';
import type { CommandContext } from '../command_context.ts';
import { withExamples } from '../output/examples.ts';
import { addServiceAuditCommands } from './service_audit.ts';
import { addServiceBackupCommand } from './service_backup.ts';
import { addServiceKeysCommands } from './service_keys.ts';
import { addServiceStartCommand } from './service_start.ts';
import { addServiceUsageCommand } from './service_usage.ts';
import { addServiceWorkerCommand } from './service_worker.ts';

/** `likeness service start | worker | keys | usage | audit | backup`. */
export function addServiceCommands(
  program: Command,
  context: CommandContext,
  engine: { version: string; engineFiles: MakersOptions | undefined },
): void {
  const service = withExamples(
    program.command('service').description('run the engine as a service for a team: docs/service.md'),
    'service start',
    'service keys add ada',
    'service usage --format csv',
  );
  addServiceStartCommand(service, context, engine);
  addServiceWorkerCommand(service, context);
  addServiceKeysCommands(service, context);
  addServiceUsageCommand(service, context);
  addServiceAuditCommands(service, context);
  addServiceBackupCommand(service, context);
}
