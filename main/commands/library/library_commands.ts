import type { Command } from 'commander';
import type { CommandContext } from '../command_context.ts';
import { withExamples } from '../output/examples.ts';
import { addAgainCommand } from './again_command.ts';
import { addEraseCommand } from './erase_command.ts';
import { addExportCommands } from './export_commands.ts';
import { addFolderCommands } from './folder_commands.ts';
import { addSearchCommands } from './search_commands.ts';

/** `likeness library …`, in the order of its help. */
export function addLibraryCommands(program: Command, context: CommandContext): void {
  const library = withExamples(
    program.command('library').description('list, search, export and erase heads'),
    'library list',
    "library search 'sex:female rating:>3'",
  );
  addSearchCommands(library, context);
  addExportCommands(library, context);
  addAgainCommand(library, context);
  addEraseCommand(library, context);
  addFolderCommands(library, context);
}
