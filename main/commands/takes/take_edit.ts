import { readFileSync } from 'node:fs';
import { joinMessages, type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { AlignedWord } from '@likeness/proto/speech/speech_alignment.ts';
import { editLimits, faceRegions } from '@likeness/proto/takes/edits/edit_limits.ts';
import { EditOperation } from '@likeness/proto/takes/edits/take_edits.ts';
import { timeMap } from '@likeness/proto/takes/edits/time_map.ts';
import type { Command } from 'commander';
import { z } from 'zod';
import type { EditState, Take } from '#contract';
import type { Studio } from '../../studio.ts';
import type { CommandContext } from '../command_context.ts';
import { withExamples } from '../output/examples.ts';
import { exitCodes } from '../output/exit_code.ts';
import { mixed } from '../output/mixed_text.ts';
import { noTake } from './take_list.ts';

interface EditFlags {
  operations?: string;
  undo: boolean;
  redo: boolean;
  open?: string;
  name?: string;
}

/** `likeness take show | edit | verify`. */
export function addTakeEditCommands(take: Command, context: CommandContext): void {
  const { withStudio, result, success } = context;
  withExamples(
    take.command('show <id>').description('show details of a take: figures, words, edits'),
    'take show <id>',
    "take show <id> --json | jq '.edits.pieces'",
  ).action((id: string) =>
    withStudio(async (studio) => {
      const found = await takeOf(studio, id);
      const { takes, takeEdits } = studio.handlers;
      const state = await takeEdits.open({ id });
      const words = (await takes.words({ id }))?.words ?? [];
      const attempts = await takeEdits.overdubs({ id });
      const { edits, revision, versions, seconds: played, problem } = state;
      result({ ...found, played, words, edits, revision, versions, attempts, problem }, [
        ...figureLines(found, state),
        ...wordLines(words, state, found),
        ...editLines(state),
      ]);
    }),
  );
  withExamples(
    take.command('edit <id>').description('edit a take: the recording itself never changes'),
    'take edit <id> --operations edits.json',
    `take edit <id> --operations - <<< '[{"kind":"pieces","pieces":[{"from":1,"to":9,"speed":1}]}]'`,
    'take edit <id> --undo',
  )
    .option('--operations <file>', 'JSON list of operations, see docs/formats/edits.md; -: standard input')
    .option('--undo', 'undo the last edit', false)
    .option('--redo', 'redo the last undone edit', false)
    .option('--open <version>', 'go to a version, by its name or number')
    .option('--name <name>', 'name the current version of the edits')
    .action((id: string, flags: EditFlags) => {
      const given = [flags.operations, flags.undo, flags.redo, flags.open, flags.name];
      if (given.filter((flag) => flag !== undefined && flag !== false).length !== 1)
        throw new Failure('invalid_input', t('cli.one_edit'));
      return withStudio(async (studio) => {
        await takeOf(studio, id);
        const { takeEdits } = studio.handlers;
        const before = await takeEdits.open({ id });
        if (before.problem !== '') throw new Failure('unsupported', before.problem);
        const state = await edited(context, studio, before, flags);
        const { revision, seconds: played } = state;
        success({ id, revision, played }, t('cli.take_edited', { revision }));
      });
    });
  withExamples(
    take.command('verify [ids...]').description('check every file of takes and report problems'),
    'take verify <id>',
    'take verify --all --json',
  )
    .option('--all', 'all takes', false)
    .action((ids: string[], { all }: { all: boolean }) => {
      if (ids.length > 0 === all)
        throw new Failure('invalid_input', t('cli.say_which_takes'), { hint: t('cli.list_takes') });
      return withStudio(async (studio) => {
        const known = await studio.handlers.takes.list(undefined);
        const missing = ids.find((id) => !known.some((one) => one.id === id));
        if (missing !== undefined) throw noTake(missing);
        const chosen = all ? known.map(({ id }) => id) : ids;
        let faulty = 0;
        for (const id of chosen) faulty += await verifyOne(context, studio, id);
        if (faulty > 0) context.setExitCode(faulty < chosen.length ? exitCodes.partly : exitCodes.other);
      });
    });
}

async function takeOf({ handlers }: Studio, id: string): Promise<Take> {
  const found = (await handlers.takes.list(undefined)).find((one) => one.id === id);
  if (!found) throw noTake(id);
  return found;
}

/** @returns 1 if there is a problem, else 0 */
async function verifyOne(
  { result, success }: CommandContext,
  { handlers }: Studio,
  id: string,
): Promise<0 | 1> {
  const { files, problems } = await handlers.takeEdits.verify({ id });
  if (problems.length === 0) {
    success({ id, files, problems }, mixed`✓ ${id}: ${t('cli.take_is_well', { count: files.length })}`);
    return 0;
  }
  result(
    { id, files, problems },
    problems.map(({ file, problem, hint }) => mixed`✗ ${id}/${file}: ${joinMessages(problem, hint)}`),
  );
  return 1;
}

async function edited(
  context: CommandContext,
  { handlers: { takeEdits } }: Studio,
  { id, revision: after, versions }: EditState,
  flags: EditFlags,
): Promise<EditState> {
  if (flags.undo) return takeEdits.undo({ id, after });
  if (flags.redo) return takeEdits.redo({ id, after });
  if (flags.name !== undefined) return takeEdits.nameVersion({ id, after, name: flags.name });
  if (flags.operations !== undefined) {
    const operations = readOperations(context, flags.operations);
    return takeEdits.apply({ id, after, operations });
  }
  const wanted = flags.open ?? '';
  const named = versions.findLast(({ name }) => name === wanted);
  if (!named && !/^\d{1,9}$/.test(wanted))
    throw new Failure('invalid_input', t('cli.no_named_version', { name: wanted }), { field: 'open' });
  return takeEdits.openVersion({ id, after, revision: named?.revision ?? Number(wanted) });
}

const Operations = z.array(EditOperation).min(1).max(editLimits.operations);

function readOperations({ path, inOpenStudio }: CommandContext, file: string): EditOperation[] {
  if (file === '-' && inOpenStudio) throw new Failure('unsupported', t('cli.file_while_open'));
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file === '-' ? 0 : path(file), 'utf8'));
  } catch (error) {
    throw unreadable(file, String(error instanceof Error ? error.message : error));
  }
  const read = Operations.safeParse(Array.isArray(content) ? content : [content]);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw unreadable(file, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

const unreadable = (file: string, problem: string): Failure =>
  new Failure('invalid_input', t('cli.operations_unreadable', { file, problem }), {
    hint: t('cli.see_edits_format'),
  });

const figureLines = (take: Take, { seconds, problem }: EditState): Message[] => [
  mixed`${take.id}  ${take.name}`,
  t('cli.take_plays', { seconds: take.seconds.toFixed(2), played: seconds.toFixed(2) }),
  ...(problem === '' ? [] : [problem]),
];

/** Each word with its time. */
function wordLines(words: readonly AlignedWord[], { edits }: EditState, { seconds }: Take): Message[] {
  if (words.length === 0) return [];
  const map = timeMap(edits.pieces, seconds);
  const lines = words.map(({ start, end, text }) => {
    const from = map.toPlayed(start);
    return map.toPlayed(end) > from ? [mixed`  ${minutes(from)}  ${text}`] : [];
  });
  return [t('cli.take_words', { count: words.length }), ...lines.flat()];
}

/** Lists the edits, one per line, in the terms of the JSON. */
function editLines({ edits, revision, versions }: EditState): Message[] {
  if (revision === 0) return [t('cli.take_unedited')];
  const { regions, drawn, taken, expressions, gaze, blinks, pieces, markers } = edits;
  const stretch = ({ from, to }: { from: number; to: number }): string => `${minutes(from)}–${minutes(to)}`;
  return [
    t('cli.take_revision', { revision }),
    ...faceRegions.map((region) => mixed`  ${region}  ${JSON.stringify(regions[region])}`),
    ...faceRegions.flatMap((region) =>
      taken[region].map((each) => mixed`  take  ${region}  ${stretch(each)}  ${each.attempt}`),
    ),
    ...Object.entries(drawn).map(
      ([channel, all]) => mixed`  draw  ${channel}  ${all.map(stretch).join(', ')}`,
    ),
    ...expressions.map(
      ({ time, preset, weight }) => mixed`  expressions  ${minutes(time)}  ${preset} ${weight}`,
    ),
    ...gaze.map((each) => mixed`  gaze  ${stretch(each)}  ${each.yaw}°, ${each.pitch}°`),
    ...blinks.added.map((time) => mixed`  blinks  ${minutes(time)}`),
    ...pieces.map((each) => mixed`  pieces  ${stretch(each)}  × ${each.speed}`),
    ...markers.map(({ time, note }) => mixed`  marker  ${minutes(time)}  ${note}`),
    ...versions.map(({ name, revision: at }) => mixed`  version  ${at}  ${name}`),
  ];
}

/** Formats seconds as 1:02.30. */
function minutes(seconds: number): string {
  const hundredths = Math.round(seconds * 100);
  const rest = (hundredths % 6000) / 100;
  return `${Math.floor(hundredths / 6000)}:${rest.toFixed(2).padStart(5, '0')}`;
}
