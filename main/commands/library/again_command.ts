import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { Command } from 'commander';
import { makeAgain } from '../../batch/again_orders.ts';
import { allOver } from '../../batch/batch_run.ts';
import { finishedStates } from '../../batch/jobs/job_state.ts';
import { blockedMs, goOn, waitOption } from '../batch.ts';
import type { CommandContext } from '../command_context.ts';
import { profileNamed } from '../connections.ts';
import { readHeadOptions } from '../head_options_file.ts';
import { withExamples } from '../output/examples.ts';
import { exitCodes } from '../output/exit_code.ts';
import { mixed } from '../output/mixed_text.ts';
import { queueNoticesOf } from '../output/queue_notices.ts';

interface AgainFlags {
  outdated: boolean;
  options?: string;
  profile?: string;
  wait?: number;
  asNew: boolean;
}

/** `likeness library again`: makes heads again from their photos. */
export function addAgainCommand(library: Command, context: CommandContext): void {
  const { withStudio, result, setExitCode, path, signal } = context;
  withExamples(
    library
      .command('again [ids...]')
      .description('make heads again from their photos and replace them; the earlier files are kept'),
    'library again <id> --options choices.json',
    'library again --outdated --json',
  )
    .option('--outdated', 'all heads that an older built-in engine made', false)
    .option('--options <file>', 'JSON file with options: smile, light, glasses, eye and hair colour, size')
    .option('--profile <name>', 'connection to send to; default: the default connection')
    .option('--as-new', 'make new heads and keep the existing ones', false)
    .option(...waitOption)
    .action(async (ids: string[], flags: AgainFlags) => {
      if (ids.length === 0 && !flags.outdated)
        throw new Failure('invalid_input', t('cli.again_which'), { hint: t('cli.again_how') });
      const options = flags.options === undefined ? undefined : await readHeadOptions(path(flags.options));
      await withStudio(
        async ({ handlers, heads, engineStatus }) => {
          const { id: profileId } = await profileNamed(flags.profile, handlers);
          const selection = ids.length > 0 ? { ids } : { query: { outdated: true } };
          const order = {
            selection,
            profileId,
            asNew: flags.asNew,
            ...(options !== undefined && { options }),
          };
          const {
            jobs: queued,
            inProgress,
            left,
            withoutPhoto,
            fewerPhotos,
          } = await makeAgain(heads.batch, heads.importer, order);
          // Jobs that an earlier command left in the queue belong to this one.
          const jobs = [...queued, ...inProgress];
          const progress = context.progress();
          const notice = queueNoticesOf(context, () => engineStatus().restarts);
          const blocked = await allOver(
            heads.batch,
            new Set(jobs),
            { waitBlockedMs: blockedMs(flags.wait) },
            ({ finished = 0, total = 1, blocked = '', nextAttemptMs = null, ended }) => {
              const making = t('cli.making', { finished, total, left: '' });
              progress.show(
                context.words(blocked ? t('cli.with_hold', { making, held: blocked }) : making),
                finished / total,
              );
              if (!ended) notice(blocked, nextAttemptMs);
            },
            signal,
          ).finally(() => progress.end());
          const ended = jobs.map((id) => heads.batch.job(id)).filter((job) => job !== null);
          const done = ended.filter(({ state }) => state === 'done').length;
          const over = ended.filter(({ state }) => finishedStates.includes(state) || state === 'uncertain');
          const open = ended.length - over.length;
          const lines: Message[] = [
            ...over
              .filter(({ state }) => state !== 'done')
              .map(({ fileName, state, message }) => mixed`✗ ${fileName}: ${message || state}`),
            ...left.map(({ reason, count }) =>
              reason === 'no_photo'
                ? t('cli.again_no_photo', { count, names: withoutPhoto.join(', ') })
                : t(reason === 'no_sex' ? 'cli.again_no_sex' : 'cli.again_in_queue', { count }),
            ),
            ...(fewerPhotos.length > 0
              ? [t('cli.again_fewer_photos', { names: fewerPhotos.join(', ') })]
              : []),
            ...(blocked ? [t('cli.stopped', { held: blocked })] : []),
            jobs.length + left.length === 0 && ids.length === 0
              ? t('cli.again_none')
              : t('cli.again_done', { done, total: jobs.length }),
            // The same command would order heads of their own again.
            ...(blocked ? [flags.asNew ? t('cli.stays_in_queue', { count: open }) : goOn(false)] : []),
          ];
          const modelIds = ended.flatMap(({ modelId }) => modelId ?? []);
          result(
            { done, queued: queued.length, waiting: open, left, withoutPhoto, fewerPhotos, modelIds },
            lines,
          );
          if (blocked) setExitCode(exitCodes.refused);
          else if (done < jobs.length || left.some(({ reason }) => reason !== 'in_queue'))
            setExitCode(exitCodes.partly);
        },
        { queue: true },
      );
    });
}
