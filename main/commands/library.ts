import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import {
  channelNames,
  exportFormats,
  type Library,
  type ModelCard,
  type ModelQuery,
  searchFields,
} from '#contract';
import { Failure } from '../failure.ts';
import type { Libraries } from '../library/libraries.ts';
import { searchProblemText } from '../library/search_terms.ts';
import { saveForThePerson } from '../storage/private_files.ts';
import type { Studio } from '../studio.ts';
import { libraryAt } from './batch.ts';
import { choiceOf } from './choice.ts';
import type { CommandContext } from './command_context.ts';
import { receiptLines } from './erasure_receipt.ts';

interface ListFlags {
  library?: string;
  json: boolean;
  limit: number;
}

/** `likeness library list | search | show | export | records | erase | verify | rebuild | folders | add | move`. */
export function addLibraryCommands(program: Command, { withStudio, line, fell }: CommandContext): void {
  const library = program.command('library').description('the heads that were made or imported');
  const place = ['--library <folder>', 'library; default: all that the studio knows'] as const;

  const list = (query: ModelQuery, flags: ListFlags): Promise<void> =>
    withStudio(async ({ heads }) => {
      const inLibrary =
        flags.library === undefined ? {} : { libraryId: await libraryAt(heads.libraries, flags.library) };
      const { models, total, problems } = heads.libraries.search({ ...query, ...inLibrary }, 0, flags.limit);
      // A page shows what it passed over; here a list that is longer than what was asked for would mislead.
      if (problems.length > 0)
        throw new Failure('invalid_input', problems.map(searchProblemText).join('\n'), {
          hint: 'See: likeness library search --help',
        });
      if (flags.json) return line(JSON.stringify({ total, models }));
      for (const model of models) line(modelLine(model));
      line(
        total > models.length ? `${models.length} of ${total} heads (--limit for more)` : `${total} heads`,
      );
    });
  library
    .command('list')
    .description('list the heads, newest first')
    .option(...place)
    .option('--limit <n>', 'most to list', positive, 1000)
    .option('--json', 'as JSON', false)
    .action((flags: ListFlags) => list({ sort: 'created', descending: true }, flags));
  library
    .command('search <words...>')
    .description('find heads by name, tag, note, file, date, connection or state')
    .addHelpText('after', searchHelp)
    .option(...place)
    .option('--limit <n>', 'most to list', positive, 1000)
    .option('--json', 'as JSON', false)
    .action((words: string[], flags: ListFlags) => list({ text: words.join(' ') }, flags));
  library
    .command('show <id>')
    .description('all that is known of one head, and whether it is ready to be driven')
    .action((id: string) =>
      withStudio(async ({ handlers }) => {
        const model = await handlers.library.model({ id });
        const readiness = await handlers.library.readiness({ id });
        for (const text of JSON.stringify({ ...model, readiness }, null, 2).split('\n')) line(text);
      }),
    );
  library
    .command('export <ids...>')
    .description('write heads to a file')
    .requiredOption('-o, --out <file>', 'file to write')
    .option('--format <format>', exportFormats.join(', '), choiceOf(...exportFormats), 'glb')
    .option(
      '--names <names>',
      `names of the face shapes: ${channelNames.join(', ')}`,
      choiceOf(...channelNames),
      'as-is',
    )
    .action(
      (
        ids: string[],
        flags: { out: string; format: (typeof exportFormats)[number]; names: (typeof channelNames)[number] },
      ) =>
        withStudio(async ({ handlers, asset }) => {
          const made = await handlers.library.exportModels({
            selection: { ids },
            format: flags.format,
            names: flags.names,
          });
          const path = await asset('export', made.exportId);
          if (path === null) throw new Failure('storage', 'The export is gone before it could be copied.');
          await saveForThePerson(flags.out, createReadStream(path));
          line(`${flags.out}: ${made.models} heads, ${(made.bytes / 1e6).toFixed(2)} MB`);
        }),
    );
  library
    .command('records')
    .description('write what is known of the heads as CSV or JSON')
    .requiredOption('-o, --out <file>', 'file to write')
    .option('--format <format>', 'csv or json', choiceOf('csv', 'json'), 'csv')
    .action((flags: { out: string; format: 'csv' | 'json' }) =>
      withStudio(async ({ handlers }) => {
        const { text } = await handlers.library.exportRecords({
          selection: { query: {} },
          format: flags.format,
        });
        await saveForThePerson(flags.out, text);
        line(flags.out);
      }),
    );
  library
    .command('erase <ids...>')
    .description('erase heads for good, with all that the studio has of them')
    .option('--takes', 'the takes of these heads too', false)
    .option('--yes', 'do it; without, only say what would go', false)
    .option('--json', 'the receipt as JSON', false)
    .action((ids: string[], flags: { takes: boolean; yes: boolean; json: boolean }) =>
      withStudio(async ({ handlers }) => {
        const { heads, takes, trashedTakes } = await handlers.library.beforeErase({ selection: { ids } });
        if (heads === 0) throw new Failure('not_found', 'There is no such head (any more).');
        if (!flags.yes) {
          const gone = (flags.takes ? takes : 0) + trashedTakes;
          const kept = flags.takes ? 0 : takes;
          throw new Failure(
            'not_allowed',
            `${heads} heads and ${gone} takes would be erased for good${kept > 0 ? `; ${kept} takes of them stay` : ''}.`,
            { hint: `Repeat with --yes to do it${kept > 0 ? ', and with --takes to erase those too' : ''}.` },
          );
        }
        const receipt = await handlers.library.erase({ selection: { ids }, takes: flags.takes });
        if (flags.json) line(JSON.stringify(receipt));
        else for (const text of receiptLines(receipt)) line(text);
        if (receipt.failed > 0 || !receipt.isFinished) fell();
      }),
    );
  library
    .command('folders')
    .description('list the libraries and where they are')
    .option('--json', 'as JSON', false)
    .action(({ json }: { json: boolean }) =>
      withStudio(async ({ heads }) => {
        const known = heads.libraries.list();
        if (json) return line(JSON.stringify(known));
        for (const one of known) line(libraryLine(one));
      }),
    );
  library
    .command('add <folder>')
    .description('open the library in a folder, or make one there')
    .option('--name <name>', 'its name; default: that of the folder')
    .action((folder: string, flags: { name?: string }) =>
      withStudio(async ({ heads }) => line(libraryLine(await heads.libraries.add(folder, flags.name)))),
    );
  library
    .command('move <into>')
    .description('move a library into another folder, on the same disk or another')
    .option('--library <folder>', 'library; default: the one that new heads go into')
    .action((into: string, flags: { library?: string }) =>
      withStudio(async ({ heads: { libraries } }) => {
        const id = flags.library === undefined ? libraries.defaultId() : knownAt(libraries, flags.library);
        line(libraryLine(await libraries.move(id, into)));
      }),
    );
  library
    .command('verify')
    .description('look at every file of a library')
    .option(...place)
    .action((flags: { library?: string }) =>
      withStudio(async (studio) => {
        const { models, problems } = await studio.handlers.library.verify(
          await within(studio, flags.library),
        );
        for (const { folder, problem, hint } of problems) line(`✗ ${folder}: ${problem} ${hint}`);
        line(`${models} heads, ${problems.length} problems`);
        if (problems.length > 0) fell();
      }),
    );
  library
    .command('rebuild')
    .description('make the index anew from the folders')
    .option(...place)
    .action((flags: { library?: string }) =>
      withStudio(async (studio) => {
        const { models } = await studio.handlers.library.rebuild(await within(studio, flags.library));
        line(`${models} heads`);
      }),
    );
}

