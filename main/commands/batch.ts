import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Job } from '#contract';
import { type BatchRunProgress, type BatchRunResult, runBatch } from '../batch/batch_run.ts';
import { Failure } from '../failure.ts';
import type { Libraries } from '../library/libraries.ts';
import type { CommandContext } from './command_context.ts';
import { profileNamed } from './connections.ts';
import { withExamples } from './examples.ts';
import { exitCodeOfBatch } from './exit_code.ts';
import { interruptions } from './interruption.ts';
import { jsonText } from './json_text.ts';
import type { ProgressLine } from './progress_line.ts';

interface BatchFlags {
  sex?: 'female' | 'male';
  eyelid?: '1' | '2';
  manifest?: string | false;
  profile?: string;
  library?: string;
  jobs?: number;
  again: boolean;
  anyway: boolean;
  dryRun: boolean;
}

/** `likeness batch <folder>`: a folder of photos becomes heads in a library. */
export function addBatchCommand(program: Command, context: CommandContext): void {
  const { terminal, withStudio, asJson, isQuiet, result: tell, fell, path, signal, inOpenStudio } = context;
  withExamples(
    program
      .command('batch <folders...>')
      .description('turn folders (or files) of portrait photos into heads; repeat the same command to go on'),
    'batch photos --sex female --dry-run       # says what would be sent',
    'batch photos                              # sex and names from a manifest.csv in the folder',
    'batch photos --manifest photos.csv --profile Cloud --jobs 4',
    'batch photos --sex male --json            # one object for each photo that is over, and one at the end',
  )
    .addOption(new Option('--sex <sex>', 'for all photos').choices(['female', 'male']))
    .option(
      '--manifest <file>',
      'CSV that says it of each: file,sex,eyelidType,name,tags; default: those with a column “file” in the folders',
    )
    .option('--no-manifest', 'leave out what lies in the folders')
    .addOption(new Option('--eyelid <type>', '1 = single, 2 = double').choices(['1', '2']))
    .option('--profile <name>', 'connection to send to; default: the default one')
    .option('--library <folder>', 'library to put the heads into; made where there is none')
    .option('--jobs <n>', 'photos under way at once', jobsNumber)
    .option('--again', 'send also what the library has already', false)
    .option(
      '--anyway',
      'also of photos that are turned, small, soft, dark or covered, where a head can be made at all',
      false,
    )
    .option('--dry-run', 'only look at the photos and say what would be sent', false)
    .action(async (folders: string[], flags: BatchFlags) => {
      const { sex, eyelid, manifest, jobs } = flags;
      // Before the studio opens: what is mistyped is told whatever else stands in the way.
      for (const given of [...folders, ...(manifest ? [manifest] : [])]) {
        if (!existsSync(path(given)))
          throw new Failure('not_found', `There is no such folder or file: ${given}.`);
      }
      await withStudio(
        async ({ handlers, heads }) => {
          const profile = await profileNamed(flags.profile, handlers);
          const libraryId = await libraryAt(heads.libraries, flags.library && path(flags.library));
          if (inOpenStudio && jobs !== undefined)
            terminal.error('--jobs is left to the open studio: it works by its own settings.\n');
          const progress = context.progress();
          let reached = { finished: 0, total: 0 };
          const result = await runBatch(
            {
              batch: heads.batch,
              intakes: heads.intakes,
              paths: folders.map(path),
              ...(sex && { sex }),
              ...(eyelid && { eyelidType: eyelid === '1' ? 'single' : 'double' }),
              ...(manifest === undefined ? {} : { manifest: manifest && path(manifest) }),
              profileId: profile.id,
              libraryId,
              dryRun: flags.dryRun,
              again: flags.again,
              anyway: flags.anyway,
              // In a process of its own the queue stops with it, and so it does in a studio that is quit.
              cancelsUnsent: () => inOpenStudio && signal.reason !== interruptions.closing,
              signal,
            },
            (step) => {
              reached = step.step === 'making' ? step : reached;
              showStep(progress, step, asJson(), isQuiet());
            },
          )
            .catch((error: unknown) => {
              throw signal.aborted ? interruptedAt(reached, inOpenStudio, signal.reason) : error;
            })
            .finally(() => progress.end());
          const quiet = isQuiet() && result.allDone && !flags.dryRun;
          tell({ ...result, jobs: result.jobs.map(shortJob) }, quiet ? [] : summary(result, flags.dryRun));
          if (!result.allDone) fell(exitCodeOfBatch(result));
        },
        { queue: !flags.dryRun, ...(jobs !== undefined && { jobsAtOnce: jobs }) },
      );
    });
}

