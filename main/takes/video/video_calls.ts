import { join } from 'node:path';
import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { FilmJob } from '@likeness/proto/takes/film_message.ts';
import type { Handlers } from '#contract';
import type { GivenFile } from '../../base/given_file.ts';
import type { FilmOrder } from './film_order.ts';
import type { FilmPictures } from './film_pictures.ts';
import type { Films } from './films.ts';

export interface VideoCallsOptions {
  films: Films;
  pictures: FilmPictures;
  /** A file that was dropped or chosen. @throws Failure `not_found` */
  takeDropped: (dropIds: readonly string[]) => GivenFile[];
  /** Opens a folder dialog; null: cancelled. Absent if there are no dialogs: films are then downloads. */
  chooseFolder?: (title: string) => Promise<string | null>;
  /** Subtitles of a take with its edits. @throws Failure `not_found`, `storage` */
  subtitles: (takeId: string) => Promise<FilmJob['subtitles']>;
  /** A sentence in the user's language. */
  words: (message: Message) => string;
}

/** Number of folders remembered for the next film of a run. */
const maxFolders = 16;

/** Number of alternative names to test if one is taken. */
const maxNames = 1000;

/** Implements the room `video` of the contract. */
export function videoCalls({
  films,
  pictures,
  takeDropped,
  chooseFolder,
  subtitles,
  words,
}: VideoCallsOptions): Handlers['video'] {
  /** Destinations of films, by their ids, oldest first. */
  const folders = new Map<string, string>();
  /** Returns the first name in the folder that is free, or contains the beginning of this film. */
  const startIn = async (
    folder: string,
    order: Omit<FilmOrder, 'destination'> & { stem: string },
  ): Promise<string> => {
    const { stem } = order;
    const ending = order.options.format === 'png' ? '' : `.${order.options.format}`;
    for (let count = 1; ; count++) {
      const path = join(folder, `${stem}${count > 1 ? ` ${count}` : ''}${ending}`);
      try {
        return (await films.start({ ...order, destination: { kind: 'path', path, overwrite: false } }))
          .filmId;
      } catch (error) {
        const isTaken = error instanceof Failure && error.code === 'conflict' && !error.retryable;
        if (!isTaken || count === maxNames) throw error;
      }
    }
  };
  return {
    async start({ takeId, modelId, options, fileName, number, beside }) {
      const stem = films.nameOf(takeId, fileName, number, options.rate);
      const order = { takeId, head: { modelId }, options, stem };
      if (!chooseFolder)
        return { filmId: (await films.start({ ...order, destination: { kind: 'fetched' } })).filmId };
      // All films of one run go to one folder, which is requested once.
      const known = beside === undefined ? undefined : folders.get(beside);
      const folder = known ?? (await chooseFolder(words(t('film.choose_folder'))));
      if (folder === null) return null;
      const filmId = await startIn(folder, order);
      folders.set(filmId, folder);
      const [oldest] = folders.keys();
      if (folders.size > maxFolders && oldest !== undefined) folders.delete(oldest);
      return { filmId };
    },
    subtitles: async ({ takeId }) =>
      (await subtitles(takeId)).map((cue) => ({ ...cue, lines: [...cue.lines] })),
    addPicture: ({ dropId }) => pictures.add(takeDropped([dropId])[0]!),
    async cancel({ filmId }) {
      await films.cancel(filmId);
      return undefined;
    },
    open: ({ filmId }, stream) => films.open(filmId, stream),
  };
}
