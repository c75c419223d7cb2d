import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { Alignment } from '#contract';
import { encodeBareMessage } from '#proto/face_stream.ts';
import { encodeArrival, facesOf, readArrivals, type TakeFace } from '#proto/take_stream.ts';
import { writeFileAtomically } from '../storage/atomic_file.ts';
import { pathInside, readInside } from '../storage/inside_folder.ts';
import { fileErrorCode, storageFailure } from '../storage/storage_failure.ts';
import { mostTakeBytes, takeFiles } from './take_record.ts';

/** `words.json`, schema version 1. `script`: what the words were read from; null in files of before. */
const Words = z.looseObject({
  schemaVersion: z.literal(1),
  script: z.string().nullable().default(null),
  alignment: Alignment,
});
/** A script's words with their times. */
export type KeptWords = Pick<z.output<typeof Words>, 'script' | 'alignment'>;

/** Messages of `face.pb` and `second.pb` that hold a whole face which was made at once. */
export function faceMessages(
  { channelNames, frameRate, frames }: TakeFace,
  arrivedAt: number,
): Uint8Array<ArrayBuffer>[] {
  const messages = [
    encodeBareMessage({ kind: 'header', traceId: 'afterwards', frameRate, channelNames, mesh: undefined }),
    ...frames.map((frame, index) => encodeBareMessage({ ...frame, index, vertices: undefined })),
  ];
  return messages.map((message) => encodeArrival({ arrivedAt, tier: 'afterwards', message }));
}

/** @throws Failure `storage`; then what was there before is there still */
export function writeSecondFace(folder: string, face: TakeFace, seconds: number): Promise<void> {
  return writeFileAtomically(join(folder, takeFiles.second), Buffer.concat(faceMessages(face, seconds)));
}

/** Whether there is one, without reading it: of ten minutes it has ten megabytes. */
export const hasSecondFace = async (folder: string): Promise<boolean> =>
  (await pathInside(dirname(folder), join(folder, takeFiles.second))) !== null;

/** Null where there is none, or nothing of it can be read. @throws Failure `storage` */
export async function readSecondFace(folder: string): Promise<TakeFace | null> {
  const bytes = await readIfThere(folder, 'second');
  return (bytes && facesOf(readArrivals(bytes).arrivals)[0]) ?? null;
}

/** @param words null: none are known @throws Failure `storage` */
export async function writeWords(folder: string, words: KeptWords | null): Promise<void> {
  const path = join(folder, takeFiles.words);
  if (words) return writeFileAtomically(path, `${JSON.stringify({ schemaVersion: 1, ...words })}\n`);
  await rm(path, { force: true }).catch((error: unknown) => {
    throw storageFailure(error, path);
  });
}

/** Null where there are none, or they make no sense: they can be made again. @throws Failure `storage` */
export async function readWords(folder: string): Promise<KeptWords | null> {
  const bytes = await readIfThere(folder, 'words');
  if (!bytes) return null;
  try {
    return Words.safeParse(JSON.parse(bytes.toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}

async function readIfThere(folder: string, what: 'second' | 'words'): Promise<Buffer | null> {
  const path = join(folder, takeFiles[what]);
  try {
    return await readInside(dirname(folder), path, mostTakeBytes[what]);
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return null;
    throw storageFailure(error, basename(path));
  }
}
