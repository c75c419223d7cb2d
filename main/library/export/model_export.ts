import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallInput, CallOutput } from '#contract';
import { say } from '#sentences';
import { imageHeadBytes, imageKind } from '../../base/image_kind.ts';
import { nameByPattern } from '../../base/name_pattern.ts';
import { Failure } from '../../failure.ts';
import type { Converted } from '../../formats/convert.ts';
import type { ConvertThreads } from '../../formats/convert_threads.ts';
import type { FormatFile } from '../../formats/format_file.ts';
import { formats, type HeadAbout } from '../../formats/formats.ts';
import type { NameTable } from '../../formats/names/name_table.ts';
import type { NameTables } from '../../formats/names/name_tables.ts';
import { metaOfRecord } from '../../formats/vrm/vrm_meta.ts';
import { freeName, safeName } from '../../storage/safe_name.ts';
import { storageFailure } from '../../storage/storage_failure.ts';
import type { Libraries } from '../libraries.ts';
import {
  modelFile,
  mostPictureBytes,
  readModelFile,
  readRecord,
  recordFile,
  stampOf,
  thumbnailFile,
} from '../model/model_folder.ts';
import { ZipFile } from './zip_file.ts';

export type ExportOrder = Omit<CallInput<'library', 'exportModels'>, 'selection'>;

/** A file is called by its head where nothing else is said. */
const usualName = '{name}';

/** An exported head: one file, or several in a folder of this name. */
export interface ExportedModel {
  id: string;
  /** Without extension; no other of the same export has it. */
  name: string;
  files: FormatFile[];
  severalFiles: boolean;
}

/** A head that could not be exported; the others go on. */
export interface FailedModel {
  id: string;
  name: string;
  problem: Failure;
}

/** What a conversion comes to. */
type Outcome = Omit<CallOutput<'library', 'previewExport'>, 'fileName'>;

/** Each head's own: `zip` has it as a GLB, beside other files. */
const formatOf = ({ format }: ExportOrder) => (format === 'zip' ? 'glb' : format);

/** How long an exported file waits to be fetched, milliseconds. */
const keptMs = 60 * 60 * 1000;

/** Files that were made for the person to save. */
export interface ModelExports {
  /**
   * @throws Failure `not_found`, `storage`, `unsupported` (more than a zip can hold), `cancelled`, and as
   *   `convertHead`
   */
  make(ids: readonly string[], order: ExportOrder): Promise<CallOutput<'library', 'exportModels'>>;
  /** The same, one head after the other, for whoever writes the files. */
  each(ids: readonly string[], order: ExportOrder): AsyncIterable<ExportedModel | FailedModel>;
  /** Preview of the result, from the first model. @throws as `make` */
  preview(ids: readonly string[], order: ExportOrder): Promise<CallOutput<'library', 'previewExport'>>;
  /** Ends what is under way; it throws `cancelled` there. */
  cancel(): void;
  /** Absolute path of an exported file; null where it has gone. */
  file(exportId: string): string | null;
  /** Removes those of these models, and what an earlier run left. @returns How many files. */
  erase(ids: readonly string[]): Promise<number>;
  /** Removes all of them. */
  close(): Promise<void>;
}

/**
 * @param folder - For unfetched exports; its content may go at any time.
 * @param threads - Where heads are converted.
 * @param tables - Of the vocabularies that an order may name.
 */
