/**
 * Films as ffmpeg reads them. A take is filmed whose jaw opens just where a tone sets in, near the start and near the
 * end: by the real page, in a Chromium out of sight.
 */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VideoOptions } from '#contract';
import { findReader } from '../../scripts/readers.ts';
import { canFilm, type FilmStudio, filmStudio } from '../support/film_studio.ts';
import { describeWith } from '../support/readers.ts';
import { sized } from '../support/sizes.ts';
import { syncTake } from '../support/sync_take.ts';

const run = promisify(execFile);
const canDraw = canFilm();
if (!canDraw) console.warn('Films are not tried: there is no Chromium, or no build (npm run build).');

const size = { width: 160, height: 120 };
const seconds = sized(3, 6);
const opensAt = [0.5, seconds - 1];

interface Probe {
  format: { duration: string };
  streams: {
    codec_name: string;
    codec_type: string;
    width?: number;
    height?: number;
    nb_read_frames: string;
    start_time: string;
    tags?: Record<string, string>;
  }[];
}

describeWith('ffprobe', 'films, as ffmpeg reads them', () => {
  let studio: FilmStudio;

  beforeAll(async () => {
    studio = await filmStudio(syncTake(seconds, opensAt));
  });
  afterAll(() => studio.close());

  /** @returns its path */
  const filmed = (name: string, changes: Partial<VideoOptions>): Promise<string> =>
    studio.film(name, { ...size, framing: 'head', background: '#204060', detail: 'quick', ...changes });

  const probe = async (path: string): Promise<Probe> => {
    const wanted = ['-count_frames', '-show_streams', '-show_format', '-of', 'json'];
    const { stdout } = await run(findReader('ffprobe')!, ['-v', 'error', ...wanted, path], {
      maxBuffer: 2 ** 24,
    });
    return JSON.parse(stdout) as Probe;
  };

  /** Raw bytes of a stream, as ffmpeg decodes it. */
  const decoded = async (path: string, ...wanted: string[]): Promise<Buffer> => {
    const ffmpeg = findReader('ffprobe')!.replace(/ffprobe(?=(\.exe)?$)/, 'ffmpeg');
    const { stdout } = await run(ffmpeg, ['-v', 'error', '-i', path, ...wanted, '-'], {
      encoding: 'buffer',
      maxBuffer: 2 ** 28,
    });
    return stdout;
  };

  /** Seconds where the jaw opens: where frames come to differ from the last one, which shows it shut; by frame `n` at n / rate. */
  const openings = async (path: string, rate: number): Promise<number[]> => {
    const pixels = await decoded(path, '-map', '0:v', '-vf', 'format=gray', '-f', 'rawvideo');
    const frame = size.width * size.height;
    const shut = pixels.subarray(pixels.length - frame);
    const differs = Array.from({ length: pixels.length / frame }, (_, at) => {
      let sum = 0;
      for (let i = 0; i < frame; i++) sum += Math.abs(pixels[at * frame + i]! - shut[i]!);
      return sum;
    });
    // Half of what an open jaw makes: key frames and the first, coarse pictures of a film differ by less.
    const half = Math.max(...differs) / 2;
    return differs.flatMap((sum, at) => (sum > half && !(differs[at - 1]! > half) ? [at / rate] : []));
  };

  /** Seconds where sound sets in after silence. */
  const onsets = async (path: string): Promise<number[]> => {
    const bytes = await decoded(path, '-map', '0:a', '-f', 'f32le', '-ac', '1', '-ar', '48000');
    const samples = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    const found: number[] = [];
    let quiet = 48_000;
    for (const [at, sample] of samples.entries()) {
      if (Math.abs(sample) < 0.2) quiet += 1;
      else {
        if (quiet > 4800) found.push(at / 48_000);
        quiet = 0;
      }
    }
    return found;
  };

  test.runIf(canDraw).each([
    ['webm', '29.97', 30_000 / 1001, 'vp9', 'opus'],
    ['mp4', '24', 24, 'h264', 'aac'],
  ] as const)(
    'a %s at %s has each frame, its sound, and both in step',
    { timeout: 240_000 },
    async (format, rate, hertz, picture, sound) => {
      const path = await filmed(`film.${format}`, { format, rate });
      const frames = Math.ceil(seconds * hertz - 1e-6);
      const { streams, format: whole } = await probe(path);
      const [video, audio] = ['video', 'audio'].map(
        (type) => streams.find((one) => one.codec_type === type)!,
      );
      expect(video).toMatchObject({ codec_name: picture, ...size, nb_read_frames: String(frames) });
      expect(audio!.codec_name).toBe(sound);
      expect(Number(whole.duration)).toBeCloseTo(frames / hertz, 2);

      const [opened, heard] = [await openings(path, hertz), await onsets(path)];
      expect(heard).toHaveLength(2);
      expect(opened).toHaveLength(2);
      // The frame that shows an open jaw is the first at or after its tone.
      for (const [at, tone] of heard.entries()) {
        expect(tone).toBeCloseTo(opensAt[at]!, 2);
        expect(Math.abs(opened[at]! - tone)).toBeLessThanOrEqual(1 / hertz);
      }
    },
  );

  test.runIf(canDraw)('a transparent WebM has its alpha', { timeout: 240_000 }, async () => {
    const path = await filmed('clear.webm', { background: 'transparent' });
    const { streams } = await probe(path);
    expect(streams.find((one) => one.codec_type === 'video')!.tags).toMatchObject({ alpha_mode: '1' });
    const ffmpeg = findReader('ffprobe')!.replace(/ffprobe(?=(\.exe)?$)/, 'ffmpeg');
    const wanted = ['-vf', 'alphaextract,format=gray', '-frames:v', '1', '-f', 'rawvideo', '-'];
    const { stdout } = await run(ffmpeg, ['-v', 'error', '-c:v', 'libvpx-vp9', '-i', path, ...wanted], {
      encoding: 'buffer',
    });
    const share = (from: number, to: number): number =>
      stdout.filter((value) => value >= from && value <= to).length / stdout.length;
    // Head, nothing, and an edge that is smooth.
    expect(share(250, 255)).toBeGreaterThan(0.15);
    expect(share(0, 5)).toBeGreaterThan(0.3);
    expect(share(40, 215)).toBeGreaterThan(0.001);
  });

  test.runIf(canDraw)('a PNG sequence has a picture for each frame', { timeout: 240_000 }, async () => {
    const path = await filmed('frames', {
      format: 'png',
      background: 'transparent',
      rate: '25',
      camera: 'turntable',
    });
    const names = (await readdir(path)).toSorted();
    expect(names.filter((name) => name.endsWith('.png'))).toHaveLength(seconds * 25);
    const { streams } = await probe(join(path, names[1]!));
    expect(streams[0]).toMatchObject({ codec_name: 'png', ...size });
    const front = await readFile(join(path, names[0]!));
    const back = await readFile(join(path, names[Math.floor((seconds * 25) / 2)]!));
    expect(front.equals(back)).toBe(false);
  });
});
