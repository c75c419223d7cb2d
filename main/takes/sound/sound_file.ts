import { spawn } from 'node:child_process';
import { access, constants, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { t } from '@likeness/messages';
import { Failure, messageOf } from '@likeness/node-kit/failure.ts';
import { namedFileFailure } from '@likeness/node-kit/storage/named_file.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { MonoMixer } from '@likeness/proto/mono_mixer.ts';
import { isHeardRate } from '@likeness/proto/sound_limits.ts';
import { Resampler } from '@likeness/proto/speech/resampler.ts';
import { frameBytes, readWavHead, type Sound, WavError } from '@likeness/proto/wav.ts';
import { maxTakeBytes } from '../take_record.ts';
import { type OpenWav, openWav, type SoundFile, writeMonoWav } from './mono_sound.ts';
import { SoundTooLongError } from './wav_file.ts';

/** Sample rate that ffmpeg converts to, hertz: that of takes. */
const decodedRate = 48_000;

/** Mono audio, read block by block. */
interface ComingSound {
  sampleRate: number;
  blocks: AsyncIterable<Float32Array>;
}

/**
 * Converts any audio file to a mono WAV file, block by block. Reads WAV itself; MP3, FLAC, OGG, M4A and other
 * formats need an installed ffmpeg, because the licences of decoders for Node do not allow packaging.
 *
 * @param into a path without a file
 * @throws Failure `not_found`, `unsupported` naming the file; `storage`
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
      return await writeMonoWav(into, sampleRate, read(), maxSamples);
    } catch (error) {
      throw fault || error instanceof SoundTooLongError ? error : storageFailure(error, into);
    }
  });
}

/** Returns an audio file's duration, seconds. @throws Failure as {@link monoSoundFile} */
export function soundSeconds(path: string): Promise<number> {
  return readingSound(path, async ({ sampleRate, blocks, samples }) => {
    if (samples !== null) return samples / sampleRate;
    let read = 0;
    for await (const block of blocks) {
      read += block.length;
      if (read > maxSamples) throw new SoundTooLongError();
    }
    return read / sampleRate;
  });
}

/** Reads the whole audio into memory. @throws Failure as {@link monoSoundFile} */
export function readSoundFile(path: string): Promise<Sound> {
  return readingSound(path, async ({ sampleRate, blocks }) => {
    const parts: Float32Array[] = [];
    let length = 0;
    for await (const block of blocks) {
      parts.push(block);
      length += block.length;
      if (length > maxSamples) throw new SoundTooLongError();
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

const maxSamples = maxTakeBytes.audio >> 2;

async function readingSound<T>(
  path: string,
  use: (sound: ComingSound & { samples: number | null }) => Promise<T>,
): Promise<T> {
  try {
    await access(path, constants.R_OK);
    const { size } = await stat(path);
    if (size > maxTakeBytes.audio) throw new SoundTooLongError();
  } catch (error) {
    if (error instanceof SoundTooLongError) throw tooLong(path);
    throw namedFileFailure(error, path);
  }
  try {
    let unread: unknown = null;
    const wav = await openWav(path).catch((error: unknown) => {
      if (error instanceof SoundTooLongError) throw error;
      unread = error;
      return null;
    });
    if (wav?.samples === 0) throw new Error('There is no sound in it.');
    if (wav) return await use(await readHere(wav));
    const decoded = { sampleRate: decodedRate, samples: null, blocks: decodedByFfmpeg(path, unread) };
    return await use(decoded);
  } catch (error) {
    const failure = storageFailure(error, path);
    if (failure instanceof Failure) throw failure;
    if (error instanceof SoundTooLongError) throw tooLong(path);
    throw new Failure(
      'unsupported',
      t('takes.of_file', { file: basename(path), problem: messageOf(error) }),
      {
        hint: t('takes.known_formats'),
      },
    );
  }
}

/** Resamples a WAV file to a rate that the engine supports. */
async function readHere({
  format,
  samples,
  blocks,
  range,
}: OpenWav): Promise<ComingSound & { samples: number }> {
  const { sampleRate } = format;
  const own = blocks(await range());
  if (isHeardRate(sampleRate)) return { sampleRate, samples, blocks: own };
  return {
    sampleRate: decodedRate,
    samples: Math.ceil((samples * decodedRate) / sampleRate),
    blocks: resampled(own, sampleRate),
  };
}

async function* resampled(
  blocks: AsyncIterable<Float32Array>,
  sampleRate: number,
): AsyncGenerator<Float32Array> {
  const resampler = new Resampler(sampleRate, decodedRate);
  for await (const block of blocks) yield resampler.push(block);
  yield resampler.end();
}

/** Arguments for ffmpeg that write a file's audio to its output, as WAV with all channels. */
async function ffmpegArguments(path: string): Promise<string[]> {
  const output = ['-ar', `${decodedRate}`, '-c:a', 'pcm_f32le', '-bitexact', '-f', 'wav', '-'];
  if (!(await hasOwnClock(path))) return [...inputOf(path), ...output];
  // If a film's audio begins after its picture, silence is added before it, so that the face keeps its time.
  return (await beginsLate(path))
    ? ['-copyts', ...inputOf(path), '-af', 'aresample=async=1:first_pts=0', ...output]
    : [...inputOf(path), '-af', 'aresample=async=1', ...output];
}

/** `file:` so that ffmpeg reads a name neither as a protocol nor as an option. */
const inputOf = (path: string): string[] => ['-nostdin', '-v', 'error', '-i', `file:${path}`, '-vn'];

/**
 * Whether a file's first audio packet has a time after 0. The first sample's time does not show that:
 * decoders skip an encoder's delay (`iTunSMPB`, Vorbis), so the sample is later without silence before it.
 */
async function beginsLate(path: string): Promise<boolean> {
  const firstPacket = ['-c', 'copy', '-frames:a', '1', '-f', 'framecrc', '-'];
  const child = spawn('ffmpeg', ['-copyts', ...inputOf(path), ...firstPacket], {
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  });
  // Without ffmpeg there is no output, and decoding reports that.
  child.once('error', () => undefined);
  const [, time] = /^0, *-?\d+, *(-?\d+),/m.exec(await text(child.stdout)) ?? [];
  return Number(time) > 0;
}

/** Whether a container's times start at its beginning: MP4 and Matroska. Transport streams start anywhere. */
async function hasOwnClock(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const head = Buffer.alloc(8);
    await file.read(head, 0, 8, 0);
    return head.toString('latin1', 4) === 'ftyp' || head.readUInt32BE(0) === 0x1a45dfa3;
  } finally {
    await file.close();
  }
}

/** @param unread why the studio's reader failed; null: it is not a WAV file */
async function* decodedByFfmpeg(path: string, unread: unknown): AsyncGenerator<Float32Array> {
  const child = spawn('ffmpeg', await ffmpegArguments(path), {
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let errorOutput = '';
  child.stderr.on('data', (text: Buffer) => {
    errorOutput = (errorOutput + text).slice(-10_000);
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // Check this after its audio was read.
  ended.catch(() => undefined);
  let mixer: MonoMixer | null = null;
  let frame = 4;
  let rest: Buffer = Buffer.alloc(0);
  let isHeard = false;
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      let bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      if (mixer === null) {
        // Its last eight bytes are the data chunk's name and size.
        const at = bytes.indexOf('data', 12, 'latin1');
        if (at >= 0 && bytes.length >= at + 8) {
          const head = readWavHead(bytes);
          mixer = new MonoMixer(head.format.channels);
          frame = frameBytes(head.format);
          bytes = bytes.subarray(head.from);
        }
      }
      const whole: number = mixer ? bytes.length - (bytes.length % frame) : 0;
      rest = bytes.subarray(whole);
      if (whole === 0 || mixer === null) continue;
      isHeard = true;
      // A copy: samples of a view must begin at a multiple of four bytes.
      yield mixer.push(new Float32Array(new Uint8Array(bytes.subarray(0, whole)).buffer));
    }
    const code = await ended.catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      throw withoutFfmpeg(path, unread);
    });
    if (code !== 0 || !isHeard)
      throw unread ?? new Error(errorOutput.trim().split('\n').at(-1) || 'There is no sound in it.');
  } finally {
    if (child.exitCode === null) child.kill('SIGKILL');
  }
}

/** Explains the error of a WAV file: an encoding that ffmpeg supports, or another problem. */
function withoutFfmpeg(path: string, unread: unknown): unknown {
  if (unread !== null && !(unread instanceof WavError && unread.fault === 'encoding')) return unread;
  const file = basename(path);
  const message = unread === null ? t('takes.no_ffmpeg', { file }) : t('takes.no_ffmpeg_for_wav', { file });
  return new Failure('unsupported', message, { hint: t('takes.install_ffmpeg') });
}

const tooLong = (path: string): Failure =>
  new Failure('unsupported', t('takes.too_long', { file: basename(path) }), {
    hint: t('takes.cut'),
  });