const within = async ({ heads }: Studio, folder: string | undefined): Promise<{ libraryId?: string }> =>
  folder === undefined ? {} : { libraryId: await libraryAt(heads.libraries, folder) };

/** Only a library that is known can be moved: a mistyped folder must not become one first. */
function knownAt(libraries: Libraries, folder: string): string {
  const known = libraries.list().find((library) => resolve(library.folder) === resolve(folder));
  if (known) return known.id;
  throw new Failure('not_found', `No library that the studio knows is at ${resolve(folder)}.`, {
    hint: 'List them with: likeness library folders',
  });
}

const searchHelp = `
Words are found from their beginnings: male does not find female.
  '"ada lovelace"'           these words together
  -draft                     without this word
  ${Object.entries(searchFields)
    .map(([field, { values }]) => (values.length > 0 ? `${field}:${values.join('|')}` : `${field}:…`))
    .join('  ')}
  rating:4  'rating:>3'  'made:<2026-11-01'  made:2026-11  tag:"two words"
A word that begins with - goes after --, as in: likeness library search -- male -draft`;

const libraryLine = ({ name, folder, models, available, isDefault }: Library): string =>
  `${folder}  “${name}”, ${available ? `${models} heads` : 'not connected'}${isDefault ? ', new heads go here' : ''}`;

function positive(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('a whole number above 0');
  return number;
}

const modelLine = ({ id, name, sex, profileName, createdAt, state }: ModelCard): string =>
  [
    id,
    new Date(createdAt).toISOString().slice(0, 16).replace('T', ' '),
    sex ?? '-',
    profileName || '-',
    state,
    name,
  ].join('  ');
