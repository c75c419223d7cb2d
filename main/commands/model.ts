import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { KeptClient } from '@likeness/client/current_client.ts';
import type { ModelAnswer } from '@likeness/client/operations/get_model.ts';
import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { isThere } from '@likeness/node-kit/storage/named_file.ts';
import { type Command, Option } from 'commander';
import type { Job, Profile } from '#contract';
import type { Batch } from '../batch/batch.ts';
import { finishedStates } from '../batch/jobs/job_state.ts';
import { firstPause, nextPause } from '../batch/jobs/polling.ts';
import type { Heads } from '../compose/compose_heads.ts';
import { importModel } from '../library/model/model_import.ts';
import { libraryAt } from './batch.ts';
import type { CommandContext } from './command_context.ts';
import { profileNamed } from './connections.ts';
import { withExamples } from './output/examples.ts';
import { exitCodes } from './output/exit_code.ts';
import type { ProgressLine } from './output/progress_line.ts';

interface ModelFlags {
  connection?: string;
  profile?: string;
  wait: boolean;
  out?: string;
  add: boolean;
  library?: string;
}

/**
 * `likeness model get <id>` (B2 and its download): fetches a model from a server by its id. Never orders
 * anything.
 */
export function addModelCommands(
  program: Command,
  {
    withStudio,
    result,
    success,
    asJson,
    words,
    progress: startProgress,
    setExitCode,
    path,
    signal,
  }: CommandContext,
): void {
  const models = withExamples(
    program.command('model').description('query models on a server'),
    'model get m-123 --connection Cloud',
  );
  withExamples(
    models
      .command('get <id>')
      .description(
        'query a model on a server by its id, and download its head; never orders or bills anything',
      ),
    'model get m-123 --connection Cloud --json',
    'model get m-123 --connection Cloud --wait -o head.glb',
    'model get m-123 --connection Cloud --add  # into the library',
  )
    .option('--connection <name>', 'connection with which it was ordered; default: the default connection')
    .addOption(new Option('--profile <name>').hideHelp())
    .option('--wait', 'wait until it is ready', false)
    .option('-o, --out <file>', 'file to write the head to (GLB)')
    .option('--add', 'add the head to the library, with its photo if the queue has it', false)
    .option('--library <folder>', 'library for --add; created if it does not exist')
    .action((id: string, flags: ModelFlags) =>
      withStudio(async ({ handlers, client, heads }) => {
        const out = flags.out === undefined ? null : freePath(flags.out, path(flags.out));
        const profile = await profileNamed(flags.connection ?? flags.profile, handlers);
        const server = await client(profile.id);
        const progress = startProgress();
        try {
          const model = flags.wait
            ? await whenReady(server, id, profile, progress, signal, words)
            : await server.getModel(id, { signal });
          const value = { id, profile: profile.name, ...model };
          // JSON output is one document, so it is written at the end; text is written at once.
          const fetches = model.state === 'ready' && (out !== null || flags.add);
          if (!fetches || !asJson()) result(value, stateLine(id, profile, model));
          if (model.state !== 'ready') {
            if (model.state === 'failed' || out !== null || flags.add) setExitCode(exitCodes.other);
            return;
          }
          let file: { file: string; bytes: number } | Record<string, never> = {};
          if (out !== null) {
            const { bytes } = await download(server, model, out, progress, signal);
            file = { file: out, bytes };
            if (!asJson()) success(file, `${flags.out}: ${(bytes / 1e6).toFixed(2)} MB`);
          }
          if (!flags.add) {
            if (fetches && asJson()) result({ ...value, ...file }, []);
            return;
          }
          const known = heads.batch.jobs.ofRemoteModel(profile.id, id);
          const ofQueue = known?.orderState === 'ended' ? null : known;
          const job = ofQueue ? await fetchedByQueue(heads.batch, ofQueue.id, signal) : null;
          if (job && job.state !== 'done')
            throw new Failure(job.code ?? 'upstream_broken', job.message, { hint: job.hint });
          const added =
            job?.name ??
            (await addToLibrary(heads, flags.library && path(flags.library), {
              id,
              model,
              server,
              progress,
              signal,
            }));
          success({ ...value, ...file, added }, t('cli.in_library', { added }));
        } finally {
          progress.end();
        }
      }),
    );
}

/** @throws Failure `conflict`, `not_found` */
function freePath(out: string, path: string): string {
  if (existsSync(path)) {
    throw new Failure('conflict', t('cli.there_already', { out }), {
      hint: t('cli.other_name'),
    });
  }
  if (!isThere(dirname(path))) throw new Failure('not_found', t('cli.no_folder', { folder: dirname(path) }));
  return path;
}

async function whenReady(
  server: KeptClient,
  id: string,
  { polling }: Profile,
  progress: ProgressLine,
  signal: AbortSignal,
  words: CommandContext['words'],
): Promise<ModelAnswer> {
  for (let last = 0; ; ) {
    const model = await server.getModel(id, { signal });
    if (model.state !== 'processing') return model;
    last = last === 0 ? firstPause(model.waitSeconds, polling) : nextPause(last, polling, 0.5);
    progress.show(words(t('cli.asking_again', { seconds: Math.ceil(last) })), null);
    await pause(last * 1000, undefined, { signal }).catch(() => {
      throw signal.reason;
    });
  }
}

const download = (
  server: KeptClient,
  { downloadLink }: ModelAnswer,
  target: string,
  progress: ProgressLine,
  signal: AbortSignal,
): ReturnType<KeptClient['download']> =>
  server.download(downloadLink, target, {
    signal,
    onProgress: (received, total) => progress.show('fetching', total ? received / total : null),
  });

/** The queue ordered it, so photo, name and tags are there. */
async function fetchedByQueue(batch: Batch, jobId: string, signal: AbortSignal): Promise<Job | null> {
  await batch.orders.retry([jobId]);
  for (;;) {
    const job = batch.job(jobId);
    if (!job || finishedStates.includes(job.state)) return job;
    await batch.clock.wait(100, signal);
  }
}

async function addToLibrary(
  { libraries }: Heads,
  library: string | undefined,
  ordered: {
    id: string;
    model: ModelAnswer;
    server: KeptClient;
    progress: ProgressLine;
    signal: AbortSignal;
  },
): Promise<string> {
  const { id, model, server, progress, signal } = ordered;
  const folder = await mkdtemp(join(tmpdir(), 'likeness-model-'));
  try {
    const file = join(folder, 'model.glb');
    await download(server, model, file, progress, signal);
    return (await importModel(libraries, await libraryAt(libraries, library), { path: file, name: id })).name;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function stateLine(id: string, { name }: Profile, { state, waitSeconds, failMessage }: ModelAnswer): Message {
  return t('cli.model_at', {
    id,
    name,
    state,
    left: waitSeconds > 0 ? Math.ceil(waitSeconds) : -1,
    reason: failMessage,
  });
}
