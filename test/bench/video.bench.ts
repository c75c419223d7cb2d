/**
 * Films of 720p: how long they take beside the take's own length, and whether picture and sound are still in step
 * after ten minutes. Without a graphics card the processor draws and encodes: the figures hang on what else it does.
 */
import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';
import type { VideoOptions } from '#contract';
import { findReader } from '../../scripts/readers.ts';
import { canFilm, type FilmStudio, filmStudio } from '../support/film_studio.ts';
import { openFor, syncTake } from '../support/sync_take.ts';
import { report } from './limits.ts';

const seconds = 12;
const tenMinutes = 600;
const opensAt = [1, tenMinutes - 1];

if (!canFilm()) {
  console.log('There is no Chromium to draw with.');
  process.exit(0);
}

/** Seconds from the first frame to the last: a browser's start is not the film's. */
async function filming(background: string): Promise<number> {
  const studio = await filmStudio(syncTake(seconds, [1, 5, 9]));
  const frames: number[] = [];
  try {
    await studio.film('film.webm', { background }, () => frames.push(performance.now()));
  } finally {
    await studio.close();
  }
  return (frames.at(-1)! - frames[1]!) / 1000;
}

for (const [name, background] of [
  ['WebM 1280 × 720 at 30', '#1f2426'],
  ['the same with alpha', 'transparent'],
] as const) {
  const took = await filming(background);
  const rate = (seconds * 30 - 1) / took;
  console.log(`${name}: ${rate.toFixed(1)} frames a second, load ${loadavg()[0]!.toFixed(1)}`);
  report({ name, value: took / seconds, unit: '× its length', limit: 2, kind: 'most' });
}

const ffprobe = findReader('ffprobe');
if (ffprobe) {
  const studio = await filmStudio(syncTake(tenMinutes, opensAt));
  try {
    for (const [format, named, rate] of [
      ['webm', '24', 24],
      ['mp4', '29.97', 30_000 / 1001],
    ] as const)
      await inStep(studio, format, named, rate);
  } finally {
    await studio.close();
  }
}

/** Tells how far apart picture and sound are at both ends of a film of ten minutes. */
async function inStep(
  studio: FilmStudio,
  format: 'webm' | 'mp4',
  named: VideoOptions['rate'],
  rate: number,
): Promise<void> {
  const path = await studio.film(`long.${format}`, {
    format,
    width: 64,
    height: 64,
    framing: 'close',
    rate: named,
  });
  const ffmpeg = ffprobe!.replace(/ffprobe(?=(\.exe)?$)/, 'ffmpeg');
  for (const at of opensAt) {
    const from = at - 0.9;
    const decode = (...wanted: string[]): Buffer =>
      execFileSync(
        ffmpeg,
        ['-v', 'error', '-copyts', '-ss', String(from), '-t', '1.4', '-i', path, ...wanted, '-'],
        {
          maxBuffer: 2 ** 26,
        },
      );
    const pixels = decode(
      '-vf',
      `setpts=PTS-${from}/TB,fps=${rate}:start_time=0,format=gray`,
      '-f',
      'rawvideo',
    );
    const sound = decode(
      '-af',
      `asetpts=PTS-${from}/TB,aresample=async=1:first_pts=0`,
      '-f',
      'f32le',
      '-ac',
      '1',
      '-ar',
      '48000',
    );
    const samples = new Float32Array(sound.buffer.slice(sound.byteOffset, sound.byteOffset + sound.length));
    const heard = samples.findIndex((sample) => Math.abs(sample) > 0.2) / 48_000;
    const frame = 64 * 64;
    const changes = [0];
    for (let index = 1; index < pixels.length / frame; index++) {
      let change = 0;
      for (let i = 0; i < frame; i++)
        change += Math.abs(pixels[index * frame + i]! - pixels[(index - 1) * frame + i]!);
      changes.push(change);
    }
    // The jaw opens where as much changes again when it shuts: a key frame of the encoder changes much just once.
    const open = Math.round(openFor * rate);
    const pairs = changes.map((change, at) =>
      Math.min(change, Math.max(...changes.slice(at + open - 1, at + open + 2), 0)),
    );
    const seen = pairs.indexOf(Math.max(...pairs)) / rate;
    report({
      name: `${format} at ${named}: picture and sound apart at ${at} s`,
      value: Math.abs(seen - heard) * rate,
      unit: 'frames',
      limit: 1,
      kind: 'most',
    });
  }
}
