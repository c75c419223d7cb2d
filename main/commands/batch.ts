import { resolve } from 'node:path';
import { joinMessages, type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { isThere } from '@likeness/node-kit/storage/named_file.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Job } from '#contract';
import { type BatchRunProgress, type BatchRunResult, runBatch } from '../batch/batch_run.ts';
import { type PersonRule, personRules } from '../batch/run_settings.ts';
import type { Libraries } from '../library/libraries.ts';
import type { CommandContext } from './command_context.ts';
import { profileNamed } from './connections.ts';
import { readHeadOptions } from './head_options_file.ts';
import { interruptions } from './interruption.ts';
import { withExamples } from './output/examples.ts';
import { exitCodeOfBatch } from './output/exit_code.ts';
import { jsonText } from './output/json_text.ts';
import { mixed } from './output/mixed_text.ts';
import type { ProgressLine } from './output/progress_line.ts';
import { queueNoticesOf } from './output/queue_notices.ts';

interface BatchFlags {
  sex?: 'female' | 'male';
  eyelid?: '1' | '2';
  options?: string;
  manifest?: string | false;
  person: PersonRule;
  profile?: string;
  library?: string;
  jobs?: number;
  wait?: number;
  again: boolean;
  anyway: boolean;
  dryRun: boolean;
}

/** `likeness batch <folder>`: makes heads in a library from a folder of photos. */
export function addBatchCommand(program: Command, context: CommandContext): void {
  const {
    withStudio,
    asJson,
    isQuiet,
    words,
    result: print,
    setExitCode,
    path,
    signal,
    inOpenStudio,
  } = context;
  withExamples(
    program
      .command('batch <folders...>')
      .description(
        'make heads from folders or files of portrait photos; repeat the same command to continue',
      ),
    'batch photos --sex female --dry-run       # says what would be sent',
    'batch photos                              # sex and names from a manifest.csv in the folder',
    'batch photos --manifest photos.csv --profile Cloud --jobs 4',
    'batch photos --person folder               # photos/anna/*.jpg: one head of all of anna’s photos',
    'batch photos --sex male --json            # one object for each photo that is over, and one at the end',
  )
    .addOption(new Option('--sex <sex>', 'sex of all photos').choices(['female', 'male']))
    .option(
      '--manifest <file>',
      'CSV with data for each photo: file,sex,eyelidType,name,tags,options,person; default: CSV files in the folders with a column “file”',
    )
    .option('--no-manifest', 'ignore CSV files in the folders')
    .addOption(
      new Option(
        '--person <rule>',
        'how to group photos of one person: by the manifest’s column “person”, by folder, by file name, or off',
      )
        .choices(personRules)
        .default('column'),
    )
    .addOption(new Option('--eyelid <type>', '1 = single eyelid, 2 = double eyelid').choices(['1', '2']))
    .option('--options <file>', 'JSON file with options: smile, light, glasses, eye and hair colour, size')
    .option('--profile <name>', 'connection to send to; default: the default connection')
    .option('--library <folder>', 'library for the heads; created if it does not exist')
    .option('--jobs <n>', 'photos to process at the same time', jobsNumber)
    .option('--again', 'also send photos that the library has already', false)
    .option(...waitOption)
    .option(
      '--anyway',
      'make heads even if the face is turned, small, blurred, dark or covered, if possible at all',
      false,
    )
    .option('--dry-run', 'only check the photos and show what would be sent', false)
    .action(async (folders: string[], flags: BatchFlags) => {
      const { sex, eyelid, manifest, jobs } = flags;
      const options = flags.options === undefined ? undefined : await readHeadOptions(path(flags.options));
      // Runs before the studio opens, so that typing errors are reported before any other problem.
      for (const given of [...folders, ...(manifest ? [manifest] : [])]) {
        if (!isThere(path(given))) throw new Failure('not_found', t('cli.no_such_path', { path: given }));
      }
      await withStudio(
        async ({ handlers, heads, engineStatus }) => {
          const profile = await profileNamed(flags.profile, handlers);
          const libraryId = await libraryAt(heads.libraries, flags.library && path(flags.library));
          if (inOpenStudio && jobs !== undefined) context.terminal.error(`${words(t('cli.jobs_left'))}\n`);
          const progress = context.progress();
          const notice = queueNoticesOf(context, () => engineStatus().restarts);
          let reached = { finished: 0, total: 0 };
          const result = await runBatch(
            {
              batch: heads.batch,
              importer: heads.importer,
              paths: folders.map(path),
              ...(sex && { sex }),
              ...(eyelid && { eyelidType: eyelid === '1' ? 'single' : 'double' }),
              ...(options !== undefined && { options }),
              person: flags.person,
              ...(manifest === undefined ? {} : { manifest: manifest && path(manifest) }),
              profileId: profile.id,
              libraryId,
              dryRun: flags.dryRun,
              again: flags.again,
              anyway: flags.anyway,
              waitBlockedMs: blockedMs(flags.wait),
              // In a separate process the queue stops with it; so it does in a studio that closes.
              cancelsUnsent: () => inOpenStudio && signal.reason !== interruptions.closing,
              signal,
            },
            (step) => {
              reached = step.step === 'making' ? step : reached;
              showStep(progress, step, asJson(), isQuiet(), words);
              if (step.step === 'making' && !step.ended) notice(step.blocked, step.nextAttemptMs);
            },
          )
            .catch((error: unknown) => {
              throw signal.aborted
                ? interruptedAt(reached, { ...flags, inOpenStudio }, signal.reason)
                : error;
            })
            .finally(() => progress.end());
          const quiet = isQuiet() && result.allDone && !flags.dryRun;
          print({ ...result, jobs: result.jobs.map(shortJob) }, quiet ? [] : summary(result, flags));
          if (!result.allDone) setExitCode(exitCodeOfBatch(result));
        },
        { queue: !flags.dryRun, ...(jobs !== undefined && { concurrentJobs: jobs }) },
      );
    });
}

function interruptedAt(
  { finished, total }: { finished: number; total: number },
  { inOpenStudio, again }: { inOpenStudio: boolean; again: boolean },
  reason: unknown,
): Failure {
  const closes = reason === interruptions.closing;
  const rest = t(closes ? 'cli.waits_for_studio' : 'cli.unsent_left_queue');
  return new Failure(
    'cancelled',
    t(closes ? 'cli.studio_closed_at' : 'cli.interrupted_at', { finished, total }),
    {
      hint: joinMessages(inOpenStudio ? rest : '', goOn(again)),
    },
  );
}

/** With `--again`, the same command orders existing heads again. */
export const goOn = (again: boolean): Message =>
  t(again ? 'cli.repeat_without_again' : 'cli.repeat_to_go_on');

/** Returns the library in a folder (absolute), opened or created; without a folder, the default library. */
export async function libraryAt(libraries: Libraries, folder: string | undefined): Promise<string> {
  if (folder === undefined) return libraries.defaultId();
  const known = libraries.list().find((library) => resolve(library.folder) === folder);
  return known ? known.id : (await libraries.add(folder)).id;
}

/** Parses `--wait`: without it, only a problem for the user ends a command. */
export const waitOption = [
  '--wait <minutes>',
  'minutes to wait while the queue is blocked, then exit with 4; default: until it continues',
  minutesNumber,
] as const;

export const blockedMs = (minutes: number | undefined): number | undefined =>
  minutes === undefined ? undefined : minutes * 60_000;

function minutesNumber(text: string): number {
  const minutes = Number(text);
  if (!(minutes >= 0 && minutes <= 10_000) || text.trim() === '')
    throw new InvalidArgumentError('minutes, 0 to 10,000');
  return minutes;
}

function jobsNumber(text: string): number {
  const jobs = Number(text);
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > 32) throw new InvalidArgumentError('a number, 1 to 32');
  return jobs;
}

