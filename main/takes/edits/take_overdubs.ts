/**
 * Overdubs of a take: whole takes, each in a subfolder of the take's, so that they move with it. Edits use
 * ranges of their faces.
 */
import { mkdir, readdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { syncFolder } from '@likeness/node-kit/storage/atomic_file.ts';
import { pathInside } from '@likeness/node-kit/storage/inside_folder.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { faceRegions } from '@likeness/proto/takes/edits/edit_limits.ts';
import type { OverdubTarget } from '@likeness/proto/takes/overdub_target.ts';
import type { TakeOverdub } from '#contract';
import { isTakeName, recordIn } from '../read_take.ts';
import { type TakeRecord, takeFiles } from '../take_record.ts';
import { writeRecord } from '../take_recorder.ts';
import { playedFace } from '../views/packed_face_file.ts';

/** Folder of the overdubs, inside the take's. */
const attemptsName = 'attempts';

const folderOf = (take: string, attempt: string): string => join(take, attemptsName, attempt);

/** Start of an overdub in seconds of the take; early versions stored it in another field. */
const startOf = ({ attempt, startsAt }: TakeRecord & { startsAt?: unknown }): number =>
  attempt?.startsAt ?? (typeof startsAt === 'number' && Number.isFinite(startsAt) ? startsAt : 0);

/** Returns the readable overdubs, oldest first. @param take its folder */
export async function listOverdubs(take: string): Promise<TakeOverdub[]> {
  const names = await readdir(join(take, attemptsName)).catch((): string[] => []);
  const found = await Promise.all(
    names.filter(isTakeName).map(async (id) => {
      const record = await recordIn(folderOf(take, id)).catch(() => null);
      if (!record) return [];
      const { name, createdAt, seconds, attempt, state } = record;
      const regions = attempt?.regions ?? [...faceRegions];
      const recovered = state === 'recovered';
      return [{ id, name, createdAt, seconds, startsAt: startOf(record), regions, recovered }];
    }),
  );
  return found.flat().toSorted((a, b) => a.createdAt - b.createdAt);
}

/**
 * Moves a take's folder into the overdubs of another.
 *
 * @param placement default: as it was recorded @throws Failure `storage`
 */
export async function addOverdub(
  take: string,
  from: string,
  id: string,
  placement?: OverdubTarget,
): Promise<void> {
  const to = folderOf(take, id);
  try {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    // Before the move: after a crash in between, the next start moves it. An erased head must not be named
    // anywhere, so an overdub names none.
    const record = await recordIn(from);
    await writeRecord(from, { ...record, attempt: placement ?? record.attempt, model: '' });
    await rename(from, to);
    await syncFolder(dirname(to));
  } catch (error) {
    throw storageFailure(error, to);
  }
}

/** Returns an overdub's folder. @throws Failure `not_found` */
export async function overdubFolder(take: string, id: string): Promise<string> {
  const folder = folderOf(take, id);
  const isThere = isTakeName(id) && (await recordIn(folder).catch(() => null)) !== null;
  if (!isThere) throw new Failure('not_found', t('edits.no_overdub', { attempt: id }));
  return folder;
}

/** Changes the name or the start of an overdub. @throws Failure `not_found`, `storage` */
export async function changeOverdub(
  take: string,
  id: string,
  { name, startsAt }: { name?: string | undefined; startsAt?: number | undefined },
): Promise<void> {
  const folder = await overdubFolder(take, id);
  const record = await recordIn(folder);
  const placement = record.attempt ?? {
    of: basename(take),
    startsAt: startOf(record),
    regions: [...faceRegions],
  };
  await writeRecord(folder, {
    ...record,
    name: name ?? record.name,
    attempt: { ...placement, startsAt: startsAt ?? placement.startsAt },
  });
}

/**
 * Returns an overdub's face by seconds of the take; null if the overdub does not exist. @throws Failure
 * `storage`
 */
export async function overdubFace(take: string, id: string): Promise<PlayableFace | null> {
  if (!isTakeName(id)) return null;
  const folder = folderOf(take, id);
  const record = await recordIn(folder).catch(() => null);
  if (!record) return null;
  return (await playedFace(folder, record.shownFace, take)).later(startOf(record));
}

/** Absolute path of an overdub's face or audio, by its id; null if there is none. */
export async function overdubAsset(
  takes: { list(): readonly { id: string }[]; folderOf(id: string): string },
  attempt: string,
  what: 'face' | 'audio',
): Promise<string | null> {
  for (const { id } of takes.list()) {
    const path = await overdubFile(takes.folderOf(id), attempt, what);
    if (path !== null) return path;
  }
  return null;
}

async function overdubFile(take: string, id: string, what: 'face' | 'audio'): Promise<string | null> {
  const folder = folderOf(take, id);
  const record = await recordIn(folder).catch(() => null);
  if (!record) return null;
  if (what === 'audio') return pathInside(take, join(folder, takeFiles.audio));
  const second =
    record.shownFace === 'second' ? await pathInside(take, join(folder, takeFiles.second)) : null;
  return second ?? pathInside(take, join(folder, takeFiles.face));
}
