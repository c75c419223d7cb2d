import { basename, dirname, join } from 'node:path';
import { t } from '@likeness/messages';
import { fileErrorCode } from '@likeness/node-kit/error_codes.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { openInside } from '@likeness/node-kit/storage/inside_folder.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { PackedFace } from '@likeness/proto/face/packed_face.ts';
import { PackedTakeReader } from '@likeness/proto/packed_take.ts';
import { maxTakeBytes, takeFiles } from '../take_record.ts';

/** Read at a time, bytes. */
const pieceBytes = 1024 * 1024;

/**
 * Packs a take's face while its file is read: three hours need 200 MB, without the file in memory.
 *
 * @param folder of the take @param root folder that contains it, with links resolved
 * @returns null if there is no second face, or it is unreadable
 * @throws Failure `storage`
 */
async function packedFace(
  folder: string,
  what: 'face' | 'second',
  root = dirname(folder),
): Promise<PackedFace | null> {
  const path = join(folder, takeFiles[what]);
  const reader = new PackedTakeReader();
  try {
    const file = await openInside(root, path);
    try {
      const { size } = await file.stat();
      if (size > maxTakeBytes[what]) {
        const sizes = { size, most: maxTakeBytes[what] };
        throw new Failure('storage', t('storage.too_large', { file: basename(path), ...sizes }));
      }
      for (;;) {
        // A new one each time, because it holds the rest of a partial message.
        const piece = Buffer.allocUnsafeSlow(pieceBytes);
        const { bytesRead } = await file.read(piece, 0, pieceBytes);
        if (bytesRead === 0) break;
        reader.push(piece.subarray(0, bytesRead));
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    if (what === 'second' && fileErrorCode(error) === 'ENOENT') return null;
    throw storageFailure(error, path);
  }
  const face = reader.finish();
  return what === 'second' && face.frames.length === 0 ? null : face;
}

/**
 * Returns the face to play and export.
 *
 * @param root folder that contains the take's, default: its parent @throws Failure `storage`
 */
export async function playedFace(
  folder: string,
  shown: 'live' | 'second',
  root?: string,
): Promise<PackedFace> {
  const second = shown === 'second' ? await packedFace(folder, 'second', root) : null;
  const face = second ?? (await packedFace(folder, 'face', root));
  return face ?? new PackedFace({ channelNames: [], frameRate: 60 }).trimmed();
}

/** Returns the face made from the whole audio; null if there is none. @throws Failure `storage` */
export const secondFace = (folder: string): Promise<PackedFace | null> => packedFace(folder, 'second');