function showStep(
  progress: ProgressLine,
  step: BatchRunProgress,
  json: boolean,
  quiet: boolean,
  words: CommandContext['words'],
): void {
  const { finished, total, secondsLeft, blocked, ended } = step;
  if (ended && json) progress.keep(jsonText(shortJob(ended)));
  else if (ended && !(quiet && ended.state === 'done')) progress.keep(words(jobLine(ended)));
  const making = t('cli.making', {
    finished,
    total,
    left: secondsLeft === null ? -1 : Math.ceil(secondsLeft),
  });
  const texts = {
    taking_in: t('cli.looking_for_photos', { total }),
    checking: t('cli.checking', { finished, total }),
    making: blocked ? t('cli.with_hold', { making, held: blocked }) : making,
    over: t('cli.done'),
  } as const;
  progress.show(words(texts[step.step]), total > 0 && step.step !== 'taking_in' ? finished / total : null);
}

/** The fields of a job in the JSON output. */
const reportedFields = [
  'fileName',
  'state',
  'message',
  'hint',
  'profileName',
  'remoteModelId',
  'modelId',
] as const satisfies readonly (keyof Job)[];
const shortJob = (job: Job): Record<string, unknown> => ({
  ...Object.fromEntries(reportedFields.map((field) => [field, job[field]])),
  // The names that scripts know.
  standing: job.orderState === 'unknown' ? 'doubt' : job.orderState,
});

