import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ZipFile } from '@likeness/gltf/formats/zip/zip_file.ts';
import { t } from '@likeness/messages';
import { Failure, messageOf } from '@likeness/node-kit/failure.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { ShapeDrive } from '@likeness/proto/face/shape_drives.ts';
import { frameCount, frameRateOf } from '@likeness/proto/takes/frame_rates.ts';
import { localDay } from '@likeness/proto/text/local_day.ts';
import type { CallOutput, EventPayload, Handlers } from '#contract';
import { finishedTake } from '../finished_take.ts';
import type { TakeAnalysis } from '../take_analysis.ts';
import type { Takes } from '../takes.ts';
import { ExportProgress } from './export_progress.ts';
import type { ExportedTakes } from './exported_takes.ts';
import { type NamedTake, namedTakes } from './named_takes.ts';
import { type ConvertTake, exportTake, holdsHead, needsWords, takeFileNames } from './take_export.ts';

export interface TakeExportCallsOptions {
  takes: Takes;
  analysis: TakeAnalysis;
  exports: ExportedTakes;
  /** The bytes of a head; null: the default one. @throws Failure `not_found` */
  head: (modelId: string | null) => Promise<Buffer>;
  /** The user's mapping from face channels to a head's shapes. */
  drives: (modelId: string | null) => readonly ShapeDrive[];
  convertTake: ConvertTake;
  onProgress: (progress: EventPayload<'takeExports', 'progress'>) => void;
  /** Milliseconds since 1970. */
  clock: () => number;
}

type Room = Handlers['takeExports'];
type Order = Omit<Parameters<Room['make']>[0], 'as'>;
type Made = CallOutput<'takeExports', 'make'>;

/** Implements the room `takeExports` of the contract. */
export function takeExportCalls(options: TakeExportCallsOptions): Room {
  const { takes, analysis, exports } = options;
  let abort = new AbortController();
  return {
    make: ({ as, ...order }) =>
      exports.inFolder((folder) => {
        const run = { order, folder, signal: abort.signal };
        return as === 'zip' ? zipped(options, run) : inFiles(options, run);
      }),
    cancel() {
      abort.abort(new Failure('cancelled', t('export.cancelled')));
      abort = new AbortController();
      return undefined;
    },
    async preview(order) {
      const named = namedTakes(takes, order, options.clock());
      const [first] = named;
      if (!first) throw new Failure('not_found', t('cli.no_take', { id: order.ids[0] ?? '' }));
      const rate = frameRateOf(order.rate, first.record.frameRate);
      const withoutWords: string[] = [];
      if (order.formats.some(needsWords)) {
        for (const { record } of named)
          if (!(await analysis.wordsInScript(record.id))) withoutWords.push(record.name);
      }
      const { seconds } = await takes.edits.open(first.record.id);
      return {
        fileNames: takeFileNames(first.fileName, order.formats),
        frames: frameCount(seconds, rate),
        withoutWords,
      };
    },
  };
}

interface Run {
  order: Order;
  folder: string;
  signal: AbortSignal;
}

/** The written files of a take. */
interface WrittenTake extends NamedTake {
  written: string[];
  from: { takes: string[]; models: string[] };
}

async function inFiles(options: TakeExportCallsOptions, run: Run): Promise<Made> {
  const problems: Made['problems'] = [];
  const files: Made['files'] = [];
  let count = 0;
  for await (const { written, from } of writtenTakes(options, run, problems)) {
    count += 1;
    for (const fileName of written)
      files.push({ fileName, ...(await options.exports.add(join(run.folder, fileName), from)) });
  }
  return { files, takes: count, problems };
}

/** The files go into the archive take by take, so that the disk never contains all of them twice. */
async function zipped(options: TakeExportCallsOptions, run: Run): Promise<Made> {
  const { clock, exports } = options;
  const problems: Made['problems'] = [];
  const whole = { takes: [] as string[], models: [] as string[] };
  const fileName = `likeness-takes-${localDay(clock())}.zip`;
  const path = join(run.folder, fileName);
  let zip: ZipFile | null = null;
  try {
    for await (const { written, from } of writtenTakes(options, run, problems)) {
      zip ??= await ZipFile.create(path, clock());
      for (const name of written) {
        await zip.addFile(name, join(run.folder, name));
        await rm(join(run.folder, name));
      }
      whole.takes.push(...from.takes);
      whole.models.push(...from.models);
    }
    await zip?.finish();
  } catch (error) {
    await zip?.close().catch(() => undefined);
    throw storageFailure(error, path);
  }
  return {
    files: [{ fileName, ...(await exports.add(path, whole)) }],
    takes: whole.takes.length,
    problems,
  };
}

/**
 * Writes one take after the other; errors of single takes go to `problems`.
 *
 * @throws Failure `cancelled`, `storage`; the first take's error if all fail
 */
async function* writtenTakes(
  options: TakeExportCallsOptions,
  { order, folder, signal }: Run,
  problems: Made['problems'],
): AsyncGenerator<WrittenTake> {
  const { takes, clock, onProgress } = options;
  const { formats } = order;
  const wanted = new Set(order.ids);
  const run = { ...order, ids: order.among ?? order.ids };
  const named = namedTakes(takes, run, clock()).filter(({ record }) => wanted.has(record.id));
  const progress = new ExportProgress(
    named.map(({ record }) => record),
    formats.length,
    clock,
    onProgress,
  );
  let first: Failure | null = null;
  let count = 0;
  for (const one of named) {
    signal.throwIfAborted();
    const { id, name } = one.record;
    let passed = 0;
    progress.begin(name);
    try {
      const onFormat = (): void => {
        passed += 1;
        progress.passed(id, name);
      };
      yield await writeTake(options, one, { order, folder, signal, onFormat });
      count += 1;
    } catch (error) {
      const failure = failureOf(error, folder);
      if (failure.code === 'cancelled' || failure.code === 'storage') throw failure;
      first ??= failure;
      problems.push({ id, name, problem: failure.userMessage });
      progress.passed(id, name, formats.length - passed);
    }
  }
  if (count === 0 && first) throw first;
}

async function writeTake(
  { takes, analysis, head, drives, convertTake }: TakeExportCallsOptions,
  { record, fileName }: NamedTake,
  { order, folder, signal, onFormat }: Run & { onFormat: () => void },
): Promise<WrittenTake> {
  const { formats, rate, modelId = record.model || null } = order;
  const { record: finished, ...rest } = await finishedTake(takes, analysis, record.id);
  const take = { ...rest, name: finished.name, createdAt: finished.createdAt, head: () => head(modelId) };
  const withDrives: ConvertTake = (glb, take, stop) =>
    convertTake(glb, { ...take, drives: drives(modelId) }, stop);
  const written = await exportTake(take, formats, folder, withDrives, {
    stem: fileName,
    isPrivate: true,
    rate,
    signal,
    onFormat,
  });
  const from = { takes: [record.id], models: formats.some(holdsHead) ? [modelId ?? ''] : [] };
  return { record, fileName, written, from };
}

/** Reports an error that a head's file causes in a writer as a problem of that head. */
function failureOf(error: unknown, folder: string): Failure {
  const failure = storageFailure(error, folder);
  if (failure instanceof Failure) return failure;
  return new Failure('invalid_input', messageOf(error), { hint: t('takes.other_head') });
}
