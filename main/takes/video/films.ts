import { createHash } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StudioStream } from '#contract';
import { transparent, videoLimits } from '#contract/video_options.ts';
import { decodeToMain, encodeToPage, type FilmJob, type SavedFilm } from '#proto/takes/film_message.ts';
import { resampledFace } from '#proto/takes/resampled_face.ts';
import { encodeWav, type Sound } from '#proto/wav.ts';
import { say } from '#sentences';
import { Failure } from '../../failure.ts';
import { makeFolderForThePerson } from '../../storage/private_files.ts';
import { safeName } from '../../storage/safe_name.ts';
import { storageFailure } from '../../storage/storage_failure.ts';
import type { ExportedTakes } from '../export/exported_takes.ts';
import type { FinishedTake } from '../finished_take.ts';
import { faceMessages } from '../second_face.ts';
import { readWavSound } from '../wav_file.ts';
import { FilmArchiveSink } from './film_archive_sink.ts';
import { FilmFileSink } from './film_file_sink.ts';
import { type FilmHead, type FilmOrder, filmFrames, filmRate, filmSamples } from './film_order.ts';
import { FilmSequenceSink } from './film_sequence_sink.ts';
import type { FilmSink } from './film_sink.ts';

export interface FilmsOptions {
  finished: (takeId: string) => Promise<FinishedTake>;
  exports: ExportedTakes;
  /** For films that are under way: emptied when the studio starts. */
  folder: string;
  randomId: () => string;
  clock: () => number;
}

/** How far a film is. */
export interface FilmProgress {
  done: number;
  frames: number;
}

interface Film {
  job: FilmJob;
  sink: FilmSink;
  /** Of what it is made of: gone with it. */
  folder: string;
  from: { takes: readonly string[]; models: readonly string[] };
  /** By the page, which then saves it. */
  isFetched: boolean;
  isOpen: boolean;
  stop: AbortController;
  onProgress: (progress: FilmProgress) => void;
  end: PromiseWithResolvers<SavedFilm>;
}

/** Films of takes: prepared here, drawn by a page, written here. */
export class Films {
  readonly #options: FilmsOptions;
  readonly #films = new Map<string, Film>();

  constructor(options: FilmsOptions) {
    this.#options = options;
  }

  /**
   * Prepares a film. A page draws it once it opens its stream.
   *
   * @throws Failure `not_found`, `storage`, `conflict`
   */
  async start(
    order: FilmOrder,
    onProgress: (progress: FilmProgress) => void = () => {},
  ): Promise<{ filmId: string; end: Promise<SavedFilm> }> {
    if (this.#films.size >= videoLimits.films)
      throw new Failure('conflict', say('film.too_many', { most: videoLimits.films }), { retryable: true });
    const { finished, randomId } = this.#options;
    const take = await finished(order.takeId);
    const filmId = randomId();
    const folder = join(this.#options.folder, filmId);
    try {
      const { job, sink } = await this.#prepare(order, take, folder);
      const end = Promise.withResolvers<SavedFilm>();
      // Who only draws it does not wait for its end.
      end.promise.catch(() => undefined);
      const { head } = order;
      this.#films.set(filmId, {
        job,
        sink,
        folder,
        from: { takes: [order.takeId], models: 'modelId' in head ? [head.modelId ?? ''] : [] },
        isFetched: order.place.kind === 'fetched',
        isOpen: false,
        stop: new AbortController(),
        onProgress,
        end,
      });
      return { filmId, end: end.promise };
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw storageFailure(error, folder);
    }
  }

  /** Ends a film. Does nothing where it has ended. */
  async cancel(filmId: string): Promise<void> {
    const film = this.#films.get(filmId);
    if (!film) return;
    film.stop.abort(cancelled());
    if (!film.isOpen) await this.#fail(filmId, film, cancelled());
  }

