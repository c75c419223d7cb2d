import { open, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { FaceGaps, readArrivals } from '#proto/take_stream.ts';
import { type TakeRecord, takeFiles, tiersOf } from './take_record.ts';
import { writeRecord } from './take_recorder.ts';
import { wavHead, wavHeadBytes } from './wav_file.ts';

/** Mends a take whose recording was cut off by a crash: what had come is whole again. */
export async function recoverTake(folder: string, record: TakeRecord): Promise<TakeRecord> {
  const audioPath = join(folder, takeFiles.audio);
  const facePath = join(folder, takeFiles.face);
  const { size } = await stat(audioPath);
  const samples = Math.max(0, Math.floor((size - wavHeadBytes) / 4));
  const audio = await open(audioPath, 'r+');
  try {
    await audio.truncate(wavHeadBytes + samples * 4);
    await audio.write(wavHead(record.sampleRate, samples), 0, undefined, 0);
    await audio.sync();
  } finally {
    await audio.close();
  }
  const { arrivals, wholeBytes } = readArrivals(await readFile(facePath));
  await truncate(facePath, wholeBytes);
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
  await writeRecord(folder, recovered);
  return recovered;
}