function interruptedAt(
  { finished, total }: { finished: number; total: number },
  inOpenStudio: boolean,
  reason: unknown,
): Failure {
  const closes = reason === interruptions.closing;
  const said = closes ? 'The studio was closed' : 'Interrupted';
  const rest = closes
    ? 'What waits goes on when it is open again. '
    : 'What was not sent yet left the studio’s queue; what was sent is finished there. ';
  return new Failure('cancelled', `${said}${total > 0 ? `: ${finished} of ${total} are over` : ''}.`, {
    hint: `${inOpenStudio ? rest : ''}Repeat the same command to go on; nothing is sent twice.`,
  });
}

/** The library in a folder (absolute), opened or made; without one, the default. */
export async function libraryAt(libraries: Libraries, folder: string | undefined): Promise<string> {
  if (folder === undefined) return libraries.defaultId();
  const known = libraries.list().find((library) => resolve(library.folder) === folder);
  return known ? known.id : (await libraries.add(folder)).id;
}

function jobsNumber(text: string): number {
  const jobs = Number(text);
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > 32) throw new InvalidArgumentError('a number, 1 to 32');
  return jobs;
}

function showStep(progress: ProgressLine, step: BatchRunProgress, json: boolean, quiet: boolean): void {
  const { finished, total, secondsLeft, held, ended } = step;
  if (ended && json) progress.keep(jsonText(shortJob(ended)));
  else if (ended && !(quiet && ended.state === 'done')) progress.keep(jobLine(ended));
  const left = secondsLeft === null ? '' : `, about ${Math.ceil(secondsLeft)} s left`;
  const words = {
    taking_in: `looking for photos: ${total}`,
    checking: `checking ${finished} of ${total}`,
    making: `${finished} of ${total}${left}${held ? ` – ${held}` : ''}`,
    over: 'done',
  } as const;
  progress.show(words[step.step], total > 0 && step.step !== 'taking_in' ? finished / total : null);
}

/** What of a job a script is told. */
const told = [
  'fileName',
  'state',
  'standing',
  'message',
  'hint',
  'profileName',
  'remoteModelId',
  'modelId',
] as const satisfies readonly (keyof Job)[];
const shortJob = (job: Job): Partial<Job> => Object.fromEntries(told.map((field) => [field, job[field]]));

const jobLine = ({ fileName, state, message, hint }: Job): string =>
  `${state === 'done' ? '✓' : state === 'uncertain' ? '?' : '✗'} ${fileName}${state === 'done' ? '' : `: ${`${message || state} ${hint}`.trim()}`}`;

function summary(result: BatchRunResult, dryRun: boolean): string[] {
  const lines = result.manifests.map(
    ({ file, applied }) =>
      `manifest ${file}: says something of ${applied} ${applied === 1 ? 'photo' : 'photos'}`,
  );
  for (const { file, line, column, problem } of result.manifestProblems)
    lines.push(`manifest ${file}:${line}:${column}: ${problem}`);
  for (const { fileName, reason, detail } of result.intake?.examples ?? [])
    lines.push(`- ${fileName}: ${detail || reason}`);
  for (const { fileName, reason } of result.left) lines.push(`✗ ${fileName}: ${reason}`);
  if (result.found === 0) return [...lines, 'No photo was found.'];
  if (dryRun) {
    for (const { fileName, sex, check, findings } of result.photos) {
      const found = findings.map(({ message }) => message).join(' ');
      lines.push(
        `${check === 'blocked' || sex === null ? '✗' : '✓'} ${fileName} (${sex ?? 'sex not said'})${found ? `: ${found}` : ''}`,
      );
    }
    lines.push(`${result.photos.length} photos; nothing was sent.`);
    return lines;
  }
  const { done, alreadyThere, failed, cancelled, uncertain, left, held, waiting, paid } = result;
  const parts = [
    `${done} done`,
    alreadyThere > 0 && `${alreadyThere} already in the library`,
    failed > 0 && `${failed} failed`,
    cancelled > 0 && `${cancelled} cancelled`,
    uncertain > 0 && `${uncertain} uncertain (settle them in the window)`,
    left.length > 0 && `${left.length} not sent`,
    waiting > 0 && `${waiting} waiting`,
  ];
  lines.push(parts.filter(Boolean).join(', '));
  if (held) lines.push(`Stopped: ${held} Then repeat the same command: it goes on.`);
  if (paid > 0) {
    lines.push(
      `${paid} ordered and paid for, not fetched yet: the same command asks for them again and orders nothing twice.`,
    );
  }
  return lines;
}
