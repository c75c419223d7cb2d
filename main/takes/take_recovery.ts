import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileErrorCode } from '@likeness/node-kit/error_codes.ts';
import { openInside, readInside } from '@likeness/node-kit/storage/inside_folder.ts';
import { FaceGaps, readArrivals } from '@likeness/proto/take_stream.ts';
import { wavHead, wavHeadBytes } from '@likeness/proto/wav.ts';
import { editPerformed } from './edits/performed_file.ts';
import { maxTakeBytes, type TakeRecord, takeFiles, tiersOf } from './take_record.ts';
import { writeRecord } from './take_recorder.ts';

/** Repairs a take whose recording was cut off by a crash. */
export async function recoverTake(folder: string, record: TakeRecord): Promise<TakeRecord> {
  const audioPath = join(folder, takeFiles.audio);
  const facePath = join(folder, takeFiles.face);
  const takes = dirname(folder);
  for (const path of [audioPath, facePath]) await makeMissing(path);
  // Writes only files of this folder: a foreign link would truncate another file.
  const audio = await openInside(takes, audioPath, 'change');
  let samples: number;
  try {
    const { size } = await audio.stat();
    samples = Math.max(0, Math.floor((size - wavHeadBytes.f32le) / 4));
    await audio.truncate(wavHeadBytes.f32le + samples * 4);
    await audio.write(wavHead(record.sampleRate, samples, 'f32le'), 0, undefined, 0);
    await audio.sync();
  } finally {
    await audio.close();
  }
  const { arrivals, wholeBytes } = readArrivals(await readInside(takes, facePath, maxTakeBytes.face));
  const face = await openInside(takes, facePath, 'change');
  await face.truncate(wholeBytes).finally(() => face.close());
  const gaps = new FaceGaps();
  for (const arrival of arrivals) gaps.add(arrival);
  const seconds = samples / record.sampleRate;
  const recovered: TakeRecord = {
    ...record,
    state: 'recovered',
    seconds,
    missingSeconds: gaps.missing(seconds),
    tiers: tiersOf(arrivals.map(({ tier }) => tier)),
  };
  await editPerformed(folder, seconds, record.createdAt);
  await writeRecord(folder, recovered);
  return recovered;
}

/**
 * A recording that ended between its record and its first sample has no such file yet: it is an empty take.
 */
async function makeMissing(path: string): Promise<void> {
  const made = await open(path, 'ax', 0o600).catch((error: unknown) => {
    if (fileErrorCode(error) !== 'EEXIST') throw error;
  });
  await made?.close();
}
