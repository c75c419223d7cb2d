import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { faceRegions } from '@likeness/proto/takes/edits/edit_limits.ts';
import type { EditContext } from '@likeness/proto/takes/edits/edited_face.ts';
import type { TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import { secondFace } from '../views/packed_face_file.ts';
import { overdubFace } from './take_overdubs.ts';

/**
 * Reads other faces that a take's edits refer to, only if they do.
 *
 * @param folder of the take @param seconds length of the recording @throws Failure `storage`
 */
export async function editContext(
  folder: string,
  seconds: number,
  { regions, taken }: Pick<TakeEdits, 'regions' | 'taken'>,
): Promise<EditContext> {
  const isInferred = faceRegions.some((region) => regions[region].source === 'inferred');
  const second = isInferred ? await secondFace(folder) : null;
  const attempts = new Map<string, PlayableFace>();
  const ids = new Set(faceRegions.flatMap((region) => taken[region].map(({ attempt }) => attempt)));
  for (const attempt of ids) {
    const face = await overdubFace(folder, attempt);
    if (face) attempts.set(attempt, face);
  }
  return { seconds, attempts, inferred: second };
}
