/** Draws a film frame by frame, as fast as it can be drawn and written, beside the page. */

import type { FilmJob } from '@likeness/proto/takes/film_message.ts';
import { frameTime } from '@likeness/proto/takes/frame_rates.ts';
import { videoLimits } from '#contract/video_options.ts';
import { type DrawnHead, FilmStage } from '../../speaking/film/film-stage.ts';
import { missingCodec } from './film-codecs.ts';
import { FilmFace } from './film-face.ts';
import { FilmFile } from './film-file.ts';
import { type Backdrop, rgbaPicture, rgbOf } from './film-pixels.ts';
import { FilmSubtitles } from './film-subtitles.ts';
import type { AskedThumbnail, DrawFilm, FromFilmWorker, ToFilmWorker } from './film-worker-message.ts';
import { pngOf } from './png-picture.ts';
import { drawThumbnail, openThumbnails } from './thumbnail-stage.ts';

const send = (message: FromFilmWorker, transfer: Transferable[] = []): void =>
  self.postMessage(message, { transfer });

/** Bytes on their way to the disk: no more is made while there are many. */
class Backpressure {
  #sent = 0;
  #written = 0;
  #waiting: (() => void)[] = [];

  written(bytes: number): void {
    this.#written = bytes;
    if (this.#sent - this.#written < videoLimits.ahead) for (const go of this.#waiting.splice(0)) go();
  }

  async sent(bytes: number): Promise<void> {
    this.#sent += bytes;
    if (this.#sent - this.#written >= videoLimits.ahead)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

const pressure = new Backpressure();

self.onmessage = ({ data }: MessageEvent<ToFilmWorker>) => {
  if (data.kind === 'written') pressure.written(data.bytes);
  else if (data.kind === 'open thumbnail') openThumbnails(data);
  else if (data.kind === 'thumbnail') void sendThumbnail(data);
  else
    draw(data).catch((error: unknown) =>
      send({ kind: 'failed', why: 'other', message: error instanceof Error ? error.message : String(error) }),
    );
};

/** A head that can't be drawn has no pictures: its thumbnail stays as it is. */
async function sendThumbnail({ film, at, moment }: AskedThumbnail): Promise<void> {
  const pixels = await drawThumbnail(moment).catch(() => null);
  if (pixels) send({ kind: 'thumbnail', film, at, pixels }, [pixels.buffer]);
}

async function draw({ job, headUrl, faceUrl, soundUrl, pictureUrl }: DrawFilm): Promise<void> {
  const codec = await missingCodec(job);
  if (codec) {
    send({ kind: 'failed', why: codec, message: '' });
    return;
  }
  const face = await FilmFace.open(faceUrl);
  const { signal } = new AbortController();
  const stage = await FilmStage.open({ headUrl, job, channelNames: face.channelNames, signal });
  try {
    const behind = await backdrop(job, pictureUrl);
    const sink = job.format === 'png' ? pngSink(job, behind) : await fileSink(job, behind, soundUrl);
    await drawFrames(job, face, stage, sink);
    await sink.finish();
    send({ kind: 'end' });
  } finally {
    stage.close();
  }
}

/** Where pictures go. */
interface Sink {
  /** Frames that need not be drawn. */
  isThere(index: number): boolean;
  /** @param drawn may change as soon as this resolves */
  add(index: number, drawn: DrawnHead): Promise<void>;
  finish(): Promise<void>;
}

/** Null: nothing is behind the head. */
async function backdrop({ background }: FilmJob, pictureUrl: string | null): Promise<Backdrop | null> {
  if (pictureUrl !== null) return new Uint8Array(await (await fetched(pictureUrl)).arrayBuffer());
  return background === null ? null : rgbOf(background);
}

async function fileSink(job: FilmJob, behind: Backdrop | null, soundUrl: string): Promise<Sink> {
  const file = await FilmFile.open({
    job,
    behind,
    sound: await (await fetched(soundUrl)).blob(),
    write(position, bytes) {
      // What the muxer gives may be a view of a buffer that it goes on with.
      const piece = bytes.slice();
      send({ kind: 'piece', position, bytes: piece }, [piece.buffer]);
      return pressure.sent(piece.length);
    },
  });
  return {
    isThere: () => false,
    add: (index, drawn) => file.add(index, drawn),
    finish: () => file.finish(),
  };
}

function pngSink(job: FilmJob, behind: Backdrop | null): Sink {
  const there = new Set(job.there.flatMap(([first, last]) => range(first, last)));
  return {
    isThere: (index) => there.has(index),
    async add(index, drawn) {
      const bytes = await pngOf(rgbaPicture(drawn, job, behind), job);
      send({ kind: 'frame', index, bytes }, [bytes.buffer]);
      await pressure.sent(bytes.length);
    },
    finish: async () => undefined,
  };
}

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

/** While one frame is drawn, the one before it is encoded. */
async function drawFrames(job: FilmJob, face: FilmFace, stage: FilmStage, sink: Sink): Promise<void> {
  const wanted = range(0, job.frames - 1).filter((index) => !sink.isThere(index));
  const subtitles = job.subtitles.length > 0 ? new FilmSubtitles(job) : null;
  let done = job.frames - wanted.length;
  let before: { index: number; under: ReturnType<FilmStage['begin']> } | null = null;
  const finish = async ({ index, under }: NonNullable<typeof before>): Promise<void> => {
    const drawn = stage.take(under);
    await sink.add(index, subtitles?.over(drawn, frameTime(index, job.rate)) ?? drawn);
    done += 1;
    send({ kind: 'progress', done });
  };
  send({ kind: 'progress', done });
  for (const [at, index] of wanted.entries()) {
    const under = stage.begin(index, at, await face.frame(index));
    if (before) await finish(before);
    before = { index, under };
    await breathe();
  }
  if (before) await finish(before);
}

/** Yields to incoming messages, which confirm written data. */
const turn = new MessageChannel();
const breathe = (): Promise<void> =>
  new Promise((resolve) => {
    turn.port1.onmessage = () => resolve();
    turn.port2.postMessage(null);
  });

async function fetched(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response;
}
