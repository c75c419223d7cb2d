import { rm, stat, writeFile } from 'node:fs/promises';
import type { ConvertThreads } from '@likeness/gltf/formats/convert_threads.ts';
import type { FormatFile } from '@likeness/gltf/formats/format_file.ts';
import { formatFiles } from '@likeness/gltf/formats/format_names.ts';
import { ZipFile } from '@likeness/gltf/formats/zip/zip_file.ts';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { imageHeadBytes, imageKind } from '@likeness/node-kit/image_kind.ts';
import { distinctNames, safeName } from '@likeness/node-kit/storage/safe_name.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { localDay } from '@likeness/proto/text/local_day.ts';
import type { CallInput, CallOutput } from '#contract';
import { nameByPattern } from '../../base/name_pattern.ts';
import type { NameTables } from '../../names/name_tables.ts';
import type { Libraries } from '../libraries.ts';
import {
  maxPictureBytes,
  readModelFile,
  readRecord,
  recordFile,
  thumbnailFile,
} from '../model/model_folder.ts';
import { ExportedFiles } from './exported_files.ts';
import { type FormatOrder, formatOf, HeadConversions } from './head_conversions.ts';

/** The default file name is the head's name. */
const defaultNameTemplate = '{name}';

export type ExportOrder = Omit<CallInput<'library', 'exportModels'>, 'selection'>;

/** An exported head in one format: one file, or several in a folder of this name. */
export interface ExportedModel {
  id: string;
  /** Without extension; unique in the export. */
  name: string;
  files: FormatFile[];
  severalFiles: boolean;
  /** Folder of its format, since formats share extensions; empty if the export has one format. */
  folder: string;
}

/** A head that could not be exported in a format; the others continue. */
export interface FailedModel {
  id: string;
  /** With the format, if the export has several. */
  name: string;
  problem: Failure;
}

/** Makes files for the user to save. */
export interface ModelExports {
  /**
   * @throws Failure `not_found`, `storage`, `unsupported` (more than a zip can hold), `cancelled`, and as
   *   `convertHead`
   */
  make(ids: readonly string[], order: ExportOrder): Promise<CallOutput<'library', 'exportModels'>>;
  /** Yields the same head by head and format by format, for a caller that writes the files. */
  each(ids: readonly string[], order: ExportOrder): AsyncIterable<ExportedModel | FailedModel>;
  /** Preview of one format of the result, from the first model. @throws as `make` */
  preview(ids: readonly string[], order: FormatOrder): Promise<CallOutput<'library', 'previewExport'>>;
  /** Aborts the running export, which then throws `cancelled`. */
  cancel(): void;
  /** Absolute path of an exported file; null if it no longer exists. */
  file(exportId: string): string | null;
  /** Removes those of these models and leftovers of an earlier run. @returns How many files. */
  erase(ids: readonly string[]): Promise<number>;
  /** Removes all of them. */
  close(): Promise<void>;
}

/**
 * @param folder - For exports that are not downloaded yet; its content may be deleted at any time.
 * @param threads - Convert heads.
 * @param tables - The available vocabularies.
 */
export function createModelExports(
  libraries: Libraries,
  folder: string,
  threads: Pick<ConvertThreads, 'convert'>,
  tables: Pick<NameTables, 'table'>,
): ModelExports {
  const { clock, onWorking } = libraries.options;
  const exported = new ExportedFiles(folder, clock);
  const conversions = new HeadConversions(libraries, threads, tables);
  let abort = new AbortController();

  async function* each(
    ids: readonly string[],
    order: ExportOrder,
  ): AsyncGenerator<ExportedModel | FailedModel> {
    const signal = abort.signal;
    const names = distinctNames(ids.map((id, position) => nameOf(libraries, id, order, position)));
    const outputs = ids.flatMap((id, at) =>
      order.formats.map((format) => ({ id, name: names[at]!, format })),
    );
    const isOnly = order.formats.length === 1;
    for (const [position, { id, name, format }] of outputs.entries()) {
      if (signal.aborted) throw new Failure('cancelled', t('export.cancelled'));
      try {
        const { files } = await conversions.convert(id, { ...order, format }, name, signal);
        const severalFiles = format === 'zip' || formatFiles[format].severalFiles;
        if (format === 'zip') files.push(...(await besideTheHead(libraries, id)));
        yield { id, name, files, severalFiles, folder: isOnly ? '' : format };
      } catch (error) {
        if (!(error instanceof Failure) || error.code === 'cancelled') throw error;
        yield { id, name: isOnly ? name : `${name} (${format})`, problem: error };
      }
      onWorking?.({ what: 'export', done: position + 1, total: outputs.length });
    }
  }

  return {
    each,
    async make(ids, order) {
      const { single, fileName, extension } = fileOf(libraries, ids, order);
      const target = await exported.newFile(extension);
      const { exportId, path } = target;
      const total = ids.length * order.formats.length;
      onWorking?.({ what: 'export', done: 0, total });
      const failed: FailedModel[] = [];
      const written = new Set<string>();
      try {
        const models = thatAreWhole(each(ids, order), failed, written);
        if (single) {
          for await (const { files } of models) await writeFile(path, files[0]!.data, { mode: 0o600 });
        } else await writeZip(models, path, clock());
        if (written.size === 0) throw failed[0]!.problem;
      } catch (error) {
        await rm(path, { force: true });
        onWorking?.({ what: 'export', done: total, total });
        throw storageFailure(error, path);
      }
      exported.keep(target, ids);
      return {
        exportId,
        fileName,
        bytes: (await stat(path)).size,
        models: written.size,
        problems: failed.map(({ name: head, problem }) => ({ name: head, problem: problem.userMessage })),
      };
    },
    async preview(ids, order) {
      const first = firstOf(ids);
      const name = nameOf(libraries, first, order, 0);
      const outcome = await conversions.outcome(first, order, name, abort.signal);
      return { fileName: `${name}.${formatFiles[formatOf(order)].ending}`, ...outcome };
    },
    cancel() {
      abort.abort();
      abort = new AbortController();
    },
    erase: (ids) => exported.erase(ids),
    file: (exportId) => exported.file(exportId),
    close: () => exported.close(),
  };
}

