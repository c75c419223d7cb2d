import type { ModelFault } from '../index/model_index.ts';
import type { Libraries } from '../libraries.ts';
import { faultOfGlb, modelFile, modelPart, openModelFile, stampOf } from './model_folder.ts';

/**
 * Returns the problem of a model's file, checked once per state of the file.
 *
 * @throws Failure `not_found`
 */
export async function modelFault(libraries: Libraries, id: string): Promise<ModelFault> {
  const { index, feed } = libraries;
  const folder = libraries.modelFolder(id);
  const { stamp } = await stampOf(folder);
  const known = index.fault(id, modelPart(stamp));
  if (known) return known;
  const fault = await faultOfGlb(openModelFile(folder, modelFile));
  const found = { fault: fault?.text ?? '', refused: fault !== null };
  index.noteFault(id, modelPart(stamp), found);
  if (found.refused) feed.changed([id]);
  return found;
}