  /** A page draws it. Resolves when the film is saved. @throws Failure why it is not */
  async open(filmId: string, stream: StudioStream): Promise<void> {
    const film = this.#films.get(filmId);
    if (!film || film.isOpen) throw new Failure('not_found', say('film.gone'));
    film.isOpen = true;
    try {
      stream.send(encodeToPage({ kind: 'job', job: film.job }));
      await received(film, stream);
      const saved = await this.#save(film);
      this.#films.delete(filmId);
      film.end.resolve(saved);
      stream.send(encodeToPage({ kind: 'saved', saved }));
    } catch (error) {
      await this.#fail(filmId, film, error);
      throw error;
    } finally {
      await this.#removeSources(film);
    }
  }

  /** Files that films under way are made of, by their ids. */
  source(id: string): string | null {
    for (const [filmId, { folder }] of this.#films) {
      if (!id.startsWith(`${filmId}-`)) continue;
      const name = sources.find((one) => id === `${filmId}-${one}`);
      if (name) return join(folder, name);
    }
    return null;
  }

  /** Ends films of these takes or heads: they are erased. */
  async erase(gone: { takes: ReadonlySet<string>; models: ReadonlySet<string> }): Promise<void> {
    for (const [filmId, { from }] of this.#films)
      if (from.takes.some((id) => gone.takes.has(id)) || from.models.some((id) => gone.models.has(id)))
        await this.cancel(filmId);
  }

  async close(): Promise<void> {
    for (const filmId of [...this.#films.keys()]) await this.cancel(filmId);
  }

  async #fail(filmId: string, film: Film, error: unknown): Promise<void> {
    this.#films.delete(filmId);
    await film.sink.discard().catch(() => undefined);
    await this.#removeSources(film);
    film.end.reject(error);
  }

  async #removeSources({ folder }: Film): Promise<void> {
    await rm(folder, { recursive: true, force: true });
  }

  async #save(film: Film): Promise<SavedFilm> {
    const saved = await film.sink.finish();
    if (!film.isFetched) return saved;
    const { exports } = this.#options;
    const fileName = nameOf(saved.at);
    // Beside other exports: it goes where they go, when the take is erased too.
    return exports.inFolder(async (folder) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await rename(saved.at, join(folder, fileName));
      return {
        files: [{ ...(await exports.add(join(folder, fileName), film.from)), fileName }],
        at: '',
      };
    });
  }

  /** Writes what the page draws from, and makes room for what comes of it. */
  async #prepare(
    { head, options, place }: FilmOrder,
    { record, face, audio, seconds }: FinishedTake,
    folder: string,
  ): Promise<{ job: FilmJob; sink: FilmSink }> {
    const rate = filmRate(options.rate);
    const frames = filmFrames(seconds, rate);
    if (frames > videoLimits.frames) throw new Failure('invalid_input', say('film.too_long'));
    const shown = resampledFace(face, rate, seconds);
    const faceBytes = Buffer.concat(
      faceMessages({ ...shown, tier: 'afterwards', frames: framesOf(shown.frames, frames) }, seconds),
    );
    const sound = encodeWav(
      soundOf(readWavSound(audio), (at) => filmSamples(frames, rate, at)),
      's16le',
    );
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const write = (name: (typeof sources)[number], bytes: Uint8Array): Promise<void> =>
      writeFile(join(folder, name), bytes, { mode: 0o600 });
    await write('face', faceBytes);
    await write('sound', sound);
    if ('bytes' in head) await write('head', head.bytes);
    const filmId = nameOf(folder);
    const { width, height, format, framing, camera, background, detail } = options;
    const film = {
      format,
      width,
      height,
      rate,
      frames,
      framing,
      camera,
      background: background === transparent ? null : background,
      detail,
    };
    const stem = safeName(record.name, { maxBytes: 100, fallback: 'take' }).replaceAll('.', '_');
    const job: FilmJob = {
      ...film,
      head: headOf(head, filmId),
      face: `${filmId}-face`,
      sound: `${filmId}-sound`,
      there: [],
    };
    const path =
      place.kind === 'path' ? place.path : join(folder, `${stem}.${format === 'png' ? 'zip' : format}`);
    const overwrite = place.kind === 'path' && place.overwrite;
    if (format !== 'png') {
      if (place.kind === 'path') makeFolderForThePerson(dirname(path));
      return {
        job,
        sink: await FilmFileSink.create({ path, overwrite, isPrivate: place.kind === 'fetched' }),
      };
    }
    if (place.kind === 'fetched')
      return { job, sink: await FilmArchiveSink.create({ path, stem, sound, now: this.#options.clock() }) };
    const sink = await FilmSequenceSink.create({
      path,
      stem,
      overwrite,
      frames,
      width,
      height,
      film: fingerprint(film, head, faceBytes),
      sound,
    });
    return { job: { ...job, there: sink.there }, sink };
  }
}

/** Files that a film is made of. */
const sources = ['face', 'sound', 'head'] as const;

const nameOf = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

const headOf = (head: FilmHead, filmId: string): FilmJob['head'] => {
  if ('bytes' in head) return { kind: 'film-source', id: `${filmId}-head` };
  return head.modelId === null
    ? { kind: 'default-head', id: 'default' }
    : { kind: 'model', id: head.modelId };
};

/** Just so many frames, numbered; the last one is held. */
function framesOf<Frame>(frames: readonly Frame[], count: number) {
  if (frames.length === 0) return [];
  return Array.from({ length: Math.min(count, frames.length) }, (_, index) => ({
    ...frames[index]!,
    kind: 'frame' as const,
    index,
    vertices: undefined,
  }));
}

/** Trimmed or padded with silence. @param length of it in samples, at a rate */
function soundOf({ sampleRate, samples }: Sound, length: (sampleRate: number) => number): Sound {
  const all = new Float32Array(length(sampleRate));
  all.set(samples.subarray(0, all.length));
  return { sampleRate, samples: all };
}

/** The same for films whose frames are alike. */
function fingerprint(film: object, head: FilmHead, face: Uint8Array): string {
  const hash = createHash('sha256').update(JSON.stringify(film)).update(face);
  return hash.update('bytes' in head ? head.bytes : String(head.modelId)).digest('hex');
}

/** Resolves when the page has sent all of it, and it is written. @throws Failure */
function received(film: Film, stream: StudioStream): Promise<void> {
  const { sink, job, stop, onProgress } = film;
  return new Promise((resolve, reject) => {
    let written = 0;
    let turn: Promise<void> = Promise.resolve();
    const write = (bytes: Uint8Array, work: () => Promise<void>): void => {
      turn = turn.then(async () => {
        stop.signal.throwIfAborted();
        await work();
        written += bytes.length;
        stream.send(encodeToPage({ kind: 'written', bytes: written }));
      });
      turn.catch(reject);
    };
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason));
    // What is under way is written to its end before the film is discarded.
    stream.onClose(() => void turn.catch(() => undefined).then(() => reject(cancelled())));
    stream.onMessage((bytes) => {
      const message = decodeToMain(bytes);
      if (!message) return reject(new Failure('invalid_input', say('film.not_of_it')));
      if (message.kind === 'piece') {
        write(message.bytes, () => sink.piece(message.position, message.bytes));
      } else if (message.kind === 'frame') {
        write(message.bytes, () => sink.frame(message.index, message.bytes));
      } else if (message.kind === 'progress') {
        onProgress({ done: Math.min(message.done, job.frames), frames: job.frames });
      } else if (message.kind === 'end') turn.then(resolve, reject);
      else reject(notDrawn(message.why, message.message));
    });
  });
}

const cancelled = (): Failure => new Failure('cancelled', say('film.cancelled'));

function notDrawn(why: string, message: string): Failure {
  if (why === 'no_webcodecs')
    return new Failure('unsupported', say('film.no_encoders'), { hint: say('film.newer_browser') });
  if (why === 'no_vp9') return new Failure('unsupported', say('film.no_vp9'), { hint: say('film.as_png') });
  if (why === 'no_h264')
    return new Failure('unsupported', say('film.no_h264'), { hint: say('film.as_webm') });
  return new Failure('unsupported', say('film.not_drawn', { problem: message }), {
    hint: say('film.smaller'),
  });
}
