/**
 * Frames of one take at a time, as small pictures: drawn by the film’s worker while a thumbnail has the pointer,
 * kept until it leaves. The worker ends when no thumbnail had the pointer for a while.
 */
import { ownFrame } from '@likeness/proto/face/own_frame.ts';
import type { FaceMoment } from '@likeness/proto/live/face_state.ts';
import { firstFrom } from '@likeness/proto/takes/closures.ts';
import { leavesFace } from '@likeness/proto/takes/edits/apply_operation.ts';
import { editLimits } from '@likeness/proto/takes/edits/edit_limits.ts';
import { shapedFace } from '@likeness/proto/takes/edits/edited_face.ts';
import { timeMap } from '@likeness/proto/takes/edits/time_map.ts';
import type { Take } from '#contract';
import { studio } from '../../base/studio.ts';
import { queryClient } from '../../base/studio-queries.ts';
import { drivesKey } from '../../speaking/head-drives.ts';
import { loadEditContext } from '../editor/edits/take-time.ts';
import { faceQuery } from '../speech/take-analysis.ts';
import { startFilmWorker } from '../video/draw-film.ts';
import type { DrawnThumbnail, FromFilmWorker, ToFilmWorker } from '../video/film-worker-message.ts';

/** Pixels of a frame: twice the thumbnail’s. */
export const frameSize = { width: 128, height: 96 } as const;
/** Number of frames across a take; more would be less than a pixel of the thumbnail apart. */
const moments = 64;
/** Milliseconds without a thumbnail under the pointer after which the worker ends. */
const idleMs = 20_000;
/** Seconds on each side of a moment that its edited face depends on: of a shift, and of closed lips. */
const reach = editLimits.shiftSeconds + 1;

let worker: Worker | null = null;
let idle: ReturnType<typeof setTimeout> | undefined;
/** The thumbnail that frames are drawn for. */
let current: ThumbnailFilm | null = null;
let count = 0;

function post(message: ToFilmWorker): void {
  if (!worker) {
    worker = startFilmWorker();
    worker.onmessage = ({ data }: MessageEvent<FromFilmWorker>) => {
      if (data.kind === 'thumbnail' && data.film === current?.id) current.take(data);
    };
  }
  worker.postMessage(message);
}

function endSoon(): void {
  idle = setTimeout(() => {
    worker?.terminate();
    worker = null;
  }, idleMs);
}

export class ThumbnailFilm {
  readonly id = ++count;
  readonly #onFrame: (frame: ImageData) => void;
  readonly #frames = new Map<number, ImageData>();
  readonly #face: Promise<Awaited<ReturnType<typeof faceOf>>>;
  #wanted = 0;
  /** The moment that the worker draws now. */
  #asked: number | null = null;

  /** @param onFrame gets the frame of the moment that was wanted last */
  constructor(take: Take, headUrl: string, onFrame: (frame: ImageData) => void) {
    this.#onFrame = onFrame;
    clearTimeout(idle);
    current = this;
    this.#face = faceOf(take).then((face) => {
      if (current === this && face) {
        const { channelNames } = face.loaded;
        const absolute = new URL(headUrl, window.location.href).href;
        post({ kind: 'open thumbnail', headUrl: absolute, channelNames, drives: face.drives, ...frameSize });
      }
      return face;
    });
    this.#face.catch(() => undefined); // a take without a face has no frames
  }

  /** @param share of the take’s time, 0..1 */
  show(share: number): void {
    this.#wanted = Math.round(Math.max(0, Math.min(1, share)) * (moments - 1));
    const frame = this.#frames.get(this.#wanted);
    if (frame) this.#onFrame(frame);
    else void this.#ask();
  }

  /** One moment at a time; those that were passed meanwhile are left out. */
  async #ask(): Promise<void> {
    if (this.#asked !== null) return;
    this.#asked = this.#wanted;
    const face = await this.#face.catch(() => null);
    if (!face || current !== this) return;
    this.#asked = this.#wanted;
    const moment = momentOf(face, this.#wanted / (moments - 1));
    if (moment) post({ kind: 'thumbnail', film: this.id, at: this.#wanted, moment });
  }

  /** A frame came. */
  take({ at, pixels }: DrawnThumbnail): void {
    const frame = new ImageData(new Uint8ClampedArray(pixels.buffer), frameSize.width, frameSize.height);
    this.#frames.set(at, frame);
    this.#asked = null;
    if (at === this.#wanted) this.#onFrame(frame);
    else this.show(this.#wanted / (moments - 1));
  }

  /** Draws no more, and forgets its frames. */
  close(): void {
    this.#frames.clear();
    if (current !== this) return;
    current = null;
    endSoon();
  }
}

async function faceOf(take: Take) {
  const modelId = take.model || null;
  const [{ face }, state, drives] = await Promise.all([
    queryClient.fetchQuery(faceQuery(take)),
    studio.takeEdits.open({ id: take.id }),
    queryClient.fetchQuery({
      queryKey: drivesKey(modelId),
      queryFn: () => studio.names.drives({ modelId }),
      staleTime: 60_000,
    }),
  ]);
  if (face.count === 0) return null;
  const { edits } = state;
  const context = await loadEditContext(take, edits);
  return { loaded: face, edits, context, played: timeMap(edits.pieces, take.seconds), drives: drives.rows };
}

/** The face at a share of the time that plays, as the edits make it; null without any. */
function momentOf(
  { loaded, edits, context, played }: NonNullable<Awaited<ReturnType<typeof faceOf>>>,
  share: number,
): FaceMoment | null {
  const recorded = loaded.around(played.toRecorded(share * played.seconds))?.from;
  if (!recorded || leavesFace(edits)) return recorded ? ownFrame(recorded) : null;
  const { channelNames, frameRate, frames, serverShare } = loaded;
  const time = recorded.timeCode;
  const [first, end] = [firstFrom(frames, time - reach), firstFrom(frames, time + reach)];
  const near = {
    channelNames,
    frameRate,
    frames: frames.slice(first, end),
    serverShare: serverShare.subarray(first, end),
  };
  const [shaped] = shapedFace(near, edits, context, { from: time, to: time }).frames;
  return shaped ? ownFrame(shaped) : null;
}