const jobLine = ({ fileName, state, message, hint }: Job): Message => {
  if (state === 'done') return `✓ ${fileName}`;
  const known = state === 'failed' || state === 'cancelled' || state === 'uncertain';
  const what = message || (known ? t(`cli.state_${state}`) : state);
  return mixed`${state === 'uncertain' ? '?' : '✗'} ${fileName}: ${message || hint ? joinMessages(what, hint) : what}`;
};

function summary(result: BatchRunResult, { dryRun, again }: Pick<BatchFlags, 'dryRun' | 'again'>): Message[] {
  const lines: Message[] = result.manifests.map(({ file, applied }) =>
    t('cli.manifest_applied', { file, applied }),
  );
  for (const { file, line, column, problem } of result.manifestProblems)
    lines.push(t('cli.manifest_problem', { file, line, column, problem }));
  for (const { fileName, reason, detail } of result.intake?.examples ?? [])
    lines.push(mixed`- ${fileName}: ${detail || reason}`);
  for (const { fileName, reason } of result.left) lines.push(mixed`✗ ${fileName}: ${reason}`);
  if (result.found === 0) return [...lines, t('cli.no_photo')];
  if (dryRun) {
    for (const { fileName, sex, check, findings, others } of result.photos) {
      const found = findings.map(({ message }) => message).reduce(joinMessages, '');
      lines.push(
        mixed`${check === 'blocked' || sex === null ? '✗' : '✓'} ${fileName}${others.map((other) => ` + ${other.fileName}`).join('')} (${sex ?? t('cli.sex_not_said')})${found ? mixed`: ${found}` : ''}`,
      );
    }
    lines.push(t('cli.photos_nothing_sent', { count: result.photos.length }));
    return lines;
  }
  const { done, alreadyThere, failed, cancelled, uncertain, left, held: blocked, waiting, paid } = result;
  const parts = [
    t('cli.n_done', { count: done }),
    alreadyThere > 0 && t('cli.already_there', { alreadyThere }),
    failed > 0 && t('cli.n_failed', { count: failed }),
    cancelled > 0 && t('cli.n_cancelled', { count: cancelled }),
    uncertain > 0 && t('cli.uncertain', { uncertain }),
    left.length > 0 && t('cli.not_sent', { count: left.length }),
    waiting > 0 && t('cli.n_waiting', { count: waiting }),
  ];
  lines.push(
    parts.filter((part) => part !== false).reduce((first, second) => t('cli.list', { first, second })),
  );
  if (blocked) lines.push(t('cli.stopped', { held: blocked }));
  if (paid > 0) lines.push(t('cli.ordered_not_fetched', { count: paid }));
  if (blocked || paid > 0) lines.push(goOn(again));
  return lines;
}
