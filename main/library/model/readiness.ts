import { refuseUnboundedGlb } from '@likeness/gltf/glb_bounds.ts';
import { glbLimits } from '@likeness/gltf/glb_limits.ts';
import { readInside } from '@likeness/node-kit/storage/inside_folder.ts';
import type { Readiness } from '#contract';
import { readinessOf } from './head_readiness.ts';

/**
 * As `readinessOf`, for a file that is really inside a folder.
 *
 * @throws Failure also if it must not be decoded
 */
export async function readinessOfFile(folder: string, path: string): Promise<Readiness> {
  const glb = await readInside(folder, path, glbLimits.fileBytes);
  await refuseUnboundedGlb(glb);
  return readinessOf(glb);
}
