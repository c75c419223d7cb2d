import { homedir } from 'node:os';
import { join } from 'node:path';
import { dataFolderPath } from '@likeness/node-kit/storage/data_folder.ts';
import type { Command } from 'commander';
import type { CommandContext } from '../command_context.ts';

/** Adds the option that all service commands have. */
export const withFolder = (command: Command): Command =>
  command.option('--folder <folder>', 'folder for all data of the service; default: in the data folder');

/** The service's data folder. Absolute. */
export const folderOf = (
  { folder }: { folder?: string },
  { path, terminal: { environment } }: Pick<CommandContext, 'path' | 'terminal'>,
): string =>
  folder
    ? path(folder)
    : join(dataFolderPath({ platform: process.platform, environment, home: homedir() }), 'service');
