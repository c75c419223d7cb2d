import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { commitFile, unfinishedPath, writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import { pathInside } from '@likeness/node-kit/storage/inside_folder.ts';
import { joinedChunks } from '@likeness/node-kit/storage/joined_chunks.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { encodeBareMessage } from '@likeness/proto/face_stream.ts';
import type { FaceStreamFrame } from '@likeness/proto/face_stream_protocol.ts';
import {
  encodeArrival,
  facesOf,
  readArrivals,
  type StreamedFace,
  type TakeFace,
} from '@likeness/proto/take_stream.ts';
import { z } from 'zod';
import { Alignment } from '#contract';
import { readTakeFile } from './read_take.ts';
import { takeFiles } from './take_record.ts';

/** `words.json`, schema version 1. `script`: the words' source text; missing in older files. */
const Words = z.looseObject({
  schemaVersion: z.literal(1),
  script: z.string().nullable().default(null),
  alignment: Alignment,
});
/** A transcript's words with their times. */
export type KeptWords = Pick<z.output<typeof Words>, 'script' | 'alignment'>;

type Frame = Pick<FaceStreamFrame, 'timeCode' | 'weights' | 'headPose' | 'eyeGaze'>;

/** Messages of `face.pb` and `second.pb` with a whole face that was made at once. */
export function* faceMessages(
  {
    channelNames,
    frameRate,
    frames,
  }: Pick<TakeFace, 'channelNames' | 'frameRate'> & { frames: Iterable<Frame> },
  arrivedAt: number,
): Generator<Uint8Array<ArrayBuffer>, void> {
  yield headerArrival({ channelNames, frameRate }, arrivedAt);
  let index = 0;
  for (const frame of frames) yield frameArrival(frame, index++, arrivedAt);
}

/** The same for a face that is being made. */
async function* streamedMessages(
  { channelNames, frameRate, frames }: StreamedFace,
  arrivedAt: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  yield headerArrival({ channelNames, frameRate }, arrivedAt);
  let index = 0;
  for await (const frame of frames) yield frameArrival(frame, index++, arrivedAt);
}

const headerArrival = (
  { channelNames, frameRate }: Pick<TakeFace, 'channelNames' | 'frameRate'>,
  arrivedAt: number,
): Uint8Array<ArrayBuffer> =>
  encodeArrival({
    arrivedAt,
    tier: 'afterwards',
    message: encodeBareMessage({
      kind: 'header',
      traceId: 'afterwards',
      frameRate,
      channelNames,
      mesh: undefined,
    }),
  });

function frameArrival(
  { timeCode, weights, headPose, eyeGaze }: Frame,
  index: number,
  arrivedAt: number,
): Uint8Array<ArrayBuffer> {
  const frame = { kind: 'frame' as const, index, timeCode, weights, headPose, eyeGaze, vertices: undefined };
  return encodeArrival({ arrivedAt, tier: 'afterwards', message: encodeBareMessage(frame) });
}

/** @throws Failure `storage`; then the previous files remain */
export function writeSecondFace(folder: string, face: TakeFace, seconds: number): Promise<void> {
  return writeFileAtomically(join(folder, takeFiles.second), joinedChunks(faceMessages(face, seconds)));
}

/** A second face on disk that the take does not use yet. */
export interface PendingFace {
  /** Makes it the take's second face. @throws Failure `storage` */
  commit(): Promise<void>;
  drop(): Promise<void>;
}

/** Writes a face while it is made. @throws Failure `storage`, errors of its frames; then no file remains */
export async function pendingFace(folder: string, face: StreamedFace, seconds: number): Promise<PendingFace> {
  const path = join(folder, takeFiles.second);
  const unfinished = unfinishedPath(path);
  const drop = (): Promise<void> => rm(unfinished, { force: true }).catch(() => undefined);
  try {
    await writeFile(unfinished, joinedChunks(streamedMessages(face, seconds)), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    await drop();
    throw storageFailure(error, path);
  }
  return { commit: () => commitFile(unfinished, path), drop };
}

/** Checks for one without reading it: ten minutes have ten megabytes. */
export const hasSecondFace = async (folder: string): Promise<boolean> =>
  (await pathInside(dirname(folder), join(folder, takeFiles.second))) !== null;

/** Null if there is none, or it is unreadable. @throws Failure `storage` */
export async function readFullPassFace(folder: string): Promise<TakeFace | null> {
  const bytes = await readTakeFile(folder, 'second');
  return (bytes && facesOf(readArrivals(bytes).arrivals)[0]) ?? null;
}

/** @param words null: unknown @throws Failure `storage` */
export async function writeWords(folder: string, words: KeptWords | null): Promise<void> {
  const path = join(folder, takeFiles.words);
  if (words) return writeFileAtomically(path, `${JSON.stringify({ schemaVersion: 1, ...words })}\n`);
  await rm(path, { force: true }).catch((error: unknown) => {
    throw storageFailure(error, path);
  });
}

/** Null if there are none, or they are invalid: they can be made again. @throws Failure `storage` */
export async function readWords(folder: string): Promise<KeptWords | null> {
  const bytes = await readTakeFile(folder, 'words');
  if (!bytes) return null;
  try {
    return Words.safeParse(JSON.parse(bytes.toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}
