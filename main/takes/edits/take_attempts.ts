/**
 * Other tries of a take: whole takes, each in a folder of its own inside the take's, so that they go with it. Edits take
 * stretches of their faces.
 */
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TakeAttempt } from '#contract';
import { facesOf, mergedFace, type PlayableFace, readArrivals } from '#proto/take_stream.ts';
import { syncFolder } from '../../storage/atomic_file.ts';
import { pathInside, readInside } from '../../storage/inside_folder.ts';
import { storageFailure } from '../../storage/storage_failure.ts';
import { isTakeName, recordIn } from '../read_take.ts';
import { readSecondFace } from '../second_face.ts';
import { mostTakeBytes, takeFiles } from '../take_record.ts';
import { writeRecord } from '../take_recorder.ts';
import type { Takes } from '../takes.ts';

/** Folder of the tries, inside the take's. */
const attemptsName = 'attempts';

const folderOf = (take: string, attempt: string): string => join(take, attemptsName, attempt);

/** Seconds of the take at which a try begins. */
const startOf = ({ startsAt }: Record<string, unknown>): number =>
  typeof startsAt === 'number' && Number.isFinite(startsAt) ? startsAt : 0;

/** Those that can be read, oldest first. @param take its folder */
export async function listAttempts(take: string): Promise<TakeAttempt[]> {
  const names = await readdir(join(take, attemptsName)).catch((): string[] => []);
  const found = await Promise.all(
    names.filter(isTakeName).map(async (id) => {
      const record = await recordIn(folderOf(take, id)).catch(() => null);
      if (!record) return [];
      const { name, createdAt, seconds } = record;
      return [{ id, name, createdAt, seconds, startsAt: startOf(record) }];
    }),
  );
  return found.flat().toSorted((a, b) => a.createdAt - b.createdAt);
}

/**
 * Moves a take's folder in among the tries of another.
 *
 * @param startsAt seconds of the take at which the try begins @throws Failure `storage`
 */
export async function addAttempt(take: string, from: string, id: string, startsAt: number): Promise<void> {
  const to = folderOf(take, id);
  try {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    // Before it moves: a crash in between leaves a take with a field that nobody reads.
    // A head that is erased may be named nowhere, so a try names none.
    await writeRecord(from, { ...(await recordIn(from)), startsAt, model: '' });
    await rename(from, to);
    await syncFolder(dirname(to));
  } catch (error) {
    throw storageFailure(error, to);
  }
}

/** For good. @throws Failure `storage` */
export async function eraseAttempt(take: string, id: string): Promise<void> {
  const folder = folderOf(take, id);
  await rm(folder, { recursive: true, force: true }).catch((error: unknown) => {
    throw storageFailure(error, folder);
  });
}

/** A try's face by seconds of the take; null where there is no such try. @throws Failure `storage` */
export async function attemptFace(take: string, id: string): Promise<PlayableFace | null> {
  if (!isTakeName(id)) return null;
  const folder = folderOf(take, id);
  const record = await recordIn(folder).catch(() => null);
  if (!record) return null;
  const second = record.shownFace === 'second' ? await readSecondFace(folder) : null;
  const path = join(folder, takeFiles.face);
  const faces = second
    ? [second]
    : facesOf(
        readArrivals(
          await readInside(take, path, mostTakeBytes.face).catch((error: unknown) => {
            throw storageFailure(error, path);
          }),
        ).arrivals,
      );
  const face = mergedFace(faces);
  const startsAt = startOf(record);
  return { ...face, frames: face.frames.map((frame) => ({ ...frame, timeCode: frame.timeCode + startsAt })) };
}

/** Absolute path of the file that a try's face is in, by the try's id; null where there is none. */
export async function attemptAsset(
  takes: Pick<Takes, 'list' | 'folderOf'>,
  attempt: string,
): Promise<string | null> {
  for (const { id } of takes.list()) {
    const path = await attemptFile(takes.folderOf(id), attempt);
    if (path !== null) return path;
  }
  return null;
}

async function attemptFile(take: string, id: string): Promise<string | null> {
  const folder = folderOf(take, id);
  const record = await recordIn(folder).catch(() => null);
  if (!record) return null;
  const second =
    record.shownFace === 'second' ? await pathInside(take, join(folder, takeFiles.second)) : null;
  return second ?? pathInside(take, join(folder, takeFiles.face));
}