export function createModelExports(
  libraries: Libraries,
  folder: string,
  threads: Pick<ConvertThreads, 'convert'>,
  tables: Pick<NameTables, 'table'>,
): ModelExports {
  const { clock, onWorking } = libraries.options;
  const made = new Map<string, { path: string; at: number; ids: ReadonlySet<string> }>();
  let underWay = new AbortController();

  const forgetOld = async (): Promise<void> => {
    for (const [id, { path, at }] of made) {
      if (clock() - at < keptMs) continue;
      made.delete(id);
      await rm(path, { force: true });
    }
    // What an earlier run left.
    const kept = new Set([...made.values()].map(({ path }) => path));
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      if (!kept.has(path) && clock() - (await stat(path)).mtimeMs > keptMs) await rm(path, { force: true });
    }
  };

  const tableOf = (names: string): NameTable | null => (names === 'as-is' ? null : tables.table(names));
  const convert = async (id: string, order: ExportOrder, stem: string): Promise<Converted> => {
    const about = await aboutOf(libraries, id);
    const glb = await readModelFile(libraries.modelFolder(id), modelFile);
    const conversion = { format: formatOf(order), table: tableOf(order.names), stem, about };
    return threads.convert(glb, conversion, underWay.signal);
  };

  /** The last that was tried: a file's name can be typed without its head being converted at each letter. */
  let tried: { key: string; outcome: Promise<Outcome> } | null = null;
  const outcomeOf = async (id: string, order: ExportOrder, stem: string): Promise<Outcome> => {
    const { stamp } = await stampOf(libraries.modelFolder(id));
    const key = JSON.stringify([id, formatOf(order), tableOf(order.names), stamp]);
    if (tried?.key === key) return tried.outcome;
    const outcome = convert(id, order, stem).then(({ files: made, moving, still }) => ({
      bytes: made.reduce((sum, { data }) => sum + data.byteLength, 0),
      moving,
      still,
    }));
    const trial = { key, outcome };
    tried = trial;
    outcome.catch(() => {
      if (tried === trial) tried = null;
    });
    return outcome;
  };

  async function* each(
    ids: readonly string[],
    order: ExportOrder,
  ): AsyncGenerator<ExportedModel | FailedModel> {
    const signal = underWay.signal;
    const taken = new Set<string>();
    for (const [position, id] of ids.entries()) {
      if (signal.aborted) throw new Failure('cancelled', say('export.cancelled'));
      const name = freeName(nameOf(libraries, id, order, position), (candidate) =>
        taken.has(candidate.toLowerCase()),
      );
      taken.add(name.toLowerCase());
      try {
        const { files } = await convert(id, order, name);
        const severalFiles = order.format === 'zip' || formats[order.format].severalFiles;
        if (order.format === 'zip') files.push(...(await besideTheHead(libraries, id)));
        yield { id, name, files, severalFiles };
      } catch (error) {
        if (!(error instanceof Failure) || error.code === 'cancelled') throw error;
        yield { id, name, problem: error };
      }
      onWorking?.({ what: 'export', done: position + 1, total: ids.length });
    }
  }

  return {
    each,
    async make(ids, order) {
      const first = ids[0];
      if (first === undefined)
        throw new Failure('invalid_input', say('library.nothing_to_export'), { field: 'selection' });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await forgetOld();
      const exportId = randomUUID();
      const format = order.format === 'zip' ? undefined : formats[order.format];
      const single = ids.length === 1 && format?.severalFiles === false;
      const name =
        ids.length === 1 && order.format !== 'zip'
          ? nameOf(libraries, first, order, 0)
          : `likeness-${new Date(clock()).toISOString().slice(0, 10)}`;
      const extension = single ? format.ending : 'zip';
      const path = join(folder, `${exportId}.${extension}`);
      onWorking?.({ what: 'export', done: 0, total: ids.length });
      const failed: FailedModel[] = [];
      try {
        const models = thatAreWhole(each(ids, order), failed);
        if (single) {
          for await (const { files } of models) await writeFile(path, files[0]!.data, { mode: 0o600 });
        } else await writeZip(models, path, clock());
        if (failed.length === ids.length) throw failed[0]!.problem;
      } catch (error) {
        await rm(path, { force: true });
        onWorking?.({ what: 'export', done: ids.length, total: ids.length });
        throw storageFailure(error, path);
      }
      made.set(exportId, { path, at: clock(), ids: new Set(ids) });
      return {
        exportId,
        fileName: `${name}.${extension}`,
        bytes: (await stat(path)).size,
        models: ids.length - failed.length,
        problems: failed.map(({ name: head, problem }) => ({ name: head, problem: problem.said })),
      };
    },
    async preview(ids, order) {
      const first = ids[0];
      if (first === undefined)
        throw new Failure('invalid_input', say('library.nothing_to_export'), { field: 'selection' });
      const name = nameOf(libraries, first, order, 0);
      const outcome = await outcomeOf(first, order, name);
      return { fileName: `${name}.${formats[formatOf(order)].ending}`, ...outcome };
    },
    cancel() {
      underWay.abort();
      underWay = new AbortController();
    },
    async erase(ids) {
      for (const [exportId, { ids: inside }] of made)
        if (ids.some((id) => inside.has(id))) made.delete(exportId);
      const kept = new Set([...made.values()].map(({ path }) => path));
      const names = await readdir(folder).catch(() => []);
      const gone = names.map((name) => join(folder, name)).filter((path) => !kept.has(path));
      for (const path of gone) await rm(path, { recursive: true, force: true });
      return gone.length;
    },
    file: (exportId) => made.get(exportId)?.path ?? null,
    async close() {
      await Promise.all([...made.values()].map(({ path }) => rm(path, { force: true })));
      made.clear();
    },
  };
}

