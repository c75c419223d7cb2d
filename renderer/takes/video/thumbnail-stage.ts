/** Draws small pictures of a take’s moments, in the worker that draws films. */
import type { FaceMoment } from '@likeness/proto/live/face_state.ts';
import { FilmStage } from '../../speaking/film/film-stage.ts';
import { rgbaPicture } from './film-pixels.ts';
import type { OpenThumbnail } from './film-worker-message.ts';

let opened: { key: string; stage: Promise<FilmStage>; size: Pick<OpenThumbnail, 'width' | 'height'> } | null =
  null;
let turn = 0;

/** The head and the channels of the pictures that follow. */
export function openThumbnails({ headUrl, channelNames, drives, width, height }: OpenThumbnail): void {
  // Takes of one head follow each other in the list.
  const key = JSON.stringify([headUrl, channelNames, drives, width, height]);
  if (opened?.key === key) return;
  const last = opened?.stage;
  void last?.then((stage) => stage.close()).catch(() => undefined); // it was never open
  const job = {
    width,
    height,
    drives,
    framing: 'head',
    camera: 'front',
    frames: 1,
    detail: 'quick',
  } as const;
  const { signal } = new AbortController();
  opened = { key, stage: FilmStage.open({ headUrl, job, channelNames, signal }), size: { width, height } };
}

/** @returns RGBA with straight alpha, the top row first; null where no head is open @throws Error as `FilmStage.open` */
export async function drawThumbnail(moment: FaceMoment): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!opened) return null;
  const { stage, size } = opened;
  const open = await stage;
  turn += 1;
  return rgbaPicture(open.take(open.begin(0, turn, moment)), size, null);
}
