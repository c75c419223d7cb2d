/** The films that are being made, one after the other; they go on while another place is shown. */

import i18next from 'i18next';
import type { VideoOptions } from '#contract';
import { reportJob } from '../../base/jobs.ts';
import { notify, notifyFailure } from '../../base/notices.tsx';
import { createStore } from '../../base/store.ts';
import { studio } from '../../base/studio.ts';
import { saveExports } from '../export/export-files.ts';
import { drawFilm } from './draw-film.ts';
import { FilmTimer } from './film-timer.ts';

/** A take that is filmed. */
export interface FilmedTake {
  id: string;
  name: string;
  /** The head that it is filmed on; empty: the default head. */
  modelId: string;
  seconds: number;
}

/** Each on the head that it was made with. */
export async function takesToFilm(ids: readonly string[]): Promise<FilmedTake[]> {
  const found = await Promise.all(ids.map((id) => studio.takes.take({ id })));
  return found.map(({ id, name, model, seconds }) => ({ id, name, modelId: model, seconds }));
}

export interface Filming {
  name: string;
  /** Number of this film, from 1. */
  position: number;
  count: number;
  done: number;
  frames: number;
  /** Of this film; null: not known yet. */
  secondsLeft: number | null;
}

/** Null while no film is made. */
export const filming = createStore<Filming | null>(null);

let stop = new AbortController();

/**
 * Makes films one after another and reports errors; a failed film does not stop the next.
 * @param fileName in the form of exports
 */
export async function makeFilms(
  takes: readonly FilmedTake[],
  options: VideoOptions,
  fileName: string,
): Promise<void> {
  if (filming.get()) return;
  stop = new AbortController();
  const { signal } = stop;
  const made: { name: string; at: string }[] = [];
  let beside: string | undefined;
  try {
    for (const [index, take] of takes.entries()) {
      if (signal.aborted) break;
      const { name } = take;
      const under = { name, position: index + 1, count: takes.length };
      filming.set({ ...under, done: 0, frames: 0, secondsLeft: null });
      try {
        const film = await studio.video.start({
          ...{ takeId: take.id, modelId: take.modelId || null, options, fileName, number: index + 1 },
          ...(beside !== undefined && { beside }),
        });
        // No folder was chosen.
        if (!film) break;
        beside = film.filmId;
        made.push({ name, at: await filmed(film.filmId, under, signal) });
      } catch (thrown) {
        notifyFailure(thrown);
      }
    }
  } finally {
    filming.set(null);
  }
  const [first] = made;
  if (!first) return;
  const title =
    made.length === 1
      ? i18next.t('takes:film.made', { name: first.name })
      : i18next.t('takes:film.madeSeveral', { count: made.length });
  notify({ level: 'success', title, text: first.at }, true);
}

/** Draws a film and saves it. Resolves with where it is; empty: the browser knows. @throws StudioFailure */
async function filmed(
  filmId: string,
  under: Pick<Filming, 'name' | 'position' | 'count'>,
  signal: AbortSignal,
): Promise<string> {
  const timer = new FilmTimer();
  const { files, at } = await drawFilm(filmId, {
    signal,
    onProgress: (done, frames) =>
      filming.set({ ...under, done, frames, secondsLeft: timer.left(done, frames, performance.now()) }),
  });
  await saveExports(files);
  return at;
}

/** Ends the film that is being made; those after it are not begun. */
export const stopFilm = (): void => stop.abort();

filming.subscribe(() => {
  const now = filming.get();
  if (!now) return reportJob('film', null);
  const { name, position, count, done, frames, secondsLeft } = now;
  const share = frames > 0 ? done / frames : 0;
  reportJob('film', { name, share, secondsLeft, waiting: count - position, cancel: stopFilm });
});
