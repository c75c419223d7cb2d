import type { DefaultHead } from '@likeness/proto/heads/default_heads.ts';
import type { FrameRate } from '@likeness/proto/takes/frame_rates.ts';
import { frameRateOf, frameTime, hertz } from '@likeness/proto/takes/frame_rates.ts';
import type { VideoOptions } from '#contract';
import type { VideoRate } from '#contract/video_options.ts';

/**
 * The head of a film: one of the library (null: the chosen default one), a built-in default head, or a file's
 * bytes.
 */
export type FilmHead = { modelId: string | null } | { own: DefaultHead } | { bytes: Uint8Array };

/** Destination of a film: a download of the page, or a path of the user; for a PNG sequence a folder. */
export type FilmDestination = { kind: 'fetched' } | { kind: 'path'; path: string; overwrite: boolean };

export interface FilmOrder {
  takeId: string;
  head: FilmHead;
  options: VideoOptions;
  destination: FilmDestination;
  /** Base name of the download, and of the files in a sequence; default: the take's. */
  stem?: string;
}

export const filmRate = (rate: VideoRate): FrameRate => frameRateOf(rate, Number(rate));

/** Number of frames of a film of this duration: the last one includes the end of the audio. */
export const filmFrames = (seconds: number, rate: FrameRate): number =>
  Math.max(1, Math.ceil(seconds * hertz(rate) - 1e-6));

/** Number of audio samples for a film of this many frames. */
export const filmSamples = (frames: number, rate: FrameRate, sampleRate: number): number =>
  Math.round(frameTime(frames, rate) * sampleRate);
