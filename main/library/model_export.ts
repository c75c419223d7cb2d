import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallInput, CallOutput } from '#contract';
import { Failure } from '../failure.ts';
import { unpackedGlb } from '../gltf/unpacked_glb.ts';
import { imageHeadBytes, imageKind } from '../image_kind.ts';
import { freeName, safeName } from '../storage/safe_name.ts';
import { storageFailure } from '../storage/storage_failure.ts';
import { channelName } from './channel_names.ts';
import { renameMorphTargets } from './glb_names.ts';
import type { Libraries } from './libraries.ts';
import { mostPictureBytes, readModelFile, readRecord, recordFile, thumbnailFile } from './model_folder.ts';
import { objFiles } from './obj_export.ts';
import { smallGlb } from './small_glb.ts';
import { ZipFile } from './zip_file.ts';

type Order = Omit<CallInput<'library', 'exportModels'>, 'selection'>;

/** How long an exported file waits to be fetched, milliseconds. */
const keptMs = 60 * 60 * 1000;

/** Files that were made for the person to save. */
export interface ModelExports {
  /** @throws Failure `not_found`, `storage`, `unsupported` (more than a zip can hold) */
  make(ids: readonly string[], order: Order): Promise<CallOutput<'library', 'exportModels'>>;
  /** Absolute path of an exported file; null where it has gone. */
  file(exportId: string): string | null;
  /** Removes those of these models, and what an earlier run left. @returns How many files. */
  erase(ids: readonly string[]): Promise<number>;
  /** Removes all of them. */
  close(): Promise<void>;
}

/** @param folder - For unfetched exports; its content may go at any time. */
export function createModelExports(libraries: Libraries, folder: string): ModelExports {
  const { clock } = libraries.options;
  const made = new Map<string, { path: string; at: number; ids: ReadonlySet<string> }>();

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

  return {
    async make(ids, order) {
      const first = ids[0];
      if (first === undefined)
        throw new Failure('invalid_input', 'There is nothing to export.', { field: 'selection' });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await forgetOld();
      const exportId = randomUUID();
      const single = ids.length === 1 && order.format !== 'zip';
      const name = single
        ? nameOf(libraries, first)
        : `likeness-${new Date(clock()).toISOString().slice(0, 10)}`;
      const extension = single && order.format !== 'obj' ? 'glb' : 'zip';
      const path = join(folder, `${exportId}.${extension}`);
      try {
        if (extension === 'glb') await writeFile(path, await glbOf(libraries, first, order), { mode: 0o600 });
        else await writeZip(libraries, ids, order, path);
      } catch (error) {
        await rm(path, { force: true });
        throw storageFailure(error, path);
      }
      made.set(exportId, { path, at: clock(), ids: new Set(ids) });
      return {
        exportId,
        fileName: `${name}.${extension}`,
        bytes: (await stat(path)).size,
        models: ids.length,
      };
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

async function glbOf(libraries: Libraries, id: string, { format, names }: Order): Promise<Uint8Array> {
  let glb: Uint8Array = await libraries.modelBytes(id);
  if (names !== 'as-is') glb = renameMorphTargets(glb, (name) => channelName(name, names));
  if (format === 'glb-plain') return unpackedGlb(glb);
  return format === 'glb-small' ? smallGlb(glb) : glb;
}

async function writeZip(
  libraries: Libraries,
  ids: readonly string[],
  order: Order,
  path: string,
): Promise<void> {
  const { clock, onWorking } = libraries.options;
  const zip = await ZipFile.create(path, clock());
  try {
    const taken = new Set<string>();
    for (const [position, id] of ids.entries()) {
      const name = freeName(nameOf(libraries, id), (candidate) => taken.has(candidate.toLowerCase()));
      taken.add(name.toLowerCase());
      for (const { file, data } of await filesOf(libraries, id, name, order))
        await zip.add(`${name}/${file}`, data);
      onWorking?.({ what: 'export', done: position + 1, total: ids.length });
    }
    await zip.finish();
  } catch (error) {
    await zip.close().catch(() => undefined);
    throw error;
  }
}

/** What goes into an archive for one model. A photo goes only with `zip`, which is the model's whole folder. */
async function filesOf(
  libraries: Libraries,
  id: string,
  name: string,
  order: Order,
): Promise<{ file: string; data: Uint8Array }[]> {
  if (order.format === 'obj') {
    const files = await objFiles(await glbOf(libraries, id, order), name);
    return files.map(({ name: file, data }) => ({ file, data }));
  }
  const files = [{ file: `${name}.glb`, data: await glbOf(libraries, id, order) }];
  if (order.format !== 'zip') return files;
  const folder = libraries.modelFolder(id);
  const portrait = (await readRecord(folder)).photo?.file;
  for (const file of [thumbnailFile, recordFile, ...(portrait ? [portrait] : [])]) {
    const data = await readModelFile(folder, file, mostPictureBytes).catch(() => null);
    if (data && (file === recordFile || imageKind(data.subarray(0, imageHeadBytes)) !== null))
      files.push({ file, data });
  }
  return files;
}

function nameOf(libraries: Libraries, id: string): string {
  const card = libraries.index.card(id);
  if (!card)
    throw new Failure('not_found', 'A model to be exported is not there any more.', {
      hint: 'Choose again.',
    });
  return safeName(card.name, { maxBytes: 80 });
}