/** @throws Failure `invalid_input` where there is none */
function firstOf(ids: readonly string[]): string {
  const [first] = ids;
  if (first !== undefined) return first;
  throw new Failure('invalid_input', t('library.nothing_to_export'), { field: 'selection' });
}

/** Returns the file of an export: one head in one file stays a single file, everything else is a zip. */
function fileOf(
  libraries: Libraries,
  ids: readonly string[],
  order: ExportOrder,
): { single: boolean; fileName: string; extension: string } {
  const first = firstOf(ids);
  const [format] = order.formats;
  const isOnly = order.formats.length === 1 && format !== undefined;
  const isOfOne = ids.length === 1 && !(isOnly && format === 'zip');
  const name = isOfOne
    ? nameOf(libraries, first, order, 0)
    : `likeness-${localDay(libraries.options.clock())}`;
  const files = isOnly && isOfOne ? formatFiles[formatOf({ format })] : null;
  const single = files !== null && !files.severalFiles;
  const extension = single ? files.ending : 'zip';
  return { single, fileName: `${name}.${extension}`, extension };
}

/** Returns the successful heads, notes their ids, and collects the failures. */
async function* thatAreWhole(
  models: AsyncIterable<ExportedModel | FailedModel>,
  failed: FailedModel[],
  written: Set<string>,
): AsyncGenerator<ExportedModel> {
  for await (const model of models) {
    if ('problem' in model) {
      failed.push(model);
      continue;
    }
    written.add(model.id);
    yield model;
  }
}

async function writeZip(models: AsyncIterable<ExportedModel>, path: string, at: number): Promise<void> {
  const zip = await ZipFile.create(path, at);
  try {
    for await (const { name, files, severalFiles, folder } of models)
      for (const file of files)
        await zip.add([folder, severalFiles ? name : '', file.name].filter(Boolean).join('/'), file.data);
    await zip.finish();
  } catch (error) {
    await zip.close().catch(() => undefined);
    throw error;
  }
}

/** The files of `zip` besides the head: its record, its picture, and its photo. */
async function besideTheHead(libraries: Libraries, id: string): Promise<FormatFile[]> {
  const folder = libraries.modelFolder(id);
  const { photo, others } = await readRecord(folder);
  const portraits = [photo, ...others].flatMap((one) => one?.file ?? []);
  const files: FormatFile[] = [];
  for (const name of [thumbnailFile, recordFile, ...portraits]) {
    const data = await readModelFile(folder, name, maxPictureBytes).catch(() => null);
    if (data && (name === recordFile || imageKind(data.subarray(0, imageHeadBytes)) !== null))
      files.push({ name, data });
  }
  return files;
}

/** @throws Failure `not_found`; `invalid_input` for an unknown field */
function nameOf(
  libraries: Libraries,
  id: string,
  { fileName }: Pick<ExportOrder, 'fileName'>,
  position: number,
): string {
  const card = libraries.index.card(id);
  if (!card)
    throw new Failure('not_found', t('library.export_gone'), {
      hint: t('library.choose_again'),
    });
  const name = nameByPattern(
    fileName ?? defaultNameTemplate,
    {
      name: card.name,
      date: localDay(card.madeAt),
      today: localDay(libraries.options.clock()),
      number: String(position + 1),
      sex: card.sex ?? '',
      id,
    },
    card.name,
  );
  return safeName(name, { maxBytes: 80 });
}