/** Passes on complete lines and keeps the rest. */
async function* thatAreWhole(
  models: AsyncIterable<ExportedModel | FailedModel>,
  failed: FailedModel[],
): AsyncGenerator<ExportedModel> {
  for await (const model of models) {
    if ('problem' in model) failed.push(model);
    else yield model;
  }
}

async function writeZip(models: AsyncIterable<ExportedModel>, path: string, at: number): Promise<void> {
  const zip = await ZipFile.create(path, at);
  try {
    for await (const { name, files, severalFiles } of models)
      for (const file of files) await zip.add(severalFiles ? `${name}/${file.name}` : file.name, file.data);
    await zip.finish();
  } catch (error) {
    await zip.close().catch(() => undefined);
    throw error;
  }
}

/** What `zip` has beside the head: its record, its picture, and the photo that it was made of. */
async function besideTheHead(libraries: Libraries, id: string): Promise<FormatFile[]> {
  const folder = libraries.modelFolder(id);
  const portrait = (await readRecord(folder)).photo?.file;
  const files: FormatFile[] = [];
  for (const name of [thumbnailFile, recordFile, ...(portrait ? [portrait] : [])]) {
    const data = await readModelFile(folder, name, mostPictureBytes).catch(() => null);
    if (data && (name === recordFile || imageKind(data.subarray(0, imageHeadBytes)) !== null))
      files.push({ name, data });
  }
  return files;
}

async function aboutOf(libraries: Libraries, id: string): Promise<HeadAbout> {
  const folder = libraries.modelFolder(id);
  const picture = await readModelFile(folder, thumbnailFile, mostPictureBytes).catch(() => undefined);
  const isPicture = picture && imageKind(picture.subarray(0, imageHeadBytes)) !== null;
  return metaOfRecord(await readRecord(folder), isPicture ? picture : undefined);
}

/** @throws Failure `not_found`; `invalid_input` for a field that there is not */
function nameOf(libraries: Libraries, id: string, { fileName }: ExportOrder, position: number): string {
  const card = libraries.index.card(id);
  if (!card)
    throw new Failure('not_found', say('library.export_gone'), {
      hint: say('library.choose_again'),
    });
  const name = nameByPattern(
    fileName ?? usualName,
    {
      name: card.name,
      date: new Date(card.createdAt).toISOString().slice(0, 10),
      today: new Date(libraries.options.clock()).toISOString().slice(0, 10),
      number: String(position + 1),
      sex: card.sex ?? '',
      id,
    },
    card.name,
  );
  return safeName(name, { maxBytes: 80 });
}
