import { dirname, join } from 'node:path';
import { writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import { readInside } from '@likeness/node-kit/storage/inside_folder.ts';
import { readArrivals, type TakeFace } from '@likeness/proto/take_stream.ts';
import { faceMessages } from './full_pass_face.ts';
import { maxTakeBytes, takeFiles } from './take_record.ts';

/**
 * Adds a face that was made after the recording, unless there is one. The received messages stay unchanged
 * before it.
 *
 * @param arrivedAt seconds since the take's first sample
 * @throws Failure `storage`; then the take is unchanged
 */
export async function addFace(folder: string, face: TakeFace, arrivedAt: number): Promise<void> {
  const path = join(folder, takeFiles.face);
  const received = await readInside(dirname(folder), path, maxTakeBytes.face);
  const { arrivals, wholeBytes } = readArrivals(received);
  // The studio exited after the face was added but before the record was updated.
  if (arrivals.some(({ tier }) => tier === 'afterwards')) return;
  const added = [...faceMessages(face, arrivedAt)];
  await writeFileAtomically(path, Buffer.concat([received.subarray(0, wholeBytes), ...added]));
}
