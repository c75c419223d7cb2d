import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { Failure } from '../failure.ts';
import type { CommandContext } from './command_context.ts';
import { profileNamed } from './connections.ts';

/** `likeness image submit` (A2). */
export function addImageCommands(program: Command, { withStudio, line, fell, signal }: CommandContext): void {
  program
    .command('image')
    .description('image tasks')
    .command('submit <files...>')
    .description('submit images and print the ids; the interface has no way to ask after them')
    .option('--profile <name>', 'connection; default: the default one')
    .action((files: string[], flags: { profile?: string }) =>
      withStudio(async ({ handlers, client }) => {
        const profile = await profileNamed(flags.profile, handlers);
        const server = await client(profile.id);
        for (const file of files) {
          try {
            if (!existsSync(file)) throw new Failure('not_found', 'there is no such file.');
            const { id } = await server.submitImage({ path: resolve(file) }, { signal });
            line(`${id}  ${file}`);
          } catch (error) {
            if (!(error instanceof Failure)) throw error;
            line(`✗ ${file}: ${error.message}${error.hint ? ` ${error.hint}` : ''}`);
            fell();
          }
        }
      }),
    );
}
