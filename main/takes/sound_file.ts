import { spawn } from 'node:child_process';
import { access, constants, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Sound } from '#proto/wav.ts';
import { say } from '#sentences';
import { Failure, saidOf } from '../failure.ts';
import { storageFailure } from '../storage/storage_failure.ts';
import { openWav, type SoundFile, writeMonoWav } from './mono_sound.ts';
import { mostTakeBytes } from './take_record.ts';
import { SoundTooLongError } from './wav_file.ts';

/** Sample rate that ffmpeg converts to, hertz: that of takes. */
const decodedRate = 48_000;

/** Sound as it is read, block by block, of one channel. */
interface ComingSound {
  sampleRate: number;
  blocks: AsyncIterable<Float32Array>;
}

/**
 * Makes a WAV file of one channel of a sound file of any kind, block by block. WAV is read here; MP3, FLAC, OGG, M4A
 * and whatever else by ffmpeg, where it is installed: the decoders that run in Node come under licences that a
 * packaged app can't take in.
 *
 * @param into a path at which there is nothing yet
 * @throws Failure `not_found`, `unsupported` with the file at fault; `storage`
 */
export async function monoSoundFile(path: string, into: string): Promise<SoundFile> {
  return readingSound(path, async ({ sampleRate, blocks }) => {
    let fault: { error: unknown } | null = null;
    const read = async function* (): AsyncGenerator<Float32Array> {
      try {
        yield* blocks;
      } catch (error) {
        fault = { error };
        throw error;
      }
    };
    try {
      return await writeMonoWav(into, sampleRate, read(), mostSamples);
    } catch (error) {
      throw fault || error instanceof SoundTooLongError ? error : storageFailure(error, into);
    }
  });
}

/** How long a sound file is, seconds. @throws Failure as {@link monoSoundFile} */
export function soundSeconds(path: string): Promise<number> {
  return readingSound(path, async ({ sampleRate, blocks, samples }) => {
    if (samples !== null) return samples / sampleRate;
    let read = 0;
    for await (const block of blocks) {
      read += block.length;
      if (read > mostSamples) throw new SoundTooLongError();
    }
    return read / sampleRate;
  });
}

/** All of it in memory, for those that need it whole. @throws Failure as {@link monoSoundFile} */
export function readSoundFile(path: string): Promise<Sound> {
  return readingSound(path, async ({ sampleRate, blocks }) => {
    const parts: Float32Array[] = [];
    let length = 0;
    for await (const block of blocks) {
      parts.push(block);
      length += block.length;
      if (length > mostSamples) throw new SoundTooLongError();
    }
    const samples = new Float32Array(length);
    let at = 0;
    for (const part of parts) {
      samples.set(part, at);
      at += part.length;
    }
    return { sampleRate, samples };
  });
}

const mostSamples = mostTakeBytes.audio >> 2;

async function readingSound<T>(
  path: string,
  use: (sound: ComingSound & { samples: number | null }) => Promise<T>,
): Promise<T> {
  try {
    await access(path, constants.R_OK);
    const { size } = await stat(path);
    if (size > mostTakeBytes.audio) throw new SoundTooLongError();
  } catch (error) {
    if (error instanceof SoundTooLongError) throw tooLong(path);
    throw new Failure('not_found', say('takes.cannot_read', { path }), { hint: say('takes.check_name') });
  }
  try {
    const wav = await openWav(path);
    if (!wav) return await use({ sampleRate: decodedRate, samples: null, blocks: decodedByFfmpeg(path) });
    const { format, samples, blocks } = wav;
    return await use({ sampleRate: format.sampleRate, samples, blocks: blocks() });
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (error instanceof SoundTooLongError) throw tooLong(path);
    throw new Failure('unsupported', say('takes.of_file', { file: basename(path), problem: saidOf(error) }), {
      hint: say('takes.known_formats'),
    });
  }
}

async function* decodedByFfmpeg(path: string): AsyncGenerator<Float32Array> {
  const child = spawn(
    'ffmpeg',
    // `file:` so that a name is taken neither for a protocol nor for an option.
    [
      '-nostdin',
      '-v',
      'error',
      '-i',
      `file:${path}`,
      '-vn',
      '-ac',
      '1',
      '-ar',
      `${decodedRate}`,
      '-f',
      'f32le',
      '-',
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true },
  );
  let said = '';
  child.stderr.on('data', (text: Buffer) => {
    said = (said + text).slice(-10_000);
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // Looked at when its sound has been read.
  ended.catch(() => undefined);
  let isHeard = false;
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      const whole = bytes.length - (bytes.length % 4);
      rest = bytes.subarray(whole);
      if (whole === 0) continue;
      isHeard = true;
      // A copy: samples of a view must begin at a multiple of four bytes.
      yield new Float32Array(new Uint8Array(bytes.subarray(0, whole)).buffer);
    }
    const code = await ended.catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      throw new Failure('unsupported', say('takes.no_ffmpeg', { file: basename(path) }), {
        hint: say('takes.install_ffmpeg'),
      });
    });
    if (code !== 0 || !isHeard) throw new Error(said.trim().split('\n').at(-1) || 'There is no sound in it.');
  } finally {
    if (child.exitCode === null) child.kill('SIGKILL');
  }
}

const tooLong = (path: string): Failure =>
  new Failure('unsupported', say('takes.too_long', { file: basename(path) }), {
    hint: say('takes.cut'),
  });
