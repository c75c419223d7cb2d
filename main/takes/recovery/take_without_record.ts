/** Folders of takes whose record is missing: a crash came before it was written, or it was lost later. */
import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileErrorCode } from '@likeness/node-kit/error_codes.ts';
import { syncFolder, unfinishedName } from '@likeness/node-kit/storage/atomic_file.ts';
import { openInside, readInside } from '@likeness/node-kit/storage/inside_folder.ts';
import { ArrivalReader, readArrivals } from '@likeness/proto/take_stream.ts';
import { readWavHead, wavHeadBytes } from '@likeness/proto/wav.ts';
import { builtInProfileId } from '#contract/constants.ts';
import { recordIn } from '../read_take.ts';
import { maxTakeBytes, newRecord, type TakeRecord, takeFiles } from '../take_record.ts';
import { recoverTake } from '../take_recovery.ts';

/**
 * The take in a folder, repaired where its recording was cut off. Without a record it is made of the sound that is
 * there. Null: nothing had been recorded yet, and the folder is gone.
 *
 * @throws where it can't be read; then the folder is as it was
 */
export async function takeInFolder(folder: string, id: string): Promise<TakeRecord | null> {
  const record = await recordIn(folder).catch(async (error: unknown) => {
    if (fileErrorCode(error) !== 'ENOENT') throw error;
    const made = await recordOfSound(folder, id);
    if (!made && !(await removeEmpty(folder, id))) throw error;
    return made;
  });
  if (!record) return null;
  const own = { ...record, id };
  return own.state === 'recording' ? recoverTake(folder, own) : own;
}

/** What can be known of a recording without its record; null: it has no sound as recordings have it. */
async function recordOfSound(folder: string, id: string): Promise<TakeRecord | null> {
  const sampleRate = await recordedRate(folder);
  if (sampleRate === null) return null;
  const createdAt = timeIn(id) ?? Math.max(0, Math.round((await lstat(folder)).birthtimeMs));
  return newRecord(id, createdAt, {
    name: new Date(createdAt).toISOString().slice(0, 16).replace('T', ' '),
    notes: '',
    model: '',
    source: 'microphone',
    sampleRate,
    frameRate: (await recordedFrameRate(folder)) ?? 60,
    profileId: builtInProfileId,
    profileName: '',
  });
}

/** Hertz of a sound that has at least a sample and is written as recordings are; null: there is none. */
async function recordedRate(folder: string): Promise<number | null> {
  const file = await openInside(dirname(folder), join(folder, takeFiles.audio)).catch(absent);
  if (!file) return null;
  try {
    const head = Buffer.alloc(wavHeadBytes.f32le);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    const { size } = await file.stat();
    if (bytesRead < head.length || size < head.length + 4) return null;
    const { format, from } = readWavHead(head);
    const isRecorded = format.encoding === 'f32le' && format.channels === 1 && from === head.length;
    return isRecorded ? format.sampleRate : null;
  } catch {
    return null;
  } finally {
    await file.close();
  }
}

async function recordedFrameRate(folder: string): Promise<number | null> {
  const bytes = await readInside(dirname(folder), join(folder, takeFiles.face), maxTakeBytes.face).catch(
    absent,
  );
  const reader = new ArrivalReader();
  for (const arrival of bytes ? readArrivals(bytes).arrivals : []) {
    const { header } = reader.read(arrival);
    if (header) return header.frameRate;
  }
  return null;
}

function absent(error: unknown): null {
  if (fileErrorCode(error) !== 'ENOENT') throw error;
  return null;
}

/** Names of recordings' folders, as `takeId` makes them. */
const recordingName = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z-[A-Za-z0-9_-]+$/;

/** Milliseconds since 1970; null: the name was given by somebody else. */
function timeIn(id: string): number | null {
  const parts = recordingName.exec(id);
  const time = parts ? Date.parse(`${parts[1]}:${parts[2]}:${parts[3]}.${parts[4]}Z`) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/**
 * Removes the folder of a recording that has nothing in it but what precedes its first sample. One that holds anything
 * else, or has another's name, stays as it is.
 */
async function removeEmpty(folder: string, id: string): Promise<boolean> {
  if (timeIn(id) === null || !(await lstat(folder)).isDirectory()) return false;
  const names = await readdir(folder);
  for (const name of names) if (!(await isNothing(join(folder, name), name))) return false;
  for (const name of names) await rm(join(folder, name), { force: true });
  // Refused where something came in meanwhile.
  await rmdir(folder);
  await syncFolder(dirname(folder));
  return true;
}

async function isNothing(path: string, name: string): Promise<boolean> {
  const found = await lstat(path);
  if (!found.isFile()) return false;
  if (unfinishedName.test(name)) return true;
  if (name === takeFiles.audio) return found.size <= wavHeadBytes.f32le;
  return name === takeFiles.face && found.size === 0;
}
