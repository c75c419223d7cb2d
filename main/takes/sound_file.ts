import { spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { isWav, type Sound } from '#proto/wav.ts';
import { say } from '#sentences';
import { Failure, saidOf } from '../failure.ts';
import { mostTakeBytes } from './take_record.ts';
import { readWavSound } from './wav_file.ts';

/** Sample rate that ffmpeg converts to, hertz: that of takes. */
const decodedRate = 48_000;

/**
 * A sound file of any kind, mixed to one channel. WAV is read here; MP3, FLAC, OGG, M4A and whatever else by
 * ffmpeg, where it is installed: the decoders that run in Node come under licences that a packaged app can't
 * take in.
 *
 * @throws Failure `not_found`, `unsupported` with the file at fault
 */
export async function readSoundFile(path: string): Promise<Sound> {
  let bytes: Buffer;
  try {
    const { size } = await stat(path);
    if (size > mostTakeBytes.audio) throw tooLong(path);
    bytes = await readFile(path);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('not_found', say('takes.cannot_read', { path }), { hint: say('takes.check_name') });
  }
  try {
    return isWav(bytes) ? readWavSound(bytes) : await decodeByFfmpeg(path);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('unsupported', say('takes.of_file', { file: basename(path), problem: saidOf(error) }), {
      hint: say('takes.known_formats'),
    });
  }
}

async function decodeByFfmpeg(path: string): Promise<Sound> {
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
  const blocks: Buffer[] = [];
  let said = '';
  let length = 0;
  child.stdout.on('data', (block: Buffer) => {
    length += block.length;
    if (length > mostTakeBytes.audio) child.kill('SIGKILL');
    else blocks.push(block);
  });
  child.stderr.on('data', (text: Buffer) => {
    said += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Failure('unsupported', say('takes.no_ffmpeg', { file: basename(path) }), {
      hint: say('takes.install_ffmpeg'),
    });
  });
  if (length > mostTakeBytes.audio) throw tooLong(path);
  const bytes = Buffer.concat(blocks);
  if (code !== 0 || bytes.length < 4)
    throw new Error(said.trim().split('\n').at(-1) || 'There is no sound in it.');
  // A copy: samples of a view must begin at a multiple of four bytes.
  return {
    sampleRate: decodedRate,
    samples: new Float32Array(new Uint8Array(bytes).buffer, 0, bytes.length >> 2),
  };
}

const tooLong = (path: string): Failure =>
  new Failure('unsupported', say('takes.too_long', { file: basename(path) }), {
    hint: say('takes.cut'),
  });
