import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { Failure } from '../failure.ts';
import type { CommandContext } from './command_context.ts';
import { profileNamed } from './connections.ts';

/** `likeness image submit` (A2) and `likeness model get` (B2): single calls to a server. */
export function addServerCommands(
  program: Command,
  { withStudio, line, fell, signal }: CommandContext,
): void {
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
  program
    .command('model')
    .description('models at a server')
    .command('get <id>')
    .description('ask a server for the state of a model')
    .option('--profile <name>', 'connection; default: the default one')
    .action((id: string, flags: { profile?: string }) =>
      withStudio(async ({ handlers, client }) => {
        const profile = await profileNamed(flags.profile, handlers);
        const server = await client(profile.id);
        const model = await server.getModel(id, { signal });
        for (const text of JSON.stringify(model, null, 2).split('\n')) line(text);
      }),
    );
}
