import type { Readiness } from '#contract';
import { refuseUnboundedGlb } from '../../gltf/glb_bounds.ts';
import { glbLimits } from '../../gltf/glb_limits.ts';
import { readInside } from '../../storage/inside_folder.ts';
import { readinessOf } from './head_readiness.ts';

/**
 * As `readinessOf`, of a file that really lies in a folder.
 *
 * @throws Failure also where it is not to be decoded
 */
export async function readinessOfFile(folder: string, path: string): Promise<Readiness> {
  const glb = await readInside(folder, path, glbLimits.fileBytes);
  await refuseUnboundedGlb(glb);
  return readinessOf(glb);
}
