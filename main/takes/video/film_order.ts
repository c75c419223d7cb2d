import type { DefaultHead } from '@likeness/proto/heads/default_heads.ts';
import type { FrameRate } from '@likeness/proto/takes/frame_rates.ts';
import { frameRateOf, frameTime, hertz } from '@likeness/proto/takes/frame_rates.ts';
import type { VideoOptions } from '#contract';
import type { VideoRate } from '#contract/video_options.ts';

/** The head of a film: one of the library (null: the chosen default one), one of the studio's own, or a file's bytes. */
export type FilmHead = { modelId: string | null } | { own: DefaultHead } | { bytes: Uint8Array };

/** Where a film goes: fetched by the page, or to a path of the person's; a sequence of PNG is a folder there. */
export type FilmDestination = { kind: 'fetched' } | { kind: 'path'; path: string; overwrite: boolean };

export interface FilmOrder {
  takeId: string;
  head: FilmHead;
  options: VideoOptions;
  destination: FilmDestination;
  /** Name of what the page fetches, and of what is in a sequence, without an ending; default: the take's. */
  stem?: string;
}

export const filmRate = (rate: VideoRate): FrameRate => frameRateOf(rate, Number(rate));

/** Frames of a film of so many seconds: the last one holds the last of the sound. */
export const filmFrames = (seconds: number, rate: FrameRate): number =>
  Math.max(1, Math.ceil(seconds * hertz(rate) - 1e-6));

/** Samples of the sound of a film of so many frames. */
export const filmSamples = (frames: number, rate: FrameRate, sampleRate: number): number =>
  Math.round(frameTime(frames, rate) * sampleRate);
