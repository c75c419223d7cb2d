/** The studio as far as films go: one take, the default head, the built page in a Chromium out of sight. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Handlers, VideoOptions } from '#contract';
import { findChromium } from '../../main/shell/browser/chromium.ts';
import { openDrawingPage } from '../../main/shell/browser/drawing_page.ts';
import { ExportedTakes } from '../../main/takes/export/exported_takes.ts';
import type { FinishedTake } from '../../main/takes/finished_take.ts';
import { FilmPictures } from '../../main/takes/video/film_pictures.ts';
import { Films } from '../../main/takes/video/films.ts';
import { videoCalls } from '../../main/takes/video/video_calls.ts';

const built = join(import.meta.dirname, '../../out');

export const canFilm = (): boolean =>
  findChromium() !== null && existsSync(join(built, 'renderer/index.html'));

export interface FilmStudio {
  /** @param onFrame told how many frames are drawn @returns path of the film, in a folder that goes with the studio */
  film(name: string, options: Partial<VideoOptions>, onFrame?: (done: number) => void): Promise<string>;
  /** @returns what a film names it by */
  picture(path: string): Promise<string>;
  close(): Promise<void>;
}

export async function filmStudio(take: FinishedTake): Promise<FilmStudio> {
  const folder = await mkdtemp(join(tmpdir(), 'likeness-films-'));
  const randomId = (): string => randomBytes(6).toString('hex');
  const pictures = new FilmPictures(join(folder, 'pictures'), async (photo) => photo);
  const films = new Films({
    takes: { list: () => [take.record], record: () => take.record },
    pictures,
    finished: async () => take,
    exports: new ExportedTakes(folder, randomId),
    folder: join(folder, 'films'),
    defaultHead: () => 'default',
    drives: async () => [],
    randomId,
    clock: Date.now,
  });
  const handlers = onlyVideo(
    videoCalls({ films, pictures, takeDropped: () => [], subtitles: async () => [], words: String }),
  );
  return {
    async film(name, changes, onFrame = () => {}) {
      const path = join(folder, name);
      const options: VideoOptions = {
        format: 'webm',
        width: 1280,
        height: 720,
        rate: '30',
        framing: 'bust',
        camera: 'front',
        background: '#1f2426',
        picture: null,
        detail: 'auto',
        subtitles: false,
        ...changes,
      };
      const { filmId, end } = await films.start(
        {
          takeId: 't',
          head: { modelId: null },
          options,
          destination: { kind: 'path', path, overwrite: false },
        },
        ({ done }) => onFrame(done),
      );
      const page = await openDrawingPage({
        filmId,
        handlers,
        pages: {
          rendererFolder: join(built, 'renderer'),
          bridgeFile: join(built, 'preload/browser.cjs'),
          asset: async (kind, id) =>
            kind === 'default-head' ? join(built, 'main/default-head.glb') : films.source(id),
        },
        folder,
        randomBytes,
        report: (where, error) => console.error(where, error),
        environment: process.env,
      });
      try {
        await end;
      } finally {
        await page.close();
      }
      return path;
    },
    picture: async (path) => (await pictures.add({ path, name: path, temporary: false })).id,
    async close() {
      await films.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The contract with one room: nothing else is reached by a page that draws. */
const onlyVideo = (video: Handlers['video']): Handlers =>
  new Proxy({} as Handlers, {
    get: (_, room) => (room === 'video' ? video : new Proxy({}, { get: () => () => undefined })),
  });
