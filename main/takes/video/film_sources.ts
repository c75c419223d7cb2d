/** The source files of a film for the page, written in blocks, because hours have gigabytes. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { joinedChunks } from '@likeness/node-kit/storage/joined_chunks.ts';
import type { FrameRate } from '@likeness/proto/takes/frame_rates.ts';
import { resampledFace } from '@likeness/proto/takes/resampled_face.ts';
import { encodeWav, wavHead, wavHeadBytes } from '@likeness/proto/wav.ts';
import type { FinishedTake } from '../finished_take.ts';
import { faceMessages } from '../full_pass_face.ts';
import { openTakeSound } from '../sound/mono_sound.ts';
import { filmSamples } from './film_order.ts';

/** Their names in a film's folder. */
export const filmSourceNames = ['face', 'sound', 'head', 'picture'] as const;
export type FilmSourceName = (typeof filmSourceNames)[number];

/** Paths of the existing ones. */
export type FilmSources = Record<'face' | 'sound', string> & Partial<Record<'head' | 'picture', string>>;

/**
 * Writes the face at the film's own times, the audio at its exact length, and the other sources.
 *
 * @param folder created if it is missing @throws the system's errors, WavError
 */
export async function writeFilmSources(
  folder: string,
  { rate, frames }: { rate: FrameRate; frames: number },
  { face, seconds, audio }: Pick<FinishedTake, 'face' | 'seconds' | 'audio'>,
  given: Partial<Record<'head' | 'picture', Uint8Array>>,
): Promise<FilmSources> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const write = async (
    name: FilmSourceName,
    content: Uint8Array | AsyncIterable<Uint8Array>,
  ): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, content, { mode: 0o600 });
    return path;
  };
  const shown = resampledFace(face, rate, seconds);
  const messages = faceMessages({ ...shown, frames: shown.frames.slice(0, frames) }, seconds);
  return {
    face: await write('face', joinedChunks(messages)),
    sound: await write(
      'sound',
      soundOf(audio.path, (sampleRate) => filmSamples(frames, rate, sampleRate)),
    ),
    ...(given.head && { head: await write('head', given.head) }),
    ...(given.picture && { picture: await write('picture', given.picture) }),
  };
}

/** Writes a 16-bit WAV file, trimmed or padded with silence. @param length in samples, at a rate */
async function* soundOf(
  path: string,
  length: (sampleRate: number) => number,
): AsyncGenerator<Uint8Array, void> {
  const { format, blocks } = await openTakeSound(path);
  const { sampleRate } = format;
  const encoded = (samples: Float32Array): Uint8Array =>
    encodeWav({ sampleRate, samples }, 's16le').subarray(wavHeadBytes.s16le);
  let missing = length(sampleRate);
  yield wavHead(sampleRate, missing, 's16le');
  for await (const block of blocks()) {
    const part = block.subarray(0, missing);
    if (part.length > 0) yield encoded(part);
    missing -= part.length;
    if (missing === 0) return;
  }
  // The last frame may extend beyond the audio.
  while (missing > 0) {
    const part = new Float32Array(Math.min(missing, 65_536));
    yield encoded(part);
    missing -= part.length;
  }
}

/** Identifies films with equal frames. @param film its settings, except face and picture */
export async function filmFingerprint(
  film: unknown,
  head: string | Uint8Array,
  sources: FilmSources,
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(film));
  for (const path of [sources.face, sources.picture])
    if (path !== undefined) for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.update(head).digest('hex');
}
