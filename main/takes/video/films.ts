import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { makeFolderForThePerson } from '@likeness/node-kit/storage/private_files.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { ShapeDrive } from '@likeness/proto/face/shape_drives.ts';
import type { DefaultHead } from '@likeness/proto/heads/default_heads.ts';
import {
  decodeToMain,
  encodeToPage,
  type FilmJob,
  type SavedFilm,
} from '@likeness/proto/takes/film_message.ts';
import type { StudioStream } from '#contract';
import { transparent, type VideoRate, videoLimits } from '#contract/video_options.ts';
import type { ExportedTakes } from '../export/exported_takes.ts';
import { type NamedTake, namedTakes, type TakesToName } from '../export/named_takes.ts';
import { stemOf } from '../export/take_export.ts';
import type { FinishedTake } from '../finished_take.ts';
import { FilmArchiveSink } from './film_archive_sink.ts';
import { filmCues } from './film_cues.ts';
import { FilmFileSink } from './film_file_sink.ts';
import { type FilmHead, type FilmOrder, filmFrames, filmRate } from './film_order.ts';
import type { FilmPictures } from './film_pictures.ts';
import { FilmSequenceSink } from './film_sequence_sink.ts';
import type { FilmSink } from './film_sink.ts';
import { type FilmSources, filmFingerprint, filmSourceNames, writeFilmSources } from './film_sources.ts';

export interface FilmsOptions {
  takes: TakesToName;
  finished: (takeId: string) => Promise<FinishedTake>;
  exports: ExportedTakes;
  /** The default head to film. */
  defaultHead: () => DefaultHead;
  /**
   * Returns the mapping from a face's channels to a head's shapes. @throws Failure `not_found`,
   * `invalid_input`
   */
  drives: (head: FilmHead, channels: readonly string[]) => Promise<readonly ShapeDrive[]>;
  pictures: FilmPictures;
  /** For running films: emptied when the studio starts. */
  folder: string;
  randomId: () => string;
  clock: () => number;
}

/** Progress of a film. */
export interface FilmProgress {
  done: number;
  frames: number;
}

interface Film {
  job: FilmJob;
  sink: FilmSink;
  /** Folder of its sources, deleted with it. */
  folder: string;
  from: { takes: readonly string[]; models: readonly string[] };
  /** True if the page downloads it. */
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
      throw new Failure('conflict', t('film.too_many', { most: videoLimits.films }), { retryable: true });
    const { finished, randomId } = this.#options;
    const take = await finished(order.takeId);
    const filmId = randomId();
    const folder = join(this.#options.folder, filmId);
    try {
      const { job, sink } = await this.#prepare(order, take, folder);
      const end = Promise.withResolvers<SavedFilm>();
      // The page that draws does not wait for the end.
      end.promise.catch(() => undefined);
      const { head } = order;
      this.#films.set(filmId, {
        job,
        sink,
        folder,
        from: { takes: [order.takeId], models: 'modelId' in head ? [head.modelId ?? ''] : [] },
        isFetched: order.destination.kind === 'fetched',
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

  /**
   * Returns the base name of a take's film. @param number of the film within its run
   *
   * @throws Failure `not_found`; `invalid_input` for an unknown field
   */
  nameOf(takeId: string, pattern: string, number: number, rate: VideoRate): string {
    return this.#named([takeId], pattern, number, rate)[0]!.fileName;
  }

  /** The same for all films of one run, by their takes, with unique names. @throws as {@link nameOf} */
  namesOf(takeIds: readonly string[], pattern: string, rate: VideoRate): Map<string, string> {
    const ids = [...new Set(takeIds)];
    const named = this.#named(ids, pattern, 1, rate);
    return new Map(ids.map((id, at) => [id, named[at]!.fileName]));
  }

  #named(ids: readonly string[], fileName: string, firstNumber: number, rate: VideoRate): NamedTake[] {
    const { takes, clock } = this.#options;
    return namedTakes(takes, { ids, fileName, firstNumber, rate }, clock());
  }

  /** Ends a film. Does nothing if it has ended. */
  async cancel(filmId: string): Promise<void> {
    const film = this.#films.get(filmId);
    if (!film) return;
    film.stop.abort(cancelled());
    if (!film.isOpen) await this.#fail(filmId, film, cancelled());
  }

  /**
   * Connects the page that draws. Resolves when the film is saved. @throws Failure with the reason if it is
   * not
   */
  async open(filmId: string, stream: StudioStream): Promise<void> {
    const film = this.#films.get(filmId);
    if (!film || film.isOpen) throw new Failure('not_found', t('film.gone'));
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

  /** Source files of running films, by their ids. */
  source(id: string): string | null {
    for (const [filmId, { folder }] of this.#films) {
      if (!id.startsWith(`${filmId}-`)) continue;
      const name = filmSourceNames.find((one) => id === `${filmId}-${one}`);
      if (name) return join(folder, name);
    }
    return null;
  }

  /** Ends films of these takes or heads, because they are erased. */
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
    const fileName = basename(saved.at);
    // Beside other exports, so that it is deleted with them when the take is erased.
    return exports.inFolder(async (folder) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await rename(saved.at, join(folder, fileName));
      return {
        files: [{ ...(await exports.add(join(folder, fileName), film.from)), fileName }],
        at: '',
      };
    });
  }

