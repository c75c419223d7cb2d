/** Folders of takes whose record is missing: a crash before it was written, or a later loss. */
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
 * Returns the take in a folder, repaired if its recording was interrupted. Without a record it is made from
 * the audio. Null: nothing was recorded yet, and the folder was deleted.
 *
 * @throws if it can't be read; then the folder is unchanged
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

/** Reconstructs a recording's metadata without its record; null: it has no audio in the recorder's format. */
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

/** Sample rate, hertz, of audio with at least one sample in the recorder's format; null: there is none. */
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

/** Names of recordings' folders, in the form of `takeId`. */
const recordingName = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z-[A-Za-z0-9_-]+$/;

/** Milliseconds since 1970; null: the name has another form. */
function timeIn(id: string): number | null {
  const parts = recordingName.exec(id);
  const time = parts ? Date.parse(`${parts[1]}:${parts[2]}:${parts[3]}.${parts[4]}Z`) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/**
 * Removes the folder of a recording without samples. Keeps a folder with other content or another form of
 * name.
 */
async function removeEmpty(folder: string, id: string): Promise<boolean> {
  if (timeIn(id) === null || !(await lstat(folder)).isDirectory()) return false;
  const names = await readdir(folder);
  for (const name of names) if (!(await isNothing(join(folder, name), name))) return false;
  for (const name of names) await rm(join(folder, name), { force: true });
  // Fails if something was added meanwhile.
  await rmdir(folder);
  await syncFolder(dirname(folder));
  return true;
}

async function isNothing(path: string, name: string): Promise<boolean> {
  const found = await lstat(path);
  if (!found.isFile()) return false;
  if (unfinishedName.test(name)) return true;
  if (name === takeFiles.audio) return found.size <= wavHeadBytes.f32le;
  if (name === takeFiles.performed) return true;
  return name === takeFiles.face && found.size === 0;
}
