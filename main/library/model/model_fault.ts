import type { ModelFault } from '../index/model_index.ts';
import type { Libraries } from '../libraries.ts';
import { faultOfGlb, modelFile, modelPart, openModelFile, stampOf } from './model_folder.ts';

/**
 * What is wrong with a model's file, which is looked at once for each that it was.
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
