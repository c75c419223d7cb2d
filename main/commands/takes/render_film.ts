import { setTimeout as pause } from 'node:timers/promises';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { SavedFilm } from '@likeness/proto/takes/film_message.ts';
import type { Studio } from '../../studio.ts';
import type { FilmOrder } from '../../takes/video/film_order.ts';
import type { CommandContext } from '../command_context.ts';

/** Seconds within which a page must begin to draw: a browser starts, and a head is loaded. */
const beginWithin = 60;

/** Waits for the end of the film, or throws the reason for its failure. */
export async function renderFilm(
  studio: Studio,
  order: FilmOrder,
  { progress, signal }: CommandContext,
): Promise<SavedFilm> {
  const line = progress();
  const begun = Promise.withResolvers<void>();
  const startedAt = performance.now();
  const { filmId, end } = await studio.films.start(order, ({ done, frames }) => {
    begun.resolve();
    const left = done > 0 ? ((performance.now() - startedAt) / 1000 / done) * (frames - done) : 0;
    line.show(`${done}/${frames} · ${Math.ceil(left)} s`, done / frames);
  });
  const cancel = (): void => void studio.films.cancel(filmId);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const timer = new AbortController();
  try {
    const page = await studio.drawFilm(filmId);
    try {
      const isLate = pause(beginWithin * 1000, true, { signal: timer.signal, ref: false });
      const late = Promise.race([begun.promise, isLate]).then((was) => {
        if (was === true) throw new Failure('timeout', t('film.page_silent', { seconds: beginWithin }));
        return end;
      });
      const gone = page.ended.then(() => {
        throw new Failure('unsupported', t('film.page_ended'), { retryable: true });
      });
      return await Promise.race([end, late, gone]);
    } finally {
      timer.abort();
      await page.close();
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    // Does nothing if the film is finished.
    await studio.films.cancel(filmId);
    line.end();
  }
}
