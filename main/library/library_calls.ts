import { dirname, join } from 'node:path';
import { openInside, pathInside } from '@likeness/node-kit/storage/inside_folder.ts';
import type { Handlers } from '#contract';
import { collectionCalls } from './collection_calls.ts';
import { type ExportCallsOptions, exportCalls } from './export/export_calls.ts';
import { type FolderCallsOptions, folderCalls } from './folder_calls.ts';
import type { Libraries } from './libraries.ts';
import { earlierFile } from './model/earlier_versions.ts';
import { type ModelCallsOptions, modelCalls } from './model/model_calls.ts';
import { modelFault } from './model/model_fault.ts';
import { faultOfGlb, modelFile } from './model/model_folder.ts';
import { pictureOf, shownPicture } from './model/portrait_file.ts';

export interface LibraryCallsOptions extends FolderCallsOptions, ModelCallsOptions, ExportCallsOptions {}

/** Implements the library's calls of the contract. */
export const libraryCalls = (options: LibraryCallsOptions): Handlers['library'] => ({
  ...folderCalls(options),
  ...modelCalls(options),
  ...collectionCalls(options.libraries, options.editing),
  ...exportCalls(options),
});

/** Absolute path of a model's file for the page; null if it does not exist or must not be shown. */
export async function modelAsset(
  libraries: Libraries,
  kind: 'model' | 'thumbnail' | 'portrait',
  id: string,
): Promise<string | null> {
  if (!libraries.index.locate(id)) return null;
  const folder = libraries.modelFolder(id);
  if (kind !== 'model') return shownPicture(libraries, kind, id);
  // The page decodes it too.
  if ((await modelFault(libraries, id)).refused) return null;
  return pathInside(dirname(folder), join(folder, modelFile));
}

/** The same of an earlier version. @param id - `<model>.<version>` */
export async function earlierAsset(
  libraries: Libraries,
  kind: 'earlier-model' | 'earlier-thumbnail',
  id: string,
): Promise<string | null> {
  const [modelId = '', version = ''] = id.split('.');
  if (!libraries.index.locate(modelId)) return null;
  const isModel = kind === 'earlier-model';
  const path = await earlierFile(libraries, modelId, version, isModel ? 'model' : 'thumbnail');
  if (path === null) return null;
  if (!isModel) return pictureOf(path, 'thumbnail');
  const folder = libraries.modelFolder(modelId);
  return (await faultOfGlb(openInside(dirname(folder), path))) === null ? path : null;
}
