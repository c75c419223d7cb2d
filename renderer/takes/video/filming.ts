/** The film that is being made; it goes on while another place is shown. */
import i18next from 'i18next';
import type { Take, VideoOptions } from '#contract';
import { assetUrl } from '../../base/asset-url.ts';
import { tell, tellFailure } from '../../base/notices.tsx';
import { createStore } from '../../base/store.ts';
import { studio } from '../../base/studio.ts';
import { drawFilm } from './draw-film.ts';
import { FilmTimer } from './film-timer.ts';

export interface Filming {
  name: string;
  done: number;
  frames: number;
  /** Null: not known yet. */
  secondsLeft: number | null;
}

/** Null while no film is made. */
export const filming = createStore<Filming | null>(null);

let stop = new AbortController();

/** Errors are told. @param modelId empty: the default head */
export async function makeFilm(take: Take, modelId: string, options: VideoOptions): Promise<void> {
  if (filming.get()) return;
  const { name } = take;
  filming.set({ name, done: 0, frames: 0, secondsLeft: null });
  stop = new AbortController();
  try {
    const film = await studio.video.start({ takeId: take.id, modelId: modelId || null, options });
    if (!film) return;
    const timer = new FilmTimer();
    const { files, at } = await drawFilm(film.filmId, {
      signal: stop.signal,
      onProgress: (done, frames) =>
        filming.set({ name, done, frames, secondsLeft: timer.left(done, frames, performance.now()) }),
    });
    for (const { exportId, fileName } of files) {
      const link = document.createElement('a');
      link.href = assetUrl(exportId, 'take-export');
      link.download = fileName;
      link.click();
    }
    tell({ level: 'success', title: i18next.t('takes:film.made', { name }), text: at });
  } catch (thrown) {
    tellFailure(thrown);
  } finally {
    filming.set(null);
  }
}

export const stopFilm = (): void => stop.abort();
