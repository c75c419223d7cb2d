import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The default head, as the build has made it. */
export const defaultHeadGlb = (): Promise<Buffer> =>
  readFile(join(import.meta.dirname, '../../../out/main/default-head.glb'));
