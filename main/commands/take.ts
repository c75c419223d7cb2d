import { createReadStream, existsSync } from 'node:fs';
import { parse, resolve } from 'node:path';
import type { Command } from 'commander';
import { type Take, takeFormats } from '#contract';
import { say } from '#sentences';
import { Failure } from '../failure.ts';
import { makeFolderForThePerson, saveForThePerson } from '../storage/private_files.ts';
import type { Studio } from '../studio.ts';
import type { CommandContext } from './command_context.ts';
import { withExamples } from './output/examples.ts';
import { outcomesOf } from './output/outcomes.ts';
import { addTakeEditCommands } from './take_edit.ts';
import { addTakeListCommands, noTake } from './take_list.ts';
import { formatsOf } from './talk.ts';

interface ExportFlags {
  out: string;
  all: boolean;
  format: (typeof takeFormats)[number][];
  head?: string;
  overwrite: boolean;
}

/** `likeness take …`: recordings of voice and face. */
export function addTakeCommands(program: Command, context: CommandContext): void {
  const { withStudio, success, path } = context;
  const take = withExamples(
    program.command('take').description('recordings of voice and face'),
    'take list',
    'take export --all --out takes',
  );
  addTakeListCommands(take, context);
  addTakeEditCommands(take, context);
  withExamples(
    take.command('export [ids...]').description('write takes as other programs read them'),
    'take export <id> --out takes --format glb,livelink',
    'take export --all --out takes --overwrite --json',
  )
    .requiredOption('--out <folder>', 'where to write')
    .option('--all', 'all takes', false)
    .option('--format <formats>', `some of ${takeFormats.join(',')}`, formatsOf, ['glb'])
    .option('--head <id>', 'head of a GLB or FBX, in the library; default: the one it was made with')
    .option('--overwrite', 'write over files of the same names', false)
    .action((ids: string[], flags: ExportFlags) => {
      if (ids.length > 0 === flags.all) {
        throw new Failure('invalid_input', say('cli.say_which_takes'), {
          hint: say('cli.list_takes'),
        });
      }
      return withStudio(async (studio) => {
        const known = await studio.handlers.takes.list(undefined);
        const outcomes = outcomesOf(context, 'id');
        const written = new Set<string>();
        for (const id of flags.all ? known.map((one) => one.id) : ids) {
          await outcomes.of(id, async () => {
            const one = known.find((candidate) => candidate.id === id);
            if (!one) throw noTake(id);
            const files = await exportOne(studio, one, { ...flags, out: path(flags.out) }, written);
            success({ id, name: one.name, written: files }, `✓ ${one.name}: ${files.join(', ')}`);
          });
        }
        outcomes.end();
      });
    });
  withExamples(
    take
      .command('trash <ids...>')
      .description('put takes into the trash, from where the window brings them back'),
    'take trash <id>',
  ).action((ids: string[]) =>
    withStudio(async ({ handlers: { takes } }) => {
      const outcomes = outcomesOf(context, 'id');
      for (const id of ids) {
        await outcomes.of(id, async () => {
          await takes.trash({ id });
          success({ id, trashed: true }, say('cli.take_in_trash', { id }));
        });
      }
      outcomes.end();
    }),
  );
  withExamples(
    take
      .command('erase <ids...>')
      .description('erase takes for good: voice, face and record, from the list or the trash'),
    'take erase <id>                           # only says what would go',
    'take erase <id> --yes --json',
  )
    .option('--yes', 'do it; without, only say what would go', false)
    .action((ids: string[], { yes }: { yes: boolean }) =>
      withStudio(async ({ handlers: { takes } }) => {
        const known = [...(await takes.list(undefined)), ...(await takes.trashed(undefined))];
        const missing = ids.find((id) => !known.some((one) => one.id === id));
        if (missing !== undefined) throw noTake(missing);
        if (!yes) {
          throw new Failure('not_allowed', say('cli.takes_would_be_erased', { count: ids.length }), {
            hint: say('cli.repeat_with_yes'),
          });
        }
        const { erased } = await takes.erase({ ids });
        success({ ids, erased }, say('cli.takes_erased', { erased }));
      }),
    );
}

/**
 * @returns Absolute paths of what was written. @throws Failure `conflict` where a file is there, `not_found`,
 * `storage`
 */
async function exportOne(
  { handlers, asset }: Studio,
  { id, model }: Take,
  { out, format: formats, head, overwrite }: ExportFlags,
  written: Set<string>,
): Promise<string[]> {
  const made = new Map<string, string>();
  for (const format of formats) {
    const { files } = await handlers.takes.export({ id, format, modelId: head ?? (model || null) });
    for (const { fileName, exportId } of files) made.set(fileName, exportId);
  }
  // Two takes of one name in one run: the second one's files bear its id.
  const place = (fileName: string): string => {
    const { name, ext } = parse(fileName);
    const path = resolve(out, fileName);
    return written.has(path) ? resolve(out, `${name}-${id}${ext}`) : path;
  };
  const targets = [...made].map(([fileName, exportId]) => ({ path: place(fileName), exportId }));
  const there = targets.find(({ path }) => !overwrite && existsSync(path));
  if (there) {
    throw new Failure('conflict', say('cli.path_there_already', { path: there.path }), {
      hint: say('cli.other_folder'),
    });
  }
  makeFolderForThePerson(resolve(out));
  for (const { path, exportId } of targets) {
    const from = await asset('take-export', exportId);
    if (from === null) throw new Failure('storage', say('cli.export_gone'));
    await saveForThePerson(path, createReadStream(from));
    written.add(path);
  }
  return targets.map(({ path }) => path);
}