  /** Writes the page's sources, and opens the destination. */
  async #prepare(
    order: FilmOrder,
    take: FinishedTake,
    folder: string,
  ): Promise<{ job: FilmJob; sink: FilmSink }> {
    const { defaultHead, drives } = this.#options;
    const filmId = basename(folder);
    const film = {
      ...filmOf(order, take.seconds),
      subtitles: subtitlesOf(order, take),
      picture: order.options.picture && `${filmId}-picture`,
      head: headOf(order.head, filmId, defaultHead()),
      drives: await drives(order.head, take.face.channelNames),
    };
    const sources = await writeFilmSources(folder, film, take, {
      ...('bytes' in order.head ? { head: order.head.bytes } : {}),
      ...(await this.#pictureOf(order)),
    });
    const sink = await this.#sink(film, order, order.stem ?? stemOf(take.record.name), sources, folder);
    const job: FilmJob = {
      ...film,
      face: `${filmId}-face`,
      sound: `${filmId}-sound`,
      there: sink.there,
    };
    return { job, sink };
  }

  async #pictureOf({
    options: { picture, width, height, background },
  }: FilmOrder): Promise<{ picture?: Uint8Array }> {
    if (!picture) return {};
    const { id, fit } = picture;
    return { picture: await this.#options.pictures.rgb(id, { width, height, fit, colour: background }) };
  }

  async #sink(
    film: DrawnFilm,
    { head: ordered, destination }: FilmOrder,
    stem: string,
    sources: FilmSources,
    folder: string,
  ): Promise<FilmSink> {
    const { sound } = sources;
    const { format, width, height, frames } = film;
    const isPrivate = destination.kind === 'fetched';
    const path = isPrivate ? join(folder, `${stem}.${format === 'png' ? 'zip' : format}`) : destination.path;
    const overwrite = !isPrivate && destination.overwrite;
    if (format !== 'png') {
      if (!isPrivate) makeFolderForThePerson(dirname(path));
      return FilmFileSink.create({ path, overwrite, isPrivate });
    }
    if (isPrivate) return FilmArchiveSink.create({ path, stem, sound, now: this.#options.clock() });
    const { head: _head, picture: _picture, ...drawn } = film;
    const drawnHead = 'bytes' in ordered ? ordered.bytes : `${film.head.kind} ${film.head.id}`;
    const same = await filmFingerprint(drawn, drawnHead, sources);
    return FilmSequenceSink.create({ path, stem, overwrite, frames, width, height, film: same, sound });
  }
}

/** Settings of the drawing, except the take. */
type DrawnFilm = Omit<FilmJob, 'face' | 'sound' | 'there'>;

/** @param seconds duration of the take @throws Failure `invalid_input` if there are too many frames */
function filmOf(
  { options }: FilmOrder,
  seconds: number,
): Omit<DrawnFilm, 'head' | 'drives' | 'picture' | 'subtitles'> {
  const { width, height, format, framing, camera, background, detail } = options;
  const rate = filmRate(options.rate);
  const frames = filmFrames(seconds, rate);
  if (frames > videoLimits.frames) throw new Failure('invalid_input', t('film.too_long'));
  return {
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
}

const subtitlesOf = ({ options }: FilmOrder, { words, seconds }: FinishedTake): FilmJob['subtitles'] =>
  options.subtitles ? filmCues(words, seconds) : [];

const headOf = (head: FilmHead, filmId: string, defaultHead: DefaultHead): FilmJob['head'] => {
  if ('bytes' in head) return { kind: 'film-source', id: `${filmId}-head` };
  if ('own' in head) return { kind: 'default-head', id: head.own };
  return head.modelId === null
    ? { kind: 'default-head', id: defaultHead }
    : { kind: 'model', id: head.modelId };
};

/** Resolves when the page has sent everything and it is written. @throws Failure */
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
    // Waits for pending writes before the film is discarded.
    stream.onClose(() => void turn.catch(() => undefined).then(() => reject(cancelled())));
    stream.onMessage((bytes) => {
      const message = decodeToMain(bytes);
      if (!message) return reject(new Failure('invalid_input', t('film.not_of_it')));
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

const cancelled = (): Failure => new Failure('cancelled', t('film.cancelled'));

function notDrawn(why: string, message: string): Failure {
  if (why === 'no_webcodecs')
    return new Failure('unsupported', t('film.no_encoders'), { hint: t('film.newer_browser') });
  if (why === 'no_vp9') return new Failure('unsupported', t('film.no_vp9'), { hint: t('film.as_png') });
  if (why === 'no_h264') return new Failure('unsupported', t('film.no_h264'), { hint: t('film.as_webm') });
  return new Failure('unsupported', t('film.not_drawn', { problem: message }), {
    hint: t('film.smaller'),
  });
}
