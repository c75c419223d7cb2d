/** The user's film options; kept while the page is open. */

import { frameRateOf, hertz } from '@likeness/proto/takes/frame_rates.ts';
import type { CallOutput, VideoOptions } from '#contract';
import { plainBackground, transparent } from '#contract/video_options.ts';
import { createStore } from '../../base/store.ts';
import { videoConfig } from './film-codecs.ts';

/** Pixels, width and height. */
export const filmSizes = [
  [1280, 720],
  [1920, 1080],
  [3840, 2160],
  [720, 1280],
  [1080, 1920],
  [720, 720],
  [1080, 1080],
] as const;

export const filmChoice = createStore<VideoOptions>({
  format: 'webm',
  width: 1280,
  height: 720,
  rate: '30',
  framing: 'bust',
  camera: 'front',
  background: transparent,
  picture: null,
  detail: 'auto',
  subtitles: false,
});

/** The pattern that films are named by. */
export const filmName = createStore('{name}');

/** The picture that was chosen last; it stays while another background is. */
export const filmPicture = createStore<CallOutput<'video', 'addPicture'> | null>(null);

/** Changes the options. MP4 has no alpha: transparency takes WebM, and MP4 a colour. A picture covers a colour. */
export function chosen(now: VideoOptions, changes: Partial<VideoOptions>): VideoOptions {
  const next = { ...now, ...changes };
  if (changes.background === transparent && changes.format === undefined && next.format === 'mp4')
    return { ...next, format: 'webm' };
  const needsColour = next.format === 'mp4' || next.picture !== null;
  return needsColour && next.background === transparent ? { ...next, background: plainBackground } : next;
}

export const isSide = (value: number): boolean =>
  Number.isInteger(value) && value % 2 === 0 && value >= 64 && value <= 3840;

/** Estimates a film; bytes are null for a sequence, whose size depends on the pictures. */
export function filmEstimate(
  options: VideoOptions,
  seconds: number,
): { frames: number; bytes: number | null } {
  const rate = frameRateOf(options.rate, 0);
  const frames = Math.max(1, Math.ceil(seconds * hertz(rate) - 1e-6));
  if (options.format === 'png') return { frames, bytes: null };
  const bitrate = videoConfig({ ...options, format: options.format, rate }, 'colour').bitrate ?? 0;
  const alpha = options.background === transparent ? 1.25 : 1;
  return { frames, bytes: ((bitrate * alpha + 100_000) / 8) * seconds };
}
